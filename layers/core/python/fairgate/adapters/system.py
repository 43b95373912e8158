"""Give the real time and real identifiers."""

from __future__ import annotations

import random
import secrets
import time

BACK_OFF_S = 0.025  # the longest first pause; a write takes 5 to 10 ms


def back_off_s(attempt: int) -> float:
    """Return a random pause, so that writers who conflicted do not write at the same time again."""
    return random.uniform(0, BACK_OFF_S * 2**attempt)  # noqa: S311


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def back_off(self, attempt: int) -> None:
        time.sleep(back_off_s(attempt))


class SystemIds:
    def hex32(self) -> str:
        """Make a UUIDv7 without dashes. Source: RFC 9562 section 5.7."""
        random = secrets.randbits(74)
        value = (time.time_ns() // 1_000_000) << 80
        value |= 0x7 << 76 | (random >> 62) << 64 | 0b10 << 62 | random & (1 << 62) - 1
        return f"{value:032x}"
