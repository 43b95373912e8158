"""``fairgate orders show|refund|resend``: one order, as staff sees it and as it is helped."""

from __future__ import annotations

import argparse
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.command import Verbs, add_reason, at_target
from fairgate_ops.operate.cli.confirm import add_yes, confirm
from fairgate_ops.operate.cli.money import minor_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.service.orders.refund_part import PartRefund, PartRefunder
    from fairgate.service.shared.records.orders import Order, OwedRefund
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(verbs: Verbs) -> None:
    showing = verbs.add("show", "Show one order: places, money, refunds.", run_show)
    showing.add_argument("order")
    refunding = verbs.add("refund", "Give a part of an order's money back.", run_refund)
    refunding.add_argument("order")
    refunding.add_argument("--amount", type=minor_units, required=True, metavar="MINOR")
    refunding.add_argument(
        "--key",
        help="names this refund, so that it is made once; else its amount and reason do, for a day",
    )
    add_reason(refunding, "why, for the log", required=True)
    add_yes(refunding)
    resending = verbs.add("resend", "Mail an order's tickets again.", run_resend)
    resending.add_argument("order")
    add_reason(resending, "why, for the log", required=True)


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    """Its buyer's address is shown to whoever asks for this one order, and stands in no log."""
    from fairgate_ops.operate.cli.report import Report

    order = _order(target, options.order)
    refunds = _refunds(target, order)
    data, good = _as_json(order, refunds), order.admitting
    lines = [
        f"{order.order_id}: {order.state}, {order.event_id}",
        f"  Buyer     {order.user_id} · {order.email}"
        + (f" at {order.erased_at}" if order.erased_at else ""),
        f"  Made      {order.created_at}, paid {order.paid_at or 'never'}",
        *(f"  Place     {unit.label}, {unit.tier} ({unit.places})" for unit in order.units),
        *(
            f"  Ticket    {entry.ticket} {entry.label}" + ("" if entry in good else ", VOID")
            for entry in order.tickets
        ),
        *(
            f"  Returned  {one.label}: {_money(one.amount_minor, order)} back,"
            f" {_money(one.fee_minor, order)} kept"
            for one in order.returned
        ),
        (
            f"  Money     {_money(order.total_minor, order)} paid,"
            f" {_money(order.back_minor, order)} decided to go back,"
            f" {_money(order.left_minor, order)} left"
        ),
        *(
            f"  Refund    {one.part or 'rest'}: {_money(one.amount_minor, order)}, {one.state}"
            + (f" ({one.reason})" if one.reason else "")
            for one in refunds
        ),
    ]
    return Report(data, lines)


@at_target
def run_refund(options: argparse.Namespace, target: Target) -> Report:
    """At most what is left of the price; the tickets stay as they are. Asks before it does it."""
    from fairgate.service.orders.refund_part import PartRefunder
    from fairgate_ops.operate.cli.report import Report

    order = _order(target, options.order)
    amount = _money(options.amount, order)
    key = options.key or f"{order.order_id} {options.amount} {options.reason}"
    detail = {
        "order": order.order_id,
        "amount_minor": options.amount,
        "key": options.key,
        "reason": options.reason,
    }
    what = f"{amount} of {order.order_id} goes back to its buyer; its tickets stay as they are."
    world = target.world
    refunder = PartRefunder(world.table, world.clock, world.payments)
    if options.dry_run:
        with _named_key():
            made = refunder.made_before(order, options.amount, key=key)
        data = {"dry_run": True, "again": made, "refund": detail, "order": _as_json(order, [])}
        said = "It was made before, under the same key: nothing more goes back." if made else what
        return Report(data, ["Dry run, nothing written.", said])
    confirm(options, [what])
    with _named_key():
        done = target.acts().do(
            order.event_id,
            "order refund",
            detail,
            lambda: refunder.decide(order, options.amount, key=key),
        )
    silent = _sent(refunder, done)
    order = _order(target, options.order)
    refunds = _refunds(target, order)
    state = next((one.state for one in refunds if one.part == done.part), "owed")
    again = " It was made before, under the same key." if done.again else ""
    left = _money(order.left_minor, order)
    line = f"Refund {done.part} of {order.order_id}: {amount}, {state}. {left} left.{again}"
    lines = [line, f"{silent} What is owed is sent by itself, once."] if silent else [line]
    data = {
        "dry_run": False,
        "part": done.part,
        "again": done.again,
        "refund": detail | {"state": state},
        "order": _as_json(order, refunds),
    }
    return Report(data, lines, failed=bool(silent) or state in ("refused", "failed"))


