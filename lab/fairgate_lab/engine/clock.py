"""Give time and ids that a test, a simulation or a rehearsal decides."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

START_MS = 1_800_000_000_000  # 15 January 2027: any moment will do


@dataclass
class MemoryClock:
    """Stands still until somebody moves it."""

    ms: int = START_MS

    def now_ms(self) -> int:
        return self.ms

    def back_off(self, attempt: int) -> None:
        """Wait for nobody: a test makes what happens in between happen."""

    def tick(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)


class MemoryIds:
    """Gives the same ids in the same order each time.

    Args:
        number: gives the next of them; without it they count from 1.
    """

    def __init__(self, number: Callable[[], int] | None = None) -> None:
        self._number = number or itertools.count(1).__next__

    def hex32(self) -> str:
        return f"{self._number():032x}"
