"""Events as anyone may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, defstruct, structs

from fairgate.domain.catalog.brand import Shades, palette_of
from fairgate.domain.catalog.event_facts import Seen, seen_values, view_fields
from fairgate.domain.orders.fees import whole_price
from fairgate.service.shared.records.catalog import Audience, Beacon, Event

EventState = Literal["open", "paused", "draining", "soldout", "closed", "cancelled"]


def _base_with(seen: Seen, base: type[Struct]) -> Any:
    """Return a base of a view, with what buyers are told there of an event's facts."""
    return defstruct(f"_Told_{seen}", view_fields(seen), bases=(base,), frozen=True, kw_only=True)


if TYPE_CHECKING:
    from collections.abc import Collection

    from fairgate.service.catalog.list_events import EventsPage

    class _Listed(Struct, frozen=True):
        """What mypy is told of the facts: texts, or None."""

        def __getattr__(self, fact: str) -> str | None: ...

else:
    _Listed = _base_with("list", Struct)


class TranslationView(Struct, frozen=True):
    """What the organiser says in another language; the rest is as in the event's own."""

    name: str | None = None
    subtitle: str | None = None
    category: str | None = None
    text: str | None = None  # this and what follows only on the event's own page
    travel: str | None = None
    tiers: dict[str, str] = {}  # names by the ids of tiers


class EventSummary(_Listed, frozen=True, kw_only=True):
    """An event, as the list of events tells it."""

    event: str
    state: EventState
    sale_starts_at: str
    translations: dict[str, TranslationView]  # by language


class EventsView(Struct, frozen=True):
    events: list[EventSummary]
    after: str | None  # the next page begins there; null: these are the last


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


if TYPE_CHECKING:
    _Paged = EventSummary
else:
    _Paged = _base_with("page", EventSummary)


class ColorsView(Struct, frozen=True):
    """What the pages use of an event's colours, for light and dark screens."""

    light: Shades
    dark: Shades
    accent: str | None  # the second colour: lines that say nothing


class MessageView(Struct, frozen=True):
    """What the organiser says to buyers; a page shows its own language, or the first."""

    texts: dict[str, str]  # by language
    to: Audience
    at: str
    until: str


class EventView(_Paged, frozen=True, kw_only=True):
    """An event, as its own page tells it."""

    currency: str
    layout: str
    hold_limit: int
    user_limit: int
    session_s: int
    checkout_s: int
    ask_address: bool  # checkout needs the buyer's name and postal address
    draw_commitment: str
    draw_beacon: BeaconView | None
    draw_key_revealed: str | None
    tiers: list[TierView]
    fees: FeesView
    layout_url: str
    colors: ColorsView | None  # null: Fairgate's
    message: MessageView | None


_IN_LISTS = ("name", "subtitle", "category")


def _translations(event: Event, names: Collection[str]) -> dict[str, TranslationView]:
    """Return the texts of these names in each language that the organiser has given."""
    return {
        language: TranslationView(**{name: told[name] for name in names if name in told})
        for language, told in event.translations.items()
    }


def event_summary(event: Event) -> EventSummary:
    return EventSummary(
        translations=_translations(event, _IN_LISTS),
        event=event.id,
        state=shown_state(event),
        sale_starts_at=event.sale_starts_at,
        **seen_values(event, "list") | {"sale_ends_at": event.ends_at or None},
    )


def events_view(page: EventsPage) -> EventsView:
    return EventsView([event_summary(sale) for sale in page.events], page.after or None)


def event_view(event: Event) -> EventView:
    translations = _translations(event, TranslationView.__struct_fields__)
    return EventView(
        **structs.asdict(event_summary(event)) | {"translations": translations},
        **seen_values(event, "page"),
        currency=event.currency,
        layout=event.layout,
        hold_limit=event.hold_limit,
        user_limit=event.user_limit,
        session_s=event.session_s,
        checkout_s=event.checkout_s,
        ask_address=event.ask_address,
        draw_commitment=event.draw_commitment,
        draw_beacon=_beacon(event.beacon),
        draw_key_revealed=event.draw_key_revealed or None,
        tiers=tier_views(event),
        fees=fees_view(event),
        layout_url=layout_url(event),
        colors=_colors(event),
        message=_message(event),
    )


def _colors(event: Event) -> ColorsView | None:
    if not event.color_1:
        return None
    palette = palette_of(event.color_1)
    return ColorsView(palette.light, palette.dark, event.color_2 or None)


def _message(event: Event) -> MessageView | None:
    """Return the last message, which pages show until its end."""
    message = event.message
    if message is None:
        return None
    return MessageView(dict(message.texts), message.to, message.at, message.until)


def name_of(event: Event | None) -> str:
    return "" if event is None else event.name


def tier_views(event: Event) -> list[TierView]:
    return [
        TierView(t.id, t.name, t.color, t.price_minor, whole_price(t, event.fees))
        for t in event.tiers
    ]


def fees_view(event: Event) -> FeesView:
    return FeesView(event.fees.order_minor, event.fees.ticket_minor)


def shown_state(event: Event) -> EventState:
    """Return its gate's, unless its organiser has cancelled it; a draft is shown as it will be."""
    if event.cancelled_at:
        return "cancelled"
    return "open" if event.state == "draft" else event.state


def _beacon(beacon: Beacon | None) -> BeaconView | None:
    if beacon is None:
        return None
    return BeaconView(beacon.source or None, beacon.at or None, beacon.value or None)


def layout_url(event: Event) -> str:
    return f"/layouts/{event.layout}/venue.json"
