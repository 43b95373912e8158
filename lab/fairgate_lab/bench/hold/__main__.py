"""What a hold costs: ``python -m fairgate_lab.bench.hold`` (``make bench-hold``).

CPU of the function over the bare call, trips and write units. Each ratio is taken in one run, by
turns. What a machine lacks is said and left out. ``--against DIR`` compares another checkout's CPU.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fairgate_lab.attack.race import ENGINES, missing_engine
from fairgate_lab.bench.hold import report
from fairgate_lab.bench.hold.against import compare
from fairgate_lab.bench.hold.cpu import measure
from fairgate_lab.bench.hold.units import computed, counted
from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.report import machine, starting, versions
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with


@ends_with(BenchError, StartError, OSError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.hold", description="What a hold costs."
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=100, help="of each kind, each round")
    parser.add_argument(
        "--against", type=Path, help="another checkout, measured by turns: CPU only"
    )
    parser.add_argument("--processes", type=int, default=9, help="of each, with --against")
    options = parser.parse_args(arguments)
    known = versions("boto3", "botocore", "valkey")
    print(f"{machine()}, {known}; load when it began {os.getloadavg()[0]:.1f}\n", flush=True)
    starting("CPU")
    if options.against is not None:
        other = options.against.resolve()
        print(compare(other, options.processes, options.calls))
        return 0
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
        print(report.cpu(measure(Path(folder), rounds=options.rounds, calls=options.calls)))
    starting("write units")
    missing = {name: missing_engine(name) for name in ENGINES}
    figures = []
    for name in (name for name, reason in missing.items() if not reason):
        with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
            figures += counted(name, Path(folder))
    print(report.units([*figures, *computed()], [r for r in missing.values() if r]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
