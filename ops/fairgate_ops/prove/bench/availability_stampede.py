"""Viewers of a hot section through nginx, and what of them reaches the API. Counted there."""

from __future__ import annotations

import json
import statistics
import subprocess
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.http import paths
from fairgate_ops.prove.bench.availability_figures import Spread
from fairgate_ops.prove.bench.availability_world import EVENT, busiest_second, get
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_ops.prove.bench.availability_world import ObservedSystem

CHANGES_PER_S = 3.0  # so that the section is hot
CONNECTED_PER_S = 500  # viewers, on a busy machine
VIEWERS_A_PROCESS = 5_000


@dataclass(frozen=True)
class Hot:
    """Viewers of one path of a hot section for a while."""

    path: str
    viewers: int
    every_s: float
    seconds: float
    asked: int
    answered: int
    late: int  # turns let pass because the last answer was not there yet
    lost: int  # connections
    cache: Mapping[str, int]  # answers by x-cache
    statuses: Mapping[str, int]
    origin: int  # requests at the API, by its access log
    origin_most: int  # begun within any one second
    origin_ms: float  # a request's median time there
    answer_ms: Spread
    answer_bytes: float

    @property
    def origin_per_s(self) -> float:
        return self.origin / self.seconds

    @property
    def hit_rate(self) -> float:
        return 1 - self.origin / max(1, self.answered)


def hot(
    system: ObservedSystem, section: str, *, viewers: int, seconds: float, every_s: float
) -> list[Hot]:
    """The section's changes, then its seats, while seats of it are being held.

    Raises:
        StartError: a process of viewers or of holds did not do its part.
    """
    changes = f"{paths.CHANGES.format(event=EVENT)}?section={section}"
    seats = paths.SECTION_SEATS.format(event=EVENT, section=section)
    get(system.ports.public, seats)  # a page reads the map before it follows its changes
    found = []
    for path in (changes, seats):
        settle_s = 2 + viewers / CONNECTED_PER_S
        holds = round(CHANGES_PER_S * (seconds + every_s + settle_s))
        with system.holds([section], CHANGES_PER_S, holds):
            told = _watched(system.ports.public, path, viewers, seconds, every_s)
        since_ms = min(one["from_ms"] for one in told)
        until_ms = max(one["to_ms"] for one in told)
        times = [
            request
            for request in system.requests()
            if request.target == path and since_ms <= request.at_ms < until_ms
        ]
        found.append(
            _summed(
                path,
                every_s,
                told,
                seconds=(until_ms - since_ms) / 1000,
                origin=len(times),
                origin_most=busiest_second(times),
                origin_ms=statistics.median([r.took_ms for r in times] or [0.0]),
            )
        )
    return found


def _watched(
    port: int, path: str, viewers: int, seconds: float, every_s: float
) -> list[dict[str, Any]]:
    count = -(-viewers // VIEWERS_A_PROCESS)
    crowd = [
        subprocess.Popen(
            python_module(
                "fairgate_ops.prove.bench.availability_viewers",
                *("--port", str(port), "--path", path, "--viewers", str(viewers // count)),
                *("--seconds", str(seconds), "--every", str(every_s)),
            ),
            env=base_environment(),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    told = []
    for process in crowd:
        out, _ = process.communicate()
        if process.returncode:
            raise StartError(f"a process of viewers ended with {process.returncode}")
        told.append(json.loads(out))
    return told


def _summed(
    path: str,
    every_s: float,
    told: Sequence[Mapping[str, Any]],
    *,
    seconds: float,
    origin: int,
    origin_most: int,
    origin_ms: float,
) -> Hot:
    def total(name: str) -> int:
        return sum(one[name] for one in told)

    cache: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    for one in told:
        cache.update(one["cache"])
        statuses.update(one["statuses"])
    return Hot(
        path=path,
        viewers=total("viewers"),
        every_s=every_s,
        seconds=seconds,
        asked=total("asked"),
        answered=total("answered"),
        late=total("late"),
        lost=total("lost"),
        cache=dict(cache),
        statuses=dict(statuses),
        origin=origin,
        origin_most=origin_most,
        origin_ms=origin_ms,
        answer_ms=Spread.of(ms for one in told for ms in one["times_ms"]),
        answer_bytes=total("bytes") / max(1, total("answered")),
    )
