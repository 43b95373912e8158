"""Best available: the seats to offer a party, from the layout and the statuses, as pure maths.

A ladder: each step is tried only when the one before found nothing.

1. one row, adjacent, no single seat orphaned, nearest the focal point
2. the same with orphans allowed
3. rows behind each other, nobody left alone

What it returns is a proposal; the hold transaction decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from fairgate.domain.ids import SeatId
from fairgate.domain.section_seats import RowSeats, SectionSeats
from fairgate.errors import MalformedInputError, NoSeatsFoundError

Point = tuple[float, float]

FREE = "0"  # the digit of an available seat in a section's statuses (docs/api.md)
QUANTITY_MAX = 40

NEAR_FACTOR = 1.15  # as good as the best: up to 15 % farther from the focal point …
NEAR_SPACINGS = 4.0  # … plus a few seats, so that there is a choice right at the stage too
CHOICES_MAX = 64
ROWS_MAX = 4  # a party is spread over at most as many rows
ROW_REACH = 2.0  # rows are neighbours when their seats are within about so many spacings


@dataclass(frozen=True, slots=True)
class _Wish:
    quantity: int
    tier: str | None
    accessible: bool
    exclude: AbstractSet[str]

    def suits(self, kind: str, tier: str) -> bool:
        """Whether a free seat of this kind and tier may be offered."""
        return (self.accessible or kind == "standard") and self.tier in (None, tier)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Adjacent seats of one row that may all be offered, from ``first`` up to before ``end``."""

    section: int
    row: RowSeats
    position: int  # of the row among the section's rows
    first: int
    end: int
    room_before: int  # free adjacent seats that are left beside it, though not offered
    room_after: int

    def __len__(self) -> int:
        return self.end - self.first

    @property
    def key(self) -> tuple[int, int, int]:
        return (self.section, self.position, self.first)


@dataclass(frozen=True, slots=True)
class _Candidate:
    distance: float
    seats: tuple[tuple[RowSeats, int, int], ...]  # row, first, end

    def ids(self) -> list[SeatId]:
        return [SeatId(i) for row, first, end in self.seats for i in row.ids[first:end]]


def find_best(
    sections: Sequence[SectionSeats],
    statuses: Mapping[str, Sequence[str]],
    *,
    quantity: int,
    tier: str | None = None,
    accessible: bool = False,
    focal_point: Point | None = None,
    choose: int = 0,
    exclude: AbstractSet[str] = frozenset(),
) -> list[SeatId]:
    """The best ``quantity`` seats together.

    Args:
        sections: where to look, prepared.
        statuses: section id → one digit a seat in layout order, ``0`` is available. A section
            that is missing here has nothing free.
        quantity: 1 to 40.
        tier: only seats of this price tier.
        accessible: at least one of the seats is accessible; without it, accessible and companion
            seats are kept for those who need them.
        focal_point: nearest to this; None takes the middle of each section's first row.
        choose: which of the blocks of nearly equal quality, modulo how many there are: callers
            who ask at the same moment keep off each other with different numbers. 0 is the best.
        exclude: seats to leave out, as if somebody held them.

    Raises:
        NoSeatsFoundError: nothing fits.
        MalformedInputError: ``quantity`` is out of range.
    """
    if not 1 <= quantity <= QUANTITY_MAX:
        raise MalformedInputError(f"Ask for 1 to {QUANTITY_MAX} seats.")
    wish = _Wish(quantity, tier, accessible, exclude)
    focal_points = [focal_point or _front(section) for section in sections]
    stretches = [
        stretch
        for number, section in enumerate(sections)
        for stretch in _stretches(number, section, statuses.get(section.section, ""), wish)
    ]
    for step in LADDER:
        candidates = step(stretches, wish, focal_points)
        if candidates:
            return _chosen(candidates, choose).ids()
    raise NoSeatsFoundError(_refusal(wish), quantity=quantity)


def _adjacent_without_orphans(
    stretches: Sequence[_Stretch], wish: _Wish, focal_points: Sequence[Point]
) -> list[_Candidate]:
    return _adjacent(stretches, wish, focal_points, orphans=False)


def _adjacent_with_orphans(
    stretches: Sequence[_Stretch], wish: _Wish, focal_points: Sequence[Point]
) -> list[_Candidate]:
    return _adjacent(stretches, wish, focal_points, orphans=True)


