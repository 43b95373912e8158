"""Write times as RFC 3339 UTC strings of fixed width with milliseconds, so that strings compare."""

from __future__ import annotations

from datetime import UTC, datetime

# What ``rfc3339`` writes with four digits of a year, and a whole second from there as well.
_FIRST_MS, _LAST_MS = -30_610_224_000_000, 253_402_300_799_000


def rfc3339(epoch_ms: int) -> str:
    """Format: ``1700000000123`` → ``2023-11-14T22:13:20.123Z``."""
    moment = datetime.fromtimestamp(epoch_ms // 1000, tz=UTC)
    return f"{moment.isoformat()[:19]}.{epoch_ms % 1000:03d}Z"


def epoch_ms(text: str) -> int:
    """Parse: the inverse of :func:`rfc3339`; takes any offset. Raises ValueError on other text."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} names no time zone")
    ms = round(moment.timestamp() * 1000)
    if not _FIRST_MS <= ms <= _LAST_MS:
        raise ValueError(f"{text!r} is in no year from 1000 to 9999")
    return ms
