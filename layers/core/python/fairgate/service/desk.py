"""The risk desk, thin: every violation and every sample is counted, with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.admission import operational_time
from fairgate.domain.times import rfc3339
from fairgate.errors import (
    FairgateError,
    ForbiddenError,
    TooEarlyError,
    UnauthenticatedError,
)
from fairgate.ports import Update

if TYPE_CHECKING:
    from fairgate.domain.gate_config import GateConfig
    from fairgate.ports import Clock, Table

_DAY_S = 86_400
_HOUR_CHARS = len("2026-01-01T00")
_MINUTE_CHARS = len("2026-01-01T00:00")
_RETRY_S = 5

_UNAUTHENTICATED = {
    "no-auth": "Please sign in first.",
    "bad-auth": "Your sign-in has expired. Please sign in again.",
    "expired-token": "Your waiting token has expired. Please join again; your draw is the same.",
}
_FORBIDDEN = {
    "bad-token": "This waiting token does not verify.",
    "other-user": "This waiting token belongs to somebody else.",
    "other-event": "This waiting token belongs to another event.",
}
_TOO_EARLY = {
    "early": "You asked before your time. Asking earlier never helps.",
    "no-solution": "The solution of the challenge is missing.",
    "bad-solution": "The solution of the challenge is wrong.",
}


@dataclass(frozen=True)
class RiskDesk:
    """Cost: one UpdateItem a case."""

    table: Table
    clock: Clock

    def record(self, event: str, user: str, verdict: str) -> None:
        """Count one case of ``verdict`` for this user and hour; kept for two days."""
        now_ms = self.clock.now_ms()
        self.table.update(
            Update(
                "reservations",
                f"D#{event}#{user or '-'}",
                f"{verdict}#{rfc3339(now_ms)[:_HOUR_CHARS]}",
                set={"ttl": now_ms // 1000 + 2 * _DAY_S},
                add={"count": 1},
            )
        )

    def record_issue(self, event: str, gate: GateConfig) -> None:
        """Count one sampled token for the controller's estimate of the crowd."""
        now_ms = self.clock.now_ms()
        self.table.update(
            Update(
                "reservations",
                f"Q#{event}",
                rfc3339(now_ms)[:_MINUTE_CHARS],
                set={
                    "h": operational_time(gate.epochs, now_ms / 1000),
                    "ttl": now_ms // 1000 + 2 * _DAY_S,
                },
                add={"count": 1},
            )
        )


def refusal(verdict: str) -> FairgateError:
    """What the caller is told about a violation."""
    if verdict in _UNAUTHENTICATED:
        return UnauthenticatedError(_UNAUTHENTICATED[verdict])
    if verdict in _FORBIDDEN:
        return ForbiddenError(_FORBIDDEN[verdict])
    return TooEarlyError(
        _TOO_EARLY.get(verdict, "Please try again."), retry_after_s=_RETRY_S, verdict=verdict
    )
