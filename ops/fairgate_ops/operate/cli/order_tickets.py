"""``fairgate orders void|take-back|drop-codes``: who may use a ticket."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from fairgate.service.orders.drop_codes import CodeDropper, has_codes
from fairgate.service.orders.void_tickets import TicketsVoided, TicketVoider, still_good
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.take_back import TicketTakenBack, TicketTaker, to_take_back
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.order_shape import as_json, order_of
from fairgate_ops.operate.cli.report import LISTED_MAX, Report, count_text
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


@at_target
def run_drop_codes(options: argparse.Namespace, target: Target) -> Act[tuple[int, list[str]]]:
    """Of one event, in any state. A copied code admits as before: only the stored text goes."""
    from fairgate_ops.operate.tables import Tables

    world, event = target.world, options.event
    world.catalog.event(event)
    dropper = CodeDropper(world.table, world.clock)

    def stored() -> Iterator[Order]:
        return (order for order in Tables.of(target).orders(event) if has_codes(order))

    def drop() -> tuple[int, list[str]]:
        done = {order.order_id: dropper.drop(order) for order in stored()}
        return sum(done.values()), [order for order, dropped in done.items() if not dropped]

    def report(done: tuple[int, list[str]]) -> Report:
        dropped, kept = done
        lines = [
            f"{count_text(dropped, 'order')} of {event} rid of stored codes.",
            *(f"{order} keeps a code that is not its own." for order in kept[:LISTED_MAX]),
        ]
        return Report({"event": event, "dropped": dropped, "kept": kept}, lines, failed=bool(kept))

    def would() -> Report:
        count = sum(1 for _ in stored())
        text = f"{count_text(count, 'order')} of {event} with stored codes."
        return Report({"event": event, "orders": count}, [text])

    return Act(name="orders drop-codes", events=[event], do=drop, would=would, report=report)


_VOID_LIST = "fairgate ticket void-list {} --out FILE"


def _report(order: Order, lines: Sequence[str], **about: object) -> Report:
    return Report({**about, "order": as_json(order)}, lines)


def _labels(order: Order, tickets: Sequence[str]) -> str:
    return ", ".join(f"{e.label} ({e.ticket})" for e in order.tickets if e.ticket in tickets)
