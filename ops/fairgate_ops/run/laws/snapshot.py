"""Read everything that tables, sandbox provider and cache say, once, for the laws."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.ports.record import SK
from fairgate.service.audit.snapshot import Item, Snapshot
from fairgate_ops.operate.laws.read_tables import of_tables
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
