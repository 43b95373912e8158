"""Which changes leave the tables' streams, as EventBridge patterns over the stream records.

It imports nothing of the CDK. Names and prefixes are those of docs/data.md.
"""

from __future__ import annotations

from typing import Any

from fairgate.ports.record import SK
from fairgate.service.shared.keys import ORDER

ATTEMPTS_MAX = 5  # of a message, until it is kept aside as a dead letter

# Seats and general-admission counters as they change. As they appear they are free, and whoever
# looks first reads them from the table: 50,000 new seats would be as many messages, in batches of
# ten a call, for nothing. None goes while its event is sold.
SEAT_CHANGES: tuple[dict[str, Any], ...] = ({"eventName": ["MODIFY"]},)

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
