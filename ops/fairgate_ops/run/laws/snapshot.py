"""Everything that tables, sandbox provider and cache say, read once, for the checker."""

from __future__ import annotations

import json
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, Key, TableName
from fairgate.service.shared.keys import CATALOG_PK, shape_of
from fairgate_ops.run.local.local_config import LocalConfig

if TYPE_CHECKING:
    from fairgate.ports.availability import SeatStatus

HTTP_S = 10
Item = Mapping[str, Any]


@dataclass(frozen=True)
class Snapshot:
    """Items by kind, as plain Python values; ``payments`` as the provider lists them."""

    now: str
    seats: Sequence[Item] = ()
    shards: Sequence[Item] = ()
    events: Sequence[Item] = ()
    sessions: Sequence[Item] = ()
    reservations: Sequence[Item] = ()
    orders: Sequence[Item] = ()
    held_orders: Sequence[Item] = ()
    standings: Sequence[Item] = ()
    duties: Sequence[Item] = ()
    hall_caps: Sequence[Item] = ()
    hall_rooms: Sequence[Item] = ()
    raw: Mapping[TableName, Sequence[Item]] = field(default_factory=dict)  # all items, typed JSON
    payments: Sequence[Item] | None = None  # None: the provider was not asked
    cache: Mapping[tuple[str, str], Sequence[SeatStatus]] = field(default_factory=dict)


def take(config: LocalConfig, *, with_cache: bool) -> Snapshot:
    """Read all of it. Consistency: strong for each item, not across items."""
    client, tables = config.dynamodb(), config["tables"]
    snapshot = of_tables(client, tables)
    payments = books_of(config.document.get("sandbox_url", ""))
    cache = _cache(config["valkey_url"], snapshot.events) if with_cache else {}
    return Snapshot(**{**vars(snapshot), "payments": payments, "cache": cache})


def of_tables(client: Any, tables: Mapping[str, str], *, events_alone: bool = False) -> Snapshot:
    """The tables alone, sorted into kinds by their keys.

    Args:
        events_alone: of the catalogue only the events, which a reader in AWS may see.
    """
    now = rfc3339(time.time_ns() // 1_000_000)
    kinds: defaultdict[str | None, list[Item]] = defaultdict(list)
    raw: dict[TableName, list[Item]] = {}
    for schema in TABLES:
        read = _events if events_alone and schema.name == "catalog" else _scan
        raw[schema.name] = list(read(client, tables[schema.name]))
        for item in map(from_item, raw[schema.name]):
            kinds[shape_of(schema.name, Key(item[PK], item[SK]))].append(item)
    return Snapshot(
        now=now,
        seats=kinds["seat"],
        shards=kinds["area shard"],
        events=kinds["event"],
        sessions=kinds["session"],
        reservations=kinds["reservation"],
        orders=kinds["order"],
        held_orders=kinds["held order"],
        standings=kinds["user status"],
        duties=kinds["duty"],
        hall_caps=kinds["hall cap"],
        hall_rooms=kinds["hall room"],
        raw=raw,
    )


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
    """Every capture and refund that the sandbox provider knows; None without an address."""
    if not sandbox_url:
        return None
    url = f"{sandbox_url}/v1/payments"
    with urllib.request.urlopen(url, timeout=HTTP_S) as answer:  # noqa: S310 loopback
        document = json.load(answer)
    captures = [{**line, "kind": "capture"} for line in document["captures"]]
    return [*captures, *({**line, "kind": "refund"} for line in document["refunds"])]


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
