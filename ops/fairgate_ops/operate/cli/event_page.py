"""Everything that an event was created with, on one page and in words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass

from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.pace import last_slope
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.times import epoch_ms
from fairgate.service.catalog.event_request import NewEvent
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.times import shown

_NEARLY_ALL = 0.95
_DAY_S, _HOUR_S, _MINUTE_S = 86_400, 3_600, 60


@dataclass(frozen=True, slots=True)
class Price:
    """A tier's name and what one of its places costs, in minor units."""

    tier: str
    name: str
    minor: int
    vat_bp: int  # included in it


@dataclass(frozen=True, slots=True)
class EventTerms:
    """What an event sells, to whom and for how much. Amounts are in minor units."""

    event: str
    name: str
    venue: str
    seats: int
    area_places: int
    currency: str
    prices: Sequence[Price]
    fee_order_minor: int
    fee_ticket_minor: int
    hold_limit: int
    user_limit: int
    sessions_limit: int
    live_max: int
    session_s: int
    checkout_s: int
    control: str
    commitment: str
    cancel_until: str
    cancel_fee_minor: int
    transfer_until: str
    venue_address: str
    artist: str
    category: str
    text: str
    starts_at: str
    time_zone: str
    seller: str  # on invoices, of which there are none without


def terms_asked(request: NewEvent, venue: Venue) -> EventTerms:
    """Return the terms of an event that is to be created."""
    return EventTerms(
        event=request.event,
        name=request.name,
        venue=request.venue_name or venue.name,
        venue_address=request.venue_address,
        artist=request.artist,
        category=request.category,
        text=request.text,
        starts_at=request.starts_at,
        time_zone=request.time_zone,
        seller=_seller(request),
        seats=venue.seat_count(),
        area_places=sum(area.capacity for area in venue.areas),
        currency=request.currency,
        prices=[
            Price(t.id, t.name, request.prices_minor[t.id], request.vat_bp.get(t.id, 0))
            for t in venue.tiers
        ],
        fee_order_minor=request.fee_order_minor,
        fee_ticket_minor=request.fee_ticket_minor,
        hold_limit=request.hold_limit,
        user_limit=request.user_limit,
        sessions_limit=request.sessions_limit,
        live_max=request.live_max,
        session_s=request.session_s,
        checkout_s=request.checkout_s,
        control=request.control,
        commitment=request.draw_commitment,
        cancel_until=request.cancel_until,
        cancel_fee_minor=request.cancel_fee_minor,
        transfer_until=request.transfer_until,
    )


def terms_of(sale: Event) -> EventTerms:
    """Return the terms of an event on sale."""
    return EventTerms(
        event=sale.id,
        name=sale.name,
        venue=sale.venue_name,
        venue_address=sale.venue_address,
        artist=sale.artist,
        category=sale.category,
        text=sale.text,
        starts_at=sale.starts_at,
        time_zone=sale.time_zone,
        seller=_seller(sale),
        seats=sum(section.seats for section in sale.sections),
        area_places=sum(area.capacity for area in sale.areas.values()),
        currency=sale.currency,
        prices=[Price(tier.id, tier.name, tier.price_minor, tier.vat_bp) for tier in sale.tiers],
        fee_order_minor=sale.fees.order_minor,
        fee_ticket_minor=sale.fees.ticket_minor,
        hold_limit=sale.hold_limit,
        user_limit=sale.user_limit,
        sessions_limit=sale.sessions_limit,
        live_max=sale.live_max,
        session_s=sale.session_s,
        checkout_s=sale.checkout_s,
        control=sale.control,
        commitment=sale.draw_commitment,
        cancel_until=sale.cancel_until,
        cancel_fee_minor=sale.cancel_fee_minor,
        transfer_until=sale.transfer_until,
    )


def _seller(of: NewEvent | Event) -> str:
    """Return who sells on a line, or nothing."""
    return ", ".join(text for text in (of.seller_name, of.seller_address, of.seller_vat_id) if text)


def page(
    terms: EventTerms, gate: GateConfig, now_s: float, options: argparse.Namespace
) -> list[str]:
    """Return the page, a line each: what is sold, when, how fast, to whom, by which keys."""
    away_s = gate.doors_s - now_s
    when = f"in {span(away_s)}" if away_s > 0 else f"{span(-away_s)} ago"
    rows = [
        ("Event", f"{terms.event} · {terms.name}"),
        *_fact_rows(terms, options),
        ("Venue", f"{terms.venue}: {places(terms.seats, terms.area_places)}"),
        ("Doors", f"{shown(gate.doors_s, options)}, {when}"),
        *_pace_rows(terms, gate),
        *_price_rows(terms),
        *_limit_rows(terms),
        (
            "Cancel",
            cancelling(terms.cancel_until, terms.cancel_fee_minor, terms.currency, options),
        ),
        ("Transfer", passing_on(terms.transfer_until, options)),
        ("Invoices", f"by {terms.seller}" if terms.seller else "none: no --seller is said"),
        ("Keys", _keys(gate)),
        ("Draw", f"commitment {terms.commitment}"),
    ]
    return [f"  {name:<9} {text}" for name, text in rows]


