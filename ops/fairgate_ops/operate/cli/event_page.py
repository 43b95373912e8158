"""Everything that an event was created with, on one page and in words."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from typing import Any

from fairgate.domain.catalog.brand import FONTS, mending_said
from fairgate.domain.catalog.event_facts import FACTS, TIERS, TRANSLATED
from fairgate.domain.gate.gate_config import GateConfig
from fairgate.domain.gate.pace import last_slope
from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.times import epoch_ms
from fairgate.service.shared.records.catalog import Event, Tier
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.times import shown

_NEARLY_ALL = 0.95
_DAY_S, _HOUR_S, _MINUTE_S = 86_400, 3_600, 60


def page_data(sale: Event) -> dict[str, Any]:
    """Return everything that an event was created with, by the names that scripts read."""
    return {
        "event": sale.id,
        **{one.in_views: getattr(sale, one.name) for one in FACTS},
        "seller": _seller(sale),
        "seats": _seats(sale),
        "area_places": _area_places(sale),
        "layout": sale.layout,
        "currency": sale.currency,
        "prices": [
            {"tier": t.id, "name": t.name, "minor": t.price_minor, "vat_bp": t.vat_bp}
            for t in sale.tiers
        ],
        "fee_order_minor": sale.fees.order_minor,
        "fee_ticket_minor": sale.fees.ticket_minor,
        "hold_limit": sale.hold_limit,
        "user_limit": sale.user_limit,
        "sessions_limit": sale.sessions_limit,
        "live_max": sale.live_max,
        "session_s": sale.session_s,
        "checkout_s": sale.checkout_s,
        "control": sale.control,
        "commitment": sale.draw_commitment,
    }


def _seats(sale: Event) -> int:
    return sum(section.seats for section in sale.sections)


def _area_places(sale: Event) -> int:
    return sum(area.capacity for area in sale.areas.values())


def _seller(sale: Event) -> str:
    """Return who sells on a line, or nothing."""
    seller = (sale.seller_name, sale.seller_address, sale.seller_vat_id)
    return ", ".join(text for text in seller if text)


def page(sale: Event, gate: GateConfig, now_s: float, options: argparse.Namespace) -> list[str]:
    """Return the page, a line each: what is sold, when, how fast, to whom, by which keys."""
    away_s = gate.sale_start_s - now_s
    when = f"in {span(away_s)}" if away_s > 0 else f"{span(-away_s)} ago"
    rows = [
        ("Event", f"{sale.id} · {sale.name}"),
        *_fact_rows(sale, options),
        ("Venue", f"{sale.venue_name}: {places(_seats(sale), _area_places(sale))}"),
        ("On sale", f"{shown(gate.sale_start_s, options)}, {when}"),
        ("Until", _ends(sale, options)),
        *_pace_rows(sale, gate),
        *_condition_rows(sale, options),
        ("Keys", _keys(gate)),
        ("Draw", f"commitment {sale.draw_commitment}"),
    ]
    return [f"  {name:<9} {text}" for name, text in rows]


def _condition_rows(sale: Event, options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return what it costs, how much one may buy, who may buy, and what they may do later."""
    until, fee_minor, seller = sale.cancel_until, sale.cancel_fee_minor, _seller(sale)
    return [
        *_price_rows(sale),
        *_limit_rows(sale),
        ("Choice", _choice(sale)),
        ("Cancel", cancelling(until, fee_minor, sale.currency, options)),
        ("Transfer", passing_on(sale.transfer_until, options)),
        ("Invoices", f"by {seller}" if seller else "none: --seller is not set"),
        ("Open to", open_to(sale, options)),
        ("Asks for", _asks_for(sale)),
        *_color_rows(sale),
    ]


def _color_rows(sale: Event) -> list[tuple[str, str]]:
    """Return the font, the colours, and what pages do with the first so that it can be read."""
    rows = [("Font", f"{sale.font}, of headings")] if sale.font != FONTS[0] else []
    if sale.color_1:
        second = f"; accents {sale.color_2}" if sale.color_2 else ""
        rows.append(("Colour", f"{sale.color_1}{second}: {mending_said(sale.color_1)}"))
    return rows


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


def _choice(sale: Event) -> str:
    """Say whether hand-picked seats may leave one seat alone."""
    if not sale.avoid_single_seats:
        return "buyers may leave one seat alone in a row"
    return "one that leaves one seat alone in a row is refused, unless every choice would"


def _asks_for(sale: Event) -> str:
    parts = ["name and postal address" if sale.ask_address else "the mail address alone"]
    limits = {"address": sale.address_limit, "card": sale.card_limit}
    parts += [f"one {what} may have {limit} places" for what, limit in limits.items() if limit]
    return "; ".join(parts)


def open_to(sale: Event, options: argparse.Namespace) -> str:
    """Say which accounts may come in."""
    parts = [f"at least {sale.account_days} days old"] if sale.account_days else []
    if sale.verified_phone:
        parts.append("with a verified phone number")
    if sale.members:
        until = sale.members_until
        ends = f" until {shown(epoch_ms(until) // 1000, options)}" if until else ""
        parts.append(f"members of {sale.members}{ends}")
    return f"accounts {'; '.join(parts)}" if parts else "every account"


