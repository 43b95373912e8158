"""Read all items of the tables, once, for the laws."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, Key, TableName
from fairgate.service.audit.snapshot import Item, Snapshot
from fairgate.service.shared.keys import CATALOG_PK, house_block_key, shape_of


def of_tables(client: Any, tables: Mapping[str, str], *, events_alone: bool = False) -> Snapshot:
    """Read the tables, sorted into kinds by their keys. Strong for each item, not across items.

    Args:
        events_alone: of the catalogue only events and house blocks: a reader in AWS may not see
            the rest.

    Cost: a scan of all tables, a read unit for each 4 KB.
    """
    now = rfc3339(time.time_ns() // 1_000_000)
    kinds: defaultdict[str, list[Item]] = defaultdict(list)
    raw: dict[TableName, list[Item]] = {}
    for schema in TABLES:
        read = _events if events_alone and schema.name == "catalog" else scan
        raw[schema.name] = list(read(client, tables[schema.name]))
        for item in map(from_item, raw[schema.name]):
            kinds[shape_of(schema.name, Key(item[PK], item[SK])) or ""].append(item)
    return Snapshot(now, kinds, unreadable=partial(unreadable, raw))


def unreadable(raw: Mapping[TableName, Sequence[Item]]) -> Iterator[tuple[str, str]]:
    """Read each item, in the engine's typed JSON, by its model; list what is wrong with it."""
    from fairgate_ops.operate.models import problems_of

    for table, items in raw.items():
        yield from ((table, problem) for problem in problems_of(table, items))


def scan(client: Any, table: str) -> Iterator[Item]:
    """Read all items of a table, in the engine's typed JSON, strongly consistent."""
    return _pages(client.scan, {"TableName": table, "ConsistentRead": True})


def _events(client: Any, table: str) -> Iterator[Item]:
    """Read the events, and the house blocks of each."""
    for event in _partition(client, table, CATALOG_PK):
        yield event
        yield from _partition(client, table, house_block_key(event[SK]["S"], "").pk)


def _partition(client: Any, table: str, pk: str) -> Iterator[Item]:
    return _pages(
        client.query,
        {
            "TableName": table,
            "ConsistentRead": True,
            "KeyConditions": {PK: {"AttributeValueList": [{"S": pk}], "ComparisonOperator": "EQ"}},
        },
    )


def _pages(read: Callable[..., Any], request: dict[str, Any]) -> Iterator[Item]:
    while True:
        page = read(**request)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
