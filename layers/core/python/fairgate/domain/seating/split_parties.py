"""Split a party that fits no row into parts of two or more, so that nobody sits alone.

First over rows that stand behind each other in one block, then over whatever places lie nearest to
each other. Parts in neighbouring rows are found exactly, by dynamic programming over the rows;
scattered parts by growing a group around each of the places nearest the focal point.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from fairgate.domain.seating.adjacent_seats import Relaxation, Window, Wish, offered, runs, windows
from fairgate.domain.seating.section_search import Proposal, SectionSearch, Step
from fairgate.domain.seating.section_seats import Bench, Point

ROWS_MAX = 4  # a party is spread over at most as many rows
ROW_REACH = 2.0  # parts touch when the gap between them is within about so many seat widths
CHAINS_MAX = 400  # starting rows looked into for one request
ANCHORS_MAX = 32  # places around which a scattered party is tried
AROUND_MAX = 48  # places nearest to an anchor that may join it


Row = list[tuple[Bench, int]]  # benches with what is free on them


class _Part(Struct, frozen=True):
    window: Window
    center: Point
    accessible: int

    @property
    def size(self) -> int:
        return self.window.end - self.window.first


class _Chain(Struct, frozen=True):
    """Parts in consecutive rows, the cost of the party so far, and what came before the last."""

    cost: float
    part: _Part
    before: _Chain | None

    def parts(self) -> list[_Part]:
        return [*(self.before.parts() if self.before else ()), self.part]


def neighbouring_rows(search: SectionSearch, wish: Wish, count: int) -> list[Proposal]:
    """Seat it over as few rows as possible, without orphans that count before with them.

    The cost is the mean distance of the seats from the focal point, and the way from each part to
    the next: a party wants to be close to itself as much as to the stage.
    """
    if wish.quantity < 4:  # noqa: PLR2004 two parts of two
        return []
    rows = _rows(search, wish)
    for length in range(2, min(ROWS_MAX, wish.quantity // 2) + 1):
        for relaxation in (Relaxation(), Relaxation(orphans=True)):
            proposals = _best_chains(rows, wish, length, relaxation, count)
            if proposals:
                return proposals
    return []


def _rows(search: SectionSearch, wish: Wish) -> dict[tuple[str, int], Row]:
    """List the benches on which two or more may sit together, by section and row."""
    rows: dict[tuple[str, int], Row] = {}
    for opened in search.all(2):
        for bench, free in zip(opened.seats.benches, opened.free, strict=True):
            mask = offered(bench, free, wish)
            if mask & mask >> 1:
                rows.setdefault((bench.section, bench.row), []).append((bench, free))
    return rows


def _best_chains(
    rows: dict[tuple[str, int], Row], wish: Wish, length: int, relaxation: Relaxation, count: int
) -> list[Proposal]:
    starts: list[tuple[float, int, list[Row]]] = []
    for section, row in rows:
        behind = [rows[place] for step in range(length) if (place := (section, row + step)) in rows]
        blocks = {bench.block for benches in behind for bench, _ in benches}
        if len(behind) == length and len(blocks) == 1:
            nearest = min(bench.nearest for benches in behind for bench, _ in benches)
            starts.append((nearest, len(starts), behind))
    best: list[tuple[float, int, _Chain]] = []
    for nearest, number, chain_rows in heapq.nsmallest(CHAINS_MAX, starts):
        if len(best) >= count and nearest >= best[count - 1][0]:
            break
        chain = _best_chain(chain_rows, wish, relaxation)
        if chain is not None:
            best.append((chain.cost, number, chain))
            best.sort(key=lambda entry: entry[:2])
    return _disjoint((_proposal("rows", c.parts(), c.cost) for _, _, c in best), count)


def _best_chain(rows: Sequence[Row], wish: Wish, relaxation: Relaxation) -> _Chain | None:
    """Return the cheapest party with one part in each of these rows, exactly."""
    # (seats so far, accessible seats so far, last part) → the cheapest way there
    states: dict[tuple[int, int, int], _Chain] = {}
    for position, row in enumerate(rows):
        after = len(rows) - 1 - position
        parts = _parts_of(row, wish, relaxation, wish.quantity - 2 * (len(rows) - 1))
        following: dict[tuple[int, int, int], _Chain] = {}
        for number, part in enumerate(parts):
            for (seats, accessible, _), chain in states.items() if position else _NOWHERE:
                total = seats + part.size
                if total + 2 * after > wish.quantity or (not after and total != wish.quantity):
                    continue
                cost = part.window.cost * part.size / wish.quantity
                if chain is not None:
                    apart = math.dist(chain.part.center, part.center)
                    if apart > _reach(chain.part, part):
                        continue
                    cost += chain.cost + apart
                key = (total, accessible + part.accessible, number)
                if key not in following or cost < following[key].cost:
                    following[key] = _Chain(cost, part, chain)
        states = following
    # No more accessible seats than were asked for, if it can be.
    whole = [
        (accessible, chain.cost, number, chain)
        for number, ((_, accessible, _), chain) in enumerate(states.items())
        if accessible >= wish.accessible
    ]
    return min(whole)[-1] if whole else None


_NOWHERE: tuple[tuple[tuple[int, int, int], None]] = (((0, 0, 0), None),)


def _parts_of(row: Row, wish: Wish, relaxation: Relaxation, largest: int) -> list[_Part]:
    return [
        _part(window)
        for bench, free in row
        for size in range(2, largest + 1)
        for window in windows(bench, free, wish, relaxation, size)
    ]


def _part(window: Window) -> _Part:
    accessible = (window.bench.accessible & window.mask()).bit_count()
    return _Part(window, window.bench.center(window.first, window.end), accessible)


def _reach(a: _Part, b: _Part) -> float:
    """Return how far apart the middles of two parts may be that still touch."""
    spacing = max(a.window.bench.spacing, b.window.bench.spacing)
    return spacing * ((a.size + b.size) / 2 + ROW_REACH)


def anywhere(search: SectionSearch, wish: Wish) -> list[Proposal]:
    """Seat it in any rows, blocks and sections: the best group around one of the places.

    A party with an accessible seat is not torn apart like that. The cost is the mean distance of
    the seats from the focal point, and the way from the first part to each other one.
    """
    if wish.quantity < 4 or wish.accessible:  # noqa: PLR2004 two parts of two
        return []
    places = [
        place
        for opened in search.all(2)
        for place in _places(opened.seats.benches, opened.free, wish)
    ]
    if not places:
        return []
    places.sort(key=lambda place: (place.distance, place.bench.ids[place.first]))
    largest = max(places, key=len)  # if a party fits together anywhere, then around the largest
    anchors = [*places[:ANCHORS_MAX], largest]
    groups = (_group(anchor, places, wish) for anchor in anchors)
    proposals = [proposal for proposal in groups if proposal is not None]
    return sorted(proposals, key=lambda proposal: proposal.cost)[:1]


class _FreeRun(Struct, frozen=True):
    """A run of free seats, two or more."""

    bench: Bench
    free: int
    first: int
    end: int
    center: Point
    distance: float

    def __len__(self) -> int:
        return self.end - self.first


def _places(benches: Sequence[Bench], free: Sequence[int], wish: Wish) -> Iterator[_FreeRun]:
    for bench, mask in zip(benches, free, strict=True):
        for first, end in runs(offered(bench, mask, wish)):
            if end - first > 1:
                center = bench.center(first, end)
                yield _FreeRun(bench, mask, first, end, center, bench.distance(first, end))


def _group(anchor: _FreeRun, places: Sequence[_FreeRun], wish: Wish) -> Proposal | None:
    """Choose the fewest of the runs near the anchor that fit the party, with the anchor's."""

    def away(place: _FreeRun) -> float:
        return math.dist(anchor.center, place.center)

    others = [place for place in places if place is not anchor]
    near = heapq.nsmallest(AROUND_MAX, others, key=away)
    for around in range(1, len(near) + 1):
        if (sizes := _fitted(anchor, near[:around], wish.quantity)) is not None:
            return _seated(anchor, sizes, wish)
    if len(others) > AROUND_MAX and (sizes := _fitted(anchor, others, wish.quantity)) is not None:
        return _seated(anchor, sizes, wish)
    return None


