"""Read what is free now: from the cache, or from the table.

A miss is read from the table's index once for all callers: by one thread of a process (a flight),
and by one process (a short lock in the cache). While the cache is gone, reads go to the table
within a budget, share their answers for a moment, and name the table as their source. Nothing here
is a promise: the transaction that holds a seat decides.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from fairgate import metrics
from fairgate.domain.seating.status_vector import AVAILABLE, BLOCKED, code_of, fitted
from fairgate.ports.availability import (
    AvailabilityCache,
    CacheUnavailableError,
    Position,
    SeatStatus,
    ShardStatus,
)
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.service.availability.inventory import (
    Inventory,
    KnownInventories,
    inventory_in,
    inventory_of,
    no_section,
)
from fairgate.service.availability.reading_pace import (
    look_again_s,
    reach_ms,
)
from fairgate.service.availability.reads import (
    NOWHERE,
    Counts,
    PlaceNews,
    SeatNews,
    SectionStatuses,
    Source,
    VenueStatuses,
)
from fairgate.service.availability.shared_reads import Flights, Recent, TableBudget
from fairgate.service.availability.table_statuses import (
    InTable,
    seats_in_table,
    shards_in_table,
)
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.cache_breaker import CacheBreaker

OTHERS_REFILL_S = 0.5
OTHERS_REFILL_STEP_S = 0.02
TABLE_LAG_MS = 5_000  # how far an index may be behind its table; AWS gives no bound


class _Shards(Struct, frozen=True):
    shards: tuple[ShardStatus, ...]
    as_of_ms: int
    source: Source


class AvailabilityReader:
    """Reads availability for one process; safe for threads.

    Args:
        wait: pauses for some seconds while another process refills.

    Every read raises NotFoundError for an unknown event or section, before it makes any key of the
    cache, and DependencyUnavailableError if the table's budget is spent as well.
    """

    def __init__(
        self,
        cache: AvailabilityCache,
        table: Table,
        catalog: CatalogReader,
        clock: Clock,
        *,
        budget: TableBudget | None = None,
        wait: Callable[[float], object] | None = None,
    ) -> None:
        self._cache = cache
        self._table = table
        self._catalog = catalog
        self._clock = clock
        self._budget = budget or TableBudget(clock)
        self._wait = wait or threading.Event().wait
        self._breaker = CacheBreaker(clock)
        self._ask = self._breaker.ask
        self._from_table = self._damaged = 0
        self._inventories = KnownInventories(clock)
        self._sections: Flights[SectionStatuses] = Flights()
        self._areas: Flights[_Shards] = Flights()
        self._recent_sections: Recent[SectionStatuses] = Recent(clock)
        self._recent_areas: Recent[_Shards] = Recent(clock)

    def fallbacks(self) -> dict[str, int]:
        """Return the counts of failures and fallbacks since the last call, by metric."""
        counts = {
            metrics.SEATS_DAMAGED: self._damaged,
            metrics.SEAT_MAP_FROM_TABLE: self._from_table,
            metrics.TABLE_READS_REFUSED: self._budget.refused,
            metrics.CACHE_SCRIPT_DEFECTS: self._breaker.defects(),
        }
        self._from_table = self._budget.refused = self._damaged = 0
        return {name: count for name, count in counts.items() if count}

    def section(self, event: str, section: str) -> SectionStatuses:
        """Read a section. Cost: three round trips; on a miss one index query for all who ask."""
        places = self._inventory(event, section)
        seats = places.sections[section]
        position = self._position(event, section)
        read = self._read_sections(event, [section])[section]
        if read.source == _TABLE:
            self._from_table += 1
            position = _position_of_table(read.as_of_ms)
        elif read.position != NOWHERE:
            position = read.position  # of the refill
        codes = fitted(read.codes, seats)
        return SectionStatuses(codes, read.as_of_ms, read.source, position, places.sale)

    def blocks(self, event: str, section: str) -> Counts:
        """Count the available seats of each block of a section. Cost: as ``section``."""
        read = self.section(event, section)
        counts, start = {}, 0
        for block, seats in self._inventory(event).blocks[section]:
            counts[block] = (seats, read.codes.count(AVAILABLE, start, start + seats))
            start += seats
        return Counts({}, {}, counts, read.as_of_ms, read.source, read.position, read.sale)

    def sections(self, event: str, sections: Sequence[str]) -> dict[str, SectionStatuses]:
        """Read several sections at once. Cost: two round trips for up to 200 of them."""
        seats = self._inventory(event).sections
        if any(section not in seats for section in sections):
            raise no_section()
        read = self._read_sections(event, sections)
        self._from_table += any(part.source == _TABLE for part in read.values())
        return {
            section: SectionStatuses(fitted(part.codes, seats[section]), part.as_of_ms, part.source)
            for section, part in read.items()
        }

    def venue(self, event: str) -> VenueStatuses:
        """Read every section. Cost: one round trip for each 200 sections."""
        places = self._inventory(event)
        position = self._position(event)
        read = self._read_sections(event, list(places.sections))
        codes = {s: fitted(read[s].codes, seats) for s, seats in places.sections.items()}
        return VenueStatuses(codes, *self._provenance(read.values(), position), places.sale)

    def seat_changes(self, event: str, section: str) -> SeatNews:
        """List a section's recent seat changes, as far back as readers may need them."""
        places = self._inventory(event, section)
        sale, now_ms = places.sale, self._clock.now_ms()
        try:
            reach = reach_ms(sale, now_ms)
            changes = self._ask(lambda: self._cache.seat_changes(event, section, reach))
        except CacheUnavailableError:
            self._from_table += 1
            return SeatNews(None, look_again_s(sale, now_ms, None))
        quiet_ms = changes.window.quiet_ms([id_ for id_, _, _ in changes.seats])
        return SeatNews(changes, look_again_s(sale, now_ms, quiet_ms))

    def place_changes(self, event: str) -> PlaceNews:
        """List the sections and areas that changed, with all counts."""
        sale, now_ms = self._inventory(event).sale, self._clock.now_ms()
        try:
            reach = reach_ms(sale, now_ms)
            changes = self._ask(lambda: self._cache.place_changes(event, reach))
        except CacheUnavailableError:
            self._from_table += 1
            return PlaceNews(None, None, look_again_s(sale, now_ms, None, section=False))
        quiet_ms = changes.window.quiet_ms([*changes.sections.values(), *changes.areas.values()])
        again_s = look_again_s(sale, now_ms, quiet_ms, section=False)
        return PlaceNews(changes, self.counts(event), again_s)

    def counts(self, event: str) -> Counts:
        """Count available seats per section and places per area. Cost: four round trips."""
        places = self._inventory(event)
        position = self._position(event)
        now_ms = self._clock.now_ms()
        try:
            free = self._ask(lambda: self._cache.counts(event, list(places.sections), now_ms))
            known = self._ask(lambda: self._cache.shards(event))
        except CacheUnavailableError:
            free, known = {}, []
        missing = [section for section in places.sections if section not in free]
        read = self._read_sections(event, missing)
        free |= {s: fitted(r.codes, places.sections[s]).count(AVAILABLE) for s, r in read.items()}
        areas = self._read_areas(event, places, known, now_ms)
        return Counts(
            {s: (seats, free[s]) for s, seats in places.sections.items()},
            {
                area: (capacity, sum(shard.remaining for shard in areas[area].shards))
                for area, (capacity, _) in places.areas.items()
            },
            {},
            *self._provenance([*read.values(), *areas.values()], position),
            places.sale,
        )

    def _position(self, event: str, section: str = "") -> Position:
        """Return the change log's position; ask before reading, so that the read includes it."""
        try:
            return self._ask(lambda: self._cache.position(event, section))
        except CacheUnavailableError:
            return _position_of_table(self._clock.now_ms())

    def _provenance(
        self, parts: Iterable[SectionStatuses | _Shards], position: Position
    ) -> tuple[int, Source, Position]:
        """Return the oldest part's time, and the table as source if it is of any part."""
        as_of_ms, source = self._clock.now_ms(), _CACHE
        for part in parts:
            as_of_ms = min(as_of_ms, part.as_of_ms)
            source = part.source if part.source == _TABLE else source
        if source == _TABLE:
            self._from_table += 1
            position = _position_of_table(as_of_ms)
        return as_of_ms, source, position

    def _inventory(self, event: str, section: str | None = None) -> Inventory:
        """Read the inventory. An unknown section is refused by a recent one, without a read."""
        self._catalog.refuse_unknown(event)
        self._inventories.refuse_unknown(event, section)
        places = self._read_inventory(event)
        self._inventories.keep(event, places)
        self._inventories.refuse_unknown(event, section)
        return places

    def _read_inventory(self, event: str) -> Inventory:
        try:
            known = inventory_in(self._ask(lambda: self._cache.places(event)))
        except CacheUnavailableError:
            return inventory_of(self._catalog.published(event))
        if known is not None:
            return known
        places = inventory_of(self._catalog.published(event))
        with suppress(CacheUnavailableError):  # the next reader keeps them instead
            self._ask(lambda: self._cache.keep_places(event, places.document()))
        return places

    def _read_sections(self, event: str, wanted: Sequence[str]) -> dict[str, SectionStatuses]:
        now_ms = self._clock.now_ms()
        cached: Sequence[bytes | None]
        try:
            cached = self._ask(lambda: self._cache.codes(event, wanted, now_ms)) if wanted else []
        except CacheUnavailableError:
            cached = [None] * len(wanted)
        read: dict[str, SectionStatuses] = {}
        for section, codes in zip(wanted, cached, strict=True):
            if codes is None:
                read[section] = self._sections.join(
                    (event, section), partial(self._refill, event, section)
                )
            else:
                read[section] = SectionStatuses(codes, now_ms, _CACHE)
        return read

    def _refill(self, event: str, section: str) -> SectionStatuses:
        """Refill in this process, or wait for another process that refills."""
        try:
            for _ in range(round(OTHERS_REFILL_S / OTHERS_REFILL_STEP_S)):
                if (cached := self._cached_section(event, section)) is not None:
                    return cached
                if self._ask(lambda: self._cache.begin_refill(event, section)):
                    return self._refill_now(event, section)
                self._wait(OTHERS_REFILL_STEP_S)
        except CacheUnavailableError:
            pass
        return self._table_section(event, section)

    def _refill_now(self, event: str, section: str) -> SectionStatuses:
        # Another process may have filled it before this one got the lock.
        seats: list[SeatStatus] = []
        cached = self._cached_section(event, section)
        if cached is None:
            life = self._ask(lambda: self._cache.life(event, section))
            read = self._query_section(event, section)
            seats = read.units
            # The index may lack seats of a new event, and no later change would add them.
            if len(seats) + len(read.damaged) >= self._inventory(event).sections[section]:
                self._ask(lambda: self._cache.fill(event, section, seats, life))
        self._ask(lambda: self._cache.end_refill(event, section))
        if cached is not None:
            return cached
        # Changes newer than the query may have been there before the fill: read it back.
        position = self._position(event, section)
        cached = self._cached_section(event, section)
        if cached is not None:
            return replace(cached, position=position)
        now_ms = self._clock.now_ms()
        return SectionStatuses(_codes_of(seats, now_ms), now_ms, _TABLE)

    def _cached_section(self, event: str, section: str) -> SectionStatuses | None:
        now_ms = self._clock.now_ms()
        (codes,) = self._ask(lambda: self._cache.codes(event, [section], now_ms))
        return None if codes is None else SectionStatuses(codes, now_ms, _CACHE)

    def _table_section(self, event: str, section: str) -> SectionStatuses:
        def read() -> SectionStatuses:
            seats = self._query_section(event, section, counted=True)
            now_ms = self._clock.now_ms()
            return SectionStatuses(_codes_of(seats.units, now_ms), now_ms, _TABLE)

        return self._recent_sections.get((event, section), read)

    def _query_section(
        self, event: str, section: str, *, counted: bool = False
    ) -> InTable[SeatStatus]:
        with self._budget.spend(counted=counted):
            read = seats_in_table(self._table, event, section)
        self._damaged += len(read.damaged)
        return read

    def _read_areas(
        self, event: str, places: Inventory, known: Iterable[ShardStatus], now_ms: int
    ) -> dict[str, _Shards]:
        by_area: dict[str, list[ShardStatus]] = defaultdict(list)
        for shard in known:
            by_area[shard.area].append(shard)
        read = {}
        for area, (_, shards) in places.areas.items():
            if len(by_area[area]) >= shards:
                read[area] = _Shards(tuple(by_area[area]), now_ms, _CACHE)
            else:
                read[area] = self._areas.join(
                    (event, area), partial(self._table_area, event, area, shards)
                )
        return read

    def _table_area(self, event: str, area: str, shards: int) -> _Shards:
        def read() -> _Shards:
            life = None
            with suppress(CacheUnavailableError):
                life = self._ask(lambda: self._cache.life(event))
            with self._budget.spend(counted=life is None):
                counters = shards_in_table(self._table, event, area, shards)
            self._damaged += len(counters.damaged)
            statuses = tuple(counters.units)
            source = _TABLE
            if life is not None:
                with suppress(CacheUnavailableError):
                    if self._ask(lambda: self._cache.fill_area(event, area, statuses, life)):
                        source = _CACHE
            return _Shards(statuses, self._clock.now_ms(), source)

        return self._recent_areas.get((event, area), read)


_CACHE: Source = "cache"
_TABLE: Source = "table"


def _position_of_table(as_of_ms: int) -> Position:
    return Position((as_of_ms - TABLE_LAG_MS) * 1000, 0)


def _codes_of(seats: Iterable[SeatStatus], now_ms: int) -> bytes:
    codes = bytearray()
    for seat in seats:
        codes.extend(bytes([BLOCKED]) * (seat.index + 1 - len(codes)))
        codes[seat.index] = code_of(seat.availability, seat.expires_ms, now_ms)
    return bytes(codes)
