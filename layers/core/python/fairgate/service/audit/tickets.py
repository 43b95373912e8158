"""Laws about tickets: their number, their contents, and whom they admit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fairgate.domain.tickets.ticket import places_of, stated
from fairgate.ports.record import PK, SK, DamagedItemError, decode
from fairgate.service.audit.law import law
from fairgate.service.audit.order_states import BANKED, places_in
from fairgate.service.shared.keys import held_order_key
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Snapshot

_VOID = "Make the ticket void before the doors of the venue open: `fairgate orders void`."


@law(
    "Run `fairgate orders reconcile`; what it does not repair, mail with `fairgate orders resend`."
)
def ticket_set(seen: Snapshot) -> Found:
    """A ticketed order has one ticket for each place; any other has at most void ones."""
    for order in seen.orders:
        count = len(order.get("tickets") or [])
        expected = places_in(order) if order["state"] == "ticketed" else 0
        void = (*BANKED, "cancelled", "refunded") if "cancelledAt" in order else BANKED
        if count != expected and order["state"] not in void:
            what = f"{order['state']} with {count} tickets for {places_in(order)} units"
            yield order["orderId"], what


@law(_VOID)
def ticket_name(seen: Snapshot) -> Found:
    """No two tickets have the same name."""
    names = Counter(one["ticket"] for order in seen.orders for one in order.get("tickets") or [])
    yield from ((name, f"on {count} tickets") for name, count in names.items() if count > 1)


@law(_VOID)
def passed_ticket(seen: Snapshot) -> Found:
    """A ticket that was passed on admits nobody."""
    for order in _ticketed(seen):
        gone = {one.ticket for one in order.passed}
        for entry in order.tickets:
            if entry.ticket in gone:
                yield order.order_id, f"{entry.ticket} is still good"


@law(
    "Mail the tickets again with `fairgate orders resend`, and check one: `fairgate ticket verify`."
)
def ticket_contents(seen: Snapshot) -> Found:
    """A ticket was issued at some time; a stored code is of its order and place."""
    for order in _ticketed(seen):
        for entry, place in zip(order.tickets, places_of(order.units), strict=False):
            if not entry.code and not order.ticketed_at:
                yield order.order_id, f"{entry.ticket} for {place.place} cannot be signed again"
            said = _said(entry.code)
            if entry.code and said != (order.order_id, entry.ticket, place.place):
                yield order.order_id, f"{entry.ticket} for {place.place} says {said}"


@law("Give the ticket back to its buyer: `fairgate orders take-back`.")
def unlisted_ticket(seen: Snapshot) -> Found:
    """A user who accepted a ticket has its order in their list."""
    listed = {(item[PK], item[SK]) for item in seen.of("held order")}
    for order in _ticketed(seen):
        for entry in order.tickets:
            if entry.holder and held_order_key(entry.holder, order.order_id) not in listed:
                yield order.order_id, f"the list of {entry.holder} lacks {entry.ticket}"


@law(_VOID)
def void_ticket(seen: Snapshot) -> Found:
    """No buyer can show a ticket that was made void or refunded."""
    for order in _ticketed(seen):
        gone = {one.ticket for one in order.voided}
        gone |= {ticket for one in order.returned for ticket in one.tickets}
        users = {order.holder_of(entry) for entry in order.tickets}
        for entry in (entry for user in users for entry in order.held_by(user)):
            if entry.ticket in gone:
                yield order.order_id, f"{entry.ticket} still admits"


def _ticketed(seen: Snapshot) -> Iterator[Order]:
    """Yield the ticketed orders that can be read; the law ``data`` names the others.

    An order that breaks ``ticket-set`` is left out.
    """
    for item in seen.orders:
        if item["state"] != "ticketed" or len(item.get("tickets") or []) != places_in(item):
            continue
        try:
            yield decode(Order, item)
        except DamagedItemError:
            continue


def _said(code: str) -> tuple[str, str, str]:
    """Return the order, ticket and place that a code names, without checking its signature."""
    ticket = stated(code)
    return ("", "", "") if ticket is None else (ticket.order, ticket.ticket, ticket.place)
