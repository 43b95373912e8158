"""Find the single seats that a choice of seats would leave, as pure maths."""

from __future__ import annotations

from collections.abc import Iterable

from fairgate.domain.seating.adjacent_seats import runs
from fairgate.domain.seating.section_seats import SectionSeats


def left_alone(seats: SectionSeats, statuses: str, chosen: Iterable[str]) -> list[str]:
    """Return the free seats that would have no free neighbour, next to seats that are chosen.

    A gap is a run of free seats, with the chosen ones among them. In a gap of one seat more than
    are chosen, every choice leaves one alone, so that none is named.

    Args:
        statuses: of the section, as ``SectionSeats.free`` reads them.
        chosen: seat ids; those of tables and boxes count for nothing.
    """
    taken = [0] * len(seats.benches)
    for seat in chosen:
        if seat in seats.places:
            number, position = seats.places[seat]
            taken[number] |= 1 << position
    alone: list[str] = []
    for bench, free, mine in zip(seats.benches, seats.free(statuses), taken, strict=True):
        for first, end in runs(free & bench.standard | mine):
            here = ((1 << end - first) - 1) << first
            count = (mine & here).bit_count()
            if count and end - first > count + 1:
                rest = runs(here & ~mine)
                alone += [bench.ids[start] for start, stop in rest if stop - start == 1]
    return alone
