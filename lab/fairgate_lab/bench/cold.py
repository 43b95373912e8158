"""What starting each function costs as shipped: `python -m fairgate_lab.bench.cold`.

Fresh processes of Lambda's Python, by turns: each function with the bytecode that is deployed, and
without any, beside an empty handler and boto3 alone. The runtime's own packages are compiled, as
Lambda's are. What is timed is Lambda's init phase: from the start of the interpreter's program
until the handler is there; starting the machine and fetching the code are AWS's, and not in it.
Native wheels are this machine's, of the same versions; nothing else differs from what is deployed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.kit.measure import BenchError, Range, by_turns, ratio
from fairgate_lab.bench.kit.report import machine, table
from fairgate_ops.build import layers
from fairgate_ops.shared.paths import ROOT
from infra import bytecode
from infra.functions import BY_NAME, FUNCTIONS
from infra.shipped import ship

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RUNS = 11
EMPTY, BOTO3 = "(empty handler)", "(boto3 alone)"
# A function that starts within what boto3's import and one client cost alone is no news in a sale.
RATIO_MAX = 1.0
_RUNTIME = {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}
_PROBE = """
import sys, time
start, used = time.perf_counter(), time.process_time()
sys.path[:0] = sys.argv[2:]
if sys.argv[1] == "boto3":
    import boto3
    boto3.client("dynamodb")
else:
    import handler
cpu_ms, ms = (time.process_time() - used) * 1000, (time.perf_counter() - start) * 1000
import json
print(json.dumps({"ms": ms, "cpu_ms": cpu_ms}))
"""
_EMPTY = "def handler(event, context):\n    return {}\n"


class Site:
    """What Lambda would show its functions, under one folder, with bytecode or without."""

    def __init__(self, folder: Path, python: Path) -> None:
        self._folder, self._python = folder, python

    def prepare(self) -> None:
        """Install and copy all of it anew, once plain and once compiled."""
        shutil.rmtree(self._folder, ignore_errors=True)
        plain, compiled = self._folder / "plain", self._folder / "compiled"
        for name in layers.LAYERS:
            self._install(ROOT / "requirements" / f"{name}.txt", plain / "layers" / name)
        runtime = self._folder / "runtime.txt"
        runtime.write_text(runtime_lock((ROOT / "requirements/dev.txt").read_text()))
        self._install(runtime, self._folder / "runtime")
        ship(ROOT / "functions", ROOT / "layers/core", plain)
        for cached in list(plain.rglob("__pycache__")):
            shutil.rmtree(cached)
        empty = plain / "functions/empty/handler.py"
        empty.parent.mkdir()
        empty.write_text(_EMPTY)
        shutil.copytree(plain, compiled)
        mounts = {compiled: bytecode.LAYER, self._folder / "runtime": "/var/lang"}
        bytecode.compile_trees(mounts, self._python, broken_allowed=True)

    def start(self, way: str, function: str) -> dict[str, Any]:
        """Start a handler in a fresh process: its ``ms`` and ``cpu_ms``."""
        folder = self._folder / way
        names = BY_NAME[function].layers if function in BY_NAME else ()
        path = [
            folder / "functions" / function,
            folder / "core/python",
            *(folder / "layers" / name for name in names),
            self._folder / "runtime",
        ]
        environment = {
            "POWERTOOLS_SERVICE_NAME": "bench",
            "AWS_DEFAULT_REGION": "eu-central-1",
            "PATH": "",
        }
        command = [str(self._python), "-I", "-S", "-B", "-c", _PROBE, function, *map(str, path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if done.returncode:
            raise BenchError(f"{function} does not start: {done.stderr.strip()}")
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures

    def _install(self, requirements: Path, target: Path) -> None:
        command = [
            *(layers.uv(), "pip", "install", "--quiet", "--target", str(target)),
            *("--python", str(self._python), "--only-binary", ":all:", "--require-hashes"),
            *("--no-compile-bytecode", "-r", str(requirements)),
        ]
        subprocess.run(command, check=True)


def runtime_lock(lock: str) -> str:
    """Take boto3 and what it needs, with their hashes, out of a lock."""
    kept, taken = [], False
    for line in lock.splitlines():
        if line and not line[0].isspace() and not line.startswith("#"):
            taken = line.split("==")[0].split(";")[0].strip() in _RUNTIME
        if taken and not line.lstrip().startswith("#"):
            kept.append(line)
    return "\n".join(kept) + "\n"


Seen = dict[str, list[dict[str, Any]]]


def measure(site: Site, names: Sequence[str], runs: int) -> Seen:
    ways = {
        EMPTY: partial(site.start, "compiled", "empty"),
        BOTO3: partial(site.start, "compiled", "boto3"),
        **{name: partial(site.start, "compiled", name) for name in names},
        **{_plain(name): partial(site.start, "plain", name) for name in names},
    }
    return by_turns(ways, runs)


def _plain(name: str) -> str:
    return f"{name}, without bytecode"


def shown(seen: Mapping[str, Sequence[Mapping[str, Any]]], names: Sequence[str], runs: int) -> str:
    def cpu(way: str) -> list[float]:
        return [one["cpu_ms"] for one in seen[way]]

    def wall(way: str) -> str:
        return Range.of(one["ms"] for one in seen[way]).shown(0)

    rows = [(way, Range.of(cpu(way)).shown(0), wall(way), "", "") for way in (EMPTY, BOTO3)]
    rows += [
        (
            name,
            Range.of(cpu(name)).shown(0),
            wall(name),
            Range.of(cpu(_plain(name))).shown(0),
            ratio(cpu(name), cpu(BOTO3)).shown(2),
        )
        for name in names
    ]
    title = f"{machine()}, Python {bytecode.VERSION}: medians (ranges) of {runs} fresh processes."
    head = ("function", "CPU, ms", "ms", "CPU without bytecode, ms", "CPU over boto3 alone")
    return table(title, head, rows)


def too_slow(seen: Mapping[str, Sequence[Mapping[str, Any]]], names: Sequence[str]) -> list[str]:
    """Name the functions that start slower than the budget, by the median of their rounds."""
    base = [one["cpu_ms"] for one in seen[BOTO3]]
    return [
        name
        for name in names
        if ratio([one["cpu_ms"] for one in seen[name]], base).median > RATIO_MAX
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--function", action="append", help="this one alone; may be repeated")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/cold")
    options = parser.parse_args(arguments)
    python = bytecode.interpreter()
    if python is None:
        print(f"error: {bytecode.MISSING}", file=sys.stderr)
        return 1
    site = Site(options.folder, python)
    names = options.function or [spec.name for spec in FUNCTIONS]
    try:
        site.prepare()
        seen = measure(site, names, options.runs)
    except (BenchError, bytecode.BytecodeError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(shown(seen, names, options.runs))
    slow = too_slow(seen, names)
    if slow:
        print(f"Over the budget of {RATIO_MAX} times boto3 alone: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
