"""Availability for a crowd, on a whole local system (``make bench-availability``).

Viewers of a hot section, freshness under holds, speed. ``--json FILE`` keeps the figures that
``availability-cost --measured FILE`` makes prices of.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.availability import freshness, hot, speed
from fairgate_lab.bench.availability.world import ObservedSystem
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.report import nginx_version, valkey_version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options

PARTS = ("freshness", "hot", "speed")
FRESH_SECTIONS = 8


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Run the chosen parts on a system of its own, whose venue is on sale."""
    figures: dict[str, Any] = {}
    with ObservedSystem(folder / "run", seats=options.seats) as system:
        system.sell()
        yield Part(f"{nginx_version()}, {valkey_version(system.config['valkey_url'])}\n")
        sizes = {one.id: sum(1 for _ in one.seats()) for one in system.venue.sections}
        largest, *others = sorted(sizes, key=lambda section: -sizes[section])
        fresh = others[:FRESH_SECTIONS]
        if "freshness" in options.parts:
            rates = [
                freshness.freshness(system, fresh, rate=rate, seconds=options.fresh_seconds)
                for rate in options.rates
            ]
            yield freshness.shown(rates, len(fresh))
        if "hot" in options.parts:
            watching = {"viewers": options.viewers, "seconds": options.seconds}
            figures["hot"] = hot.hot(system, largest, **watching, every_s=options.every)
            yield hot.shown(figures["hot"], options.every)
        if "speed" in options.parts:
            figures["speed"] = speed.speed(system, largest)
            yield from speed.shown(figures["speed"], sizes, largest)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


BENCHMARK = Benchmark(
    about="What a crowd of viewers costs, and how fresh what they see is.",
    measure=measure,
    options={
        "parts": Option(PARTS, choices=PARTS),
        "viewers": Option(10_000, "open connections"),
        "seconds": Option(30.0, "that the viewers watch"),
        "every": Option(3.0, "seconds from look to look"),
        "rates": Option((50.0, 100.0, 200.0), "holds a second, one after another"),
        "fresh_seconds": Option(10.0, "of holds, each rate"),
        "seats": Option(12_000, "of the venue"),
        "json": Option(None, "keep the figures here"),
    },
)
