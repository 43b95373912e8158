"""Decide when readers read again, and how long caches keep what they read.

This depends on changes of seats and on the sale start, and on nothing that a reader sends. So
nobody can make others read more often, except by taking seats.
"""

from __future__ import annotations

from msgspec import Struct

from fairgate.ports.availability import WINDOW_MS

# On sale: a third of the time since the last change, as heuristic freshness has it (RFC 9111
# section 4.2.2), within bounds. Before the sale and after the last seat: as rarely as allowed.
HOT_S, QUIET_S, RESTING_S = 1, 10, 30
EVENT_HOT_S = 3  # an event's counts: everybody reads them, only buyers read a section
QUIET_SHARE = 3
GONE_S = 5  # while the cache is gone, when every look costs a read of the table
STALE_S, STALE_RESTING_S = 15, 30  # how much longer it is shown while it is refreshed
CHANGES_SHARE = 3  # a stream is kept for a third of the pause between two looks
CHANGES_KEPT_MAX_S = 10
# How far back a stream goes during a sale: further than any read and any look before are old
# (``tests/unit/availability/test_reading_pace.py``). Before the sale starts, and for a while after,
# it is the whole log, which is short then.
ON_SALE_REACH_MS = 45_000
SETTLING_MS = 60_000


class SaleTimes(Struct, frozen=True):
    """The times of an event that readers' pace depends on."""

    sale_starts_at_ms: int
    over: bool  # sold out or closed

    def rests(self, now_ms: int) -> bool:
        """Say whether nobody can buy now."""
        return self.over or now_ms < self.sale_starts_at_ms


ON_SALE = SaleTimes(0, over=False)


class Keeping(Struct, frozen=True):
    """How long a shared cache keeps an answer, in whole seconds.

    Attributes:
        stale_s: how much longer it may show the answer while it refreshes it.
    """

    keep_s: int
    stale_s: int


def keeping_of_read(sale: SaleTimes, now_ms: int, quiet_ms: int) -> Keeping:
    """Return how long a read is kept. Before the sale it is not kept beyond the sale start."""
    if not sale.rests(now_ms):
        return Keeping(_on_sale_s(quiet_ms, HOT_S), STALE_S)
    keep_s = RESTING_S if sale.over else _within(_to_sale_start_s(sale, now_ms), HOT_S, RESTING_S)
    return Keeping(keep_s, STALE_RESTING_S if keep_s == RESTING_S else STALE_S)


def look_again_s(
    sale: SaleTimes, now_ms: int, quiet_ms: int | None, *, section: bool = True
) -> int:
    """Return when a reader of a section, or of an event's counts, is to look again.

    Args:
        quiet_ms: since the last change; None: unknown, the cache is gone.
    """
    if sale.rests(now_ms):
        if sale.over:
            return RESTING_S
        return _within(_to_sale_start_s(sale, now_ms), QUIET_S, RESTING_S)
    if quiet_ms is None:
        return GONE_S
    return _on_sale_s(quiet_ms, HOT_S if section else EVENT_HOT_S)


def keeping_of_changes(again_s: int) -> Keeping:
    """Return how long a stream of changes is kept: so short that a single reader gets a new one."""
    keep_s = _within(again_s // CHANGES_SHARE, HOT_S, CHANGES_KEPT_MAX_S)
    return Keeping(keep_s, keep_s)


def reach_ms(sale: SaleTimes, now_ms: int) -> int:
    """Return how far back a stream of changes goes."""
    settled = now_ms >= sale.sale_starts_at_ms + SETTLING_MS and not sale.over
    return ON_SALE_REACH_MS if settled else WINDOW_MS


def _on_sale_s(quiet_ms: int, hot_s: int) -> int:
    return _within(quiet_ms // (QUIET_SHARE * 1000), hot_s, QUIET_S)


def _to_sale_start_s(sale: SaleTimes, now_ms: int) -> int:
    return (sale.sale_starts_at_ms - now_ms) // 1000


def _within(value: int, least: int, most: int) -> int:
    return min(most, max(least, value))
