"""Find creations that broke off: events that have a gate and no place in the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.client import table_names
from fairgate.adapters.dynamodb.codec import from_item
from fairgate.ports.record import PK, SK
from fairgate.service.shared.keys import VALUE, gate_value_key

if TYPE_CHECKING:
    from collections.abc import Collection

    from fairgate_ops.operate.target import Target


def broken_creations(target: Target, events: Collection[str]) -> list[str]:
    """Return the ids of creations that are to be completed, sorted.

    Args:
        events: every id of the catalogue, damaged ones among them.

    Cost: a read of the whole catalogue.
    """
    client, prefix = target.dynamodb(), gate_value_key("").pk
    request: dict[str, Any] = {"TableName": table_names(target.world.settings)["catalog"]}
    ids: set[str] = set()
    while True:
        page = client.scan(**request)
        keys = [(item[PK], item[SK]) for item in map(from_item, page["Items"])]
        ids |= {pk.removeprefix(prefix) for pk, sk in keys if sk == VALUE and pk.startswith(prefix)}
        if "LastEvaluatedKey" not in page:
            return sorted(ids - set(events))
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
