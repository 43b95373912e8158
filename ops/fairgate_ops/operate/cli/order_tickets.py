"""``fairgate orders void|take-back``: who may use a ticket."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from fairgate.service.orders.void_tickets import TicketsVoided, TicketVoider, still_good
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.take_back import TicketTakenBack, TicketTaker, to_take_back
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.order_shape import as_json, order_of
from fairgate_ops.operate.cli.report import Report, count_text
from fairgate_ops.operate.target import Target


@at_target
def run_void(options: argparse.Namespace, target: Target) -> Report | Act[TicketsVoided]:
    """For good. Where they are void already it says so, and changes and logs nothing."""
    order = order_of(target, options.order, options.event)
    tickets = still_good(order, options.ticket)
    if not tickets:
        which = options.ticket or "every ticket"
        text = f"Nothing to do: {which} of {order.order_id} is void already."
        return _report(order, [text], again=True, tickets=[])
    count = count_text(len(tickets), "ticket")
    ends = [
        f"{count} of {order.order_id} void for good: {_labels(order, tickets)}.",
        "No money goes back, and what they are for stays sold.",
    ]

    def report(done: TicketsVoided) -> Report:
        order, tickets = done.order, list(done.tickets)
        if not tickets:  # somebody else was faster
            return _report(order, ["Nothing to do: void already."], again=True, tickets=[])
        voided, good = _labels(order, tickets), len(order.admitting)
        lines = [
            f"Void: {voided} of {order.order_id}. Still good: {good}.",
            f"Doors refuse them by a new list: {_VOID_LIST.format(order.event_id)}",
        ]
        return _report(order, lines, again=False, tickets=tickets)

    voider = TicketVoider(target.world.table, target.world.clock)
    return Act(
        name="order void",
        events=[order.event_id],
        detail={"order": order.order_id, "tickets": tickets},
        ends=ends,
        do=lambda: voider.void(order, options.ticket),
        would=lambda: _report(order, ends, again=False, tickets=tickets),
        report=report,
    )


@at_target
def run_take_back(options: argparse.Namespace, target: Target) -> Report | Act[TicketTakenBack]:
    """Where its buyer has it already it says so, and changes and logs nothing."""
    order, world = order_of(target, options.order, options.event), target.world
    entry = to_take_back(order, options.ticket)
    nothing = f"Nothing to do: the buyer of {order.order_id} has {options.ticket} already."
    if entry is None:
        return _report(order, [nothing], again=True, ticket=None)
    ends = [
        f"{entry.label} ({entry.ticket}) of {order.order_id} void for its present holder.",
        "The order's buyer has it again, with a new code.",
    ]

    def report(done: TicketTakenBack) -> Report:
        order = done.order
        if not done.ticket:
            return _report(order, [nothing], again=True, ticket=None)
        lines = [
            f"{entry.label} of {order.order_id} is its buyer's again, as {done.ticket}.",
            f"Mail it: fairgate orders resend {order.order_id} --reason REASON",
            f"Doors refuse the old one: {_VOID_LIST.format(order.event_id)}",
        ]
        return _report(order, lines, again=False, ticket=done.ticket)

    taker = TicketTaker(world.table, world.clock)
    return Act(
        name="order take-back",
        events=[order.event_id],
        detail={"order": order.order_id, "ticket": entry.ticket},
        ends=ends,
        do=lambda: taker.take_back(order, options.ticket),
        would=lambda: _report(order, ends, again=False, ticket=entry.ticket),
        report=report,
    )


_VOID_LIST = "fairgate ticket void-list {} --out FILE"


def _report(order: Order, lines: Sequence[str], **about: object) -> Report:
    return Report({**about, "order": as_json(order)}, lines)


def _labels(order: Order, tickets: Sequence[str]) -> str:
    return ", ".join(f"{e.label} ({e.ticket})" for e in order.tickets if e.ticket in tickets)
