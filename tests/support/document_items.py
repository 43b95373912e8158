"""An invoice's item with every attribute that it may have."""

from __future__ import annotations

from typing import Any


def document(order: str, now: str) -> dict[str, Any]:
    """Return a credit note, as it has what an invoice has and more."""
    return {
        "number": 2,
        "kind": "credit-note",
        "eventId": "show",
        "orderId": order,
        "paymentId": "pay_1",
        "amountMinor": 4000,
        "currency": "EUR",
        "at": now,
        "lines": [
            {"label": "Refund", "quantity": 1, "amountMinor": 4000, "vatBp": 1900, "vatMinor": 639}
        ],
        "buyer": "ann@example.com",
        "eventName": "Show",
        "sellerName": "Tides GmbH",
        "sellerAddress": "Quay 1",
        "sellerVatId": "DE123456789",
        "invoice": 1,
        "part": 1,
    }


def last_change(now: str) -> dict[str, Any]:
    """What who has tickets was told of an event."""
    return {
        "number": 3,
        "at": now,
        "toldAt": now,
        "name": "Show",
        "artist": "Ann",
        "startsAt": now,
        "timeZone": "Europe/Berlin",
        "venueName": "Hall",
        "venueAddress": "Quay 1",
    }
