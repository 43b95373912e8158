"""Who uses the processor, read from Linux's ``/proc``; nothing elsewhere."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

PROC = Path("/proc")
IDLE = (3, 4)  # of /proc/stat's first line: idle, iowait. Source: proc(5)
GROUP, USER, SYSTEM = 2, 11, 12  # of /proc/PID/stat after the name in brackets: pgrp, utime, stime


def seconds_by_group(proc: Path = PROC) -> dict[int, float]:
    """Sum the CPU seconds of the processes that live now, by process group."""
    used: defaultdict[int, float] = defaultdict(float)
    for folder in proc.glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        used[int(fields[GROUP])] += (int(fields[USER]) + int(fields[SYSTEM])) / _ticks()
    return dict(used)


def busy_s(proc: Path = PROC) -> float:
    """CPU seconds that the whole machine has worked since it started; 0.0 where nobody says."""
    try:
        first = (proc / "stat").read_text("ascii").splitlines()[0].split()[1:9]
    except OSError:
        return 0.0
    ticks = [int(count) for count in first]
    return (sum(ticks) - sum(ticks[place] for place in IDLE)) / _ticks()


def _ticks() -> int:
    return os.sysconf("SC_CLK_TCK")
