"""What starting each function costs as shipped (``make bench-cold``).

Fresh processes of Lambda's Python, by turns: each function with the bytecode that is deployed, and
without any, beside an empty handler and boto3 alone. The runtime's own packages are compiled, as
Lambda's are. What is timed is Lambda's init phase: from the start of the interpreter's program
until the handler is there; starting the machine and fetching the code are AWS's, and not in it.
Native wheels are this machine's, of the same versions; nothing else differs from what is deployed.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_lab.bench.imports import BOTO3, Seen, started
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import BenchError, Range, alternating, ratio
from fairgate_ops.build import layers
from fairgate_ops.shared.paths import ROOT
from infra import bytecode
from infra.functions import BY_NAME, FUNCTIONS
from infra.shipped import ship

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fairgate_lab.bench.kit.benchmark import Options

EMPTY = "(empty handler)"
# A function that starts within what boto3's import and one client cost alone is no news in a sale.
RATIO_MAX = 1.0
_RUNTIME = {"boto3", "botocore", "jmespath", "python-dateutil", "s3transfer", "six", "urllib3"}


class Site:
    """What Lambda would show its functions, under one folder, with bytecode or without."""

    def __init__(self, folder: Path, python: Path) -> None:
        self._folder, self._python = folder, python

    def prepare(self) -> None:
        """Install and copy all of it again, once plain and once compiled."""
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
        empty = plain / f"functions/{EMPTY}/handler.py"
        empty.parent.mkdir()
        empty.write_text("def handler(event, context):\n    return {}\n")
        shutil.copytree(plain, compiled)
        mounts = {compiled: bytecode.LAYER, self._folder / "runtime": "/var/lang"}
        bytecode.compile_trees(mounts, self._python, broken_allowed=True)

    def start(self, way: str, function: str) -> dict[str, Any]:
        """Start a handler, ``plain`` or ``compiled``, in a fresh process."""
        folder = self._folder / way
        names = BY_NAME[function].layers if function in BY_NAME else ()
        return started(
            function,
            [str(self._python), "-I", "-S", "-B"],
            folder / "functions" / function,
            folder / "core/python",
            *(folder / "layers" / name for name in names),
            self._folder / "runtime",
        )

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


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Start each function by turns. Raises BenchError where a module does not compile."""
    site = Site(options.folder or ROOT / "build/cold", bytecode.interpreter() or Path())
    names = options.function or [spec.name for spec in FUNCTIONS]
    try:
        site.prepare()
    except bytecode.BytecodeError as error:
        raise BenchError(str(error)) from error
    ways = {name: partial(site.start, "compiled", name) for name in (EMPTY, BOTO3, *names)}
    ways |= {_plain(name): partial(site.start, "plain", name) for name in names}
    yield shown(alternating(ways, options.runs), names, options.runs)


def _plain(name: str) -> str:
    return f"{name}, without bytecode"


def shown(seen: Seen, names: Sequence[str], runs: int) -> Part:
    """Show each function beside boto3; the goal is missed by a median over the budget."""
    cpu = {way: [one["cpu_ms"] for one in figures] for way, figures in seen.items()}
    wall = {way: Range.of(one["ms"] for one in figures) for way, figures in seen.items()}
    over = {name: ratio(cpu[name], cpu[BOTO3]) for name in names}

    def row(way: str, *more: str) -> Sequence[str]:
        return (way, Range.of(cpu[way]).shown(0), wall[way].shown(0), *(more or ("", "")))

    rows = [row(way) for way in (EMPTY, BOTO3)]
    rows += [row(n, Range.of(cpu[_plain(n)]).shown(0), over[n].shown(2)) for n in names]
    return Part(
        f"Python {bytecode.VERSION}: medians (ranges) of {runs} fresh processes.",
        ("function", "CPU, ms", "ms", "CPU without bytecode, ms", "CPU over boto3 alone"),
        rows,
        goals={
            f"{name} starts slower than boto3 alone": over[name].median <= RATIO_MAX
            for name in names
        },
    )


BENCHMARK = Benchmark(
    about="What starting each function costs as shipped, beside an empty handler and boto3.",
    measure=measure,
    options={
        "runs": Option(11),
        "function": Option((), "these alone"),
        "folder": Option(None, "where it is installed; default: build/cold"),
    },
    goal="no function needs more CPU than boto3 alone",
    missing=lambda _: None if bytecode.interpreter() else bytecode.MISSING,
)
