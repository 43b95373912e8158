"""Wait for what comes true: each deadline grows with the load of the machine at that moment."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

SLOWER_MAX = 10.0
POLLED_S = 0.02
_LOAD = Path("/proc/loadavg")


def slowdown() -> float:
    """Return how many processes share a core now, from 1 to SLOWER_MAX.

    The load of the last minute or the processes that run at this moment, whichever are more: the
    average says nothing of what has just begun.
    """
    running = int(_LOAD.read_text().split()[3].split("/")[0]) - 1 if _LOAD.exists() else 0
    shared = max(os.getloadavg()[0], running) / (os.cpu_count() or 1)
    return min(max(1.0, shared), SLOWER_MAX)


def patience_s(quiet_s: float) -> float:
    """Return how long to wait now for what takes at most ``quiet_s`` on a quiet machine."""
    return quiet_s * slowdown()


def eventually(
    condition: Callable[[], bool], within_s: float = 10.0, every_s: float = POLLED_S
) -> bool:
    """Poll until the condition holds; False when ``within_s`` of a quiet machine has passed."""
    began_s, pause = time.monotonic(), threading.Event()
    while not condition():
        if time.monotonic() - began_s > patience_s(within_s):
            return False
        pause.wait(every_s)
    return True


def wait_until(
    condition: Callable[[], bool], what: str, within_s: float = 30.0, every_s: float = POLLED_S
) -> None:
    """Poll until the condition holds, or fail the test and name ``what`` never came."""
    began_s = time.monotonic()
    if not eventually(condition, within_s, every_s):
        took_s, load = time.monotonic() - began_s, slowdown()
        raise AssertionError(f"{what}: not within {took_s:.1f} s, {load:.1f} processes a core")
