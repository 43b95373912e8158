"""What went back or is disputed, with every attribute that it may have."""

from __future__ import annotations

from typing import Any


def refund(order: str, now: str) -> dict[str, Any]:
    return {
        "orderId": order,
        "eventId": "show",
        "paymentId": "pay_1",
        "amountMinor": 4000,
        "owedAt": now,
        "sentAt": now,
        "refundId": "re_1",
        "state": "failed",
        "reason": "expired_card",
        "changedAt": now,
        "correlationId": "edge-1",
        "part": 1,
        "currency": "EUR",
        "moves": 2,
        "attempt": 1,
    }


def dispute(order: str, now: str) -> dict[str, Any]:
    return {
        "orderId": order,
        "paymentId": "pay_1",
        "disputeId": "dp_1",
        "amountMinor": 4000,
        "currency": "EUR",
        "state": "open",
        "openedAt": now,
        "reason": "fraudulent",
        "changedAt": now,
        "reopened": 1,
    }
