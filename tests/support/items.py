"""One item of each kind, with every attribute it may have, as the tables hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fairgate.ports.record import Key, Record, TableName
from fairgate.service.shared import keys

SESSION = "ses_" + "1" * 32
ORDER = "ord_" + "1" * 32 + "_00000001"
NOW = "2026-11-22T10:00:00.000Z"
_OWNER = {"userId": "ann", "eventId": "show"}
_SEAT = {
    "GSI1PK": "show#A",
    "GSI1SK": "b#r#00001",
    "eventId": "show",
    "sectionId": "A",
    "blockId": "b",
    "rowId": "r",
    "seatNumber": "1",
    "seatId": "A-1",
    "availability": "available",
    "expiresAt": "",
    "sessionId": "",
    "version": 1,
    "updatedAt": NOW,
    "priceTier": "one",
    "seatIndex": 0,
    "kind": "standard",
}
_SHARD = {
    "eventId": "show",
    "areaId": "floor",
    "shard": 0,
    "capacity": 10,
    "remaining": 10,
    "version": 1,
    "updatedAt": NOW,
    "priceTier": "one",
}
_STATUS = {
    "liveSession": SESSION,
    "liveUntil": NOW,
    "sessionsUsed": 1,
    "placesTaken": 2,
    "flaggedUntil": NOW,
    "lockedUntil": NOW,
    "pardonedUntil": NOW,
    "deskRule": "early",
    "deskNoticed": NOW,
}
_SESSION = _OWNER | {
    "state": "reservation",
    "expiresAt": NOW,
    "resCount": 1,
    "liveBucket": f"{NOW}#1",
    "openedAt": NOW,
    "tokenId": "t",
    "admission": {"iat": 1, "h": 0.5, "lot": None, "edgeAt": NOW},
}
_RESERVATION = _OWNER | {
    "holdId": "hld_1",
    "state": "live",
    "kind": "seat",
    "place": "A-1",
    "sectionId": "A",
    "priceTier": "one",
    "label": "Row r, seat 1",
    "quantity": 1,
    "shard": 0,
}
_UNIT = {"kind": "area", "tier": "one", "label": "Floor", "area": "floor", "quantity": 2}
_ORDER = _OWNER | {
    "GSI1PK": "U#ann",
    "GSI1SK": NOW,
    "orderId": ORDER,
    "state": "ticketed",
    "totalMinor": 4000,
    "currency": "EUR",
    "lines": [{"label": "One", "tier": "one", "quantity": 2, "priceMinor": 2000, "kind": "fee"}],
    "units": [_UNIT | {"shard": 0}, {"kind": "seat", "tier": "one", "label": "r 1", "seat": "A-1"}],
    "userLimit": 6,
    "email": "ann@example.org",
    "expiresAt": NOW,
    "createdAt": NOW,
    "payPage": "https://pay.example.org/1",
    "olderPages": ["https://pay.example.org/0"],
    "askedAt": NOW,
    "paymentId": "pay_1",
    "paidAt": NOW,
    "ticketedAt": NOW,
    "mailedAt": NOW,
    "cancelledAt": NOW,
    "refundedAt": NOW,
    "lastAttempt": "declined",
    "updatedAt": NOW,
    "tickets": [{"ticket": "tkt_1", "unit": 0, "label": "Floor", "code": "c"}],
}
_REFUND = {
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
}
_DISPUTE = {
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
}
_DUTY = {
    "dutyId": "duty_1",
    "kind": "refund-failed",
    "what": "it came back",
    "since": NOW,
    "eventId": "show",
    "orderId": ORDER,
    "paymentId": "pay_1",
    "doneAt": NOW,
    "doneBy": "ann",
    "reason": "paid by transfer",
}
_EVENT = {
    "name": "Show",
    "venueName": "Hall",
    "state": "open",
    "saleOpensAt": NOW,
    "currency": "EUR",
    "layout": "0" * 32,
    "holdLimit": 6,
    "userLimit": 6,
    "sessionsLimit": 3,
    "liveMax": 0,
    "sessionS": 600,
    "checkoutS": 300,
    "tiers": [{"id": "one", "name": "One", "color": "#123456", "priceMinor": 2000}],
    "fees": {"orderMinor": 100, "ticketMinor": 50},
    "areas": {"floor": {"capacity": 10, "shards": 1, "tier": "one"}},
    "sections": [{"id": "A", "name": "A", "seats": 1, "blocks": [{"id": "b", "seats": 1}]}],
    "drawCommitment": "c",
    "drawKeyRevealed": "k",
    "drawMode": "beacon",
    "drawCurve": 1.5,
    "beacon": {
        "source": "drand",
        "at": NOW,
        "announcedAt": NOW,
        "value": "v",
        "mixedAt": NOW,
    },
    "epochsLog": [[0.5, 1, 0.25]],
    "openUntil": 1,
    "control": "auto",
    "sessionMeanS": 240.5,
    "cancelUntil": NOW,
    "createdAt": NOW,
    "version": 3,
}
_ITEMS: tuple[tuple[str, TableName, Key, dict[str, Any]], ...] = (
    ("seat", "seats", keys.seat_key("show", "A-1"), _SEAT),
    ("area shard", "seats", keys.area_key("show", "floor", 0), _SHARD),
    ("user status", "reservations", keys.user_status_key("ann", "show"), _STATUS),
    ("session", "reservations", keys.session_key(SESSION), _SESSION),
    ("reservation", "reservations", keys.reservation_key(SESSION, "hld_1", "A-1"), _RESERVATION),
    ("order", "reservations", keys.order_key(SESSION, ORDER), _ORDER),
    ("owed refund", "reservations", keys.refund_key(SESSION, ORDER, "pay_1"), _REFUND),
    ("dispute", "reservations", keys.dispute_key(SESSION, ORDER, "dp_1"), _DISPUTE),
    ("duty", "reservations", keys.duty_key("duty_1"), _DUTY),
    (
        "due entry",
        "reservations",
        keys.due_key("show", NOW, SESSION),
        {"sessionId": SESSION, "orderId": ORDER, "paymentId": "pay_1", "ttl": 1},
    ),
    ("swept mark", "reservations", keys.swept_key("show"), {"minute": NOW, "busy": NOW}),
    ("reconciled mark", "reservations", keys.reconciled_key(), {"until": NOW}),
    ("redeemed token", "reservations", keys.token_key("t"), {"sessionId": SESSION, "ttl": 1}),
    (
        "payment event",
        "reservations",
        keys.payment_event_key("e"),
        {"orderId": ORDER, "outcome": "paid", "ttl": 1},
    ),
    (
        "idempotency record",
        "reservations",
        keys.idempotency_key("U#ann", "open", "k"),
        {"payload": "p", "answer": {"session": SESSION}, "until": NOW, "ttl": 1},
    ),
    (
        "rate bucket",
        "reservations",
        keys.rate_key("show", "u#ann", "holds"),
        {"fullAtMs": 1, "ttl": 1},
    ),
    (
        "live counter",
        "reservations",
        keys.live_key("show", f"{NOW}#1"),
        {"live": 1, "opened": 2, "ttl": 1},
    ),
    (
        "hall level",
        "reservations",
        keys.hall_level_key("show"),
        {
            "atMs": 1,
            "e": 0.5,
            "rise": 0.5,
            "follows": False,
            "pace": 0.5,
            "live": 1,
            "pending": 0.5,
            "arrived": 1.5,
            "risen": 0.5,
            "ended": 1.5,
            "watchedS": 2.5,
            "bucket": "2026-01-01T00:00",
            "opened": 1,
            "ttl": 1,
        },
    ),
    (
        "desk count",
        "reservations",
        keys.desk_count_key("show", "u#ann", 600),
        {
            "ttl": 1,
            "admit": 1,
            "sample_queue": 1,
            "sample_admit": 1,
            "no_auth": 1,
            "bad_auth": 1,
            "bad_token": 1,
            "other_user": 1,
            "other_event": 1,
            "expired_token": 1,
            "early": 1,
            "no_solution": 1,
            "bad_solution": 1,
        },
    ),
    (
        "desk decision",
        "reservations",
        keys.desk_decision_key("show", "ann", NOW),
        {
            "level": 1,
            "rule": "early",
            "points": 1.5,
            "cases": {"early": 3},
            "noticed": NOW,
            "until": NOW,
            "by": "desk",
            "ttl": 1,
        },
    ),
    (
        "sampled minute",
        "reservations",
        keys.sampled_key("show", NOW),
        {"count": 1, "h": 2.5, "ttl": 1},
    ),
    (
        "controller memory",
        "reservations",
        keys.controller_memory_key("show"),
        {
            "atS": 1.5,
            "live": 2,
            "h": 0.5,
            "factor": 1,
            "level": 0.25,
            "planned": [60, 0.25, 0.25],
            "operatorSlope": 0.5,
            "spentS": 90.5,
            "ended": 0.5,
            "openedFrom": NOW,
            "opened": 3,
            "ttl": 1,
        },
    ),
    (
        "seats memory",
        "reservations",
        keys.seats_memory_key("show"),
        {"section": "A", "left": {"A": 3}, "ttl": 1},
    ),
    ("event", "catalog", keys.event_key("show"), _EVENT),
    (
        "gate version",
        "catalog",
        keys.gate_version_key("show", 1),
        {"atMs": 1, "state": "open", "openUntil": 0, "doorsS": 1, "epochs": [[0.5, 1, 0.25]]},
    ),
    (
        "log entry",
        "catalog",
        keys.log_entry_key("show", 1),
        {
            "at": NOW,
            "who": "op",
            "act": "pause",
            "phase": "asked",
            "detail": {"why": "x"},
            "gate": None,
            "mac": "m",
        },
    ),
)
ITEMS: Mapping[str, tuple[TableName, dict[str, Any]]] = {
    name: (table, {"PK": key.pk, "SK": key.sk} | attributes)
    for name, table, key, attributes in _ITEMS
}


def optional(kind: type[Record]) -> set[str]:
    """The attributes that an item may lack."""
    return {field.encode_name for field in msgspec.structs.fields(kind) if not field.required}
