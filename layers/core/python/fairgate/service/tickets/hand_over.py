"""Move one ticket of an order to another account: a new id and so a new code, the old is void.

The order's item is written, so it conflicts with every other change of the order's tickets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import ticket_id
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.orders import Order, PassedTicket, TicketEntry

if TYPE_CHECKING:
    from fairgate.ports.table import Update


class HandedOver(Struct, frozen=True):
    """The new ticket, its order after the write, and the write."""

    ticket: TicketEntry
    order: Order
    update: Update


def hand_over(order: Order, entry: TicketEntry, user: str, number: int, now_ms: int) -> HandedOver:
    """Move a ticket to another account and end the offer of the old one.

    Args:
        user: the new holder; may be the buyer of the order.
        number: of the offer, or of the move.
    """
    holder = "" if user == order.user_id else user  # back to its buyer: as it was bought
    new = replace(
        entry,
        ticket=ticket_id(order.order_id, entry.unit, len(order.passed) + 1),
        code="",
        holder=holder,
    )
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
