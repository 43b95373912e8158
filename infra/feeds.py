"""Which changes leave the tables' streams, as EventBridge patterns over the stream records.

It imports nothing of the CDK. Names and prefixes are those of docs/data.md.
"""

from __future__ import annotations

from typing import Any

from fairgate.ports.record import SK
from fairgate.service.shared.keys import ORDER

ATTEMPTS_MAX = 5  # of a message, until it is kept aside as a dead letter

# Seats and general-admission counters, as they appear, change and go.
SEAT_CHANGES: tuple[dict[str, Any], ...] = ({"eventName": ["INSERT", "MODIFY", "REMOVE"]},)

# Orders at the moment in which they become paid, once each.
PAID_ORDERS: tuple[dict[str, Any], ...] = (
    {
        "eventName": ["MODIFY"],
        "dynamodb": {
            "Keys": {SK: {"S": [{"prefix": ORDER}]}},
            "NewImage": {"state": {"S": ["paid"]}},
            "OldImage": {"state": {"S": [{"anything-but": ["paid"]}]}},
        },
    },
)
