"""``fairgate orders take-back``: a ticket that was passed on by fraud goes back to its buyer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.confirm import add_yes, confirm

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(verbs: Verbs) -> None:
    taking = verbs.add("take-back", "Give a ticket that was passed on back to its buyer.", run)
    taking.add_argument("event")
    taking.add_argument("order")
    taking.add_argument(
        "--ticket", required=True, help="as `orders show --json` names it in passed_on"
    )
    add_reason(taking, "why, for the log", required=True)
    add_yes(taking)


@at_target
def run(options: argparse.Namespace, target: Target) -> Report:
    """Where its buyer has it already it says so, and changes and logs nothing."""
    from fairgate.adapters.tickets.ed25519 import signer
    from fairgate.errors import NotFoundError
    from fairgate.service.orders.read_books import find_order
    from fairgate.service.tickets.take_back import TicketTaker, to_take_back
    from fairgate_ops.operate.cli.report import Report

    table = target.world.table
    order = find_order(table, options.order)
    if order is None or order.event_id != options.event:
        raise NotFoundError(f"There is no order {options.order} of {options.event}.")
    entry = to_take_back(order, options.ticket)
    if entry is None:
        return _report(options, order, "")
    what = [
        f"{entry.label} ({entry.ticket}) of {order.order_id} void for whoever has it.",
        "The order's buyer has it again, with a new code.",
    ]
    if options.dry_run:
        return Report(_data(options, order, entry.ticket), ["Dry run, nothing written.", *what])
    confirm(options, what)
    taker = TicketTaker(
        table, target.world.clock, signer(lambda: target.world.secrets.secrets().ticket)
    )
    detail = {"order": order.order_id, "ticket": entry.ticket, "reason": options.reason}
    done = target.acts().do(
        order.event_id, "order take-back", detail, lambda: taker.take_back(order, options.ticket)
    )
    return _report(options, done.order, done.ticket)


def _data(options: argparse.Namespace, order: Order, ticket: str) -> dict[str, object]:
    from fairgate_ops.operate.cli.order_shape import as_json

    return {
        "dry_run": options.dry_run,
        "again": not ticket,
        "ticket": ticket or None,
        "order": as_json(order),
    }


def _report(options: argparse.Namespace, order: Order, ticket: str) -> Report:
    from fairgate_ops.operate.cli.report import Report

    data = _data(options, order, ticket)
    if not ticket:
        text = f"Nothing to do: the buyer of {order.order_id} has {options.ticket} already."
        return Report(data, [text])
    label = next(entry.label for entry in order.tickets if entry.ticket == ticket)
    lines = [
        f"{label} of {order.order_id} is its buyer's again, as {ticket}.",
        f"Mail it: fairgate orders resend {order.order_id} --reason REASON",
        f"Doors refuse the old one: fairgate ticket void-list {order.event_id} --out FILE",
    ]
    return Report(data, lines)
