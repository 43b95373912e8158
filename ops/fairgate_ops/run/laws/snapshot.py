"""Read everything that tables, sandbox provider and cache say, once, for the laws."""

from __future__ import annotations

import json
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, Key, TableName
from fairgate.service.audit.snapshot import Item, Snapshot
from fairgate.service.shared.keys import CATALOG_PK, shape_of
from fairgate_ops.run.local.local_config import LocalConfig

if TYPE_CHECKING:
    from fairgate.ports.availability import SeatStatus

HTTP_S = 10


def take(config: LocalConfig, *, with_cache: bool) -> Snapshot:
    """Read all of it. Consistency: strong for each item, not across items."""
    client, tables = config.dynamodb(), config["tables"]
    snapshot = of_tables(client, tables)
    payments = books_of(config.document.get("sandbox_url", ""))
    cache = _cache(config["valkey_url"], snapshot.events) if with_cache else {}
    return replace(snapshot, payments=payments, cache=cache)


def of_tables(client: Any, tables: Mapping[str, str], *, events_alone: bool = False) -> Snapshot:
    """The tables alone, sorted into kinds by their keys.

    Args:
        events_alone: of the catalogue only the events, which a reader in AWS may see.
    """
    now = rfc3339(time.time_ns() // 1_000_000)
    kinds: defaultdict[str, list[Item]] = defaultdict(list)
    raw: dict[TableName, list[Item]] = {}
    for schema in TABLES:
        read = _events if events_alone and schema.name == "catalog" else _scan
        raw[schema.name] = list(read(client, tables[schema.name]))
        for item in map(from_item, raw[schema.name]):
            kinds[shape_of(schema.name, Key(item[PK], item[SK])) or ""].append(item)
    return Snapshot(now, kinds, unreadable=partial(unreadable, raw))


def unreadable(raw: Mapping[TableName, Sequence[Item]]) -> Iterator[tuple[str, str]]:
    """Read each item, in the engine's typed JSON, by its model; list what is wrong with it."""
    from fairgate.adapters.dynamodb.models import problems_of

    for table, items in raw.items():
        yield from ((table, problem) for problem in problems_of(table, items))


def _scan(client: Any, table: str) -> Iterator[Item]:
    return _pages(client.scan, {"TableName": table, "ConsistentRead": True})


def _events(client: Any, table: str) -> Iterator[Item]:
    return _pages(
        client.query,
        {
            "TableName": table,
            "ConsistentRead": True,
            "KeyConditions": {
                PK: {"AttributeValueList": [{"S": CATALOG_PK}], "ComparisonOperator": "EQ"}
            },
        },
    )


def _pages(read: Callable[..., Any], request: dict[str, Any]) -> Iterator[Item]:
    while True:
        page = read(**request)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def books_of(sandbox_url: str) -> Sequence[Item] | None:
    """List all that the sandbox provider has taken and given back; None without an address."""
    if not sandbox_url:
        return None
    url = f"{sandbox_url}/v1/payments"
    with urllib.request.urlopen(url, timeout=HTTP_S) as answer:  # noqa: S310 loopback
        document = json.load(answer)
    return [
        {**line, "kind": kind}
        for kind in ("capture", "refund", "dispute")
        for line in document[f"{kind}s"]
    ]


def _cache(valkey_url: str, events: Sequence[Item]) -> dict[tuple[str, str], Sequence[SeatStatus]]:
    from fairgate.adapters.valkey.availability import ValkeyAvailability

    cache = ValkeyAvailability(valkey_url)
    found: dict[tuple[str, str], Sequence[SeatStatus]] = {}
    for event in events:
        for section in event["sections"]:
            statuses = cache.section(event[SK], section["id"])
            if statuses is not None:  # never read since the cache started: nothing to compare
                found[event[SK], section["id"]] = statuses
    return found
