"""What the availability tests share: a real Valkey, records as the stream writes them, a venue."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.availability import SeatStatus
from fairgate.ports.record import Key, R, Record, decode
from fairgate.ports.table import Update
from fairgate.service.shared.keys import TABLE_READS
from fairgate.service.shared.records.catalog import AreaFacts, BlockFacts, Event, SectionFacts
from fairgate.service.shared.records.gate import GateValueRecord
from fairgate_lab.engine.clock import START_MS
from fairgate_ops.run.local.ministack import Ministack, ministack_binary
from fairgate_ops.run.local.valkey_server import ValkeyServer, valkey_server_binary
from tests.support.waiting import wait_until
from tests.support.world import event_on_sale

NOW_MS = START_MS
EVENT = "show"


def started_valkey(logs_dir, *, clustered: bool = True) -> ValkeyServer:
    if valkey_server_binary() is None:
        pytest.skip("no Valkey server: .venv-local is absent, and so are Debian's packages")
    return ValkeyServer(logs_dir, clustered=clustered).start()


def needs_ministack() -> None:
    if ministack_binary() is None:
        pytest.skip("ministack is not installed: .venv-local is absent")


def started_ministack(logs_dir) -> Ministack:
    needs_ministack()
    return Ministack(logs_dir).start()


class FakeTable:
    """The few reads that seat maps make, counted; ``fail`` is raised when set."""

    def __init__(self, sections: dict[str, int], shards: dict[str, list[int]] | None = None):
        self.sections = sections
        self.seats = {
            section: [seat_item(section, index) for index in range(seats)]
            for section, seats in sections.items()
        }
        self.areas = {
            (f"{EVENT}#{area}#{number}", "GA"): shard_item(area, number, remaining)
            for area, remainings in (shards or {}).items()
            for number, remaining in enumerate(remainings)
        }
        self.sale: dict[str, Any] = {}  # attributes of the event
        self.queries: list[str] = []
        self.fail: Exception | None = None
        self.before_answer: Callable[[], object] = lambda: None
        self._lock = threading.Lock()

    def query(
        self, kind: type[R], pk: str, sk_prefix: str = "", *, sk_from: str = "", index: bool = False
    ) -> list[R]:
        assert (kind.table, sk_prefix, sk_from, index) == ("seats", "", "", True)
        with self._lock:
            self.queries.append(pk)
        if self.fail is not None:
            raise self.fail
        records = [decode(kind, item) for item in self.seats[pk.partition("#")[2]]]
        self.before_answer()
        return records

    def update(self, action: Update) -> None:
        """Grant a lease of reads, as a bucket does that is full."""
        assert action.pk.startswith(TABLE_READS)

    def find_many(self, kind: type[R], keys: Sequence[Key]) -> list[R]:
        assert kind.table == "seats"
        return [decode(kind, self.areas[key]) for key in keys if key in self.areas]

    def find(self, kind: type[Record], key: Key) -> Event | None:
        if kind is GateValueRecord:  # nobody can read it, and with it the log's key
            return None
        assert (kind, key.pk) == (Event, "EVENT")
        if key.sk != EVENT:
            return None
        areas: dict[str, AreaFacts] = {}
        for item in self.areas.values():
            area = areas.get(item["areaId"], AreaFacts(capacity=0, shards=0, tier="t"))
            areas[item["areaId"]] = AreaFacts(
                capacity=area.capacity + item["capacity"], shards=area.shards + 1, tier="t"
            )
        sections = [
            SectionFacts(id=s, name=s, seats=n, blocks=[BlockFacts(id="1", seats=n)])
            for s, n in self.sections.items()
        ]
        return event_on_sale(sections=sections, areas=areas, **self.sale)


def seat_item(section: str, index: int, **changes: Any) -> dict[str, Any]:
    return {
        "PK": f"{EVENT}#{section}-{index}",
        "SK": "META",
        "GSI1PK": f"{EVENT}#{section}",
        "GSI1SK": f"1#1#{index:05d}",
        "eventId": EVENT,
        "sectionId": section,
        "availability": "available",
        "expiresAt": "",
        "version": 0,
        "updatedAt": rfc3339(NOW_MS - 250),
        "seatIndex": index,
    } | changes


def shard_item(area: str, shard: int, remaining: int, version: int = 0) -> dict[str, Any]:
    return {
        "PK": f"{EVENT}#{area}#{shard}",
        "SK": "GA",
        "eventId": EVENT,
        "areaId": area,
        "shard": shard,
        "capacity": 100,
        "remaining": remaining,
        "version": version,
        "updatedAt": rfc3339(NOW_MS - 250),
        "priceTier": "t",
    }


def stream_record(item: dict[str, Any]) -> dict[str, Any]:
    """As EventBridge Pipes puts it into a message."""
    return {
        "eventID": "1",
        "eventName": "MODIFY",
        "eventSource": "aws:dynamodb",
        "dynamodb": {
            "ApproximateCreationDateTime": NOW_MS / 1000 - 1,
            "Keys": to_item({"PK": item["PK"], "SK": item["SK"]}),
            "NewImage": to_item(item),
        },
    }


def seats(count: int, version: int = 0) -> list[SeatStatus]:
    return [SeatStatus(index, "available", 0, version) for index in range(count)]


def locked(index: int, version: int, *, until_ms: int = NOW_MS + 60_000) -> SeatStatus:
    return SeatStatus(index, "locked", until_ms, version)


def next_moment(cache: Any) -> None:
    """Return once the cache's clock shows another millisecond: ids of then are greater."""
    client = cache._client().client

    def now_ms() -> int:
        seconds, micros = client.time()
        return int(seconds * 1000 + micros // 1000)

    before = now_ms()
    wait_until(lambda: now_ms() > before, "the next millisecond")
