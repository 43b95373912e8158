"""Measure ways to do one thing by turns in one run, so that what is compared has had the same load.

CPU is as the kernel counts it: neither a load generator nor other work on the machine is in it.
"""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

K = TypeVar("K")
T = TypeVar("T")


class BenchError(Exception):
    """A benchmark could not run, or would not have measured what it says; the text says why."""


@dataclass(frozen=True)
class Range:
    """The median of what was measured, its least and its most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Range:
        ordered = sorted(values)
        return cls(statistics.median(ordered), ordered[0], ordered[-1])

    def shown(self, digits: int = 1) -> str:
        median, least, most = (f"{v:,.{digits}f}" for v in (self.median, self.least, self.most))
        return f"{median} ({least}–{most})"


@dataclass(frozen=True)
class Spread:
    """Percentiles of what was measured, and of how many."""

    count: int
    p50: float
    p99: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Take all zeros when there are none."""
        ordered = sorted(values)
        if not ordered:
            return cls(0, 0.0, 0.0, 0.0)
        return cls(len(ordered), percentile(ordered, 50), percentile(ordered, 99), ordered[-1])

    def shown(self) -> str:
        return f"{self.p50:,.0f} / {self.p99:,.0f}"


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Take the smallest of the ordered values that so many percent do not exceed (nearest rank)."""
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def alternating(ways: Mapping[K, Callable[[], T]], rounds: int) -> dict[K, list[T]]:
    """Call each way once a round, one after another; a round before the first one warms up."""
    seen: dict[K, list[T]] = {name: [] for name in ways}
    for number in range(-1, rounds):
        for name, measure in ways.items():
            value = measure()
            if number >= 0:
                seen[name].append(value)
    return seen


def ratios(values: Iterable[float], base: Iterable[float]) -> list[float]:
    """Divide each round's value by the base of the same round."""
    return [value / one for value, one in zip(values, base, strict=True)]


def ratio(values: Iterable[float], base: Iterable[float]) -> Range:
    """Take the range of those ratios."""
    return Range.of(ratios(values, base))


def cpu_us(call: Callable[[], object], times: int) -> float:
    """Call so many times; the CPU of this process for each, in µs."""
    begun = time.process_time_ns()
    for _ in range(times):
        call()
    return (time.process_time_ns() - begun) / 1000 / times


def cpu_ns(pid: int) -> int:
    """Read the nanoseconds on a CPU of all threads of a process so far: proc(5), schedstat."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks)


def workers_ns(master: int) -> int:
    """Read the same of all children of a process, as nginx's workers are of its master."""
    children = Path(f"/proc/{master}/task/{master}/children").read_text("ascii").split()
    if not children:
        raise BenchError("nginx has no workers.")
    return sum(cpu_ns(int(child)) for child in children)
