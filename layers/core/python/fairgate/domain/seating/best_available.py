"""Choose the best seats to offer a party, from the layout and the statuses, as pure maths.

A ladder: each step is tried only when the one before found nothing, anywhere in question.

1. adjacent seats in one row, no orphan that counts, nearest the focal point
2. the same, with orphans: as few as can be
3. rows behind each other in one block, as few as can be, nobody alone
4. anywhere, in as few groups as can be near each other, nobody alone
5. a table or box that the party fills, as one unit

After them comes general admission, which needs no geometry, and then a refusal that says what
would be possible. docs/best-available.md explains; the hold's transaction decides.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

from msgspec import Struct

from fairgate.domain.seating.adjacent_seats import (
    Relaxation,
    Window,
    Wish,
    best_window,
    gaps_of,
    offered,
    runs,
)
from fairgate.domain.seating.section_search import Opened, Proposal, SectionSearch
from fairgate.domain.seating.section_seats import Bench
from fairgate.domain.seating.split_parties import anywhere, neighbouring_rows
from fairgate.errors import MalformedInputError

QUANTITY_MAX = 40


def propose(search: SectionSearch, wish: Wish, count: int = 1) -> list[Proposal]:
    """Propose up to ``count`` of the first step that has any, the best first.

    No two share a seat. Each is the best once the proposals before it are taken, so a crowd that
    uses the same list gets the same seats as one buyer after another.

    Raises:
        MalformedInputError: the quantity is out of range, or more seats than that are accessible.
    """
    if not 1 <= wish.quantity <= QUANTITY_MAX:
        raise MalformedInputError(f"Ask for 1 to {QUANTITY_MAX} seats.")
    if not 0 <= wish.accessible <= wish.quantity:
        raise MalformedInputError("Ask for as many accessible seats as seats at most.")
    for relaxation in _relaxations(wish):
        if proposals := list(itertools.islice(_adjacent(search, wish, relaxation), count)):
            return proposals
    return (
        neighbouring_rows(search, wish, count)
        or anywhere(search, wish)
        or _wholes(search, wish, count)
    )


def most_together(search: SectionSearch, wish: Wish) -> int:
    """Return the largest party below ``wish.quantity`` that would find seats together."""
    if wish.accessible:
        smaller = range(wish.quantity - 1, wish.accessible - 1, -1)
        parties = (Wish(size, wish.tier, wish.accessible) for size in smaller)
        fits = (p for p in parties if next(_adjacent(search, p, Relaxation(True, True)), None))
        return next((party.quantity for party in fits), 0)
    longest = 0
    for opened in search.all(1):
        for bench, free in zip(opened.seats.benches, opened.free, strict=True):
            for first, end in runs(offered(bench, free, wish)):
                longest = max(longest, end - first)
    return min(longest, wish.quantity - 1)


def whole_capacities(search: SectionSearch, wish: Wish) -> list[int]:
    """List capacities of free tables and boxes that would seat the party, smallest first."""
    capacities = {
        whole.capacity
        for opened in search.all(1)
        for whole in opened.seats.wholes
        if whole.capacity >= wish.quantity and _is_free(search, opened, whole.index, whole.id)
        if wish.tier in (None, whole.tier) and (wish.accessible > 0) == (whole.kind != "standard")
    }
    return sorted(capacities)


def _relaxations(wish: Wish) -> list[Relaxation]:
    """Return the ladder; accessible seats that nobody asked for are spared before anything else.

    Steps 1 and 2 are one search: no choice with orphans is taken before every bench is known to
    have none without.
    """
    relaxations = [Relaxation(orphans=True)]
    return (
        [*relaxations, Relaxation(orphans=True, spare_accessible=True)]
        if wish.accessible
        else relaxations
    )


class _OnBench(Struct, frozen=True):
    """A bench to look at, and once it has been, the best window on it."""

    opened: Opened
    number: int
    window: Window | None = None

    @property
    def bench(self) -> Bench:
        return self.opened.seats.benches[self.number]


def _adjacent(search: SectionSearch, wish: Wish, relaxation: Relaxation) -> Iterator[Proposal]:
    """Search best first: look at a section or bench once nothing nearer is left to look at."""
    order = itertools.count()
    heap: list[tuple[int, float, int, str | _OnBench]] = [
        (0, nearest, next(order), section) for section, nearest in search.nearest.items()
    ]
    left: dict[tuple[str, int], int] = {}  # what is free on a bench after the proposals so far
    while heap:
        _, _, _, place = heapq.heappop(heap)
        if isinstance(place, str):
            for on_bench in _benches(search, place, wish):
                heapq.heappush(heap, (0, on_bench.bench.nearest, next(order), on_bench))
            continue
        key = (place.bench.section, place.number)
        free = left.get(key, place.opened.free[place.number])
        if place.window is not None:
            yield _proposal(place, place.window, free, wish)
            free = left[key] = free & ~place.window.mask()
        if (window := best_window(place.bench, free, wish, relaxation)) is not None:
            looked = _OnBench(place.opened, place.number, window)
            heapq.heappush(heap, (window.orphans, window.cost, next(order), looked))


def _benches(search: SectionSearch, section: str, wish: Wish) -> Iterator[_OnBench]:
    if (opened := search.open(section, wish.quantity)) is not None:
        for number, free in enumerate(opened.free):
            if free.bit_count() >= wish.quantity:
                yield _OnBench(opened, number)


def _proposal(place: _OnBench, window: Window, free: int, wish: Wish) -> Proposal:
    """Make a proposal. ``free``: what is left of the bench once those before it are taken."""
    bench, on_map = window.bench, place.opened.free[place.number]
    leaves = window.orphans or window.unavoidable
    return Proposal(
        "row-orphans" if window.orphans else "row",
        tuple((bench.section, seat) for seat in window.ids()),
        window.distance(),
        window.cost,
        _ends(bench, on_map, free, window, wish)
        if leaves
        else _beside(bench, on_map, window, wish),
    )


def _beside(
    bench: Bench, free: int, window: Window, wish: Wish
) -> tuple[tuple[str, str, str], ...]:
    """Return neighbours on whose being free, or taken with theirs, the absence of orphans rests."""
    gaps = gaps_of(bench, free, wish)
    pairs = []
    for near, far in ((window.first - 1, window.first - 2), (window.end, window.end + 1)):
        if near >= 0 and gaps >> near & 1:
            beyond = bench.ids[far] if far >= 0 and gaps >> far & 1 else ""
            pairs.append((bench.section, bench.ids[near], beyond))
    return tuple(pairs)


def _ends(
    bench: Bench, on_map: int, free: int, window: Window, wish: Wish
) -> tuple[tuple[str, str, str], ...]:
    """Return the seats that end the gap only because a proposal before this one has them.

    An orphan was weighed in a gap of that length. In a longer one, another choice might spare it.
    """
    gaps = gaps_of(bench, free, wish)
    before, after = window.first - 1, window.end
    while before >= 0 and gaps >> before & 1:
        before -= 1
    while gaps >> after & 1:
        after += 1
    freed = gaps_of(bench, on_map, wish)
    return tuple(
        (bench.section, bench.ids[end], "")
        for end in (before, after)
        if end >= 0 and freed >> end & 1
    )


def _wholes(search: SectionSearch, wish: Wish, count: int) -> list[Proposal]:
    """Offer tables and boxes that the party fills: nobody is sold places not asked for."""
    proposals = [
        Proposal("whole", ((whole.section, whole.id),), whole.distance, whole.distance)
        for opened in search.all(1)
        for whole in opened.seats.wholes
        if whole.capacity == wish.quantity and _is_free(search, opened, whole.index, whole.id)
        if wish.tier in (None, whole.tier) and (wish.accessible > 0) == (whole.kind != "standard")
    ]
    return sorted(proposals, key=lambda proposal: proposal.cost)[:count]


def _is_free(search: SectionSearch, opened: Opened, index: int, unit: str) -> bool:
    return opened.statuses[index : index + 1] == "0" and not search.is_taken(unit)
