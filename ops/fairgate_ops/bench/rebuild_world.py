"""A hall in a real table beside an empty cache, and people who read while it is being filled."""

from __future__ import annotations

import base64
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from valkey import Valkey

from fairgate import bootstrap
from fairgate.adapters.dynamodb.client import DynamoTable, table_names
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.adapters.dynamodb.schema import create_table_request
from fairgate.adapters.dynamodb.writer import DynamoWriter
from fairgate.adapters.valkey import ValkeyAvailability
from fairgate.bootstrap import Container
from fairgate.http import paths
from fairgate.settings import from_environment
from fairgate_ops.local.api_host import load_handlers
from fairgate_ops.local.environment import ROOT, TABLES, Place, Ports, operator_config
from fairgate_ops.local.ministack import Ministack, local_client
from fairgate_ops.local.secret_file import new_secrets
from fairgate_ops.local.valkey_server import ValkeyServer
from fairgate_ops.progress import progress

if TYPE_CHECKING:
    from fairgate_ops.local.api_host import Handler

EVENT = "hall"
SECTION_SEATS = 500
SHARDS, SHARD_PLACES = 4, 500
# Of a hundred reads; the others ask for one section.
COUNTS_READS, VECTOR_READS = 10, 5
READS_A_SECOND = 50  # of each reader: viewers behind a CDN, which asks once a second and address


@dataclass(frozen=True)
class RebuildWorld:
    seats: int
    run_file: Path
    container: Container
    valkey: ValkeyAvailability
    valkey_url: str

    def sections(self) -> list[str]:
        return [f"s{number:03d}" for number in range(-(-self.seats // SECTION_SEATS))]

    def seats_of(self, section: str) -> int:
        return min(SECTION_SEATS, self.seats - int(section[1:]) * SECTION_SEATS)

    def empty_cache(self) -> None:
        with closing(Valkey.from_url(self.valkey_url)) as client:
            client.flushall()

    def cached(self) -> int:
        """Seats that the cache has now."""
        now_ms = self.container.clock.now_ms()
        found = self.valkey.codes(EVENT, self.sections(), now_ms)
        return sum(len(codes) for codes in found if codes is not None)


@contextmanager
def rebuild_world(folder: Path, seats: int) -> Iterator[RebuildWorld]:
    """Its own servers on loopback ports, a table with so many seats, and nothing in the cache."""
    with Ministack(folder) as engine, ValkeyServer(folder) as valkey:
        client = local_client("dynamodb", engine.endpoint)
        cache = ValkeyAvailability(valkey.url, timeout_s=2)
        try:
            for schema in SCHEMAS:
                client.create_table(**create_table_request(schema, TABLES[schema.name]))
            names = table_names(from_environment({}))
            table = DynamoTable(lambda: client, names)
            container = Container(
                from_environment({}), table=table, cache=ValkeyAvailability(valkey.url)
            )
            ports = Ports(0, 0, engine.port, valkey.port, 0, 0, 0)
            place = Place(folder)
            place.secrets.write_text(json.dumps(new_secrets()), "utf-8")
            place.config.write_text(json.dumps(operator_config(ports, place, {})), "utf-8")
            world = RebuildWorld(seats, place.config, container, cache, valkey.url)
            with progress("Loading seats", seats) as step:
                _load(world, DynamoWriter(lambda: client, names, written=step))
            yield world
            container.cache.close()  # type: ignore[attr-defined] # the adapter's, not the port's
        finally:
            cache.close()
            client.close()


def _load(world: RebuildWorld, writer: DynamoWriter) -> None:
    sections = world.sections()
    for section in sections:
        writer.put_many("seats", [_seat(section, n) for n in range(world.seats_of(section))])
    writer.put_many("seats", [_shard(number) for number in range(SHARDS)])
    described = [
        {"id": s, "name": s, "seats": n, "blocks": [{"id": "b", "seats": n}]}
        for s in sections
        for n in [world.seats_of(s)]
    ]
    areas = {"floor": {"capacity": SHARDS * SHARD_PLACES, "shards": SHARDS, "tier": "t"}}
    writer.put_new("catalog", {"PK": "EVENT", "SK": EVENT, "sections": described, "areas": areas})


def _seat(section: str, index: int) -> dict[str, Any]:
    return {
        "PK": f"{EVENT}#{section}-{index}",
        "SK": "META",
        "GSI1PK": f"{EVENT}#{section}",
        "GSI1SK": f"b#{index // 25:02d}#{index % 25:05d}",
        "eventId": EVENT,
        "sectionId": section,
        "availability": "available" if index % 3 else "reserved",
        "expiresAt": "",
        "version": index % 3,
        "seatIndex": index,
    }


def _shard(number: int) -> dict[str, Any]:
    return {
        "PK": f"{EVENT}#floor#{number}",
        "SK": "GA",
        "eventId": EVENT,
        "areaId": "floor",
        "shard": number,
        "capacity": SHARD_PLACES,
        "remaining": SHARD_PLACES - number,
        "version": number,
    }


@dataclass
class Readers:
    """Threads that call the real seat-map handler until they are told to stop."""

    world: RebuildWorld
    count: int = 2
    statuses: Counter[int] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    @contextmanager
    def reading(self) -> Iterator[None]:
        stop = threading.Event()
        handler = load_handlers(ROOT / "functions", ["seatmap"])["seatmap"]
        with patch.object(bootstrap, "container", lambda: self.world.container):
            threads = [
                threading.Thread(target=self._read, args=(handler, stop, n))
                for n in range(self.count)
            ]
            for thread in threads:
                thread.start()
            try:
                yield
            finally:
                stop.set()
                for thread in threads:
                    thread.join()

    def _read(self, handler: Handler, stop: threading.Event, seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 the same reads each time
        sections = self.world.sections()
        while not stop.wait(1 / READS_A_SECOND):
            kind = chance.randrange(100)
            section = chance.choice(sections)
            path = paths.SECTION_SEATS.format(event=EVENT, section=section)
            if kind < COUNTS_READS:
                path = paths.AVAILABILITY.format(event=EVENT)
            elif kind < COUNTS_READS + VECTOR_READS:
                path = paths.STATUS_VECTOR.format(event=EVENT)
            began_s = time.monotonic()
            answer = handler(_event(path), None)
            self.took_ms.append(1000 * (time.monotonic() - began_s))
            self.statuses[answer["statusCode"]] += 1
            headers = answer.get("headers", {})
            self.sources[headers.get(paths.HEADER_SOURCE, "refused")] += 1
            if answer["statusCode"] == 200 and not self._right(path, section, answer):  # noqa: PLR2004
                self.wrong.append(path)

    def _right(self, path: str, section: str, answer: dict[str, Any]) -> bool:
        world = self.world
        if path.endswith("/status.bin"):
            packed = base64.b64decode(answer["body"])
            return len(packed) == sum(-(-world.seats_of(s) // 4) for s in world.sections())
        body = json.loads(answer["body"])
        if path.endswith("/availability"):
            totals = {s: figures["total"] for s, figures in body["sections"].items()}
            return totals == {s: world.seats_of(s) for s in world.sections()}
        wanted = "".join("0" if n % 3 else "2" for n in range(world.seats_of(section)))
        return bool(body["statuses"] == wanted)


def _event(path: str) -> dict[str, Any]:
    http = {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1"}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {},
        "requestContext": {"http": http, "requestId": "r", "stage": "$default"},
        "isBase64Encoded": False,
    }


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
