"""``fairgate orders void``: tickets that admit nobody any more, and no money going back."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.confirm import add_yes, confirm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Order
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(verbs: Verbs) -> None:
    voiding = verbs.add("void", "Make tickets void; no money goes back.", run_void)
    voiding.add_argument("event")
    voiding.add_argument("order")
    voiding.add_argument("--ticket", default="", help="this one alone, as `orders show` names it")
    add_reason(voiding, "why, for the log", required=True)
    add_yes(voiding)


@at_target
def run_void(options: argparse.Namespace, target: Target) -> Report:
    """For good. Where they are void already it says so, and changes and logs nothing."""
    from fairgate.errors import NotFoundError
    from fairgate.service.orders.read_books import find_order
    from fairgate.service.orders.void_tickets import TicketVoider, still_good
    from fairgate_ops.operate.cli.report import Report

    table = target.world.table
    order = find_order(table, options.order)
    if order is None or order.event_id != options.event:
        raise NotFoundError(f"There is no order {options.order} of {options.event}.")
    tickets = still_good(order, options.ticket)
    if not tickets:
        return _report(options, order, ())
    count = "1 ticket" if len(tickets) == 1 else f"{len(tickets)} tickets"
    what = [
        f"{count} of {order.order_id} void for good: {_labels(order, tickets)}.",
        "No money goes back, and what they are for stays sold.",
    ]
    if options.dry_run:
        return Report(_report(options, order, tickets).data, ["Dry run, nothing written.", *what])
    confirm(options, what)
    detail = {"order": order.order_id, "tickets": tickets, "reason": options.reason}
    voider = TicketVoider(table, target.world.clock)
    done = target.acts().do(
        order.event_id, "order void", detail, lambda: voider.void(order, options.ticket)
    )
    return _report(options, done.order, done.tickets)


def _report(options: argparse.Namespace, order: Order, tickets: Sequence[str]) -> Report:
    from fairgate_ops.operate.cli.order_shape import as_json
    from fairgate_ops.operate.cli.report import Report

    data = {
        "dry_run": options.dry_run,
        "again": not tickets,
        "tickets": list(tickets),
        "order": as_json(order),
    }
    if not tickets:
        which = options.ticket or "every ticket"
        return Report(data, [f"Nothing to do: {which} of {order.order_id} is void already."])
    lines = [
        f"Void: {_labels(order, tickets)} of {order.order_id}. Still good: {len(order.admitting)}.",
        f"Doors refuse them by a new list: fairgate ticket void-list {order.event_id} --out FILE",
    ]
    return Report(data, lines)


def _labels(order: Order, tickets: Sequence[str]) -> str:
    return ", ".join(f"{e.label} ({e.ticket})" for e in order.tickets if e.ticket in tickets)