def cancelling(until: str, fee_minor: int, currency: str, options: argparse.Namespace) -> str:
    """Say until when an order may be cancelled, and what of it is kept."""
    if not until:
        return "buyers cannot cancel"
    kept = f"{money(fee_minor, currency)} a place is kept" if fee_minor else "nothing is kept"
    return f"buyers may cancel until {shown(epoch_ms(until) // 1000, options)}; {kept}"


def passing_on(until: str, options: argparse.Namespace) -> str:
    """Say until when a ticket may be passed on to another account."""
    if not until:
        return "tickets stay with their buyers"
    return f"tickets may be passed on until {shown(epoch_ms(until) // 1000, options)}"


def places(seats: int, area_places: int) -> str:
    return f"{seats:,} seats and {area_places:,} standing places"


def span(seconds: float) -> str:
    """Return ``3 d 4 h``, ``1 h 5 min``, ``9 min 30 s`` or ``12 s``: the two largest parts."""
    left = round(seconds)
    parts: list[str] = []
    for size, unit in ((_DAY_S, "d"), (_HOUR_S, "h"), (_MINUTE_S, "min"), (1, "s")):
        count, left = divmod(left, size)
        if count or (unit == "s" and not parts):
            parts.append(f"{count} {unit}")
        elif parts:
            break
    return " ".join(parts[:2])


def pace_in_words(slope: float, curve: float) -> str:
    """Return what a pace of 1/τ means to those who come level at doors."""
    if slope <= 0:
        return "nobody is admitted"
    tau_s = 1 / slope
    half, most = (tau_s * (-math.log(1 - share)) ** (1 / curve) for share in (0.5, _NEARLY_ALL))
    return (
        f"τ {tau_s:g} s: half of those who wait at doors are in after {span(half)},"
        f" {_NEARLY_ALL:.0%} after {span(most)}"
    )


def _fact_rows(terms: EventTerms, options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return what is told of the event; a row of what nothing is told of is left out."""
    starts = ""
    if terms.starts_at:
        moment = shown(epoch_ms(terms.starts_at) // 1000, options)
        starts = f"{moment}, shown by the clocks of {terms.time_zone}"
    rows = [
        ("Starts", starts),
        ("Artist", terms.artist),
        ("Category", terms.category),
        ("Text", terms.text.replace("\n", " / ")),
        ("Address", terms.venue_address),
    ]
    return [(name, text) for name, text in rows if text]


def _pace_rows(terms: EventTerms, gate: GateConfig) -> list[tuple[str, str]]:
    text = pace_in_words(last_slope(gate), gate.curve)
    if terms.control == "auto":
        text += "; a start, which the controller changes to keep the target"
    chance = "luck alone" if gate.curve == 1 else f"curve {gate.curve:g}: the longer, the likelier"
    mode = "one number an account" if gate.mode == "a" else "one number a token"
    return [
        ("Pace", text),
        ("Draw by", f"{chance}; {mode}; proof of work {gate.pow_bits} bits"),
        (
            "Looks",
            (
                f"every {gate.backoff_min_s} to {gate.backoff_max_s} s; a place is kept for"
                f" {span(gate.token_ttl_s)} without one"
            ),
        ),
        (
            "Counted",
            (
                f"{gate.sample_queue:.2%} of accounts for the crowd, {gate.sample_admission:.2%} of"
                f" admissions and {gate.sample_violations:.2%} of refused attempts for the desk"
            ),
        ),
    ]


def _price_rows(terms: EventTerms) -> list[tuple[str, str]]:
    fees = [
        f"{money(minor, terms.currency)} {what}"
        for minor, what in (
            (terms.fee_order_minor, "an order"),
            (terms.fee_ticket_minor, "a ticket"),
        )
        if minor
    ]
    rows = [
        (
            "Price" if first else "",
            f"{money(price.minor, terms.currency)}  {_tier(price)}"
            + (f", {price.vat_bp / 100:g} % VAT in it" if price.vat_bp else ""),
        )
        for first, price in ((place == 0, price) for place, price in enumerate(terms.prices))
    ]
    return [*rows, ("Fees", " and ".join(fees) or "none")]


def _tier(price: Price) -> str:
    """Return the tier as buyers read it, and as ``--price`` names it where that is another."""
    return price.name if price.name == price.tier else f"{price.name} ({price.tier})"


def _limit_rows(terms: EventTerms) -> list[tuple[str, str]]:
    sessions = "session" if terms.sessions_limit == 1 else "sessions"
    cap = f"{terms.live_max:,} shop at once" if terms.live_max else "no limit to who shops at once"
    return [
        ("Target", cap),
        (
            "Limits",
            (
                f"{terms.hold_limit} places in a hold; an account {terms.user_limit} places and"
                f" {terms.sessions_limit} {sessions} at once"
            ),
        ),
        ("Time", f"{span(terms.session_s)} to choose, {span(terms.checkout_s)} to pay"),
    ]


def _keys(gate: GateConfig) -> str:
    tokens = f"waiting tokens by {gate.token_kid}"
    return f"{tokens}; sign-ins by {', '.join(gate.auth_keys) or 'none: nobody can join'}"
