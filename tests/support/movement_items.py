"""One item of each kind that is entered of the provider's balance, with all that it may have."""

from __future__ import annotations

from typing import Any

from fairgate.ports.record import Key, TableName
from fairgate.service.shared.movement_keys import (
    imported_key,
    movement_key,
    payout_part_key,
    payout_step_key,
)


def movement_items(order: str, now: str) -> list[tuple[str, TableName, Key, dict[str, Any]]]:
    return [
        ("import cursor", "reservations", imported_key(), {"until": now}),
        (
            "movement",
            "reservations",
            movement_key(now, "txn_1"),
            {
                "movementId": "txn_1",
                "kind": "capture",
                "amountMinor": 1500,
                "feeMinor": 47,
                "currency": "EUR",
                "at": now,
                "enteredAt": now,
                "eventId": "show",
                "orderId": order,
                "paymentId": "pay_1",
                "thing": "re_1",
            },
        ),
        (
            "payout part",
            "reservations",
            payout_part_key("txn_1"),
            {"movementId": "txn_1", "payoutId": "po_1"},
        ),
        (
            "payout step",
            "reservations",
            payout_step_key("po_1", "listed"),
            {
                "payoutId": "po_1",
                "step": "listed",
                "amountMinor": 1453,
                "currency": "EUR",
                "at": now,
                "arrivesAt": now,
                "noticedAt": now,
                "parts": 1,
            },
        ),
    ]
