"""Define sessions' states, and count live ones without a sweeper."""

from __future__ import annotations

from typing import Literal

SessionState = Literal["reservation", "checkout", "finalised", "cancelled", "expired"]
LIVE_STATES: tuple[SessionState, ...] = ("reservation", "checkout")

_MINUTE = len("2026-01-01T00:00")


def live_bucket(expires_at: str, session: str) -> str:
    """Return where a session counts as live: the minute it ends in, one of 16 counters by its id.

    One counter for all would turn a hundred admissions a second into conflicts about one item.
    """
    return f"{live_from(expires_at)}#{session[-1]}"


def live_from(now: str) -> str:
    """Return the first bucket that is not past; live sessions = sum of the buckets from here on."""
    return now[:_MINUTE]
