"""Say whether a request came through CloudFront, by a secret value that CloudFront sends."""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Callable, Sequence

from fairgate.errors import DependencyUnavailableError
from fairgate.ports.world import Clock

VALUES_MAX = 2  # the one that CloudFront sends, and the one before or after it
VALUE_CHARS_MIN = 32  # a shorter value, above all an empty one, is no secret
KEPT_MS = 60_000
AGAIN_MS = 10_000  # between two reads of the store because of unknown values
_log = logging.getLogger(__name__)


class FrontDoor:
    """Knows the values that CloudFront may send: two, so that a new one can replace the old one.

    If they cannot be read again, or are gone from the store, the last known values stay in force.

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
        """Compare in constant time; read the store again for an unknown value.

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
            _log.warning(
                "the front door's values could not be read again; the last ones stay in force"
            )
        else:
            values = tuple(value for value in read if len(value) >= VALUE_CHARS_MIN)
            if self._values and not values:
                _log.error(
                    "the front door's store has no value: the last known values stay in force"
                )
            self._values = values or self._values
        self._read_at_ms = self._clock.now_ms()


def _is_one_of(given: str, values: Sequence[str]) -> bool:
    """Compare with each value, so that the time tells nothing."""
    return sum(hmac.compare_digest(given.encode(), value.encode()) for value in values) > 0
