"""Give the real time and real identifiers."""

from __future__ import annotations

import secrets
import time


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000


class SystemIds:
    def hex32(self) -> str:
        """Make a UUIDv7 without dashes. Source: RFC 9562 section 5.7."""
        random = secrets.randbits(74)
        value = (time.time_ns() // 1_000_000) << 80
        value |= 0x7 << 76 | (random >> 62) << 64 | 0b10 << 62 | random & (1 << 62) - 1
        return f"{value:032x}"
