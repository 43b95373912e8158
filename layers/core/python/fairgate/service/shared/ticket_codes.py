"""Sign the code of a ticket when it is drawn, and drop the codes that older versions stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.shared.times import epoch_ms
from fairgate.domain.tickets.ticket import Sign, Ticket, encode, places_of, stated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Order, TicketEntry


def code_of(order: Order, entry: TicketEntry, place: str, sign: Sign) -> str:
    """Return the code of a ticket of the order; of an older version's, the one that it stored.

    Raises ValueError when an id is not of its shape.
    """
    return entry.code or encode(_ticket(order, entry, place), sign)


def without_codes(order: Order) -> Sequence[TicketEntry]:
    """Return the order's tickets without their codes, if what stays signs the same again."""
    try:
        places = places_of(order.units)
        pairs = zip(order.tickets, places, strict=True)
        return [_without_code(order, entry, place.place) for entry, place in pairs]
    except ValueError:  # no such order is ours to understand
        return order.tickets


def _without_code(order: Order, entry: TicketEntry, place: str) -> TicketEntry:
    same = stated(entry.code) == _ticket(order, entry, place)
    return replace(entry, code="") if same else entry


def _ticket(order: Order, entry: TicketEntry, place: str) -> Ticket:
    """Return what the code says: it was issued with its order's, or when it was passed on."""
    passed = (one.at for one in order.passed if one.became == entry.ticket)
    issued_at = next(passed, order.ticketed_at)
    return Ticket(
        ticket=entry.ticket,
        event=order.event_id,
        order=order.order_id,
        unit=entry.unit,
        place=place,
        issued_at_s=epoch_ms(issued_at) // 1000,
    )
