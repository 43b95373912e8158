"""Read the events that are not over, at a cost that does not grow with those that are.

An event is over when its sale is closed for good and its last date is OVER_AFTER_MS ago. A process
reads the whole catalogue at its first call and then each hour. Between, it reads the list of
creations, one small item an event, and of the events those that are not over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.catalog.read_catalog import Catalog, CatalogReader, in_force, is_over
from fairgate.service.shared.keys import CREATION, event_key
from fairgate.service.shared.readable import batches, find_many_readable, read_readable
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

LOOK_AGAIN_MS = 3_600_000


class CurrentEvents:
    """Remembers which events are over; one instance a process.

    Args:
        is_settled: says of an event that is over whether its caller has nothing left to do for it.

    Consistency: an event is found at once, one without an item of its creation or one that was
    over and is not any more within LOOK_AGAIN_MS.
    """

    def __init__(
        self, table: Table, clock: Clock, is_settled: Callable[[Event], bool] = lambda _: True
    ) -> None:
        self._table = table
        self._clock = clock
        self._is_settled = is_settled
        self._over: set[str] = set()
        self._known: set[str] = set()
        self._read_all_at_ms = -LOOK_AGAIN_MS

    def read(self) -> Catalog:
        """Return the events that are not over, by id, and the ids of damaged ones."""
        now_ms = self._clock.now_ms()
        if 0 <= now_ms - self._read_all_at_ms < LOOK_AGAIN_MS:
            catalog = self._read_current(now_ms)
        else:
            catalog = CatalogReader(self._table, self._clock).all()
            self._known, self._over = set(catalog.ids), set()
            self._read_all_at_ms = now_ms
        self._over.update(
            sale.id for sale in catalog.events if is_over(sale, now_ms) and self._is_settled(sale)
        )
        current = [sale for sale in catalog.events if sale.id not in self._over]
        return Catalog(current, catalog.damaged, left_out=bool(self._over))

    def _read_current(self, now_ms: int) -> Catalog:
        begun = read_readable(self._table, Creation, CREATION)
        created = {*(one.sk for one in begun.records), *(key.sk for key in begun.damaged)}
        keys = [event_key(event) for event in sorted((self._known | created) - self._over)]
        events: list[Event] = []
        damaged: list[str] = []
        for batch in batches(keys):
            read = find_many_readable(self._table, Event, batch)
            events += (in_force(sale, now_ms) for sale in read.records)
            damaged += (key.sk for key in read.damaged)
        return Catalog(sorted(events, key=lambda sale: sale.id), sorted(damaged))
