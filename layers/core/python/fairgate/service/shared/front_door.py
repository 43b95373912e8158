"""Tell whether a request came through the distribution, by a value that only the two know."""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Callable, Sequence

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.world import Clock

VALUES_MAX = 2  # the one that CloudFront sends, and the one before or after it
VALUE_CHARS_MIN = 32  # nothing shorter is a secret; above all, nothing is none
KEPT_MS = 60_000
AGAIN_MS = 10_000  # so often at most is the store asked because somebody sent another value
_log = logging.getLogger(__name__)


class FrontDoor:
    """Knows the values that CloudFront may send; two, so that one can follow the other.

    When they cannot be read again, or are no longer there, the last ones known serve on.

    Args:
        read: asks the store for the values, the newest first.
    """

    def __init__(self, read: Callable[[], Sequence[str]], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._lock = threading.Lock()
        self._values: tuple[str, ...] = ()
        self._read_at_ms = 0

    def admits(self, given: str) -> bool:
        """Compare in constant time; an unknown value is looked for in the store once more.

        Raises DependencyUnavailableError: the values were never read.
        """
        with self._lock:
            if not self._values or self._age_ms() > KEPT_MS:
                self._read_again()
            if _is_one_of(given, self._values):
                return True
            if self._age_ms() < AGAIN_MS:
                return False
            self._read_again()
            return _is_one_of(given, self._values)

    def _age_ms(self) -> int:
        return self._clock.now_ms() - self._read_at_ms

    def _read_again(self) -> None:
        try:
            read = tuple(self._read())[:VALUES_MAX]
        except DependencyUnavailableError:
            if not self._values:
                raise
            _log.warning("the front door's values were not read again, the last ones serve on")
        else:
            values = tuple(value for value in read if len(value) >= VALUE_CHARS_MIN)
            if self._values and not values:
                _log.error("the front door's store has no value, the last ones known serve on")
            self._values = values or self._values
        self._read_at_ms = self._clock.now_ms()


def _is_one_of(given: str, values: Sequence[str]) -> bool:
    """Compare with each, so that the time says neither whether nor which."""
    return sum(hmac.compare_digest(given.encode(), value.encode()) for value in values) > 0
