"""Rebuild the availability cache from the table, one section or area at a time.

Reads and changes go on. Versions decide for each seat, so a rebuild never overwrites newer data,
and a complete section stays readable. Doing it twice does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.seating.area_shards import SHARDS_MAX
from fairgate.domain.shared.ids import EVENT_ID, PLACE_ID
from fairgate.errors import DependencyUnavailableError, MalformedInputError, NotFoundError
from fairgate.ports.availability import CacheUnavailableError
from fairgate.service.availability.table_statuses import seats_in_table, shards_in_table

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from fairgate.ports.availability import AvailabilityCache
    from fairgate.ports.table import Table

ATTEMPTS_MAX = 4  # the cache failed for a moment, or lost the section while the table was read


class Filled(Struct, frozen=True):
    """How many units a place has, and the partition keys of damaged ones."""

    units: int
    damaged: list[str]


class AvailabilityRebuilder:
    """Rebuilds a cache from a table while others use both.

    Every method raises NotFoundError for an unknown place, and DependencyUnavailableError if the
    cache or the table cannot be reached.
    """

    def __init__(self, cache: AvailabilityCache, table: Table) -> None:
        self._cache = cache
        self._table = table

    def section(self, event: str, section: str, *, forget: bool = False) -> Filled:
        """Fill one section; a damaged seat is left out of it.

        Args:
            forget: first remove what is cached, even if it is newer: after the table was restored
                from a backup, its versions are older.

        Cost: one index query of up to 2,500 seats, one round trip for each 500 of them.
        """

        def fill() -> Filled | None:
            if forget:
                self._cache.forget(event, section)
            # Readers who miss it wait for this reading.
            self._cache.begin_refill(event, section)
            life = self._cache.life(event, section)
            seats = seats_in_table(self._table, event, section)
            count = len(seats.units) + len(seats.damaged)
            if not count:
                raise NotFoundError(f"The table has no seats of {section} in {event}.")
            whole = self._cache.fill(event, section, seats.units, life)
            self._cache.end_refill(event, section)
            return Filled(count, seats.damaged) if whole else None

        return _persist(fill)

    def area(self, event: str, area: str, shards: int, *, forget: bool = False) -> Filled:
        """Fill the counters of an area; a damaged one has no places. Cost: one batch of reads."""

        def fill() -> Filled | None:
            if forget:
                self._cache.forget_area(event, area)
            life = self._cache.life(event)
            counters = shards_in_table(self._table, event, area, shards)
            count = len(counters.units)
            if count < shards:
                raise NotFoundError(f"The table has {count} counters of {area} in {event}.")
            whole = self._cache.fill_area(event, area, counters.units, life)
            return Filled(count, counters.damaged) if whole else None

        return _persist(fill)

    def asked(self, request: object) -> Filled:
        """Rebuild by a request ``{event, section | area, shards, forget}``.

        Raises MalformedInputError: it does not have this form.
        """
        if not isinstance(request, dict):
            raise _misshapen()
        event, forget = request.get("event"), request.get("forget", False)
        section, area, shards = (request.get(name) for name in ("section", "area", "shards"))
        if not _is(EVENT_ID, event) or not isinstance(forget, bool):
            raise _misshapen()
        if _is(PLACE_ID, section) and area is None:
            return self.section(str(event), str(section), forget=forget)
        if not _is(PLACE_ID, area) or section is not None or type(shards) is not int:
            raise _misshapen()
        if not 0 < shards <= SHARDS_MAX:
            raise _misshapen()
        return self.area(str(event), str(area), shards, forget=forget)


def _persist(work: Callable[[], Filled | None]) -> Filled:
    """Repeat ``work`` until it returns something. Raises DependencyUnavailableError."""
    reason = "it lost what was filled; it may be too small"
    for _ in range(ATTEMPTS_MAX):
        try:
            done = work()
        except CacheUnavailableError as error:
            reason = str(error)
            continue
        if done is not None:
            return done
    raise DependencyUnavailableError(f"The cache does not take it: {reason}.", retry_after_s=2)


def _is(shape: Any, value: object) -> bool:
    return isinstance(value, str) and shape.fullmatch(value) is not None


def _misshapen() -> MalformedInputError:
    return MalformedInputError(
        "A rebuild is {event, section} or {event, area, shards}, with forget if need be."
    )
