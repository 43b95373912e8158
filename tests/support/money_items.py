"""Items of payments, refunds, documents and the books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairgate.domain.shared.ids import OrderId
from fairgate.ports.record import Key
from fairgate.service.shared import keys
from fairgate.service.shared.movement_keys import (
    imported_key,
    movement_key,
    payout_part_key,
    payout_step_key,
)
from tests.support.item_ids import NOW, ORDER, POSTAL_ADDRESS, SESSION

_LEDGER_ENTRY = {
    "GSI1PK": keys.ledger_index("show", SESSION),
    "GSI1SK": f"{NOW}#{keys.ledger_key(SESSION, ORDER, 'refund#pay_1#0').sk}",
    "entryId": "refund#pay_1#0",
    "eventId": "show",
    "orderId": ORDER,
    "paymentId": "pay_1",
    "kind": "refund",
    "amountMinor": -4000,
    "currency": "EUR",
    "at": NOW,
    "thing": "re_1",
}
MONEY_ITEMS: Mapping[str, tuple[Key, dict[str, Any]]] = {
    "owed refund": (
        keys.refund_key(SESSION, ORDER, "pay_1"),
        {
            "orderId": ORDER,
            "eventId": "show",
            "paymentId": "pay_1",
            "amountMinor": 4000,
            "owedAt": NOW,
            "sentAt": NOW,
            "refundId": "re_1",
            "state": "failed",
            "reason": "expired_card",
            "changedAt": NOW,
            "correlationId": "edge-1",
            "part": 1,
            "currency": "EUR",
            "moves": 2,
            "attempt": 1,
        },
    ),
    "dispute": (
        keys.dispute_key(SESSION, ORDER, "dp_1"),
        {
            "orderId": ORDER,
            "paymentId": "pay_1",
            "disputeId": "dp_1",
            "amountMinor": 4000,
            "currency": "EUR",
            "state": "open",
            "openedAt": NOW,
            "reason": "fraudulent",
            "changedAt": NOW,
            "reopened": 1,
        },
    ),
    "ledger entry": (keys.ledger_key(SESSION, ORDER, "refund#pay_1#0"), _LEDGER_ENTRY),
    "document": (
        keys.document_key(OrderId(ORDER), "credit#1"),
        {
            "number": 2,
            "kind": "credit-note",
            "eventId": "show",
            "orderId": ORDER,
            "paymentId": "pay_1",
            "amountMinor": 4000,
            "currency": "EUR",
            "at": NOW,
            "lines": [
                {
                    "label": "Refund",
                    "quantity": 1,
                    "amountMinor": 4000,
                    "vatBp": 1900,
                    "vatMinor": 639,
                }
            ],
            "buyer": "ann@example.com",
            "postalAddress": POSTAL_ADDRESS,
            "eventName": "Show",
            "sellerName": "Tides GmbH",
            "sellerAddress": "Quay 1",
            "sellerVatId": "DE123456789",
            "startsAt": NOW,
            "timeZone": "Europe/Berlin",
            "invoice": 1,
            "part": 1,
        },
    ),
    "document counter": (keys.document_counter_key("show"), {"given": 2}),
    "reconcile cursor": (keys.reconciled_key(), {"until": NOW}),
    "provider state": (
        keys.provider_key(),
        {"fullAtMs": 1, "failures": 1, "openUntilMs": 1, "probeUntilMs": 1},
    ),
    "import cursor": (imported_key(), {"until": NOW}),
    "movement": (
        movement_key(NOW, "txn_1"),
        {
            "movementId": "txn_1",
            "kind": "capture",
            "amountMinor": 1500,
            "feeMinor": 47,
            "currency": "EUR",
            "at": NOW,
            "enteredAt": NOW,
            "eventId": "show",
            "orderId": ORDER,
            "paymentId": "pay_1",
            "thing": "re_1",
        },
    ),
    "payout part": (payout_part_key("txn_1"), {"movementId": "txn_1", "payoutId": "po_1"}),
    "payout step": (
        payout_step_key("po_1", "listed"),
        {
            "payoutId": "po_1",
            "step": "listed",
            "amountMinor": 1453,
            "currency": "EUR",
            "at": NOW,
            "arrivesAt": NOW,
            "noticedAt": NOW,
            "parts": 1,
        },
    ),
    "payment event": (
        keys.payment_event_key("e"),
        {"orderId": ORDER, "outcome": "paid", "ttl": 1},
    ),
    "sales tally": (
        keys.tally_key("show", ORDER),
        {
            "paid": 1,
            "tickets": 2,
            "seats": 1,
            "places": 1,
            "revenueMinor": 9000,
            "declined": 1,
            "unpaid": 1,
            "heard": 1,
            "lagMs": 300,
            "owed": 2,
            "owedMinor": 9000,
            "made": 1,
            "madeMinor": 4500,
            "ended": 3,
            "empty": 1,
            "flagged": 1,
            "locked": 1,
        },
    ),
}
