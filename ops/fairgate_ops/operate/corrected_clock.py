"""A clock of this machine that is ahead of AWS's, put right."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.world import Clock

CLOCK_NEAR_S = 5  # by which a clock may be off: what is dated 60 s ahead is far enough away


@dataclass(frozen=True)
class CorrectedClock:
    """A clock that is ahead, put right: what is dated by it must not lie in the past."""

    clock: Clock
    ahead_ms: int

    def now_ms(self) -> int:
        return self.clock.now_ms() - self.ahead_ms

    def back_off(self, attempt: int) -> None:
        self.clock.back_off(attempt)


def ahead_ms_of(answer: Mapping[str, Any], now_ms: int) -> int:
    """Return by how much a clock is ahead of the answer's ``Date``; 0 where that is near."""
    date = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("date", "")
    try:
        ahead_ms = now_ms - round(parsedate_to_datetime(date).timestamp() * 1000)
    except ValueError:
        return 0
    return ahead_ms if abs(ahead_ms) > CLOCK_NEAR_S * 1000 else 0