def _neighbouring_rows(
    stretches: Sequence[_Stretch], wish: _Wish, focal_points: Sequence[Point]
) -> list[_Candidate]:
    """Parts of two or more in consecutive rows, over as few rows as possible.

    Starts are tried from the focal point outwards until there is enough to choose from, so it
    looks at everything only where it finds nothing.
    """
    near = _Neighbours([stretch for stretch in stretches if len(stretch) > 1])
    starts = sorted(
        near.stretches, key=lambda s: math.dist(focal_points[s.section], near.center(s))
    )
    longest = max(map(len, starts), default=0)
    for rows in range(2, min(ROWS_MAX, wish.quantity // 2) + 1):
        if rows * longest < wish.quantity:
            continue
        candidates: list[_Candidate] = []
        for start in starts:
            for chain in near.chains((start,), rows):
                placed = _placed(chain, wish, focal_points[start.section])
                if placed is not None:
                    candidates.append(placed)
            if len(candidates) >= CHOICES_MAX:
                break
        if candidates:
            return candidates
    return []


LADDER: tuple[Callable[[Sequence[_Stretch], _Wish, Sequence[Point]], list[_Candidate]], ...] = (
    _adjacent_without_orphans,
    _adjacent_with_orphans,
    _neighbouring_rows,
)


def _front(section: SectionSeats) -> Point:
    """The middle of the first row."""
    if not section.rows:
        return (0.0, 0.0)
    row = section.rows[0]
    return (sum(row.xs) / len(row.xs), sum(row.ys) / len(row.ys))


def _stretches(
    number: int, section: SectionSeats, statuses: Sequence[str], wish: _Wish
) -> Iterator[_Stretch]:
    """Every longest stretch of seats that may be offered."""
    for position, row in enumerate(section.rows):
        window = statuses[row.start : row.start + len(row.ids)]
        if FREE not in window or len(window) < len(row.ids):
            continue
        free = [status == FREE for status in window]
        if wish.exclude:
            free = [f and i not in wish.exclude for f, i in zip(free, row.ids, strict=True)]
        for first, end in _runs(free, row.breaks):
            yield from _offered(number, position, row, first, end, wish)


def _offered(
    number: int, position: int, row: RowSeats, first: int, end: int, wish: _Wish
) -> Iterator[_Stretch]:
    """The parts of a free run that suit the wish, with the free room that they leave beside."""
    if wish.accessible:
        alike = [True] * (end - first)
    else:  # a seat next to an accessible one is not together with it
        alike = [kind == "standard" for kind in row.kinds[first:end]]
    for low, high in _runs(alike, frozenset()):
        kinds = row.kinds[first + low : first + high]
        tiers = row.tiers[first + low : first + high]
        if wish.tier is None:
            yield _Stretch(number, row, position, first + low, first + high, 0, 0)
            continue
        suits = [wish.suits(kind, tier) for kind, tier in zip(kinds, tiers, strict=True)]
        for a, b in _runs(suits, frozenset()):
            base = first + low
            yield _Stretch(number, row, position, base + a, base + b, a, high - low - b)


def _runs(flags: Sequence[bool], breaks: AbstractSet[int]) -> Iterator[tuple[int, int]]:
    """Longest runs of true flags as ``(first, end)``, cut at ``breaks``."""
    first = -1
    for position, flag in enumerate(flags):
        if first >= 0 and (not flag or position in breaks):
            yield first, position
            first = -1
        if flag and first < 0:
            first = position
    if first >= 0:
        yield first, len(flags)


def _adjacent(
    stretches: Sequence[_Stretch],
    wish: _Wish,
    focal_points: Sequence[Point],
    *,
    orphans: bool,
) -> list[_Candidate]:
    size = wish.quantity
    candidates = []
    for stretch in stretches:
        if len(stretch) < size:
            continue
        row = stretch.row
        focal_x, focal_y = focal_points[stretch.section]
        sum_x = sum(row.xs[stretch.first : stretch.first + size])
        sum_y = sum(row.ys[stretch.first : stretch.first + size])
        for first in range(stretch.first, stretch.end - size + 1):
            end = first + size
            if first > stretch.first:
                sum_x += row.xs[end - 1] - row.xs[first - 1]
                sum_y += row.ys[end - 1] - row.ys[first - 1]
            if not orphans:
                before = first - stretch.first + stretch.room_before
                after = stretch.end - end + stretch.room_after
                if before == 1 or after == 1:
                    continue
            if wish.accessible and "accessible" not in row.kinds[first:end]:
                continue
            distance = math.hypot(sum_x / size - focal_x, sum_y / size - focal_y)
            candidates.append(_Candidate(distance, ((row, first, end),)))
    return candidates


class _Neighbours:
    """Which stretches lie behind each other: within reach, in consecutive rows of a block."""

    def __init__(self, stretches: Sequence[_Stretch]) -> None:
        self.stretches = stretches
        self._rows: dict[tuple[int, int], list[_Stretch]] = {}
        self._centers: dict[tuple[int, int, int], Point] = {}
        self._behind: dict[tuple[int, int, int], list[_Stretch]] = {}
        for stretch in stretches:
            self._rows.setdefault((stretch.section, stretch.position), []).append(stretch)
            self._centers[stretch.key] = _center(stretch.row, stretch.first, stretch.end)

    def center(self, stretch: _Stretch) -> Point:
        return self._centers[stretch.key]

    def chains(self, chain: tuple[_Stretch, ...], rows: int) -> Iterator[tuple[_Stretch, ...]]:
        """``chain`` continued backwards over so many rows in all."""
        if len(chain) == rows:
            yield chain
            return
        for stretch in self._behind_of(chain[-1]):
            yield from self.chains((*chain, stretch), rows)

    def _behind_of(self, front: _Stretch) -> list[_Stretch]:
        known = self._behind.get(front.key)
        if known is None:
            rows = self._rows.get((front.section, front.position + 1), ())
            known = [s for s in rows if s.row.block == front.row.block and self._touch(front, s)]
            self._behind[front.key] = known
        return known

    def _touch(self, a: _Stretch, b: _Stretch) -> bool:
        """Their middles are no farther apart than their halves and the reach."""
        spacing = max(a.row.spacing, b.row.spacing)
        halves = (len(a) + len(b)) / 2
        return math.dist(self.center(a), self.center(b)) <= spacing * (halves + ROW_REACH)


def _placed(chain: Sequence[_Stretch], wish: _Wish, focal_point: Point) -> _Candidate | None:
    """The party on these stretches: even parts of two or more, behind each other."""
    sizes = _shares([len(stretch) for stretch in chain], wish.quantity)
    if sizes is None:
        return None
    target, parts, apart = focal_point, [], 0.0
    for stretch, size in zip(chain, sizes, strict=True):
        first = min(
            range(stretch.first, stretch.end - size + 1),
            key=lambda i: math.dist(target, _center(stretch.row, i, i + size)),
        )
        parts.append((stretch.row, first, first + size))
        center = _center(*parts[-1])
        apart += math.dist(target, center) if len(parts) > 1 else 0.0
        target = center
    if wish.accessible and not any("accessible" in r.kinds[a:b] for r, a, b in parts):
        return None
    x = sum(sum(row.xs[a:b]) for row, a, b in parts) / wish.quantity
    y = sum(sum(row.ys[a:b]) for row, a, b in parts) / wish.quantity
    # A party wants to be close to itself as much as to the stage.
    return _Candidate(math.dist(focal_point, (x, y)) + apart, tuple(parts))


def _shares(rooms: Sequence[int], quantity: int) -> list[int] | None:
    """Parts that fit the rooms, each of two or more and as even as the rooms allow."""
    sizes = [2] * len(rooms)
    for _ in range(quantity - sum(sizes)):
        open_parts = [i for i, room in enumerate(rooms) if sizes[i] < room]
        if not open_parts:
            return None
        sizes[min(open_parts, key=lambda i: sizes[i])] += 1
    return sizes if sum(sizes) == quantity else None


def _center(row: RowSeats, first: int, end: int) -> Point:
    count = end - first
    return (sum(row.xs[first:end]) / count, sum(row.ys[first:end]) / count)


def _chosen(candidates: list[_Candidate], choose: int) -> _Candidate:
    """The ``choose``-th of the disjoint candidates that are nearly as good as the best."""
    candidates.sort(key=lambda c: (c.distance, c.seats[0][0].ids[c.seats[0][1]]))
    best = candidates[0]
    if choose == 0:
        return best
    limit = best.distance * NEAR_FACTOR + NEAR_SPACINGS * (best.seats[0][0].spacing or 1.0)
    taken: set[str] = set()
    near: list[_Candidate] = []
    for candidate in candidates:
        if candidate.distance > limit or len(near) == CHOICES_MAX:
            break
        ids = candidate.ids()
        if taken.isdisjoint(ids):
            taken.update(ids)
            near.append(candidate)
    return near[choose % len(near)]


def _refusal(wish: _Wish) -> str:
    if wish.quantity > 1:
        with_one = ", one of them accessible," if wish.accessible else ""
        return f"There are not {wish.quantity} seats together{with_one} left here."
    return f"There is no {'accessible ' if wish.accessible else ''}seat left here."
