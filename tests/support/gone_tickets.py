"""What an order says of tickets that its buyer has no more, or offers: every attribute of it."""

from __future__ import annotations

from typing import Any


def gone(now: str) -> dict[str, Any]:
    """A place given back, a ticket made void, one offered, and one passed on."""
    return {
        "returned": [
            {
                "place": "A-2",
                "kind": "seat",
                "tier": "one",
                "label": "r 2",
                "tickets": ["tkt_2"],
                "amountMinor": 1900,
                "feeMinor": 100,
                "at": now,
                "part": 1,
            }
        ],
        "voided": [{"ticket": "tkt_1", "at": now}],
        "transferUntil": now,
        "offers": [{"ticket": "tkt_1", "number": 3, "until": now}],
        "passed": [
            {
                "ticket": "tkt_0",
                "became": "tkt_1",
                "giver": "b",
                "holder": "cid",
                "number": 2,
                "at": now,
            }
        ],
        "moves": 3,
        "version": 9,
    }