def _fitted(
    anchor: _FreeRun, near: Sequence[_FreeRun], quantity: int
) -> list[tuple[_FreeRun, int]] | None:
    """Fit parts of two or more in the anchor and as few others as can be, largest first."""
    chosen = [anchor]
    seats_free = len(anchor)
    for place in sorted(near, key=len, reverse=True):
        if seats_free >= quantity:
            break
        chosen.append(place)
        seats_free += len(place)
    sizes = shares([len(place) for place in chosen], quantity)
    return None if sizes is None else list(zip(chosen, sizes, strict=True))


def shares(seats_free_of: Sequence[int], quantity: int) -> list[int] | None:
    """Split into parts that fit the runs, each of two or more and as even as possible."""
    sizes = [2] * len(seats_free_of)
    for _ in range(quantity - sum(sizes)):
        open_parts = [i for i, seats_free in enumerate(seats_free_of) if sizes[i] < seats_free]
        if not open_parts:
            return None
        sizes[min(open_parts, key=lambda i: sizes[i])] += 1
    return sizes if sum(sizes) == quantity else None


def _seated(anchor: _FreeRun, sizes: Iterable[tuple[_FreeRun, int]], wish: Wish) -> Proposal:
    parts: list[_Part] = []
    for place, size in sizes:
        target = parts[0].center if parts else anchor.center
        parts.append(_nearest(place, size, target, wish))
    cost = sum(p.window.distance() * p.size for p in parts) / wish.quantity
    cost += sum(math.dist(parts[0].center, part.center) for part in parts[1:])
    return _proposal("sections", parts, cost)


def _nearest(place: _FreeRun, size: int, target: Point, wish: Wish) -> _Part:
    """Choose where in the run: without an orphan that counts if possible, near the target."""
    inside = [
        _part(window)
        for window in windows(place.bench, place.free, wish, Relaxation(orphans=True), size)
        if place.first <= window.first and window.end <= place.end
    ]
    return min(inside, key=lambda p: (p.window.orphans, math.dist(p.center, target)))


def _proposal(step: Step, parts: Sequence[_Part], cost: float) -> Proposal:
    seats = sum(part.size for part in parts)
    units = tuple((p.window.bench.section, seat) for p in parts for seat in p.window.ids())
    distance = sum(part.window.distance() * part.size for part in parts) / seats
    return Proposal(step, units, distance, cost)


def _disjoint(proposals: Iterable[Proposal], count: int) -> list[Proposal]:
    taken: set[tuple[str, str]] = set()
    chosen: list[Proposal] = []
    for proposal in proposals:
        if len(chosen) < count and taken.isdisjoint(proposal.units):
            taken.update(proposal.units)
            chosen.append(proposal)
    return chosen
