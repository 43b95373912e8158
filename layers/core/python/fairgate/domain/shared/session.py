"""Sessions: their states, and how live ones are counted without a sweeper."""

from __future__ import annotations

from typing import Literal

SessionState = Literal["reservation", "checkout", "finalised", "cancelled", "expired"]
LIVE_STATES: tuple[SessionState, ...] = ("reservation", "checkout")

_MINUTE = len("2026-01-01T00:00")


def live_bucket(expires_at: str, session: str) -> str:
    """Where a session counts as live: the minute in which it ends, one of 16 counters by its id.

    One counter for all would turn a hundred admissions a second into conflicts about one item.
    """
    return f"{live_from(expires_at)}#{session[-1]}"


def live_from(now: str) -> str:
    """The first bucket that is not past; live sessions = sum of the buckets from here on."""
    return now[:_MINUTE]
