"""Define sessions' states, and count live ones without a sweeper."""

from __future__ import annotations

from typing import Literal

SessionState = Literal["reservation", "checkout", "finalised", "cancelled", "expired"]
LIVE_STATES: tuple[SessionState, ...] = ("reservation", "checkout")

_MINUTE = len("2026-01-01T00:00")


def live_bucket(expires_at: str, session: str) -> str:
    """Return the counter of a live session: the minute in which it ends, one of 16 by its id.

    With one counter, a hundred admissions a second would conflict on one item.
    """
    return f"{live_from(expires_at)}#{session[-1]}"


def live_from(now: str) -> str:
    """Return the first bucket that is not past; live sessions = sum of the buckets from here on."""
    return now[:_MINUTE]
