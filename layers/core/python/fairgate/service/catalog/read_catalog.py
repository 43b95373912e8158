"""Read what is on sale: the catalogue, read often and changed rarely."""

from __future__ import annotations

from fairgate.domain.shared.ids import EVENT_ID
from fairgate.errors import unknown_event
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import CATALOG_PK, event_key
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
        self._kept: dict[str, tuple[int, Event | None]] = {}

    def event(self, event: str) -> Event:
        """Read one event, up to five seconds stale. Raises NotFoundError."""
        if not EVENT_ID.fullmatch(event):
            raise unknown_event()
        now_ms = self._clock.now_ms()
        kept = self._kept.get(event)
        if kept is None or now_ms - kept[0] > CATALOG_CACHE_MS:
            if len(self._kept) >= _KEPT_MAX:
                self._kept.clear()
            kept = (now_ms, self._table.find(Event, event_key(event)))
            self._kept[event] = kept
        if kept[1] is None:
            raise unknown_event()
        return kept[1]

    def events(self) -> list[Event]:
        return self._table.query(Event, CATALOG_PK)
