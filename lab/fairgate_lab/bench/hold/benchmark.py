"""What a hold costs (``make bench-hold``).

CPU of the function over the bare call, trips and write units. Each ratio is taken in one run, by
turns. What a machine lacks is said and left out. ``--against DIR`` compares another checkout's CPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_lab.attack.race import ENGINES, missing_engine
from fairgate_lab.bench.hold import cpu, units
from fairgate_lab.bench.hold.against import compare
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Measure this checkout, or its CPU beside another's."""
    if options.against:
        yield compare(options.against.resolve(), options.processes, options.calls)
        return
    yield cpu.measure(folder, rounds=options.rounds, calls=options.calls).part()
    missing = {name: missing_engine(name) for name in ENGINES}
    figures = units.computed()
    for name in (name for name, reason in missing.items() if not reason):
        (folder / name).mkdir()
        figures += units.counted(name, folder / name)
    yield units.shown(figures, [reason for reason in missing.values() if reason])


BENCHMARK = Benchmark(
    about="What a hold costs.",
    measure=measure,
    options={
        "rounds": Option(15),
        "calls": Option(100, "of each kind, each round"),
        "against": Option(None, "another checkout, measured by turns: CPU only"),
        "processes": Option(9, "of each, with --against"),
    },
    packages=("boto3", "botocore", "valkey"),
)
