"""What each Lambda function costs to import: `python -m fairgate_lab.bench.imports`.

Fresh processes with compiled bytecode, by turns, beside a bare interpreter of the same run.
``--against DIR`` measures another checkout by turns with this one, and pyperf judges the difference
in CPU: its own runner would measure all of one before the other, and the interpreter's start too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.kit.measure import by_turns
from fairgate_lab.bench.kit.report import machine, table, versions
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RUNS = 7
_BARE = "(bare Python)"
_PROBE = """
import json, resource, sys, time

start, used = time.perf_counter(), time.process_time()
if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])
    import handler
cpu_ms = (time.process_time() - used) * 1000
ms = (time.perf_counter() - start) * 1000
mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"ms": ms, "cpu_ms": cpu_ms, "mb": mb, "modules": sorted(sys.modules)}))
"""


def imported_by(function: str | None, root: Path = ROOT) -> dict[str, Any]:
    """Import a handler in a fresh interpreter: its ``ms``, ``cpu_ms``, ``mb`` and ``modules``."""
    arguments = [str(root / "functions" / function)] if function else []
    environment = {
        "PYTHONPATH": str(root / "layers/core/python"),
        "POWERTOOLS_SERVICE_NAME": "bench",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "PATH": "",
    }
    command = [sys.executable, "-c", _PROBE, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def functions(root: Path = ROOT) -> list[str]:
    return sorted(path.parent.name for path in root.glob("functions/*/handler.py"))


def measure(roots: Sequence[Path], names: Sequence[str], runs: int) -> list[dict[str, Any]]:
    """Import the functions of each checkout by turns: function → what each process said."""
    ways = {
        f"{number} {name}": partial(imported_by, name or None, root)
        for name in ["", *names]
        for number, root in enumerate(roots)
    }
    seen = by_turns(ways, runs)
    return [
        {name or _BARE: seen[f"{number} {name}"] for name in ["", *names]}
        for number in range(len(roots))
    ]


def shown(figures: Mapping[str, Sequence[Mapping[str, Any]]], runs: int) -> str:
    rows = [
        (name, *(f"{statistics.median(one[what] for one in seen):.0f}" for what in _COLUMNS))
        for name, seen in figures.items()
    ]
    title = f"{machine()}, {versions()}: medians of {runs} fresh processes."
    return table(title, ("function", *_COLUMNS.values()), rows)


_COLUMNS = {"ms": "ms", "cpu_ms": "CPU, ms", "mb": "MB"}


def compared(
    before: Mapping[str, Sequence[Mapping[str, Any]]],
    after: Mapping[str, Sequence[Mapping[str, Any]]],
) -> str:
    """Let pyperf say which functions' CPU differs by more than their processes' spread."""
    with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
        files = [Path(folder) / f"{name}.json" for name in ("before", "after")]
        for file, figures in zip(files, (before, after), strict=True):
            _suite(figures, file)
        command = [sys.executable, "-m", "pyperf", "compare_to", "--table", *map(str, files)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _suite(figures: Mapping[str, Sequence[Mapping[str, Any]]], file: Path) -> None:
    import pyperf  # type: ignore[import-untyped] # it has no types

    benchmarks = [
        pyperf.Benchmark(
            [
                pyperf.Run(
                    [one["cpu_ms"] / 1000],
                    metadata={"name": name, "unit": "second"},
                    collect_metadata=False,
                )
                for one in seen
            ]
        )
        for name, seen in figures.items()
        if name != _BARE
    ]
    pyperf.BenchmarkSuite(benchmarks).dump(str(file))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--against", type=Path, help="another checkout, measured by turns")
    parser.add_argument("--function", action="append", help="this one alone; may be repeated")
    options = parser.parse_args(arguments)
    roots = [ROOT] if options.against is None else [ROOT, options.against.resolve()]
    here = set.intersection(*(set(functions(root)) for root in roots))
    names = [name for name in options.function or sorted(here) if name in here]
    if not names:
        parser.error("no function to measure: none of these is in each checkout")
    figures = measure(roots, names, options.runs)
    print(shown(figures[0], options.runs))
    if options.against is not None:
        print(shown(figures[1], options.runs))
        print(f"From {options.against} to this checkout, CPU:\n{compared(figures[1], figures[0])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
