"""Ask the payment provider at a steady pace, more slowly while it refuses, and say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.errors import FairgateError

PAUSE_MAX_S = 60.0
_SLOWEST_S = 10.0  # between two calls
_FASTER = 0.9  # after each call that is taken, until it is as fast as was asked for
_TRIES_MAX = 6  # in a row: pauses of 1 to 32 seconds between them, a minute together


@dataclass
class Pace:
    """When the provider may be asked next.

    Args:
        rate: calls a second, at most.
        now_s: a clock that only goes forward. sleep: waits so many seconds.
        say: prints each new reason once.
    """

    rate: float
    now_s: Callable[[], float]
    sleep: Callable[[float], None]
    say: Callable[[str], None]
    failures: int = 0  # in a row
    _next_s: float = 0.0
    _gap_s: float = 0.0
    _said: str = ""
    _leave_out: int = 0

    def may_ask(self) -> bool:
        """Wait until the next call may be made; False where it is left for a later pass.

        Who refused often in a row is asked now and then: after 1, 2, 4, … calls that are left out.
        So an outage costs few calls, and some that fail for themselves stand in no other's way.
        """
        if self._leave_out > 0:
            self._leave_out -= 1
            return False
        self._wait()
        return True

    def taken(self) -> None:
        """Go on, and a little faster where it had become slower."""
        if self.failures:
            self.say("The payment provider takes refunds again.")
        self.failures, self._leave_out, self._said = 0, 0, ""
        self._gap_s = max(1 / self.rate, self._gap_s * _FASTER)

    def refused(self, why: FairgateError) -> None:
        """Become slower, and pause: the longer the more often it has refused in a row."""
        self.failures += 1
        self._gap_s = min(_SLOWEST_S, self._gap_s * 2)
        pause_s = min(PAUSE_MAX_S, max(2.0 ** (self.failures - 1), float(why.retry_after_s or 0)))
        if self.failures >= _TRIES_MAX:
            self._leave_out = int(2 ** (self.failures - _TRIES_MAX))
        if why.detail != self._said:
            self.say(f"{why.detail} Pausing for {pause_s:.0f} s, then more slowly.")
            self._said = why.detail
        self._next_s = self.now_s() + pause_s

    def begin_again(self) -> None:
        """Let a new pass try, whatever the one before met."""
        self.failures = self._leave_out = 0

    def _wait(self) -> None:
        self._gap_s = max(self._gap_s, 1 / self.rate)
        if (wait_s := self._next_s - self.now_s()) > 0:
            self.sleep(wait_s)
        self._next_s = max(self._next_s, self.now_s()) + self._gap_s
