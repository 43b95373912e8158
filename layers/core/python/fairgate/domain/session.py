"""Sessions: their states, and how live ones are counted without a sweeper."""

from __future__ import annotations

from typing import Literal

SessionState = Literal["reservation", "checkout", "finalised", "cancelled", "expired"]
LIVE_STATES: tuple[SessionState, ...] = ("reservation", "checkout")

_MINUTE = len("2026-01-01T00:00")


def live_bucket(expires_at: str) -> str:
    """The minute in which a session ends; live sessions = sum of the buckets not yet past."""
    return expires_at[:_MINUTE]


def live_sessions(buckets: dict[str, int], now: str) -> int:
    """Sessions counted in buckets that are not past; the current minute still counts."""
    return sum(count for bucket, count in buckets.items() if bucket >= live_bucket(now))
