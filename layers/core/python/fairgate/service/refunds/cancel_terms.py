"""Return what an order's terms allow its buyer to cancel, and how much is refunded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.give_back import Back, place_back, rest_back
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order, OrderUnit

CANCELLABLE = ("paid", "ticketed")


class PlaceOffer(Struct, frozen=True):
    """One place that may be cancelled alone, with its tickets."""

    unit: int  # of the order's units
    tickets: Sequence[str]
    back: Back


class CancelOffer(Struct, frozen=True):
    """What the buyer may cancel now; ``places`` is empty until there are tickets."""

    until: str
    back: Back | None  # for the whole rest of the order; None: some tickets were passed on
    places: Sequence[PlaceOffer]


def terms_of(order: Order, event: Event | None) -> str:
    """Return until when the order may be cancelled, "" for never.

    Orders of older versions do not have the time: the event's is theirs.

    Args:
        event: None if it cannot be read now.
    """
    sold = event.cancel_until if event is not None else ""
    until = sold if order.cancel_until is None else order.cancel_until
    return order.until_start(until, event.starts_at if event is not None else "")


def require_in_time(order: Order, event: Event, now_ms: int) -> None:
    """Raise WrongStateError if the buyer may not cancel any more."""
    if event.cancelled_at:  # the buyer's terms may keep a fee; an organiser who cancels does not
        detail = "The organiser has cancelled this event: all that you paid goes back by itself."
        raise WrongStateError(detail, reason="event-cancelled")
    if order.voided:
        detail = "Tickets of this order are void. Please ask the organiser about its money."
        raise WrongStateError(detail, reason="void")
    until = terms_of(order, event)
    if not until:
        raise WrongStateError("Orders for this event cannot be cancelled.", reason="never")
    if until <= rfc3339(now_ms):
        detail = "The time to cancel this order is over."
        raise WrongStateError(detail, reason="too-late", cancel_until=until)


def require_own(order: Order, tickets: Collection[str] | None = None) -> None:
    """Raise WrongStateError if one of these tickets (None: of all) was passed on."""
    passed_on = order.passed_on
    if passed_on if tickets is None else passed_on.intersection(tickets):
        detail = "A ticket of it was passed on: that place is not yours to cancel any more."
        raise WrongStateError(detail, reason="passed-on")


def require_cancelled(event: Event, order: Order) -> None:
    """Raise WrongStateError unless the organiser has cancelled the order's event."""
    if event.id != order.event_id or not event.cancelled_at:
        raise WrongStateError("The event of this order is not cancelled.", reason="not-cancelled")


def all_back(order: Order) -> int:
    """Return what is refunded if the organiser cancels: all that was paid and has not gone back.

    That includes all fees, also those that were kept of single cancelled places.
    """
    return max(0, order.total_minor - order.back_minor)


def whole_back(order: Order) -> int:
    """Return what is refunded for the rest of the order, in minor units."""
    return _rest(order).amount_minor


def cancel_offer(order: Order, event: Event | None) -> CancelOffer | None:
    """Return what may be cancelled and what is refunded; None if nothing ever may."""
    if order.state not in CANCELLABLE or order.voided:
        return None
    until = terms_of(order, event)
    if not until:
        return None
    places = list(place_offers(order)) if order.tickets else []
    own = [place for place in places if not order.passed_on.intersection(place.tickets)]
    return CancelOffer(until, None if order.passed_on else _rest(order), own)


def place_offers(order: Order) -> list[PlaceOffer]:
    """List each place of a ticketed order. A single one left is the order with its whole rest.

    A table or box is one place with all its tickets; a place of an area has one ticket.
    """
    offers: list[PlaceOffer] = []
    tickets = [entry.ticket for entry in order.tickets]
    for number, unit in enumerate(order.units):
        own, tickets = tickets[: unit.places], tickets[unit.places :]
        together = [own] if unit.kind == "seat" else [[ticket] for ticket in own]
        offers += [PlaceOffer(number, some, _one(order, unit, len(some))) for some in together]
    if len(offers) == 1:
        return [PlaceOffer(offers[0].unit, offers[0].tickets, _rest(order))]
    return offers


def _one(order: Order, unit: OrderUnit, places: int) -> Back:
    return place_back(
        order.lines,
        unit.tier,
        places,
        fee_minor=order.cancel_fee_minor,
        left_minor=order.left_minor,
    )


def _rest(order: Order) -> Back:
    return rest_back(order.places, fee_minor=order.cancel_fee_minor, left_minor=order.left_minor)
