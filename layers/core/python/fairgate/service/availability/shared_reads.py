"""Limit reads of the table: by a budget, by shared calls, by answers shared for a moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from fairgate.deadline import left_s
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.world import Clock
from fairgate.service.availability.leased_reads import ReadLeases

READS_PER_S = 50
BURST_S = 5  # of the rate: a whole venue once, as 100,000 seats are some 200 sections
READS_AT_ONCE = 4
SLOT_WAIT_S = 1.0
FLIGHT_S = 5.0
SHARED_MS = 2_000
KEPT_MAX = 1_024

T = TypeVar("T")


class TableBudget:
    """Limits reads of the table by number a second and by number at once.

    ``refused`` counts the reads that it did not allow.

    Args:
        leases: limits the reads a second of all environments together.
        per_s, burst: of this process, without leases or while they are unknown.
        at_once: of this process.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        per_s: int = READS_PER_S,
        burst: int | None = None,
        at_once: int = READS_AT_ONCE,
        leases: ReadLeases | None = None,
    ) -> None:
        self._leases = leases
        self._clock = clock
        self._per_s, self._burst = per_s, burst or BURST_S * per_s
        self._slots = threading.BoundedSemaphore(at_once)
        self._lock = threading.Lock()
        self._left, self._left_at_ms = float(self._burst), clock.now_ms()
        self.refused = 0

    @contextmanager
    def spend(self, *, counted: bool = False) -> Iterator[None]:
        """Spend one read. Raises DependencyUnavailableError instead of waiting for long.

        Args:
            counted: against the leases. A refill of the cache need not be: one environment does it
                for all.
        """
        if not self._take(counted=counted) or not self._slots.acquire(
            timeout=min(SLOT_WAIT_S, left_s())
        ):
            self.refused += 1
            raise _busy()
        try:
            yield
        finally:
            self._slots.release()

    def _take(self, *, counted: bool) -> bool:
        with self._lock:
            granted = self._leases.take() if counted and self._leases else None
            if granted is not None:
                return granted
            now_ms = self._clock.now_ms()
            gained = max(0, now_ms - self._left_at_ms) * self._per_s / 1000
            self._left, self._left_at_ms = min(self._burst, self._left + gained), now_ms
            if self._left < 1:
                return False
            self._left -= 1
            return True


class Flights(Generic[T]):
    """Gives threads that ask for the same thing at once one answer or one failure."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[Hashable, Future[T]] = {}

    def join(self, key: Hashable, work: Callable[[], T]) -> T:
        """Share the first caller's result or exception with all callers."""
        with self._lock:
            under_way = self._under_way.get(key)
            if under_way is None:
                mine: Future[T] = Future()
                self._under_way[key] = mine
        if under_way is not None:
            try:
                return under_way.result(min(FLIGHT_S, left_s()))
            except TimeoutError as error:
                raise _busy() from error
        try:
            result = work()
        except BaseException as error:  # for all who wait, and for this caller
            mine.set_exception(error)
            raise
        else:
            mine.set_result(result)
            return result
        finally:
            with self._lock:
                del self._under_way[key]


class Dated(Protocol):
    @property
    def as_of_ms(self) -> int: ...


D = TypeVar("D", bound=Dated)


class Recent(Generic[D]):
    """Shares each answer of a table for a moment. Only existing places are keys, so few."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._answers: dict[Hashable, D] = {}

    def get(self, key: Hashable, read: Callable[[], D]) -> D:
        """Return an answer at most SHARED_MS old."""
        answer = self._answers.get(key)
        if answer is None or self._clock.now_ms() - answer.as_of_ms >= SHARED_MS:
            answer = read()
            if len(self._answers) >= KEPT_MAX:
                self._answers.clear()
            self._answers[key] = answer
        return answer


def _busy() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "The seat map is very busy. Please try again.", retry_after_s=1
    )
