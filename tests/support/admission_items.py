"""Items by which buyers are let in, counted and slowed down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairgate.ports.record import Key
from fairgate.service.shared import keys
from tests.support.item_ids import NOW, SESSION

ADMISSION_ITEMS: Mapping[str, tuple[Key, dict[str, Any]]] = {
    "redeemed token": (keys.token_key("t"), {"sessionId": SESSION, "ttl": 1}),
    "live counter": (keys.live_key("show", f"{NOW}#1"), {"live": 1, "opened": 2, "ttl": 1}),
    "capacity shard": (keys.capacity_shard_key("show", 3), {"left": 5, "dealt": 8}),
    "capacity limit": (
        keys.capacity_limit_key("show"),
        {"cap": 10, "eventVersion": 1, "version": 2, "dealt": [8], "othersUntil": NOW},
    ),
    "admission threshold": (
        keys.admission_threshold_key("show"),
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
            "aloneMs": 1,
            "bucket": "2026-01-01T00:00",
            "opened": 1,
            "ttl": 1,
        },
    ),
    "desk count": (
        keys.desk_count_key("show", "u#ann", 600),
        {
            "ttl": 1,
            "labelled": 1,
            "sampled": 1,
            "admit": 1,
            "sample_queue": 1,
            "sample_admit": 1,
            "no_auth": 1,
            "bad_auth": 1,
            "bad_token": 20,
            "other_user": 1,
            "other_event": 1,
            "expired_token": 1,
            "early": 33.333,
            "no_solution": 1,
            "bad_solution": 1,
            "redeemed": 1,
            "inside": 1,
        },
    ),
    "desk appeal": (
        keys.appeal_key("show", "ann", NOW),
        {
            "askedAt": NOW,
            "text": "My browser reloads by itself.",
            "rule": "account-persists",
            "noticed": NOW,
            "answeredAt": NOW,
            "answer": "kept",
            "by": "desk",
            "ttl": 1,
        },
    ),
    "desk decision": (
        keys.desk_decision_key("show", "ann", NOW),
        {
            "level": 1,
            "rule": "early",
            "points": 1.5,
            "cases": {"early": 3},
            "seen": 3,
            "noticed": NOW,
            "until": NOW,
            "by": "desk",
            "ttl": 1,
        },
    ),
    "sampled minute": (keys.sampled_key("show", NOW, ""), {"count": 1, "h": 2.5, "ttl": 1}),
    "sampled account": (
        keys.sampled_account_key("show", "ann"),
        {"minute": NOW, "leftOutUntil": NOW, "ttl": 1},
    ),
    "controller memory": (
        keys.controller_memory_key("show"),
        {
            "atS": 1.5,
            "live": 2,
            "h": 0.5,
            "factor": 1,
            "expected": 40.5,
            "observed": 30.5,
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
    "rate bucket": (keys.rate_key("show", "u#ann", "holds"), {"fullAtMs": 1, "ttl": 1}),
    "shared count": (keys.shared_count_key("show", "a.x"), {"places": 2, "ttl": 1}),
}
