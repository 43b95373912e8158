"""A sale for the crowd benchmark: a database engine, a real Valkey, a venue, open sessions."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.adapters.dynamodb.writer import DynamoWriter
from fairgate.adapters.memory.dynamodb import MemoryDynamo
from fairgate.adapters.memory.layouts import MemoryLayouts
from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.availability import SeatStatus
from fairgate.ports.table import Action, TableName, Update
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.publish_event import NewEvent, publish_event, seat_items
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.keys import keyed, owned, session_key
from fairgate_ops.run.local.demo_event import prices
from fairgate_ops.run.local.environment import TABLES
from fairgate_ops.run.local.ministack import Ministack
from fairgate_ops.run.local.resources import create_tables
from fairgate_ops.run.local.valkey_server import ValkeyServer

AT_ONCE = 16  # transactions that the engine of this machine is given at a time
CACHE_AT_ONCE = 16
SESSION_S = 3_600
PATIENCE_S = 30.0  # for Valkey: five hundred threads of one process are slower than it is
NAMES: Mapping[TableName, str] = {
    "seats": TABLES["seats"],
    "reservations": TABLES["reservations"],
    "catalog": TABLES["catalog"],
}


class LockedDynamo:
    """The simulator's table of conditional writes, for threads: one call at a time."""

    def __init__(self) -> None:
        names = {TABLES[schema.name]: schema for schema in SCHEMAS}
        self._engine = MemoryDynamo(names, SystemClock().now_ms)
        self._lock = threading.Lock()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(**request: Any) -> Any:
            with self._lock:
                return getattr(self._engine, name)(**request)

        return call

    def batch_write_item(self, **request: Any) -> dict[str, Any]:
        for table, writes in request["RequestItems"].items():
            for write in writes:
                self.put_item(TableName=table, Item=write["PutRequest"]["Item"])
        return {}


class CountedTable:
    """A table that counts the transactions of each session, and gives the engine some at a time."""

    def __init__(self, table: DynamoTable) -> None:
        self._table = table
        self._slots = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self.tries: dict[str, int] = {}
        self.committed: list[list[str]] = []  # the seats of each hold, in order
        self.heard: Callable[[list[str]], object] = lambda _seats: None  # the change feed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        session = next(a.pk for a in actions if isinstance(a, Update) and a.table != "seats")
        with self._lock:
            self.tries[session] = self.tries.get(session, 0) + 1
        with self._slots:
            self._table.transact(actions, token)
        pks = [a.pk for a in actions if isinstance(a, Update) and a.sk == "META"]
        seats = [pk.partition("#")[2] for pk in pks]
        with self._lock:
            self.committed.append(seats)
        self.heard(seats)


class QueuedCache:
    """The cache for hundreds of threads of one process, which share fewer connections."""

    def __init__(self, cache: ValkeyAvailability) -> None:
        self._cache = cache
        self._slots = threading.BoundedSemaphore(CACHE_AT_ONCE)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            with self._slots:
                return getattr(self._cache, name)(*arguments, **more)

        return call


@dataclass(frozen=True)
class Servers:
    """What the benchmark runs on."""

    client: Callable[[], Any]
    valkey_url: str
    engine: str
    layouts: MemoryLayouts = field(default_factory=MemoryLayouts)

    def valkey_version(self) -> str:
        from valkey import Valkey

        client = Valkey.from_url(self.valkey_url)
        told: Any = client.info("server")
        client.connection_pool.disconnect()
        return f"Valkey {told.get('valkey_version', '?')}"


@contextmanager
def servers(folder: Path, *, memory: bool = False) -> Iterator[Servers]:
    """A real Valkey, and ministack or the simulator's table. Raises StartError."""
    with ValkeyServer(folder) as valkey:
        if memory:
            engine = LockedDynamo()
            yield Servers(lambda: engine, valkey.url, "a table in memory")
            return
        with Ministack(folder) as ministack:
            create_tables(ministack.endpoint)
            client = ministack.client("dynamodb")
            yield Servers(lambda: client, valkey.url, "ministack")
            client.close()


