"""What each Lambda function costs to import (``make bench-imports``).

Fresh processes with compiled bytecode, by turns, beside a bare interpreter of the same run.
``--against DIR`` measures another checkout by turns with this one, and pyperf judges the difference
in CPU: its own runner would measure all of one before the other, and the interpreter's start too.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError, alternating
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options

_BARE = "(bare Python)"
BOTO3 = "(boto3 alone)"
_PROBE = f"""
import sys, time
start, used = time.perf_counter(), time.process_time()
sys.path[:0] = sys.argv[2:]
if sys.argv[1] == "{BOTO3}":
    import boto3
    boto3.client("dynamodb")
elif sys.argv[1] != "{_BARE}":
    import handler
cpu_ms, ms = (time.process_time() - used) * 1000, (time.perf_counter() - start) * 1000
import json, resource
mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({{"ms": ms, "cpu_ms": cpu_ms, "mb": mb, "modules": sorted(sys.modules)}}))
"""
Seen = dict[str, list[dict[str, Any]]]  # function → what each of its processes said


def started(what: str, python: Sequence[str], *path: Path) -> dict[str, Any]:
    """Import the first folder's handler in a fresh interpreter.

    Returns:
        ``ms`` and ``cpu_ms`` of the import, ``mb`` in memory after it, all its ``modules``.

    Raises:
        BenchError: it cannot be imported.
    """
    environment = {
        "POWERTOOLS_SERVICE_NAME": "bench",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "PATH": "",
    }
    command = [*python, "-c", _PROBE, what, *map(str, path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise BenchError(f"{what} does not start: {done.stderr.strip()}")
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def imported_by(function: str | None, root: Path = ROOT) -> dict[str, Any]:
    """Import a function's handler, or nothing, with a checkout's core layer."""
    folders = [root / "functions" / function] if function else []
    return started(function or _BARE, [sys.executable], *folders, root / "layers/core/python")


def functions(root: Path = ROOT) -> list[str]:
    """Name the functions of a checkout."""
    return sorted(path.parent.name for path in root.glob("functions/*/handler.py"))


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Import the functions of each checkout by turns. Raises BenchError where none is in each."""
    roots = [ROOT, *([options.against.resolve()] if options.against else [])]
    here = set.intersection(*(set(functions(root)) for root in roots))
    names = [name for name in options.function or sorted(here) if name in here]
    if not names:
        raise BenchError("no function to measure: none of these is in each checkout")
    ways = {
        (name, root): partial(imported_by, name or None, root)
        for name in ["", *names]
        for root in roots
    }
    seen = alternating(ways, options.runs)
    each = [{name or _BARE: seen[name, root] for name in ["", *names]} for root in roots]
    for root, figures in zip(roots, each, strict=True):
        yield _shown(f"{root}: medians of {options.runs} fresh processes.", figures)
    if options.against:
        judged = compared(each[1], each[0], folder)
        yield Part(f"From {options.against} to this checkout, CPU:\n{judged}")


def _shown(title: str, figures: Seen) -> Part:
    columns = {"ms": "ms", "cpu_ms": "CPU, ms", "mb": "MB"}
    rows = [
        (name, *(f"{statistics.median(one[what] for one in seen):.0f}" for what in columns))
        for name, seen in figures.items()
    ]
    return Part(title, ("function", *columns.values()), rows)


def compared(before: Seen, after: Seen, folder: Path) -> str:
    """Let pyperf say which functions' CPU differs by more than their processes' spread."""
    files = [folder / f"{name}.json" for name in ("before", "after")]
    for file, figures in zip(files, (before, after), strict=True):
        _suite(figures, file)
    command = [sys.executable, "-m", "pyperf", "compare_to", "--table", *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _suite(figures: Mapping[str, Sequence[Mapping[str, Any]]], file: Path) -> None:
    import pyperf  # type: ignore[import-untyped] # it has no types

    def run(name: str, cpu_ms: float) -> Any:
        about = {"name": name, "unit": "second"}
        return pyperf.Run([cpu_ms / 1000], metadata=about, collect_metadata=False)

    benchmarks = [
        pyperf.Benchmark([run(name, one["cpu_ms"]) for one in seen])
        for name, seen in figures.items()
        if name != _BARE
    ]
    pyperf.BenchmarkSuite(benchmarks).dump(str(file))


BENCHMARK = Benchmark(
    about="What each Lambda function costs to import.",
    measure=measure,
    options={
        "runs": Option(7),
        "against": Option(None, "another checkout, measured by turns"),
        "function": Option((), "these alone"),
    },
)
