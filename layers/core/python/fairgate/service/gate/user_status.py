"""Read the risk desk's decisions about a user from the user's status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from fairgate.domain.gate.risk import ADVICE, BY_HAND
from fairgate.domain.gate.waiting_token import encode_waiting_token, postponed
from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import LockedOutError

if TYPE_CHECKING:
    from fairgate.domain.gate.gate_config import GateConfig
    from fairgate.domain.gate.waiting_claims import WaitingToken
    from fairgate.service.shared.records.sessions import UserStatus

Level = Literal[0, 1, 2]
_APPEALED_RETRY_S = 20  # a person may lift it at any moment


class DeskStatus(Struct, frozen=True):
    """The desk's decision about a user that is in force now.

    Attributes:
        until: RFC 3339, the end of the level; "" at level 0.
        noticed: the reason, as the user is told.
        rule: the rule that was broken; ``BY_HAND`` if a person decided.
        appealed: the user has asked that a person looks at this lock-out.
    """

    level: Level = 0
    until: str = ""
    noticed: str = ""
    rule: str = ""
    pardoned: bool = False
    appealed: bool = False

    @classmethod
    def of(cls, user: UserStatus | None, now: str) -> DeskStatus:
        if user is None:
            return cls()
        pardoned = user.pardoned_until > now
        reason = user.desk_noticed, user.desk_rule
        if user.locked_until > now:
            appealed = user.appealed_until == user.locked_until
            return cls(2, user.locked_until, *reason, pardoned, appealed)
        if user.flagged_until > now:
            return cls(1, user.flagged_until, *reason, pardoned)
        return cls(pardoned=pardoned)

    @property
    def by_hand(self) -> bool:
        return self.rule == BY_HAND

    def as_told(self) -> dict[str, Any]:
        """Return what a locked-out user is told: why, until when, who decided, and their appeal."""
        return {
            "level": self.level,
            "noticed": self.noticed,
            "until": self.until,
            "by": "person" if self.by_hand else "rules",
            "appealed": self.appealed,
        }


def locked_out(
    status: DeskStatus, gate: GateConfig, waiting: WaitingToken | None, now_ms: int
) -> LockedOutError:
    """Explain a lock-out: the reason, how long it lasts, how to avoid it, with the same place.

    ``Retry-After`` is before its end where the place would end sooner, or a person may lift it.

    Args:
        waiting: the waiting token of the request, if it verifies. It is signed again with the same
            id, ticket and waiting time, so that the place outlives the lock-out.
    """
    left_s = seconds_until(status.until, now_ms)
    if status.by_hand:
        text = (
            f"A person at the organiser keeps this account out until {status.until}:"
            f" {status.noticed.rstrip('.')}. The place in the draw is kept."
        )
    else:
        text = (
            f"{status.noticed} It has to rest for {-(-left_s // 60)} minutes; the place in the draw"
            f" is kept. {ADVICE}"
        )
    again_s = _APPEALED_RETRY_S if status.appealed else gate.token_ttl_s // 2
    fields: dict[str, Any] = {"advice": ADVICE, **status.as_told()}
    if waiting is not None:
        kept = postponed(waiting, gate, max(waiting.boff, now_ms // 1000))
        fields["token"] = encode_waiting_token(kept, gate)
    return LockedOutError(text, retry_after_s=max(1, min(left_s, again_s)), **fields)


def seconds_until(moment: str, now_ms: int) -> int:
    """Return the time left in seconds, rounded up and at least one."""
    return max(1, -(-(epoch_ms(moment) - now_ms) // 1000))
