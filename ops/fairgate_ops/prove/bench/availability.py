"""Availability for a crowd: ``python -m fairgate_ops.prove.bench.availability``.

Each part prints its table: refills of concurrent misses, viewers of a hot section, freshness under
holds, sizes, speed. ``--json FILE`` keeps the figures; ``availability_cost --measured FILE`` makes
prices of them.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.prove.bench import availability_report as report
from fairgate_ops.prove.bench.availability_figures import versions
from fairgate_ops.prove.bench.availability_freshness import freshness
from fairgate_ops.prove.bench.availability_misses import misses
from fairgate_ops.prove.bench.availability_sizes import sizes
from fairgate_ops.prove.bench.availability_speed import speed
from fairgate_ops.prove.bench.availability_stampede import hot
from fairgate_ops.prove.bench.availability_world import ObservedSystem, valkey_version
from fairgate_ops.run.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS = ("misses", "hot", "freshness", "sizes", "speed")
SEATS = 12_000
FRESH_SECTIONS = 8
RATES = (50.0, 100.0, 200.0)


def measure(options: argparse.Namespace, run_dir: Path) -> dict[str, Any]:
    """Run the chosen parts, print each as it ends, return the figures by part."""
    found: dict[str, Any] = {}

    def keep(part: str, figures: Any, shown: str) -> None:
        found[part] = figures
        print(shown, flush=True)

    if {"misses", "hot", "freshness", "speed"} & set(options.parts):
        with ObservedSystem(run_dir, seats=options.seats) as system:
            system.sell()
            print(f"{versions(valkey_version(system))}\n", flush=True)
            largest = sorted(system.venue.sections, key=lambda s: -sum(1 for _ in s.seats()))
            names = [section.id for section in largest]
            if "misses" in options.parts:
                told = misses(system, options.callers)
                keep("misses", told, report.misses(told))
            if "freshness" in options.parts:
                fresh = [
                    freshness(
                        system,
                        names[1 : FRESH_SECTIONS + 1],
                        rate=rate,
                        seconds=options.fresh_seconds,
                    )
                    for rate in options.rates
                ]
                keep("freshness", fresh, report.freshness(fresh))
            if "hot" in options.parts:
                watched = hot(
                    system,
                    names[0],
                    viewers=options.viewers,
                    seconds=options.seconds,
                    every_s=options.every,
                )
                keep("hot", watched, report.hot(watched))
            if "speed" in options.parts:
                fast = speed(system, names[0])
                keep("speed", fast, report.speed(fast))
    if "sizes" in options.parts:
        measured = sizes()
        keep("sizes", measured, report.sizes(measured))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_ops.prove.bench.availability",
        description="What a crowd of viewers costs, how fresh and how large what they see is.",
    )
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="default: all")
    parser.add_argument("--callers", type=int, default=1_000, help="of concurrent misses")
    parser.add_argument("--viewers", type=int, default=10_000, help="open connections")
    parser.add_argument("--seconds", type=float, default=30.0, help="that the viewers watch")
    parser.add_argument("--every", type=float, default=3.0, help="seconds from look to look")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=RATES, help="holds a second, one after another"
    )
    parser.add_argument("--fresh-seconds", type=float, default=10.0, help="of holds, each rate")
    parser.add_argument("--seats", type=int, default=SEATS, help="of the venue")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="fairgate-availability-") as folder:
        try:
            found = measure(options, Path(folder) / "run")
        except StartError as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            return 130
    if options.json:
        options.json.write_text(json.dumps(found, default=_plain, indent=2) + "\n", "utf-8")
    return 0


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        derived = {
            name: getattr(value, name)
            for name, attribute in vars(type(value)).items()
            if isinstance(attribute, property)
        }
        return asdict(value) | derived
    raise TypeError(f"no figure: {value!r}")


if __name__ == "__main__":
    sys.exit(main())
