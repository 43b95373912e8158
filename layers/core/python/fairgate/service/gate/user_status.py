"""How a user stands with the risk desk, as their item in the table says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fairgate.domain.gate.risk import ADVICE
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import LockedOutError

if TYPE_CHECKING:
    from collections.abc import Mapping

Level = Literal[0, 1, 2]


@dataclass(frozen=True, slots=True)
class Standing:
    """What the desk has decided about a user, as it counts now.

    Attributes:
        until: RFC 3339, the end of the level; "" at level 0.
        noticed: what was seen, for the person.
        rule: which rule it broke.
    """

    level: Level = 0
    until: str = ""
    noticed: str = ""
    rule: str = ""
    pardoned: bool = False

    @classmethod
    def of(cls, item: Mapping[str, Any] | None, now: str) -> Standing:
        item = item or {}
        pardoned = item.get("pardonedUntil", "") > now
        told = item.get("deskNoticed", ""), item.get("deskRule", "")
        if (until := item.get("lockedUntil", "")) > now:
            return cls(2, until, *told, pardoned)
        if (until := item.get("flaggedUntil", "")) > now:
            return cls(1, until, *told, pardoned)
        return cls(pardoned=pardoned)


def locked_out(standing: Standing, now_ms: int) -> LockedOutError:
    """Told plainly: what was noticed, how long it lasts, how to avoid it."""
    left_s = seconds_until(standing.until, now_ms)
    return LockedOutError(
        f"{standing.noticed} It has to rest for {-(-left_s // 60)} minutes; the place in the draw"
        f" is kept. {ADVICE}",
        retry_after_s=left_s,
        level=2,
        noticed=standing.noticed,
        advice=ADVICE,
        until=standing.until,
    )


def seconds_until(moment: str, now_ms: int) -> int:
    """Whole seconds, at least one, so that a Retry-After is never early."""
    return max(1, -(-(epoch_ms(moment) - now_ms) // 1000))
