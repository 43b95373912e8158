"""Read the risk desk's decisions about a user from the user's status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.gate.risk import ADVICE
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import LockedOutError

if TYPE_CHECKING:
    from fairgate.service.shared.records.sessions import UserStatus

Level = Literal[0, 1, 2]


class DeskStatus(Struct, frozen=True):
    """The desk's decision about a user that is in force now.

    Attributes:
        until: RFC 3339, the end of the level; "" at level 0.
        noticed: the reason, as the user is told.
        rule: the rule that was broken.
    """

    level: Level = 0
    until: str = ""
    noticed: str = ""
    rule: str = ""
    pardoned: bool = False

    @classmethod
    def of(cls, user: UserStatus | None, now: str) -> DeskStatus:
        if user is None:
            return cls()
        pardoned = user.pardoned_until > now
        reason = user.desk_noticed, user.desk_rule
        if user.locked_until > now:
            return cls(2, user.locked_until, *reason, pardoned)
        if user.flagged_until > now:
            return cls(1, user.flagged_until, *reason, pardoned)
        return cls(pardoned=pardoned)


def locked_out(status: DeskStatus, now_ms: int) -> LockedOutError:
    """Explain a lock-out: the reason, how long it lasts, how to avoid it."""
    left_s = seconds_until(status.until, now_ms)
    return LockedOutError(
        f"{status.noticed} It has to rest for {-(-left_s // 60)} minutes; the place in the draw"
        f" is kept. {ADVICE}",
        retry_after_s=left_s,
        level=2,
        noticed=status.noticed,
        advice=ADVICE,
        until=status.until,
    )


def seconds_until(moment: str, now_ms: int) -> int:
    """Return the time left in seconds, rounded up and at least one."""
    return max(1, -(-(epoch_ms(moment) - now_ms) // 1000))
