"""Events as anyone may see them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, structs

from fairgate.domain.orders.fees import whole_price
from fairgate.service.shared.records.catalog import Beacon, Event

EventState = Literal["open", "paused", "draining", "soldout", "closed", "cancelled"]


class EventSummary(Struct, frozen=True):
    event: str
    name: str
    state: EventState
    sale_opens_at: str
    venue: str
    venue_address: str | None
    artist: str | None
    category: str | None
    starts_at: str | None  # of the performance
    time_zone: str | None  # IANA name, in which the start is to be shown


class EventsView(Struct, frozen=True):
    events: list[EventSummary]


class BeaconView(Struct, frozen=True):
    """What has been said of it so far."""

    source: str | None
    at: str | None
    value: str | None


class TierView(Struct, frozen=True):
    id: str
    name: str
    color: str
    price_minor: int
    whole_minor: int  # with what is charged for each ticket; an order's own fee comes once


class FeesView(Struct, frozen=True):
    order_minor: int
    ticket_minor: int


class EventView(EventSummary, frozen=True):
    text: str | None
    currency: str
    layout: str
    hold_limit: int
    user_limit: int
    session_s: int
    checkout_s: int
    draw_commitment: str
    draw_beacon: BeaconView | None
    draw_key_revealed: str | None
    tiers: list[TierView]
    fees: FeesView
    layout_url: str


def event_summary(event: Event) -> EventSummary:
    return EventSummary(
        event=event.id,
        name=event.name,
        state=shown_state(event),
        sale_opens_at=event.sale_opens_at,
        venue=event.venue_name,
        venue_address=event.venue_address or None,
        artist=event.artist or None,
        category=event.category or None,
        starts_at=event.starts_at or None,
        time_zone=event.time_zone or None,
    )


def event_view(event: Event) -> EventView:
    return EventView(
        **structs.asdict(event_summary(event)),
        text=event.text or None,
        currency=event.currency,
        layout=event.layout,
        hold_limit=event.hold_limit,
        user_limit=event.user_limit,
        session_s=event.session_s,
        checkout_s=event.checkout_s,
        draw_commitment=event.draw_commitment,
        draw_beacon=_beacon(event.beacon),
        draw_key_revealed=event.draw_key_revealed or None,
        tiers=tier_views(event),
        fees=fees_view(event),
        layout_url=layout_url(event),
    )


def tier_views(event: Event) -> list[TierView]:
    return [
        TierView(t.id, t.name, t.color, t.price_minor, whole_price(t, event.fees))
        for t in event.tiers
    ]


def fees_view(event: Event) -> FeesView:
    return FeesView(event.fees.order_minor, event.fees.ticket_minor)


def shown_state(event: Event) -> EventState:
    """Return its gate's, unless its organiser has cancelled it."""
    return "cancelled" if event.cancelled_at else event.state


def _beacon(beacon: Beacon | None) -> BeaconView | None:
    if beacon is None:
        return None
    return BeaconView(beacon.source or None, beacon.at or None, beacon.value or None)


def layout_url(event: Event) -> str:
    return f"/layouts/{event.layout}/venue.json"
