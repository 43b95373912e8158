"""Move one ticket of an order to another account: a new id and code, the old ones are void.

The order's item is written, so it conflicts with every other change of the order's tickets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import Sign, Ticket, encode, places_of, ticket_id
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.orders import Order, PassedTicket, TicketEntry

if TYPE_CHECKING:
    from fairgate.ports.table import Update


class HandedOver(Struct, frozen=True):
    """The new ticket, its order after the write, and the write."""

    ticket: TicketEntry
    order: Order
    update: Update


def hand_over(
    order: Order, entry: TicketEntry, user: str, number: int, now_ms: int, sign: Sign
) -> HandedOver:
    """Move a ticket to another account and end the offer of the old one.

    Args:
        user: the new holder; may be the buyer of the order.
        number: of the offer, or of the move.
    """
    holder = "" if user == order.user_id else user  # back to its buyer: as it was bought
    new = _signed_anew(order, entry, holder, now_ms, sign)
    now = rfc3339(now_ms)
    passed = PassedTicket(
        ticket=entry.ticket,
        became=new.ticket,
        giver=entry.holder,
        holder=holder,
        number=number,
        at=now,
    )
    after, update = order_changed(
        order,
        tickets=[new if one is entry else one for one in order.tickets],
        offers=[one for one in order.offers if one.ticket != entry.ticket],
        passed=[*order.passed, passed],
        offer_changes=order.offer_changes + 1,
        updated_at=now,
    )
    return HandedOver(new, after, update)


def _signed_anew(
    order: Order, entry: TicketEntry, holder: str, now_ms: int, sign: Sign
) -> TicketEntry:
    """Sign another ticket for the same place."""
    places = zip(order.tickets, places_of(order.units), strict=True)
    place = next(place.place for ticket, place in places if ticket is entry)
    ticket = Ticket(
        ticket=ticket_id(order.order_id, entry.unit, len(order.passed) + 1),
        event=order.event_id,
        order=order.order_id,
        unit=entry.unit,
        place=place,
        issued_at_s=now_ms // 1000,
    )
    code = encode(ticket, sign)
    return msgspec.structs.replace(entry, ticket=ticket.ticket, code=code, holder=holder)
