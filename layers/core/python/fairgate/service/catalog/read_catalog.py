"""Read what is on sale: the catalogue, read often and changed rarely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import unknown_event
from fairgate.ports.record import DamagedItemError, Record, TableName
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import CATALOG_PK, event_key
from fairgate.service.shared.records.catalog import Event

CATALOG_CACHE_MS = 5_000
_KEPT_MAX = 64


class _EventName(Record, frozen=True):
    """An event's key: what can be read of it however damaged the rest is."""

    table: ClassVar[TableName] = "catalog"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every event on sale or over, by id, and the ids of those that cannot be read."""

    events: list[Event]
    damaged: list[str]

    @property
    def ids(self) -> list[str]:
        """Every event, the damaged too: their gates and books are there all the same."""
        return sorted([*(event.id for event in self.events), *self.damaged])


class CatalogReader:
    """Keeps each event for five seconds, so that a hot function reads the table rarely.

    Consistency: up to CATALOG_CACHE_MS stale. Prices and limits do not change during a sale.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._events: dict[str, tuple[int, Event | None]] = {}

    def event(self, event: str) -> Event:
        """Read one event, up to five seconds stale. Raises NotFoundError."""
        if not EVENT_ID.fullmatch(event):
            raise unknown_event()
        now_ms = self._clock.now_ms()
        cached = self._events.get(event)
        if cached is None or now_ms - cached[0] > CATALOG_CACHE_MS:
            if len(self._events) >= _KEPT_MAX:
                self._events.clear()
            cached = (now_ms, self._table.find(Event, event_key(event)))
            self._events[event] = cached
        if cached[1] is None:
            raise unknown_event()
        return cached[1]

    def events(self) -> list[Event]:
        """Read every event that can be read; ``all`` names the others."""
        return self.all().events

    def all(self) -> Catalog:
        """Read every event, so that a damaged one stops no other.

        Cost: one query; where an event is damaged one more, and one read of each event.
        """
        try:
            return Catalog(self._table.query(Event, CATALOG_PK), [])
        except DamagedItemError:
            return self._one_by_one()

    def _one_by_one(self) -> Catalog:
        read = Catalog([], [])
        for name in self._table.query(_EventName, CATALOG_PK):
            try:
                event = self._table.find(Event, name.key)
            except DamagedItemError:
                read.damaged.append(name.sk)
            else:
                if event is not None:
                    read.events.append(event)
        return read
