"""Viewers of a hot section through nginx, and what of them reaches the API. Counted there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fairgate.http import paths
from fairgate_lab.bench.availability.viewers import viewed
from fairgate_lab.bench.availability.world import EVENT, busiest_second, get
from fairgate_lab.bench.kit.benchmark import Part
from fairgate_lab.bench.kit.child import answer_of, start
from fairgate_lab.bench.kit.measure import Spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate_lab.bench.availability.world import ObservedSystem

CHANGES_PER_S = 3.0  # so that the section is hot
CONNECTED_PER_S = 500  # viewers, on a busy machine
VIEWERS_A_PROCESS = 5_000
COUNTS = ("viewers", "answered", "late", "lost", "bytes")


def hot(
    system: ObservedSystem, section: str, *, viewers: int, seconds: float, every_s: float
) -> list[dict[str, Any]]:
    """Watch the section's changes, then its seats, while seats of it are being held.

    Returns:
        Of each path: COUNTS of all viewers (``late``: turns let pass because the last answer was
        not there yet; ``lost`` connections), ``statuses``, ``times_ms`` of some answers,
        ``answer_bytes``; requests at the API by its access log, ``origin`` in all, ``origin_most``
        begun within any one second, and ``origin_per_s``.

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
        count = -(-viewers // VIEWERS_A_PROCESS)
        look: dict[str, Any] = {
            "path": path,
            "every_s": every_s,
            "seconds": seconds,
            "viewers": viewers // count,
        }
        with system.holds([section], CHANGES_PER_S, holds):
            crowds = [start(viewed, port=system.ports.public, **look) for _ in range(count)]
            figures.append(_summed(system, path, [answer_of(crowd) for crowd in crowds]))
    return figures


def _summed(
    system: ObservedSystem, path: str, crowds: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    since_ms = min(crowd["from_ms"] for crowd in crowds)
    until_ms = max(crowd["to_ms"] for crowd in crowds)
    seconds = (until_ms - since_ms) / 1000
    requests = [
        request
        for request in system.requests()
        if request.target == path and since_ms <= request.at_ms < until_ms
    ]
    totals = {name: sum(crowd[name] for crowd in crowds) for name in COUNTS}
    statuses = sum((Counter(crowd["statuses"]) for crowd in crowds), Counter[str]())
    return totals | {
        "path": path,
        "seconds": seconds,
        "statuses": dict(statuses),
        "times_ms": [ms for crowd in crowds for ms in crowd["times_ms"]],
        "answer_bytes": totals["bytes"] / max(1, totals["answered"]),
        "origin": len(requests),
        "origin_most": busiest_second(requests),
        "origin_per_s": len(requests) / seconds,
    }


def shown(figures: Sequence[Mapping[str, Any]], every_s: float) -> Part:
    """Show each path in a row."""
    rows = []
    for one in figures:
        counts = {**one["statuses"], "late": one["late"], "lost": one["lost"]}
        answer_ms = Spread.of(one["times_ms"])
        rows.append(
            (
                f"`{one['path'].rsplit('/', 1)[1]}`",
                f"{one['viewers']:,}",
                f"{one['answered']:,} ({one['answered'] / one['seconds']:,.0f}/s)",
                f"{one['origin']} ({one['origin_per_s']:.2f}/s)",
                one["origin_most"],
                f"{1 - one['origin'] / max(1, one['answered']):.3%}",
                f"{answer_ms.p50:.1f} / {answer_ms.p99:.1f}",
                f"{one['answer_bytes']:,.0f}",
                ", ".join(f"{count:,} {name}" for name, count in counts.items()),
            )
        )
    title = (
        f"{figures[0]['viewers']:,} open connections on a hot section through nginx for "
        f"{figures[0]['seconds']:.0f} s, each asking every {every_s:g} s. "
        "Requests at the API counted in its access log."
    )
    head = ("path", "viewers", "answers", "at the API", "most in a second", "hit rate")
    return Part(title, (*head, "answer p50 / p99, ms", "bytes", "statuses"), rows)