def _ends(sale: Event, options: argparse.Namespace) -> str:
    if not sale.ends_at:
        return "never by itself: neither --starts-at nor --sale-ends-at is set"
    return shown(epoch_ms(sale.ends_at) // 1000, options)


def places(seats: int, area_places: int) -> str:
    return f"{seats:,} seats and {area_places:,} places of general admission"


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
    """Return what a pace of 1/τ means to buyers who wait at the sale start."""
    if slope <= 0:
        return "nobody is admitted"
    tau_s = 1 / slope
    half, most = (tau_s * (-math.log(1 - share)) ** (1 / curve) for share in (0.5, _NEARLY_ALL))
    return (
        f"τ {tau_s:g} s: half of the buyers who wait at the sale start are in after {span(half)},"
        f" {_NEARLY_ALL:.0%} after {span(most)}"
    )


def _fact_rows(sale: Event, options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return what is told of the event; a row of what nothing is told of is left out."""
    rows = []
    if sale.starts_at:
        moment = shown(epoch_ms(sale.starts_at) // 1000, options)
        rows.append(("Starts", f"{moment}, shown by the clocks of {sale.time_zone}"))
    for name, fact, _default in FACTS:
        if fact.label and (text := str(getattr(sale, name) or "")):
            rows.append((fact.label, text.replace("\n", " / ")))
    if sale.translations:
        rows.append(("Texts in", "; ".join([sale.language, *_translated(sale)])))
    return rows


def _translated(sale: Event) -> Iterator[str]:
    """Yield each further language with what is not said in it: texts, and tiers by their id."""
    for language, told in sale.translations.items():
        missing = [name for name in TRANSLATED if getattr(sale, name) and name not in told]
        missing += [tier.id for tier in sale.tiers if tier.id not in told.get(TIERS, ())]
        yield f"{language} without {', '.join(missing)}" if missing else language


def _pace_rows(sale: Event, gate: GateConfig) -> list[tuple[str, str]]:
    text = pace_in_words(last_slope(gate), gate.curve)
    if sale.control == "auto":
        text += "; a start, which the controller changes to keep the target"
    chance = "luck alone" if gate.curve == 1 else f"curve {gate.curve:g}: the longer, the likelier"
    mode = "one number an account" if gate.mode == "a" else "one number a token"
    return [
        ("Pace", text),
        ("Draw by", f"{chance}; {mode}; proof of work {gate.pow_bits} bits"),
        (
            "Retries",
            (
                f"every {gate.backoff_min_s} to {gate.backoff_max_s} s; a place lapses after"
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


def condition_lines(sale: Event, options: argparse.Namespace) -> list[str]:
    """Return the end of the sale, prices, limits and conditions, a line each."""
    rows = [("Until", _ends(sale, options)), *_condition_rows(sale, options)]
    return [f"{name}: {text}" if name else f"       {text}" for name, text in rows]


def _price_rows(sale: Event) -> list[tuple[str, str]]:
    fees = [
        f"{money(minor, sale.currency)} {what}"
        for minor, what in (
            (sale.fees.order_minor, "an order"),
            (sale.fees.ticket_minor, "a ticket"),
        )
        if minor
    ]
    rated = any([*(price.vat_bp for price in sale.tiers), sale.fees.vat_bp])
    rows = [
        (
            "Price" if first else "",
            f"{money(price.price_minor, sale.currency)}  {_tier(price)}"
            + (f", {rate_text(price.vat_bp)} VAT in it" if rated else ""),
        )
        for first, price in ((place == 0, price) for place, price in enumerate(sale.tiers))
    ]
    vat = f", {rate_text(sale.fees.vat_bp)} VAT in them" if fees and rated else ""
    return [*rows, ("Fees", (" and ".join(fees) or "none") + vat)]


def _tier(price: Tier) -> str:
    """Return the tier as buyers read it, and as ``--price`` names it where that is another."""
    return price.name if price.name == price.id else f"{price.name} ({price.id})"


def _limit_rows(sale: Event) -> list[tuple[str, str]]:
    sessions = "session" if sale.sessions_limit == 1 else "sessions"
    cap = f"{sale.live_max:,} shop at once" if sale.live_max else "no limit to who shops at once"
    return [
        ("Target", cap),
        (
            "Limits",
            (
                f"{sale.hold_limit} places in a hold; an account {sale.user_limit} places and"
                f" {sale.sessions_limit} {sessions} at once"
            ),
        ),
        ("Time", f"{span(sale.session_s)} to choose, {span(sale.checkout_s)} to pay"),
    ]


def _keys(gate: GateConfig) -> str:
    tokens = f"waiting tokens by {gate.token_kid}"
    return f"{tokens}; sign-ins by {', '.join(gate.auth_keys) or 'none: nobody can join'}"
