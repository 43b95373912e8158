"""One item of each kind, with every attribute it may have, as the tables hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fairgate.domain.catalog.event_facts import FACTS
from fairgate.domain.shared.ids import OrderId
from fairgate.ports.record import Key, Record, TableName, attribute
from fairgate.service.shared import keys
from fairgate.service.shared.mailbox_keys import mailbox_order_key, mailed_link_key, sent_mail_key
from tests.support.admission_items import ADMISSION_ITEMS
from tests.support.item_ids import MAILBOX, NOW, ORDER, POSTAL_ADDRESS, SESSION
from tests.support.money_items import MONEY_ITEMS

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
    "remaining": 8,
    "version": 1,
    "updatedAt": NOW,
    "priceTier": "one",
    "blocked": 2,
}
_STATUS = {
    "liveSession": SESSION,
    "liveUntil": NOW,
    "sessionsUsed": 1,
    "placesTaken": 2,
    "userLimit": 4,
    "flaggedUntil": NOW,
    "lockedUntil": NOW,
    "pardonedUntil": NOW,
    "deskRule": "early",
    "deskNoticed": NOW,
    "appealedUntil": NOW,
}
_SESSION = _OWNER | {
    "state": "reservation",
    "expiresAt": NOW,
    "resCount": 1,
    "liveBucket": f"{NOW}#1",
    "openedAt": NOW,
    "tokenId": "t",
    "correlationId": "edge-1",
    "terms": 1,
    "room": 3,
    "GSI1PK": "show#ORDERS#0",
    "GSI1SK": f"{NOW}#{ORDER}#0a1b",
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
    "acceptedTerms": "https://seller.example/terms-1",
    "state": "ticketed",
    "totalMinor": 4000,
    "currency": "EUR",
    "lines": [
        {
            "label": "One",
            "tier": "one",
            "quantity": 2,
            "priceMinor": 2000,
            "kind": "fee",
            "vatBp": 700,
            "vatMinor": 262,
        }
    ],
    "units": [_UNIT | {"shard": 0}, {"kind": "seat", "tier": "one", "label": "r 1", "seat": "A-1"}],
    "userLimit": 6,
    "email": "ann@example.org",
    "postalAddress": POSTAL_ADDRESS,
    "cardLimit": 4,
    "countedBy": ["a.x"],
    "expiresAt": NOW,
    "createdAt": NOW,
    "payPage": "https://pay.example.org/1",
    "olderPages": ["https://pay.example.org/0"],
    "payFrom": NOW,
    "askedAt": NOW,
    "paymentId": "pay_1",
    "paidAt": NOW,
    "ticketedAt": NOW,
    "mailedAt": NOW,
    "cancelledAt": NOW,
    "refundedAt": NOW,
    "lastAttempt": "declined",
    "correlationId": "edge-1",
    "mailbox": MAILBOX,
    "updatedAt": NOW,
    "tickets": [{"ticket": "tkt_1", "unit": 0, "label": "Floor", "code": "c", "holder": "cid"}],
    "cancelUntil": NOW,
    "cancelFeeMinor": 100,
    "parts": 1,
    "backMinor": 1900,
    "eventCancelled": True,
    "erasedAt": NOW,
    "language": "de",
    "returned": [
        {
            "place": "A-2",
            "kind": "seat",
            "tier": "one",
            "label": "r 2",
            "tickets": ["tkt_2"],
            "amountMinor": 1900,
            "feeMinor": 100,
            "at": NOW,
            "part": 1,
        }
    ],
    "voided": [{"ticket": "tkt_1", "at": NOW}],
    "transferUntil": NOW,
    "startsAt": NOW,
    "offers": [{"ticket": "tkt_1", "number": 3, "until": NOW}],
    "passed": [
        {
            "ticket": "tkt_0",
            "became": "tkt_1",
            "giver": "b",
            "holder": "cid",
            "number": 2,
            "at": NOW,
        }
    ],
    "moves": 3,
    "version": 9,
}
_HELD = {"orderId": ORDER, "eventId": "show", "at": NOW}
_TASK = {
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
    **{attribute(one.name): one.fact.example for one in FACTS},
    "state": "open",
    "saleOpensAt": NOW,
    "currency": "EUR",
    "layout": "0" * 32,
    "chart": "hall.json",
    "holdLimit": 6,
    "userLimit": 6,
    "sessionsLimit": 3,
    "liveMax": 0,
    "sessionS": 600,
    "checkoutS": 300,
    "tiers": [{"id": "one", "name": "One", "color": "#123456", "priceMinor": 2000, "vatBp": 700}],
    "fees": {"orderMinor": 100, "ticketMinor": 50, "vatBp": 1900},
    "areas": {"floor": {"capacity": 10, "shards": 1, "tier": "one"}},
    "sections": [{"id": "A", "name": "A", "seats": 1, "blocks": [{"id": "b", "seats": 1}]}],
    "drawCommitment": "c",
    "drawKeyRevealed": "k",
    "drawMode": "beacon",
    "drawCurve": 1.5,
    "beacon": {"source": "drand", "at": NOW, "announcedAt": NOW, "value": "v", "mixedAt": NOW},
    "epochsLog": [[0.5, 1, 0.25]],
    "openUntil": 1,
    "control": "auto",
    "sessionMeanS": 240.5,
    "requestsPerS": 125_000,
    "cancelledAt": NOW,
    "hidden": True,
    "terms": 1,
    "pastTerms": [
        {
            "number": 0,
            "until": NOW,
            "prices": {"one": 1500},
            "orderMinor": 100,
            "ticketMinor": 50,
            "holdLimit": 4,
            "userLimit": 8,
        }
    ],
    "lastChange": {
        "number": 3,
        "at": NOW,
        "toldAt": NOW,
        "name": "Show",
        "artist": "Ann",
        "startsAt": NOW,
        "timeZone": "Europe/Berlin",
        "venueName": "Hall",
        "venueAddress": "Quay 1",
    },
    "message": {"texts": {"en": "One moment."}, "to": "all", "at": NOW, "until": NOW},
    "counted": True,
    "liveCounters": 256,
    "itemsFormat": 1,
    "gateBehind": 1,
    "createdAt": NOW,
    "version": 3,
}
_ITEMS: Mapping[TableName, Mapping[str, tuple[Key, dict[str, Any]]]] = {
    "seats": {
        "seat": (keys.seat_key("show", "A-1"), _SEAT),
        "area shard": (keys.area_key("show", "floor", 0), _SHARD),
    },
    "reservations": {
        "user status": (keys.user_status_key("ann", "show"), _STATUS),
        "session": (keys.session_key(SESSION), _SESSION),
        "reservation": (keys.reservation_key(SESSION, "hld_1", "A-1"), _RESERVATION),
        "order": (keys.order_key(SESSION, ORDER), _ORDER),
        "mailbox order": (mailbox_order_key(MAILBOX, OrderId(ORDER)), {"orderId": ORDER, "ttl": 1}),
        "mailed link": (mailed_link_key(MAILBOX, "0" * 32), {"at": NOW, "ttl": 1}),
        "sent mail": (sent_mail_key(ORDER, "x"), {"sentAt": NOW, "ttl": 1}),
        "held order": (keys.held_order_key("cid", ORDER), _HELD),
        "manual task": (keys.task_key("duty_1"), _TASK),
        "due entry": (
            keys.due_key("show", NOW, SESSION),
            {"sessionId": SESSION, "orderId": ORDER, "paymentId": "pay_1", "part": 1, "ttl": 1},
        ),
        "sweep cursor": (keys.swept_key("show"), {"minute": NOW, "busy": NOW, "reached": "x"}),
        "idempotency record": (
            keys.idempotency_key("U#ann", "open", "k"),
            {"payload": "p", "answer": {"session": SESSION}, "until": NOW, "ttl": 1},
        ),
        "act answer": (
            keys.act_answer_key("olga", "k"),
            {
                "payload": "p",
                "run": "0a",
                "at": NOW,
                "busyUntil": NOW,
                "until": NOW,
                "ttl": 1,
                "answer": "{}",
            },
        ),
        "pending act": (
            keys.pending_act_key("show", "req_0a"),
            {
                "act": "event close",
                "arguments": "{}",
                "confirm": "yes",
                "ifMatch": "",
                "by": "olga",
                "groups": ["fairgate-organiser"],
                "at": NOW,
                "until": NOW,
                "ttl": 1,
                "confirmedBy": "otto",
            },
        ),
        "rehearsal": (
            keys.rehearsal_key("show-rehearsal-1"),
            {
                "of": "show",
                "buyers": 300,
                "script": "calm",
                "by": "sign-in olga",
                "at": NOW,
                "state": "running",
                "ttl": 1,
                "arrived": 120,
                "tickets": 14,
                "gone": 3,
            },
        ),
        "job": (
            keys.job_key("job_0a1b2c3d4e5f"),
            {
                "act": "event cancel",
                "eventId": "show",
                "arguments": "{}",
                "dryRun": False,
                "by": "olga",
                "at": NOW,
                "state": "done",
                "sentAt": NOW,
                "run": "r",
                "busyUntil": "",
                "ttl": 1,
                "askedBy": "otto",
                "request": "req_0a",
                "runs": 2,
                "breaks": 1,
                "startedAt": NOW,
                "endedAt": NOW,
                "step": "Giving back",
                "failed": True,
                "said": ["Done."],
                "result": "{}",
                "problem": "{}",
                "files": [{"name": "show-cancelled.csv", "bytes": 12}],
            },
        ),
        "seats memory": (
            keys.seats_memory_key("show"),
            {"section": "A", "left": {"A": 3}, "soldOut": True, "ttl": 1},
        ),
        "figures": (keys.figures_key("show"), {"atMs": 1, "document": "{}", "ttl": 1}),
        "figures history": (
            keys.history_key("show"),
            {"version": 1, "document": "{}", "ttl": 1},
        ),
        "forecast": (keys.forecast_key("show"), {"document": "{}", "ttl": 1}),
        "figures memory": (keys.figures_memory_key("show"), {"document": "{}", "ttl": 1}),
        **MONEY_ITEMS,
        **ADMISSION_ITEMS,
    },
    "catalog": {
        "event": (keys.event_key("show"), _EVENT),
        "gate value": (
            keys.gate_value_key("show"),
            {"value": "x", "atMs": 1, "version": 2, "heard": 1, "lateMs": 1},
        ),
        "creation": (
            keys.creation_key("final"),
            {
                "atMs": 1,
                "who": "ann@here",
                "nonce": "0a",
                "layout": "0b",
                "rows": 2,
                "alone": True,
                "rowsBy": "0a",
            },
        ),
        "house block": (
            keys.house_block_key("show", "blk_0a"),
            {
                "eventId": "show",
                "reason": "sponsor",
                "by": "olga",
                "at": NOW,
                "until": NOW,
                "seats": ["A-1"],
                "areas": {"floor": {"0": 2}},
                "version": 1,
            },
        ),
        "api token": (
            keys.api_token_key("abcdefghijkl"),
            {
                "hashed": "0" * 64,
                "eventId": "show",
                "role": "viewer",
                "by": "sign-in otto",
                "at": NOW,
                "until": NOW,
                "revokedAt": NOW,
            },
        ),
        "role grant": (
            keys.role_grant_key("show", "organiser", "user:olga"),
            {
                "eventId": "show",
                "role": "organiser",
                "who": "user:olga",
                "by": "sign-in otto",
                "at": NOW,
                "until": NOW,
                "revokedAt": NOW,
            },
        ),
        "store comparison": (keys.store_comparison_key(), {"etag": "x", "atMs": 1}),
        "gate version": (
            keys.gate_version_key("show", 1),
            {"atMs": 1, "state": "open", "openUntil": 0, "doorsS": 1, "epochs": [[0.5, 1, 0.25]]},
        ),
        "log entry": (
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
    },
}
ITEMS: Mapping[str, tuple[TableName, dict[str, Any]]] = {
    name: (table, {"PK": key.pk, "SK": key.sk} | attributes)
    for table, items in _ITEMS.items()
    for name, (key, attributes) in items.items()
}


def optional(kind: type[Record]) -> set[str]:
    """Return the attributes that an item may lack."""
    return {field.encode_name for field in msgspec.structs.fields(kind) if not field.required}
