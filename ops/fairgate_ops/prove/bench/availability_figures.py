"""What the tables of the availability benchmark share."""

from __future__ import annotations

import math
import platform
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_ops.prove.bench.kit.report import machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Spread:
    """Percentiles of what was measured, and of how many."""

    count: int
    p50: float
    p99: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """All zeros when there are none."""
        ordered = sorted(values)
        if not ordered:
            return cls(0, 0.0, 0.0, 0.0)
        return cls(len(ordered), percentile(ordered, 50), percentile(ordered, 99), ordered[-1])


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The smallest of the ordered values that so many percent do not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table under its title."""
    lines = [title, "", _row(head), "|" + "---|" * len(head)]
    return "\n".join([*lines, *(_row(row) for row in rows), ""])


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def versions(valkey: str) -> str:
    """The machine and the servers of a run, in a line."""
    python = f"Python {platform.python_version()}"
    return f"{machine()}; {python}, {nginx_version()}, {valkey}, brotli {version('brotli')}"


def nginx_version() -> str:
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx is None:
        return "no nginx"
    done = subprocess.run([nginx, "-v"], capture_output=True, text=True, check=True)
    return done.stderr.strip().removeprefix("nginx version: ")


def cpu_ns(pid: int) -> int:
    """Nanoseconds on a CPU of all threads of a process so far: proc(5), schedstat."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks)


def workers_ns(master: int) -> int:
    """The same of all children of a process, as nginx's workers are of its master."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text("ascii").split()
    return sum(cpu_ns(int(child)) for child in children)
