"""Items of the tables as the API shows them: snake_case, nothing internal. See docs/api.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairgate.domain.orders.order import Unit
from fairgate.service.holds.hold_seats import unit_of
from fairgate.service.shared.session_view import SessionView

_EVENT_FIELDS = {
    "venue": "venueName",
    "currency": "currency",
    "layout": "layout",
    "hold_limit": "holdLimit",
    "user_limit": "userLimit",
    "session_s": "sessionS",
    "checkout_s": "checkoutS",
    "draw_commitment": "drawCommitment",
}


def event_summary(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "event": item["SK"],
        "name": item["name"],
        "state": item["state"],
        "sale_opens_at": item["saleOpensAt"],
    }


def event_view(item: Mapping[str, Any]) -> dict[str, Any]:
    tiers = [
        {
            "id": tier["id"],
            "name": tier["name"],
            "color": tier["color"],
            "price_minor": tier["priceMinor"],
        }
        for tier in item["tiers"]
    ]
    beacon = item.get("beacon")
    proof = {
        "draw_beacon": beacon
        and {name: beacon[name] or None for name in ("source", "at", "value")},
        "draw_key_revealed": item.get("drawKeyRevealed") or None,
    }
    shown = {name: item.get(attribute) for name, attribute in _EVENT_FIELDS.items()}
    fees = item.get("fees", {})
    prices = {
        "tiers": tiers,
        "fees": {
            "order_minor": fees.get("orderMinor", 0),
            "ticket_minor": fees.get("ticketMinor", 0),
        },
    }
    return event_summary(item) | shown | proof | prices | {"layout_url": layout_url(item)}


def layout_url(item: Mapping[str, Any]) -> str:
    return f"/layouts/{item['layout']}/venue.json"


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
    session, expires_at = view.session["PK"], view.session["expiresAt"]
    holds: dict[str, list[Unit]] = {}
    for reservation in view.reservations:
        holds.setdefault(reservation["holdId"], []).append(unit_of(reservation))
    return [hold_view(session, hold, expires_at, units) for hold, units in holds.items()]


def order_view(order: Mapping[str, Any]) -> dict[str, Any]:
    lines: Sequence[Mapping[str, Any]] = order["lines"]
    return {
        "order": order["orderId"],
        "session": order["PK"],
        "event": order["eventId"],
        "state": order["state"],
        "total_minor": order["totalMinor"],
        "currency": order["currency"],
        "lines": [
            {
                "label": line["label"],
                "tier": line["tier"],
                "kind": line.get("kind", "tickets"),
                "quantity": line["quantity"],
                "price_minor": line["priceMinor"],
            }
            for line in lines
        ],
        "expires_at": order["expiresAt"],
        "last_attempt": order.get("lastAttempt") or None,
        "tickets": sum(unit.get("quantity", 1) for unit in order["units"]),
    }
