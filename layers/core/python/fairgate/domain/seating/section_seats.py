"""Prepare a section's seats for best available: benches, with their geometry worked out.

A bench is the part of a row between two aisles: its seats sit beside each other. Which of them are
free, accessible or of a tier is a whole number with one bit a seat, lowest bit first, so that
questions about neighbours are shifts of a number and not loops over seats.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct

Point = tuple[float, float]
Seat = Mapping[str, Any]  # as in ``sections/<id>.json``

AISLE_FACTOR = 1.8  # a gap wider than this many spacings is an aisle, not a missing seat
WIDE_ROW_GAPS = 4  # so many gaps, all of them aisles elsewhere, are a row of seats set wide apart

# A section's statuses have one digit a seat, "0" for an available one (docs/api.md).
_FREE_BITS = str.maketrans("0123", "1000")


class Bench(Struct, frozen=True):
    """Seats beside each other, without an aisle or a table between them."""

    section: str
    block: int  # rows behind each other are consecutive rows of one block
    row: int  # of the section
    start: int  # index of its first seat in the section's layout order
    ids: tuple[str, ...]
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    sums: tuple[float, ...]  # distance from the focal point, added up before each seat
    nearest: float  # no seat is nearer to the focal point
    spacing: float  # from seat to seat in its row
    standard: int
    accessible: int
    companion: int
    tiers: Mapping[str, int]

    def distance(self, first: int, end: int) -> float:
        """Return the mean distance of these seats from the focal point."""
        return (self.sums[end] - self.sums[first]) / (end - first)

    def center(self, first: int, end: int) -> Point:
        count = end - first
        return (sum(self.xs[first:end]) / count, sum(self.ys[first:end]) / count)


class Whole(Struct, frozen=True):
    """A table or box: sold as one unit to one party."""

    section: str
    index: int  # in the section's layout order
    id: str
    tier: str
    kind: str
    capacity: int
    distance: float


class SectionSeats(Struct, frozen=True):
    """A section's file of the layout, prepared; keep it as long as the layout."""

    section: str
    seats: int
    benches: tuple[Bench, ...]
    wholes: tuple[Whole, ...]
    nearest: float
    places: Mapping[str, tuple[int, int]]  # seat id → number of its bench, position there

    @classmethod
    def from_layout(
        cls, document: Mapping[str, Any], focal_point: Point | None = None
    ) -> SectionSeats:
        """Prepare ``document``, the parsed ``sections/<id>.json``.

        Without a focal point the best seats are those nearest the middle of the first row.
        """
        section = document["section"]
        rows = list(_rows(document))
        focal = focal_point or _middle(rows[0][2] if rows else ())
        usual = _lower_median([gap for _, _, seats in rows for gap in _spaces(seats)])
        benches: list[Bench] = []
        wholes: list[Whole] = []
        for block, row, seats, start in _numbered(rows):
            whole = _whole_units(seats)
            wholes += [
                _whole(section, start + position, seat, focal)
                for position, seat in enumerate(seats)
                if whole[position]
            ]
            spacing = _spacing(_spaces(seats), usual)
            parts = _parts(seats, whole, spacing)
            benches += [
                _bench(
                    section, (block, row, start + first), seats[first:end], focal, spacing or 1.0
                )
                for first, end in parts
            ]
        distances = [bench.nearest for bench in benches] + [whole.distance for whole in wholes]
        places = {
            seat: (number, position)
            for number, bench in enumerate(benches)
            for position, seat in enumerate(bench.ids)
        }
        return cls(
            section,
            sum(len(seats) for _, _, seats in rows),
            tuple(benches),
            tuple(wholes),
            min(distances, default=math.inf),
            places,
        )

    def without(self, statuses: str, units: AbstractSet[str]) -> str:
        """Return the statuses with these units locked, those that are of this section."""
        indexes = [
            self.benches[number].start + position
            for number, position in (self.places[u] for u in units & self.places.keys())
        ]
        indexes += [whole.index for whole in self.wholes if whole.id in units]
        if not indexes:
            return statuses
        changed = list(statuses)
        for index in indexes:
            changed[index] = "1"
        return "".join(changed)

    def free(self, statuses: str, taken: Iterable[str] = ()) -> list[int]:
        """Return the free seats of each bench, less those ``taken`` by name."""
        if len(statuses) < self.seats:
            return [0] * len(self.benches)
        bits = statuses.translate(_FREE_BITS)[::-1]
        length = len(bits)
        free = [
            int(bits[length - bench.start - len(bench.ids) : length - bench.start], 2)
            for bench in self.benches
        ]
        for seat in taken:
            if seat in self.places:
                number, position = self.places[seat]
                free[number] &= ~(1 << position)
        return free


