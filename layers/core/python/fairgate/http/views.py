"""Items of the tables as the API shows them: snake_case, nothing internal. See docs/api.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from fairgate.domain.orders.order import Unit
from fairgate.service.shared.records.catalog import Beacon, Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.session_view import SessionView


def event_summary(event: Event) -> dict[str, Any]:
    return {
        "event": event.id,
        "name": event.name,
        "state": event.state,
        "sale_opens_at": event.sale_opens_at,
    }


def event_view(event: Event) -> dict[str, Any]:
    return event_summary(event) | {
        "venue": event.venue_name,
        "currency": event.currency,
        "layout": event.layout,
        "hold_limit": event.hold_limit,
        "user_limit": event.user_limit,
        "session_s": event.session_s,
        "checkout_s": event.checkout_s,
        "draw_commitment": event.draw_commitment,
        "draw_beacon": _beacon(event.beacon),
        "draw_key_revealed": event.draw_key_revealed or None,
        "tiers": [
            {
                "id": tier.id,
                "name": tier.name,
                "color": tier.color,
                "price_minor": tier.price_minor,
            }
            for tier in event.tiers
        ],
        "fees": {
            "order_minor": event.fees.order_minor,
            "ticket_minor": event.fees.ticket_minor,
        },
        "layout_url": layout_url(event),
    }


def _beacon(beacon: Beacon | None) -> dict[str, str | None] | None:
    if beacon is None:
        return None
    return {"source": beacon.source or None, "at": beacon.at or None, "value": beacon.value or None}


def layout_url(event: Event) -> str:
    return f"/layouts/{event.layout}/venue.json"


def unit_view(unit: Unit) -> dict[str, Any]:
    if unit.kind == "seat":
        return {
            "kind": "seat",
            "seat": unit.place,
            "section": unit.section,
            "tier": unit.tier,
            "label": unit.label,
            **({"quantity": unit.quantity} if unit.quantity > 1 else {}),
        }
    return {
        "kind": "area",
        "area": unit.place,
        "quantity": unit.quantity,
        "tier": unit.tier,
        "label": unit.label,
    }


def hold_view(session: str, hold: str, expires_at: str, units: Iterable[Unit]) -> dict[str, Any]:
    return {
        "hold": hold,
        "session": session,
        "expires_at": expires_at,
        "units": [unit_view(unit) for unit in _one_an_area(units)],
    }


def _one_an_area(units: Iterable[Unit]) -> list[Unit]:
    """An area's places as one unit, whatever counters they were taken from."""
    merged: dict[tuple[str, str], Unit] = {}
    for unit in units:
        key = (unit.kind, unit.place)
        before = merged.get(key)
        quantity = unit.quantity + (before.quantity if before else 0)
        merged[key] = replace(unit, quantity=quantity)
    return list(merged.values())


def holds_view(view: SessionView) -> list[dict[str, Any]]:
    """The session's live holds in the order in which they were made."""
    session, expires_at = view.session.id, view.session.expires_at
    holds: dict[str, list[Unit]] = {}
    for reservation in view.reservations:
        holds.setdefault(reservation.hold_id, []).append(reservation.unit)
    return [hold_view(session, hold, expires_at, units) for hold, units in holds.items()]


def order_view(order: Order) -> dict[str, Any]:
    return {
        "order": order.order_id,
        "session": order.session,
        "event": order.event_id,
        "state": order.state,
        "total_minor": order.total_minor,
        "currency": order.currency,
        "lines": [
            {
                "label": line.label,
                "tier": line.tier,
                "kind": line.kind,
                "quantity": line.quantity,
                "price_minor": line.price_minor,
            }
            for line in order.lines
        ],
        "expires_at": order.expires_at,
        "last_attempt": order.last_attempt or None,
        "tickets": sum(unit.places for unit in order.units),
    }
