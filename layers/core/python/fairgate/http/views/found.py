"""Define the answers about a mail address: that a mail was asked for, and the orders of its link.

They have no amounts and no payments: a reader of the mail sees only the tickets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.order import OrderState
from fairgate.domain.shared.rate_limit import MAILBOX_LINKS
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import places_of
from fairgate.domain.tickets.ticket_link import VALID_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order
    from fairgate.service.tickets.open_link import FoundOrders


class LinkAskedView(Struct, frozen=True):
    """The same answer for every address: what happens if it has orders."""

    valid_s: int  # how long a link works
    mails_max: int  # to an address
    within_s: int


class FoundOrderView(Struct, frozen=True):
    """An order as its link shows it: event and places, and how many tickets are valid."""

    order: str
    event: str
    event_name: str  # "" where the event cannot be read
    venue: str
    venue_address: str | None
    starts_at: str | None
    time_zone: str | None
    state: OrderState
    tickets: int  # valid now
    ticket_labels: list[str]  # of these, as they are drawn
    places: list[str]  # labels of its places, with and without valid tickets
    passed: list[str]  # of tickets that other accounts have now: no link shows these
    returned: list[str]  # of places that were given back alone
    void: list[str]  # of those that the organiser made void
    created_at: str
    event_cancelled: bool  # by its organiser: all that was paid goes back


class FoundView(Struct, frozen=True):
    """The orders that a link opens."""

    until: str  # when it ends
    orders: list[FoundOrderView]  # the newest first
    older: bool  # there are more than these


ASKED = LinkAskedView(VALID_S, MAILBOX_LINKS.quota, MAILBOX_LINKS.window_s)


def found_view(
    opened: FoundOrders, expires_at_s: int, event_of: Callable[[str], Event | None]
) -> FoundView:
    return FoundView(
        until=rfc3339(expires_at_s * 1000),
        orders=[_order(order, event_of(order.event_id)) for order in opened.orders],
        older=opened.older,
    )


def _order(order: Order, event: Event | None) -> FoundOrderView:
    labels = order.buyers_labels
    return FoundOrderView(
        order=order.order_id,
        event=order.event_id,
        event_name="" if event is None else event.name,
        venue="" if event is None else event.venue_name,
        venue_address=None if event is None else event.venue_address or None,
        starts_at=None if event is None else event.starts_at or None,
        time_zone=None if event is None else event.time_zone or None,
        state=order.state,
        tickets=len(labels),
        ticket_labels=labels,
        places=[place.label for place in places_of(order.units)],
        passed=[entry.label for entry in order.tickets if entry.holder],
        returned=[one.label for one in order.returned],
        void=[
            entry.label
            for entry in order.tickets
            if entry not in order.admitting and not entry.holder
        ],
        created_at=order.created_at,
        event_cancelled=order.event_cancelled,
    )
