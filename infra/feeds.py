"""Which changes leave the tables' streams, as EventBridge patterns over the stream records.

It imports nothing of the CDK. Names and prefixes are those of docs/data.md.
"""

from __future__ import annotations

from typing import Any

from fairgate.ports.record import SK
from fairgate.service.shared.keys import ORDER, REFUND

ATTEMPTS_MAX = 5  # of a message, until it is kept aside as a dead letter

# Changes of seats and general-admission counters. New ones are free, and the first reader reads
# them from the table, so 50,000 new seats cause no messages. None is removed during its sale.
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

# What an order's buyer may have to be mailed; the function compares before and after. A pipe takes
# five patterns. Source: EventBridge User Guide, Amazon EventBridge Pipes quotas.
_OF_AN_ORDER = {SK: {"S": [{"prefix": ORDER}]}}
MAILED_CHANGES: tuple[dict[str, Any], ...] = (
    {  # what becomes of a sold order, or of a payment that bought nothing, with the time of it
        "eventName": ["MODIFY"],
        "dynamodb": {
            "Keys": _OF_AN_ORDER,
            "NewImage": {"updatedAt": {"S": [{"exists": True}]}},
        },
    },
    {
        "eventName": ["MODIFY"],
        "dynamodb": {
            "Keys": _OF_AN_ORDER,
            "NewImage": {"cancelledAt": {"S": [{"exists": True}]}},
            "OldImage": {"cancelledAt": {"S": [{"exists": False}]}},
        },
    },
    {
        "eventName": ["MODIFY"],
        "dynamodb": {
            "Keys": _OF_AN_ORDER,
            "NewImage": {"state": {"S": ["pending"]}, "lastAttempt": {"S": ["declined"]}},
        },
    },
    {
        "eventName": ["MODIFY"],
        "dynamodb": {
            "Keys": {SK: {"S": [{"prefix": REFUND}]}},
            "NewImage": {"state": {"S": ["pending", "succeeded", "failed"]}},
        },
    },
)
