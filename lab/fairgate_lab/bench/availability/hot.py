"""Viewers of a hot section through nginx, and what of them reaches the API. Counted there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.http import paths
from fairgate_lab.bench.availability.world import EVENT, busiest_second, get
from fairgate_lab.bench.kit.measure import Spread
from fairgate_lab.bench.kit.world import answer_of, start_module

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_lab.bench.availability.world import ObservedSystem, Request

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
    answered: int
    late: int  # turns let pass because the last answer was not there yet
    lost: int  # connections
    statuses: Mapping[str, int]
    origin: int  # requests at the API, by its access log
    origin_most: int  # begun within any one second
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
    """Watch the section's changes, then its seats, while seats of it are being held.

    Raises:
        StartError: a process of viewers or of holds did not do its part.
    """
    changes = f"{paths.CHANGES.format(event=EVENT)}?section={section}"
    seats = paths.SECTION_SEATS.format(event=EVENT, section=section)
    get(system.ports.public, seats)  # a page reads the map before it follows its changes
    settle_s = 2 + viewers / CONNECTED_PER_S
    holds = round(CHANGES_PER_S * (seconds + every_s + settle_s))
    figures = []
    for path in (changes, seats):
        with system.holds([section], CHANGES_PER_S, holds):
            crowds = _watched(system.ports.public, path, viewers, seconds, every_s)
        since_ms = min(crowd["from_ms"] for crowd in crowds)
        until_ms = max(crowd["to_ms"] for crowd in crowds)
        requests = [
            request
            for request in system.requests()
            if request.target == path and since_ms <= request.at_ms < until_ms
        ]
        figures.append(_summed(path, every_s, (until_ms - since_ms) / 1000, crowds, requests))
    return figures


def _watched(
    port: int, path: str, viewers: int, seconds: float, every_s: float
) -> list[dict[str, Any]]:
    count = -(-viewers // VIEWERS_A_PROCESS)
    processes = [
        start_module(
            "fairgate_lab.bench.availability.viewers",
            *("--port", str(port), "--path", path, "--viewers", str(viewers // count)),
            *("--seconds", str(seconds), "--every", str(every_s)),
        )
        for _ in range(count)
    ]
    return [answer_of(process) for process in processes]


def _summed(
    path: str,
    every_s: float,
    seconds: float,
    crowds: Sequence[Mapping[str, Any]],
    requests: Sequence[Request],
) -> Hot:
    totals: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    for crowd in crowds:
        totals.update({name: crowd[name] for name in ("viewers", "answered", "late", "lost")})
        totals["bytes"] += crowd["bytes"]
        statuses.update(crowd["statuses"])
    return Hot(
        path=path,
        viewers=totals["viewers"],
        every_s=every_s,
        seconds=seconds,
        answered=totals["answered"],
        late=totals["late"],
        lost=totals["lost"],
        statuses=dict(statuses),
        origin=len(requests),
        origin_most=busiest_second(requests),
        answer_ms=Spread.of(ms for crowd in crowds for ms in crowd["times_ms"]),
        answer_bytes=totals["bytes"] / max(1, totals["answered"]),
    )
