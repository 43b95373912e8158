"""Read what is on sale: the catalogue, read often and changed rarely."""

from __future__ import annotations

from dataclasses import dataclass

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import unknown_event
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import CATALOG_PK, event_key
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.catalog import Event

CATALOG_CACHE_MS = 5_000
_KEPT_MAX = 64


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

        Cost: one query; where an event is damaged one more.
        """
        readable = read_readable(self._table, Event, CATALOG_PK)
        return Catalog(list(readable.records), [key.sk for key in readable.damaged])
