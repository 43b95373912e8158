"""Show transferred tickets to the old and the new owner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.http.views.events import name_of
from fairgate.service.tickets.pass_terms import TicketState, passable_until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order
    from fairgate.service.tickets.accept_ticket import TicketAccepted
    from fairgate.service.tickets.pass_terms import PassTerms, TicketStatus


class PassedTicketView(Struct, frozen=True):
    """A ticket that the caller has, or has passed on."""

    ticket: str
    label: str
    state: TicketState
    offered_until: str | None  # while it is offered


class TransferView(Struct, frozen=True):
    """Until when tickets may be passed on; those that the caller has first, as they are drawn."""

    until: str
    tickets: list[PassedTicketView]


class HeldOrderView(Struct, frozen=True):
    """An order of somebody else of which the caller has, or had, tickets."""

    order: str
    event: str
    event_name: str  # "" where the event cannot be read
    good: bool  # whether those of its tickets that are not void admit somebody
    event_cancelled: bool
    transfer: TransferView


class HeldTicketsView(Struct, frozen=True):
    """What was passed on to the caller, the newest first."""

    orders: list[HeldOrderView]


class OfferView(Struct, frozen=True):
    """Describes an open offer: anyone with the link may accept the ticket."""

    ticket: str
    token: str
    link: str
    until: str


class AcceptedView(Struct, frozen=True):
    """A ticket that the caller has taken over; with ``look`` what they would, until when."""

    order: str
    event: str
    event_name: str
    label: str
    ticket: str | None  # null: only looked at
    until: str | None  # of the offer, where it was only looked at


def transfer_view(terms: PassTerms | None) -> TransferView | None:
    return None if terms is None else TransferView(terms.until, _tickets(terms.tickets))


def held_view(
    orders: Sequence[tuple[Order, Sequence[TicketStatus]]], known: Callable[[str], Event | None]
) -> HeldTicketsView:
    return HeldTicketsView(
        [
            HeldOrderView(
                order=order.order_id,
                event=order.event_id,
                event_name=name_of(event),
                good=order.state == "ticketed",
                event_cancelled=order.event_cancelled,
                transfer=TransferView(passable_until(order, event), _tickets(standings)),
            )
            for order, standings, event in (
                (order, standings, known(order.event_id)) for order, standings in orders
            )
        ]
    )


def accepted_view(accepted: TicketAccepted, event: Event | None) -> AcceptedView:
    return AcceptedView(
        order=accepted.order.order_id,
        event=accepted.order.event_id,
        event_name=name_of(event),
        label=accepted.label,
        ticket=accepted.ticket or None,
        until=accepted.until or None,
    )


def _tickets(standings: Sequence[TicketStatus]) -> list[PassedTicketView]:
    return [
        PassedTicketView(one.ticket, one.label, one.state, one.until or None) for one in standings
    ]
