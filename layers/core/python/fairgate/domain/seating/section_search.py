"""Look for the best available: open sections only when they may hold something better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal

from msgspec import Struct

from fairgate.domain.seating.section_seats import SectionSeats

Step = Literal["row", "row-orphans", "rows", "sections", "whole"]


class Proposal(Struct, frozen=True):
    """Seats for the whole party; the hold's transaction decides whether it gets them."""

    step: Step  # of the ladder
    units: tuple[tuple[str, str], ...]  # (section, seat)
    distance: float  # mean, of the seats from the focal point: the measure of quality
    cost: float  # what the step minimises
    beside: tuple[tuple[str, str, str], ...] = ()  # as in ports.Claim

    def ids(self) -> list[str]:
        return [seat for _, seat in self.units]


class Opened(Struct, frozen=True):
    """A section with its statuses read."""

    seats: SectionSeats
    statuses: str
    free: tuple[int, ...]  # of each bench


Open = Callable[[str, int], tuple[SectionSeats, str] | None]


class SectionSearch:
    """Searches the sections in question, nearest the focal point first.

    Args:
        nearest: section → a distance that none of its seats is nearer than, to its focal point.
        read: the section and its statuses; None where fewer units than the second argument are
            known to be free there.
        taken: seats to leave out, as if somebody held them.
    """

    def __init__(
        self, nearest: Mapping[str, float], read: Open, taken: AbstractSet[str] = frozenset()
    ) -> None:
        self.nearest = dict(sorted(nearest.items(), key=lambda item: item[1]))
        self._read = read
        self._taken = taken
        self._opened: dict[str, Opened] = {}

    def open(self, section: str, at_least: int) -> Opened | None:
        """Open the next section; None where fewer than ``at_least`` units are free."""
        known = self._opened.get(section)
        if known is None:
            read = self._read(section, at_least)
            if read is None:
                return None
            seats, statuses = read
            known = Opened(seats, statuses, tuple(seats.free(statuses, self._taken)))
            self._opened[section] = known
        return known

    def all(self, at_least: int) -> Iterator[Opened]:
        for section in self.nearest:
            opened = self.open(section, at_least)
            if opened is not None:
                yield opened

    def is_taken(self, unit: str) -> bool:
        return unit in self._taken
