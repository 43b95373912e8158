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
KEPT_MS = 60_000  # a known value is admitted without a read
AGAIN_MS = 10_000  # after a read no unknown value, after a failed one no known value asks
_log = logging.getLogger(__name__)


class FrontDoor:
    """Knows the values that CloudFront may send: two, so that a new one can replace the old one.

    If they cannot be read again, or are gone from the store, the last known values stay in force.
    A value is refused only by values that were read: API Gateway keeps a no for an hour.

    Args:
        read: asks the store for the values, the newest first.
    """

    def __init__(self, read: Callable[[], Sequence[str]], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._lock = threading.Lock()
        self._values: tuple[str, ...] = ()
        self._read_at_ms = 0
        self._known_until_ms = 0

    def admits(self, given: str) -> bool:
        """Compare in constant time; read the store again for an unknown value.

        Raises DependencyUnavailableError: the value is unknown, and the store cannot be read.
        """
        if len(given) < VALUE_CHARS_MIN:
            return False
        with self._lock:
            known = _is_one_of(given, self._values)
            if known and self._clock.now_ms() <= self._known_until_ms:
                return True
            if not known and self._clock.now_ms() - self._read_at_ms < AGAIN_MS:
                return False
            try:
                self._read_again()
            except DependencyUnavailableError:
                if not known:
                    raise
                self._known_until_ms = self._clock.now_ms() + AGAIN_MS
                _log.warning(
                    "the front door's values could not be read again; the last ones stay in force"
                )
            return _is_one_of(given, self._values)

    def _read_again(self) -> None:
        read = tuple(self._read())[:VALUES_MAX]
        values = tuple(value for value in read if len(value) >= VALUE_CHARS_MIN)
        if not values:
            _log.error("the front door's store has no value")
            raise DependencyUnavailableError("The front door's values are missing.")
        self._values, self._read_at_ms = values, self._clock.now_ms()
        self._known_until_ms = self._read_at_ms + KEPT_MS


def _is_one_of(given: str, values: Sequence[str]) -> bool:
    """Compare with each value, so that the time tells nothing."""
    return sum(hmac.compare_digest(given.encode(), value.encode()) for value in values) > 0
