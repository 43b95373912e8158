"""Find adjacent seats on one bench, and the gaps that they leave.

A gap is a longest run of free seats. An orphan is a gap of one seat, which is hard to sell. In a
gap of one seat more than the party, every choice leaves an orphan. Such an orphan is unavoidable
and does not count, but a choice without it is preferred if it is about as near.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from fairgate.domain.seating.section_seats import Bench

GAP_COST = 0.05  # seat widths, for each free gap left next to it: among equals, fill gaps
UNAVOIDABLE_COST = 3.0  # seat widths, for an orphan that does not count


class Wish(Struct, frozen=True):
    """A party's wish.

    ``accessible`` is how many of its seats must be accessible; the others are companion or standard
    seats next to them. A party that asks for none gets standard seats only.
    """

    quantity: int
    tier: str | None = None
    accessible: int = 0


class Relaxation(Struct, frozen=True):
    """A step of the ladder, with what it tolerates."""

    orphans: bool = False
    spare_accessible: bool = False  # more accessible seats than were asked for


class Window(Struct, frozen=True):
    """A window: the seats of a bench from ``first`` to before ``end``."""

    bench: Bench
    first: int
    end: int
    orphans: int  # that count
    unavoidable: bool  # leaves one that does not count
    cost: float  # the mean distance from the focal point, plus a little for the gaps left

    def ids(self) -> tuple[str, ...]:
        return self.bench.ids[self.first : self.end]

    def mask(self) -> int:
        return ((1 << (self.end - self.first)) - 1) << self.first

    def distance(self) -> float:
        return self.bench.distance(self.first, self.end)


def gaps_of(bench: Bench, free: int, wish: Wish) -> int:
    """Return the free seats among which this party leaves gaps.

    Accessible seats are no part of another party's gap, because they are never offered to it.
    """
    return free if wish.accessible else free & bench.standard


def offered(bench: Bench, free: int, wish: Wish) -> int:
    """Return the free seats that may be offered to this party."""
    gaps = gaps_of(bench, free, wish)
    return gaps if wish.tier is None else gaps & bench.tiers.get(wish.tier, 0)


def windows(
    bench: Bench, free: int, wish: Wish, relaxation: Relaxation, size: int
) -> Iterator[Window]:
    """Yield every choice of ``size`` adjacent seats that the step tolerates.

    Windows for a part of a party (``size`` below its quantity) need no accessible seat, but then
    have no companion's either.
    """
    candidates = _starts(offered(bench, free, wish), size)
    if not candidates:
        return
    gaps = gaps_of(bench, free, wish)
    # A start whose seat before it is the first of its gap leaves that seat alone; so does one whose
    # seat after its end is the last of its gap.
    lonely_before = (gaps & ~(gaps << 1)) << 1
    lonely_after = (gaps & ~(gaps >> 1)) >> size
    exempt = _unavoidable(gaps, size)
    if not relaxation.orphans:
        candidates &= ~(lonely_before | lonely_after) | exempt
    while candidates:
        bit = candidates & -candidates
        candidates ^= bit
        first = bit.bit_length() - 1
        if wish.accessible and not _suits(bench, first, size, wish, relaxation):
            continue
        unavoidable = bool(exempt & bit)
        orphans = 0 if unavoidable else bool(lonely_before & bit) + bool(lonely_after & bit)
        left = bool(gaps << 1 & bit) + bool(gaps >> size & bit)
        extra = GAP_COST * left + (UNAVOIDABLE_COST if unavoidable else 0.0)
        cost = bench.distance(first, first + size) + extra * bench.spacing
        yield Window(bench, first, first + size, orphans, unavoidable, cost)


def best_window(bench: Bench, free: int, wish: Wish, relaxation: Relaxation) -> Window | None:
    """Return the party's window with the fewest orphans that count, nearest of those."""
    choices = windows(bench, free, wish, relaxation, wish.quantity)
    return min(choices, key=lambda w: (w.orphans, w.cost, w.first), default=None)


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """Return the longest runs of set bits as ``(first, end)``."""
    first = 0
    while mask:
        skipped = (mask & -mask).bit_length() - 1
        mask >>= skipped
        length = (~mask & (mask + 1)).bit_length() - 1
        first += skipped
        yield first, first + length
        mask >>= length
        first += length


def _starts(mask: int, size: int) -> int:
    """Return where ``size`` set bits in a row begin."""
    done = 1
    while done < size and mask:
        step = min(done, size - done)
        mask &= mask >> step
        done += step
    return mask


def _unavoidable(gaps: int, size: int) -> int:
    """Return the starts in gaps of exactly one seat more than ``size``."""
    starts = _starts(gaps, size)
    pairs = starts & (starts >> 1) & ~(starts << 1) & ~(starts >> 2)
    return pairs | pairs << 1


def _suits(bench: Bench, first: int, size: int, wish: Wish, relaxation: Relaxation) -> bool:
    seats = ((1 << size) - 1) << first
    accessible = (bench.accessible & seats).bit_count()
    if size < wish.quantity:
        return accessible > 0 or not bench.companion & seats
    if relaxation.spare_accessible:
        return accessible >= wish.accessible
    return accessible == wish.accessible
