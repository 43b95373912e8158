"""Availability for a crowd: ``python -m fairgate_lab.bench.availability``.

Each part prints its table: viewers of a hot section, freshness under holds, speed. ``--json FILE``
keeps the figures; ``availability.cost --measured FILE`` makes prices of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.availability import report
from fairgate_lab.bench.availability.freshness import freshness
from fairgate_lab.bench.availability.hot import hot
from fairgate_lab.bench.availability.speed import speed
from fairgate_lab.bench.availability.world import ObservedSystem
from fairgate_lab.bench.kit.report import (
    machine,
    nginx_version,
    plain,
    valkey_version,
    versions,
)
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS = ("freshness", "hot", "speed")
FRESH_SECTIONS = 8
RATES = (50.0, 100.0, 200.0)


def measure(options: argparse.Namespace, run_dir: Path) -> dict[str, Any]:
    """Run the chosen parts, print each as it ends, return the figures by part."""
    figures: dict[str, Any] = {}
    with ObservedSystem(run_dir, seats=options.seats) as system:
        system.sell()
        valkey = valkey_version(system.config["valkey_url"])
        print(f"{machine()}; {versions()}, {nginx_version()}, {valkey}\n", flush=True)
        largest = sorted(system.venue.sections, key=lambda s: -sum(1 for _ in s.seats()))
        first, *others = (section.id for section in largest)
        if "freshness" in options.parts:
            figures["freshness"] = [
                freshness(system, others[:FRESH_SECTIONS], rate=rate, seconds=options.fresh_seconds)
                for rate in options.rates
            ]
            print(report.freshness(figures["freshness"]), flush=True)
        if "hot" in options.parts:
            watching = {"viewers": options.viewers, "seconds": options.seconds}
            figures["hot"] = hot(system, first, **watching, every_s=options.every)
            print(report.hot(figures["hot"]), flush=True)
        if "speed" in options.parts:
            figures["speed"] = speed(system, first)
            print(report.speed(figures["speed"]), flush=True)
    return figures


@ends_with(StartError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.availability",
        description="What a crowd of viewers costs, and how fresh what they see is.",
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="default: all")
    parser.add_argument("--viewers", type=int, default=10_000, help="open connections")
    parser.add_argument("--seconds", type=float, default=30.0, help="that the viewers watch")
    parser.add_argument("--every", type=float, default=3.0, help="seconds from look to look")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=RATES, help="holds a second, one after another"
    )
    parser.add_argument("--fresh-seconds", type=float, default=10.0, help="of holds, each rate")
    parser.add_argument("--seats", type=int, default=12_000, help="of the venue")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="fairgate-availability-") as folder:
        figures = measure(options, Path(folder) / "run")
    if options.json:
        options.json.write_text(json.dumps(figures, default=plain, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
