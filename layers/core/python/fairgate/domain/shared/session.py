"""Define sessions' states, and count live ones without a sweeper."""

from __future__ import annotations

from typing import Literal

SessionState = Literal["reservation", "checkout", "finalised", "cancelled", "expired"]
LIVE_STATES: tuple[SessionState, ...] = ("reservation", "checkout")

_MINUTE = len("2026-01-01T00:00")
# Live counters of a minute and event, a power of 16. Events of earlier versions keep the first
# number; a new one has the second, so that few transactions meet at one (docs/adr/0048).
LIVE_COUNTERS_FIRST, LIVE_COUNTERS = 16, 256


def live_bucket(expires_at: str, session: str, counters: int = LIVE_COUNTERS_FIRST) -> str:
    """Return the counter of a live session: the minute in which it ends, and its id's end.

    Args:
        counters: of a minute, as the event says: 16 take one hexadecimal digit, 256 take two.
    """
    digits = len(f"{counters - 1:x}")
    return f"{live_from(expires_at)}#{session[-digits:]}"


def live_from(now: str) -> str:
    """Return the first bucket that is not past; live sessions = sum of the buckets from here on."""
    return now[:_MINUTE]
