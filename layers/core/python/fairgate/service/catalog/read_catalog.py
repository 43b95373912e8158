"""Read the events of the catalogue, which is read often and changed rarely."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.gate.draft import state_at
from fairgate.domain.shared.ids import EVENT_ID
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import FairgateError, TooManyRequestsError, UnknownEventError
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import CATALOG_PK, event_key
from fairgate.service.shared.readable import read_readable
from fairgate.service.shared.records.catalog import Event

CATALOG_CACHE_MS = 5_000
OVER_AFTER_MS = 30 * 86_400_000
# Limits on searches for ids that a process does not know, so that made-up ids cost little.
LOOKED_FOR_PER_S = 10
LOOKED_FOR_AT_ONCE = 50
_KEPT_MAX = 64
_UNKNOWN_MAX = 1_024


class Catalog(Struct, frozen=True):
    """Events that can be read, and the ids of damaged ones; ``left_out``: not all events."""

    events: list[Event]
    damaged: list[str]
    left_out: bool = False

    @property
    def listed(self) -> list[Event]:
        """Return the events of the buyers' list: no draft, and none that is hidden."""
        return [sale for sale in self.events if sale.state != "draft" and not sale.hidden]

    @property
    def ids(self) -> list[str]:
        """Return the ids of all events, also of damaged ones: their gates and books are usable."""
        return sorted([*(event.id for event in self.events), *self.damaged])


class CatalogReader:
    """Keeps each event for five seconds, so that a busy function reads the table rarely.

    A draft has the state ``open`` from its publication on.

    Consistency: up to CATALOG_CACHE_MS stale.
    """

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._events: dict[str, tuple[int, Event]] = {}
        self._unknown: dict[str, int] = {}  # id → when it was not found
        self._drafts: dict[str, int] = {}  # id → when a buyer looked for a draft
        self._searches, self._searched_at_ms = float(LOOKED_FOR_AT_ONCE), clock.now_ms()

    def event(self, event: str) -> Event:
        """Read one event, up to five seconds stale.

        Raises NotFoundError; TooManyRequestsError: too many unknown ids are asked for.
        """
        self._refuse(event, self._unknown)
        if event not in self._events:
            self._search()
        return self._present(event)

    def published(self, event: str) -> Event:
        """Read one as buyers may, as ``event``: a draft costs and raises as an unknown event."""
        self.refuse_unknown(event)
        if not self._is_published(event):
            self._search()
        sale = self._present(event)
        if sale.state == "draft":
            self._note(self._drafts, event)
            raise UnknownEventError(event)
        return sale

    def fresh(self, event: str) -> Event:
        """Read one event as it is now: for rare decisions by times that may just have moved.

        Raises NotFoundError.
        """
        self._events.pop(event, None)
        return self._present(event)

    def known(self, event: str) -> Event | None:
        """Read an event as far as it can be read: orders and tickets stand without it."""
        try:
            return self.event(event)
        except FairgateError:
            return None

    def refuse_unknown(self, event: str) -> None:
        """Raise NotFoundError without a read: malformed, or not there for buyers just now."""
        self._refuse(event, self._unknown)
        if not self._is_published(event):
            self._refuse(event, self._drafts)

    def _refuse(self, event: str, looked_for: dict[str, int]) -> None:
        if self._is_recent(looked_for.get(event)) or not EVENT_ID.fullmatch(event):
            raise UnknownEventError(event)

    def _is_published(self, event: str) -> bool:
        """Say whether it is, as far as is known without a read."""
        cached = self._events.get(event)
        return cached is not None and in_force(cached[1], self._clock.now_ms()).state != "draft"

    def _present(self, event: str) -> Event:
        """Return what is cached, or read it. Raises NotFoundError."""
        now_ms, cached = self._clock.now_ms(), self._events.get(event)
        if cached is not None and self._is_recent(cached[0]):
            return in_force(cached[1], now_ms)
        record = self._table.find(Event, event_key(event))
        if record is None:
            self._events.pop(event, None)
            self._note(self._unknown, event)
            raise UnknownEventError(event)
        if len(self._events) >= _KEPT_MAX:
            self._events.clear()
        self._events[event] = (now_ms, record)
        return in_force(record, now_ms)

    def _is_recent(self, at_ms: int | None) -> bool:
        return at_ms is not None and self._clock.now_ms() - at_ms <= CATALOG_CACHE_MS

    def _note(self, looked_for: dict[str, int], event: str) -> None:
        if len(looked_for) >= _UNKNOWN_MAX:
            looked_for.clear()
        looked_for[event] = self._clock.now_ms()

    def _search(self) -> None:
        """Take one of the allowed searches. Raises TooManyRequestsError: none is left."""
        now_ms = self._clock.now_ms()
        gained = max(0, now_ms - self._searched_at_ms) * LOOKED_FOR_PER_S / 1000
        self._searches = min(float(LOOKED_FOR_AT_ONCE), self._searches + gained)
        self._searched_at_ms = now_ms
        if self._searches < 1:
            busy = "So many events are asked for. Please try again."
            raise TooManyRequestsError(busy, retry_after_s=1, limit="events")
        self._searches -= 1

    def all(self) -> Catalog:
        """Read every event, and the ids of damaged ones. Cost: as ``read_readable``."""
        readable, now_ms = read_readable(self._table, Event, CATALOG_PK), self._clock.now_ms()
        events = [in_force(sale, now_ms) for sale in readable.records]
        return Catalog(events, [key.sk for key in readable.damaged])


def in_force(sale: Event, now_ms: int) -> Event:
    """Return an event with the state that it has by now: a draft may have been published."""
    state = state_at(sale.state, sale.open_until, now_ms / 1000)
    return sale if state == sale.state else replace(sale, state=state)


def is_over(sale: Event, now_ms: int) -> bool:
    """Say whether a sale is closed and its dates are OVER_AFTER_MS ago; never without a date."""
    dates = [sale.starts_at, sale.sale_ends_at, sale.cancelled_at]
    if sale.state != "closed" or sale.gate_behind > 0 or not sale.ends_at:
        return False
    try:
        last_ms = max(epoch_ms(date) for date in dates if date)
    except ValueError:
        return False
    return last_ms + OVER_AFTER_MS <= now_ms
