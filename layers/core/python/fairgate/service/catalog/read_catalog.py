"""Read what is on sale: the catalogue, read often and changed rarely."""

from __future__ import annotations

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import unknown_event
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import CATALOG_PK, event_key
from fairgate.service.shared.readable import Readable, read_readable
from fairgate.service.shared.records.catalog import Event

CATALOG_CACHE_MS = 5_000
_KEPT_MAX = 64


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
        """Read every event that can be read."""
        return list(self.readable_events().records)

    def readable_events(self) -> Readable[Event]:
        """Read every event, and say which are damaged: the others are sold all the same."""
        return read_readable(self._table, Event, CATALOG_PK)
