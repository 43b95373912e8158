"""Break the circuit to the cache: after a failure, no request waits for a time-out for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fairgate.ports.availability import CacheUnavailableError
from fairgate.ports.world import Clock

CACHE_RETRY_MS = 1_000  # one caller a second and process pays the time-out of a cache that is gone

T = TypeVar("T")


class CacheBreaker:
    """Asks the cache unless it failed a moment ago. Safe for threads, which share what it knows."""

    __slots__ = ("_clock", "_open_until_ms")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open_until_ms = 0

    def ask(self, question: Callable[[], T]) -> T:
        """Return the cache's answer.

        Raises:
            CacheUnavailableError: it failed now, or less than CACHE_RETRY_MS ago and was not asked.
        """
        if self._clock.now_ms() < self._open_until_ms:
            raise CacheUnavailableError("the cache failed a moment ago")
        try:
            return question()
        except CacheUnavailableError:
            self._open_until_ms = self._clock.now_ms() + CACHE_RETRY_MS
            raise
