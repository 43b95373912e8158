"""Walk what an event has sold, page by page: its orders and sessions, the damaged ones named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.client import table_names
from fairgate.adapters.dynamodb.codec import read_item
from fairgate.ports.record import PK, SK, DamagedItemError, Key, decode
from fairgate.service.shared.keys import ORDER, SESSION
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate_ops.operate.target import Target


def sold_by(target: Target, event: str) -> Iterator[Order | Session | Key]:
    """Read every order and session of the event, in no order; of a damaged one its key alone.

    The whole table is read, as no index has all that was ever sold. Orders made meanwhile may be
    missing; walk again.

    Consistency: strong for each item. Cost: one scan of the Reservations table.
    """
    request: dict[str, Any] = {
        "TableName": table_names(target.world.settings)["reservations"],
        "ConsistentRead": True,
        "FilterExpression": "eventId = :event"
        f" AND (begins_with({SK}, :s) OR begins_with({SK}, :o))",
        "ExpressionAttributeValues": {
            ":event": {"S": event},
            ":s": {"S": SESSION},
            ":o": {"S": ORDER},
        },
    }
    client = target.dynamodb()
    while True:
        page = client.scan(**request)
        for item in map(read_item, page["Items"]):
            kind: type[Order | Session] = Order if item[SK].startswith(ORDER) else Session
            try:
                yield decode(kind, item)
            except DamagedItemError:
                yield Key(item[PK], item[SK])
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
