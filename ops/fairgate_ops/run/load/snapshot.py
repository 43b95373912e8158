"""Everything that tables, sandbox provider and cache say, read once, for the checker."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.shared.times import rfc3339
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
    standings: Sequence[Item] = ()
    payments: Sequence[Item] | None = None  # None: the provider was not asked
    cache: Mapping[tuple[str, str], Sequence[SeatStatus]] = field(default_factory=dict)


def take(config: LocalConfig, *, with_cache: bool) -> Snapshot:
    """Read all of it. Consistency: strong for each item, not across items."""
    client, tables = config.dynamodb(), config["tables"]
    snapshot = of_tables(client, tables)
    payments = _payments(config.document.get("sandbox_url", ""))
    cache = _cache(config["valkey_url"], snapshot.events) if with_cache else {}
    return Snapshot(**{**vars(snapshot), "payments": payments, "cache": cache})


def of_tables(client: Any, tables: Mapping[str, str]) -> Snapshot:
    """The tables alone, sorted into kinds by the shapes of docs/data.md."""
    now = rfc3339(time.time_ns() // 1_000_000)
    seats: list[Item] = []
    shards: list[Item] = []
    for item in _scan(client, tables["seats"]):
        (shards if item["SK"] == "GA" else seats).append(item)
    kinds: dict[str, list[Item]] = {"S#": [], "R#": [], "O#": [], "U#": []}
    for item in _scan(client, tables["reservations"]):
        records = item["SK"].startswith("I#")  # of idempotency keys, beside what they protect
        kind = "U#" if item["PK"].startswith("U#") and not records else item["SK"][:2]
        if kind in kinds and (kind == "U#" or item["PK"].startswith("ses_")):
            kinds[kind].append(item)
    events = [item for item in _scan(client, tables["catalog"]) if item["PK"] == "EVENT"]
    return Snapshot(
        now=now,
        seats=seats,
        shards=shards,
        events=events,
        sessions=kinds["S#"],
        reservations=kinds["R#"],
        orders=kinds["O#"],
        standings=kinds["U#"],
    )


def _scan(client: Any, table: str) -> Iterator[dict[str, Any]]:
    request: dict[str, Any] = {"TableName": table, "ConsistentRead": True}
    while True:
        page = client.scan(**request)
        yield from (from_item(item) for item in page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _payments(sandbox_url: str) -> Sequence[Item] | None:
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
            statuses = cache.section(event["SK"], section["id"])
            if statuses is not None:  # never read since the cache started: nothing to compare
                found[event["SK"], section["id"]] = statuses
    return found