def _rows(document: Mapping[str, Any]) -> Iterator[tuple[int, int, Sequence[Seat]]]:
    row = itertools.count()
    for number, block in enumerate(document["blocks"]):
        for entry in block["rows"]:
            yield number, next(row), entry["seats"]


def _numbered(
    rows: Sequence[tuple[int, int, Sequence[Seat]]],
) -> Iterator[tuple[int, int, Sequence[Seat], int]]:
    start = 0
    for block, row, seats in rows:
        yield block, row, seats, start
        start += len(seats)


def _middle(seats: Sequence[Seat]) -> Point:
    if not seats:
        return (0.0, 0.0)
    return (
        sum(seat["x"] for seat in seats) / len(seats),
        sum(seat["y"] for seat in seats) / len(seats),
    )


def _whole_units(seats: Sequence[Seat]) -> list[bool]:
    return [seat.get("unit", "seat") != "seat" for seat in seats]


def _gaps(seats: Sequence[Seat]) -> list[float]:
    return [math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in itertools.pairwise(seats)]


def _spaces(seats: Sequence[Seat]) -> list[float]:
    """Measure the row's gaps between seats, aisles among them; none beside a table."""
    beside = itertools.pairwise(_whole_units(seats))
    return [
        gap for gap, (a, b) in zip(_gaps(seats), beside, strict=True) if gap > 0 and not (a or b)
    ]


def _lower_median(numbers: Sequence[float]) -> float:
    """Return the middle one, of two the smaller: half of a short row's gaps may be aisles."""
    return sorted(numbers)[(len(numbers) - 1) // 2] if numbers else 0.0


def _spacing(spaces: Sequence[float], usual: float) -> float:
    """Tell a row's spacing by its own gaps; by its section's where those would be aisles.

    Gaps that all are aisles elsewhere are believed of a row that has enough of them.
    """
    own, aisle = _lower_median(spaces), usual * AISLE_FACTOR
    wide = len(spaces) >= WIDE_ROW_GAPS and min(spaces) > aisle
    return own if spaces and (own <= aisle or wide) else usual


def _parts(seats: Sequence[Seat], whole: Sequence[bool], spacing: float) -> list[tuple[int, int]]:
    """Return the row's parts between aisles and tables."""
    gaps = _gaps(seats)
    parts: list[tuple[int, int]] = []
    first = 0
    for position in range(len(seats) + 1):
        last = position == len(seats)
        aisle = position > 0 and not last and gaps[position - 1] > spacing * AISLE_FACTOR
        if last or whole[position] or aisle:
            if first < position:
                parts.append((first, position))
            first = position + (not last and whole[position])
    return parts


def _bench(
    section: str,
    place: tuple[int, int, int],
    seats: Sequence[Seat],
    focal: Point,
    spacing: float,
) -> Bench:
    distances = [math.dist(focal, (seat["x"], seat["y"])) for seat in seats]
    kinds = [seat.get("kind", "standard") for seat in seats]
    tiers = [seat["tier"] for seat in seats]
    block, row, start = place
    return Bench(
        section=section,
        block=block,
        row=row,
        start=start,
        ids=tuple(seat["id"] for seat in seats),
        xs=tuple(float(seat["x"]) for seat in seats),
        ys=tuple(float(seat["y"]) for seat in seats),
        sums=tuple(itertools.accumulate(distances, initial=0.0)),
        nearest=min(distances),
        spacing=spacing,
        standard=_bits(kind == "standard" for kind in kinds),
        accessible=_bits(kind == "accessible" for kind in kinds),
        companion=_bits(kind == "companion" for kind in kinds),
        tiers={tier: _bits(other == tier for other in tiers) for tier in set(tiers)},
    )


def _whole(section: str, index: int, seat: Seat, focal: Point) -> Whole:
    return Whole(
        section,
        index,
        seat["id"],
        seat["tier"],
        seat.get("kind", "standard"),
        seat["capacity"],
        math.dist(focal, (seat["x"], seat["y"])),
    )


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << position for position, flag in enumerate(flags) if flag)
