"""What must hold of tickets that are passed on."""

from __future__ import annotations

from collections import Counter

from fairgate.domain.tickets.ticket import places_of, verify
from fairgate.errors import UnauthenticatedError
from fairgate.ports.record import PK, SK, DamagedItemError, decode
from fairgate.service.shared.keys import held_order_key
from fairgate.service.shared.records.orders import Order
from fairgate_ops.run.laws.snapshot import Snapshot
from fairgate_ops.run.laws.violation import Found, Violation


def one_good_code(snapshot: Snapshot) -> Found:
    """Each place of a ticketed order has one good code, of one account, and no other ever again.

    What its code says is its own, where it has one: without it admits nobody. What was passed on
    is good for nobody, and who took a ticket over finds it in their list.
    """
    listed = {(item[PK], item[SK]) for item in snapshot.held_orders}
    codes: Counter[str] = Counter()
    for item in snapshot.orders:
        if item["state"] != "ticketed":
            continue
        try:
            order = decode(Order, item)
        except DamagedItemError:
            continue  # which another law says
        gone = {one.ticket for one in order.passed}
        codes.update(entry.code for entry in order.tickets if entry.code)
        for entry, place in zip(order.tickets, places_of(order.units), strict=False):
            if entry.ticket in gone:
                yield Violation("passed-on", order.order_id, f"{entry.ticket} is still good")
            said = _said(entry.code)
            if entry.code and said != (order.order_id, entry.ticket, place.place):
                what = f"{entry.ticket} for {place.place} says {said}"
                yield Violation("ticket-says", order.order_id, what)
            if entry.holder and held_order_key(entry.holder, order.order_id) not in listed:
                what = f"{entry.holder} does not find {entry.ticket}"
                yield Violation("unlisted-ticket", order.order_id, what)
    for code, count in codes.items():
        if count > 1:
            yield Violation("good-code", code[-12:], f"good for {count} places")


def _said(code: str) -> tuple[str, str, str]:
    """Return order, ticket and place that a code names; whoever signed it."""
    try:
        ticket = verify(code, lambda _message, _signature: True)
    except UnauthenticatedError:
        return ("", "", "")
    return (ticket.order, ticket.ticket, ticket.place)