def _sent(refunder: PartRefunder, decided: PartRefund) -> str:
    """Send it; return why the provider has not taken it yet, "" where it has."""
    from fairgate.errors import DependencyUnavailableError
    from fairgate_ops.operate.away import detail_of

    try:
        refunder.send(decided)
    except DependencyUnavailableError as error:
        return detail_of(error).removesuffix(" Nothing was lost; please try again.")
    return ""


@at_target
def run_resend(options: argparse.Namespace, target: Target) -> Report:
    """To the address of the order, whether they were mailed before or not; asked again, again."""
    from fairgate.errors import WrongStateError
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.tell_change import operators_mail_queue

    order = _order(target, options.order)
    if order.erased_at:
        detail = (
            f"Its buyer's address was erased on request at {order.erased_at}: nobody is mailed."
        )
        raise WrongStateError(detail, state=order.state)
    if order.state != "ticketed" or not order.admitting:
        state = "void" if order.state == "ticketed" else order.state
        detail = f"The order is {state}: only tickets that admit somebody are mailed."
        raise WrongStateError(detail, state=order.state)
    asked = {"order": order.order_id, "reason": options.reason}
    before = f"mailed before at {order.mailed_at}" if order.mailed_at else "never mailed before"
    data = {"dry_run": options.dry_run, "mailed_at": order.mailed_at or None} | asked
    if options.dry_run:
        return Report(data, ["Dry run, nothing sent.", f"{order.order_id} was {before}."])
    queue = operators_mail_queue(target)
    target.acts().do(
        order.event_id,
        "order resend",
        asked,
        lambda: queue.mail(order.order_id, again=True),
    )
    return Report(data, [f"The tickets of {order.order_id} are mailed again; {before}."])


@contextmanager
def _named_key() -> Iterator[None]:
    """Name the key as it is typed. Raises IdempotencyMismatchError anew."""
    from fairgate.errors import IdempotencyMismatchError

    try:
        yield
    except IdempotencyMismatchError as error:
        raise IdempotencyMismatchError(
            "Another refund to this buyer was made under this --key: name another."
        ) from error


def _order(target: Target, name: str) -> Order:
    """Raises NotFoundError."""
    from fairgate.errors import NotFoundError
    from fairgate.service.orders.read_books import find_order

    order = find_order(target.world.table, name)
    if order is None:
        raise NotFoundError(f"There is no order {name}.")
    return order


def _refunds(target: Target, order: Order) -> list[OwedRefund]:
    from fairgate.service.shared.keys import refund_prefix
    from fairgate.service.shared.records.orders import OwedRefund

    return target.world.table.query(OwedRefund, order.session, refund_prefix(order.order_id))


def _money(minor: int, order: Order) -> str:
    from fairgate_ops.operate.cli.money import money

    return money(minor, order.currency)


def _as_json(order: Order, refunds: list[OwedRefund]) -> dict[str, Any]:
    from fairgate_ops.operate.cli.order_shape import as_json

    return as_json(order) | {
        "refunds": [
            {
                "part": one.part,
                "payment": one.payment_id,
                "amount_minor": one.amount_minor,
                "state": one.state,
                "reason": one.reason or None,
            }
            for one in refunds
        ],
    }