@dataclass(frozen=True)
class Stage:
    """One event on sale, with nobody in it yet."""

    event: str
    venue: Venue
    layout: str
    layouts: MemoryLayouts
    table: CountedTable
    cache: Any  # ports.AvailabilityCache
    catalog: CatalogReader
    sold: frozenset[str]

    def reader(self, cache: Any) -> AvailabilityReader:
        return AvailabilityReader(cache, self.table, self.catalog, SystemClock())

    def session(self, number: int) -> Credential:
        """An open session of its own, written as the sessions function writes it."""
        session = SessionId(f"ses_{number:032x}")
        user = UserId(f"user-{number}")
        return Credential(session, EventId(self.event), user, self._until, 10, self.layout)

    @property
    def _until(self) -> str:
        return rfc3339(SystemClock().now_ms() + SESSION_S * 1000)


def stage(servers_: Servers, event: str, venue: Venue, sold: Iterable[str], callers: int) -> Stage:
    """The venue on sale as ``event``: these seats sold, so many sessions open, the cache full."""
    clock = SystemClock()
    writer = DynamoWriter(servers_.client, NAMES)
    request = NewEvent(event, event, rfc3339(clock.now_ms()), "EUR", prices(venue), "0" * 64)
    record = publish_event(request, venue, writer=writer, layouts=servers_.layouts, clock=clock)
    gone = frozenset(sold)
    taken = {"availability": "reserved", "version": 1}
    items = list(seat_items(event, venue, rfc3339(clock.now_ms())))
    writer.put_many("seats", [item | taken for item in items if item["seatId"] in gone])
    table = CountedTable(DynamoTable(servers_.client, NAMES))
    cache: Any = QueuedCache(ValkeyAvailability(servers_.valkey_url, timeout_s=PATIENCE_S))
    made = Stage(
        event,
        venue,
        record.layout,
        servers_.layouts,
        table,
        cache,
        CatalogReader(table, clock),
        gone,
    )
    writer.put_many("reservations", [session_item(made.session(n)) for n in range(callers)])
    for section in venue.sections:
        seats = [
            SeatStatus(
                index, "reserved" if seat.id in gone else "available", 0, int(seat.id in gone)
            )
            for index, seat in enumerate(section.seats())
        ]
        cache.fill(event, section.id, seats)
    table.heard = _Feed(made)
    return made


class _Feed:
    """Shows each hold in the cache at once: whoever reads the map again sees the truth."""

    def __init__(self, made: Stage) -> None:
        self._made = made
        self._places = {
            seat.id: (section.id, index)
            for section in made.venue.sections
            for index, seat in enumerate(section.seats())
        }

    def __call__(self, seats: list[str]) -> None:
        until_ms = SystemClock().now_ms() + SESSION_S * 1000
        for seat in seats:
            section, index = self._places[seat]
            self._made.cache.apply(
                self._made.event, section, [SeatStatus(index, "locked", until_ms, 2)]
            )


def session_item(credential: Credential) -> dict[str, Any]:
    """An open session, as the sessions function writes it."""
    head = {
        "userId": credential.user,
        "eventId": credential.event,
        "state": "reservation",
        "expiresAt": credential.expires_at,
        "resCount": 0,
        "liveBucket": live_bucket(credential.expires_at, credential.session),
        "openedAt": credential.expires_at,
        "tokenId": credential.session,
    }
    index = owned(credential.user, credential.event, credential.session)
    return keyed(session_key(credential.session)) | index | head


def sold_blocks(venue: Venue, share: float, seed: int) -> list[str]:
    """About this share of the seats, sold in random blocks of one to six beside each other."""
    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    rows = [row for section in venue.sections for _, row in section.rows()]
    sold: set[str] = set()
    wanted = round(venue.seat_count() * share)
    while len(sold) < wanted:
        row = chance.choice(rows)
        first = chance.randrange(len(row.seats))
        sold.update(seat.id for seat in row.seats[first : first + chance.randint(1, 6)])
    return sorted(sold)


__all__ = [
    "CountedTable",
    "Servers",
    "Stage",
    "SystemIds",
    "servers",
    "session_item",
    "sold_blocks",
    "stage",
]
