"""``fairgate orders show|refund|resend``: one order, as staff sees it and as it is helped."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fairgate.domain.shared.mail_address import why_unsendable
from fairgate.errors import (
    DependencyUnavailableError,
    IdempotencyMismatchError,
    WrongStateError,
)
from fairgate.service.refunds.refund_part import PartRefund, PartRefunder
from fairgate.service.shared.keys import refund_prefix
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate_ops.operate.away import detail_of
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.money import in_minor_units, money
from fairgate_ops.operate.cli.order_shape import as_json, order_of
from fairgate_ops.operate.cli.order_story import parts_of
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target
from fairgate_ops.operate.tell_change import operators_mail_queue


@at_target
def run_show(options: argparse.Namespace, target: Target) -> Report:
    """Show one order with its buyer's address; no log gets the address."""
    order = order_of(target, options.order)
    refunds = _refunds(target, order)
    data = _as_json(order, refunds) | parts_of(order, refunds)
    good, postal = order.admitting, order.postal_address
    lines = [
        f"{order.order_id}: {order.state}, {order.event_id}",
        f"  Buyer     {order.user_id} · {order.email}"
        + (f" at {order.erased_at}" if order.erased_at else ""),
        *([f"  Address   {', '.join(postal.lines)}"] if postal else []),
        *(f"  Mail      {why}" for why in [_unmailable(order)] if why),
        f"  Made      {order.created_at}, paid {order.paid_at or 'never'}",
        *(
            [f"  Terms     {order.accepted_terms}, accepted {order.created_at}"]
            if order.accepted_terms
            else []
        ),
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
        f"  Money     {_money(order.total_minor, order)} "
        + (
            f"paid, {_money(order.back_minor, order)} decided to go back,"
            f" {_money(order.left_minor, order)} left"
            if order.paid_at
            else "asked for, nothing paid"
        ),
        *(
            f"  Refund    {one.part or 'rest'}: {_money(one.amount_minor, order)}, {one.state}"
            + (f" ({one.reason})" if one.reason else "")
            for one in refunds
        ),
    ]
    return Report(data, lines)


@at_target
def run_refund(options: argparse.Namespace, target: Target) -> Act[PartRefund]:
    """At most what is left of the price; the tickets stay as they are. Asks before it does it."""
    order, world = order_of(target, options.order), target.world
    in_minor_units(options, order.currency)
    amount = _money(options.amount, order)
    key = options.key or f"{order.order_id} {options.amount} {options.reason}"
    asked = {"order": order.order_id, "amount_minor": options.amount, "key": options.key}
    what = f"{amount} of {order.order_id} goes back to its buyer; its tickets stay as they are."
    refunder = PartRefunder(world.table, world.clock, target.payments)

    def would() -> Report:
        with _named_key():
            made = refunder.made_before(order, options.amount, key=key)
        said = "It was made before, under the same key: nothing more goes back." if made else what
        refund = asked | {"reason": options.reason}
        return Report({"again": made, "refund": refund, "order": _as_json(order, [])}, [said])

    def decide() -> PartRefund:
        with _named_key():
            return refunder.decide(order, options.amount, key=key)

    def report(done: PartRefund) -> Report:
        silent = _sent(refunder, done)
        paid = order_of(target, options.order)
        refunds = _refunds(target, paid)
        state = next((one.state for one in refunds if one.part == done.part), "owed")
        again = " It was made before, under the same key." if done.again else ""
        left = _money(paid.left_minor, paid)
        lines = [f"Refund {done.part} of {paid.order_id}: {amount}, {state}. {left} left.{again}"]
        if silent:
            lines.append(f"{silent} What is owed is sent by itself, once.")
        elif state == "owed":
            lines.append("It is sent by itself, within minutes.")
        data = {
            "part": done.part,
            "again": done.again,
            "refund": asked | {"reason": options.reason, "state": state},
            "order": _as_json(paid, refunds),
        }
        return Report(data, lines, failed=bool(silent) or state in ("refused", "failed"))

    return Act(
        name="order refund",
        events=[order.event_id],
        detail=asked,
        ends=[what],
        do=decide,
        would=would,
        report=report,
    )


def _sent(refunder: PartRefunder, decided: PartRefund) -> str:
    """Send it; return why the provider has not taken it yet, "" where it has."""
    try:
        refunder.send(decided)
    except DependencyUnavailableError as error:
        return detail_of(error).removesuffix(" Nothing was lost; please try again.")
    return ""


@at_target
def run_resend(options: argparse.Namespace, target: Target) -> Act[None]:
    """To the address of the order, whether they were mailed before or not; asked again, again."""
    order = order_of(target, options.order)
    if order.erased_at:
        detail = (
            f"Its buyer's address was erased on request at {order.erased_at}: nobody is mailed."
        )
        raise WrongStateError(detail, state=order.state)
    if order.state != "ticketed" or not order.admitting:
        state = "void" if order.state == "ticketed" else order.state
        detail = f"The order is {state}: only tickets that admit somebody are mailed."
        raise WrongStateError(detail, state=order.state)
    if why := _unmailable(order):
        raise WrongStateError(why, state=order.state)
    name, asked = order.order_id, {"order": order.order_id}
    before = f"mailed before at {order.mailed_at}" if order.mailed_at else "never mailed before"
    data = asked | {"mailed_at": order.mailed_at or None, "reason": options.reason}
    return Act(
        name="order resend",
        events=[order.event_id],
        detail=asked,
        do=lambda: operators_mail_queue(target).mail(name, again=True),
        would=lambda: Report(data, [f"{name} was {before}."]),
        report=lambda _: Report(data, [f"The tickets of {name} are mailed again; {before}."]),
    )


@contextmanager
def _named_key() -> Iterator[None]:
    """Name the key as it was typed, in the raised IdempotencyMismatchError."""
    try:
        yield
    except IdempotencyMismatchError as error:
        raise IdempotencyMismatchError(
            "Another refund to this buyer was made under this --key: name another."
        ) from error


def _refunds(target: Target, order: Order) -> list[OwedRefund]:
    return target.world.table.query(OwedRefund, order.session, refund_prefix(order.order_id))


def _unmailable(order: Order) -> str:
    """Return why no mail can be sent to the order's address, "" where it can or was erased."""
    return "" if order.erased_at else why_unsendable(order.email)


def _money(minor: int, order: Order) -> str:
    return money(minor, order.currency)


def _as_json(order: Order, refunds: list[OwedRefund]) -> dict[str, Any]:
    return as_json(order) | {
        "unmailable": _unmailable(order) or None,
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
