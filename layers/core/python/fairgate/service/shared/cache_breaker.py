"""Stop asking a cache that has failed for a while, so that no request waits for its time-out.

The pause grows with each failure in a row, because each try may cost a caller one second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fairgate.ports.availability import CacheScriptError, CacheUnavailableError
from fairgate.ports.world import Clock

CACHE_RETRY_MS = 1_000  # after the first failure; doubled with each one that follows …
CACHE_RETRY_MS_MAX = 5_000  # … up to this: the longest time until a process sees the cache again

T = TypeVar("T")


class CacheBreaker:
    """Asks the cache unless it has just failed. Threads may share it."""

    __slots__ = ("_clock", "_defects", "_open_until_ms", "_pause_ms")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open_until_ms = 0
        self._pause_ms = CACHE_RETRY_MS
        self._defects = 0

    def defects(self) -> int:
        """Return how many calls since the last one failed by a defect of ours, and forget them."""
        defects, self._defects = self._defects, 0
        return defects

    def ask(self, question: Callable[[], T]) -> T:
        """Return the cache's answer.

        Raises:
            CacheUnavailableError: it failed now, or a moment ago and was not asked.
            CacheScriptError: it cannot answer this; others may ask it at once.
        """
        if self._clock.now_ms() < self._open_until_ms:
            raise CacheUnavailableError("the cache failed a moment ago")
        try:
            answer = question()
        except CacheScriptError:
            self._defects += 1
            raise
        except CacheUnavailableError:
            self._open_until_ms = self._clock.now_ms() + self._pause_ms
            self._pause_ms = min(2 * self._pause_ms, CACHE_RETRY_MS_MAX)
            raise
        self._pause_ms = CACHE_RETRY_MS
        return answer
