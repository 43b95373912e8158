"""An event for the crowd benchmark: open sessions, a cache, a table that counts."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.system import SystemClock
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.ids import EventId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.availability import SeatStatus
from fairgate.ports.table import Action, Update
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.keys import SEAT
from fairgate_lab.bench.kit.world import Servers, open_session
from fairgate_lab.engine.layouts import MemoryLayouts
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_lab.worlds.open_sale import NAMES

AT_ONCE = 16  # transactions, or calls of the cache, that this machine's servers get at a time
SESSION_S = 3_600
PATIENCE_S = 30.0  # for Valkey: five hundred threads of one process are slower than it is


class Queued:
    """Something for hundreds of threads, of which so many call it at a time."""

    def __init__(self, target: Any, at_once: int) -> None:
        self._target = target
        self._slots = threading.BoundedSemaphore(at_once)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            with self._slots:
                return getattr(self._target, name)(*arguments, **more)

        return call


class CountedTable:
    """A table that counts the transactions of each session, and gives the engine some at a time."""

    def __init__(self, table: DynamoTable) -> None:
        self._table = table
        self._slots = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self.tries: Counter[str] = Counter()
        self.committed: list[list[str]] = []  # the seats of each hold, in order
        self.heard: Callable[[list[str]], object] = lambda _seats: None  # the change feed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        session = next(a.pk for a in actions if isinstance(a, Update) and a.table != "seats")
        with self._lock:
            self.tries[session] += 1
        with self._slots:
            self._table.transact(actions, token)
        pks = [a.pk for a in actions if isinstance(a, Update) and a.sk == SEAT]
        seats = [pk.partition("#")[2] for pk in pks]
        with self._lock:
            self.committed.append(seats)
        self.heard(seats)


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
        """Make the credential of an open session of its own."""
        session, user = SessionId(f"ses_{number:032x}"), UserId(f"user-{number}")
        until = rfc3339(_until_ms())
        return Credential(session, EventId(self.event), user, until, 10, self.layout)


def stage(made: Servers, event: str, venue: Venue, sold: Iterable[str], callers: int) -> Stage:
    """Put the venue on sale as ``event``: these seats sold, sessions open, the cache full."""
    gone = frozenset(sold)
    layout = made.put_on_sale(event, venue, gone)
    table = CountedTable(DynamoTable(made.client, NAMES))
    cache: Any = Queued(ValkeyAvailability(made.valkey_url, timeout_s=PATIENCE_S), AT_ONCE)
    catalog = CatalogReader(table, SystemClock())
    scene = Stage(event, venue, layout, made.layouts, table, cache, catalog, gone)
    sessions = (open_session(scene.session(n)) for n in range(callers))
    DynamoWriter(made.client, NAMES).put_many(sessions)
    where: dict[str, tuple[str, int]] = {}
    for section in venue.sections:
        seats = [seat.id for seat in section.seats()]
        where |= {seat: (section.id, index) for index, seat in enumerate(seats)}
        cache.fill(
            event,
            section.id,
            [
                SeatStatus(index, "reserved" if seat in gone else "available", 0, int(seat in gone))
                for index, seat in enumerate(seats)
            ],
        )
    table.heard = partial(_feed, scene, where)
    return scene


def _feed(scene: Stage, where: dict[str, tuple[str, int]], seats: list[str]) -> None:
    """Show a hold in the cache at once, so that the next reader of the map sees it."""
    for seat in seats:
        section, index = where[seat]
        scene.cache.apply(scene.event, section, [SeatStatus(index, "locked", _until_ms(), 2)])


def _until_ms() -> int:
    return SystemClock().now_ms() + SESSION_S * 1000
