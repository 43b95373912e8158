"""What an operator waits for help of the ``fairgate`` command (``make bench-help``).

Fresh processes with compiled bytecode, by turns with a bare interpreter.
"""

from __future__ import annotations

import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Part
from fairgate_lab.bench.kit.measure import Range, alternating
from fairgate_ops.run.local.environment import base_environment, python_module

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from fairgate_lab.bench.kit.benchmark import Options

_HELP = "fairgate --help"
_COMMAND = python_module("fairgate_ops.operate.cli.main")
COMMANDS = {
    "(bare Python)": [sys.executable, "-c", "pass"],
    _HELP: [*_COMMAND, "--help"],
    "fairgate event create --help": [*_COMMAND, "event", "create", "--help"],
}


def took_ms(command: Sequence[str]) -> float:
    """Run a command to its end. Raises CalledProcessError where it fails."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=base_environment())
    return (time.perf_counter() - began) * 1000


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Time each command; the round that is left out compiles its bytecode."""
    ways = {name: partial(took_ms, command) for name, command in COMMANDS.items()}
    seen = {name: Range.of(took) for name, took in alternating(ways, options.runs).items()}
    yield Part(
        f"Medians of {options.runs} fresh processes.",
        ("command", "ms"),
        [(name, one.shown()) for name, one in seen.items()],
        goals={
            f"{_HELP} takes more than {options.goal_ms:.0f} ms": (
                seen[_HELP].median <= options.goal_ms
            )
        },
    )


BENCHMARK = Benchmark(
    about="What an operator waits for help of the command.",
    measure=measure,
    options={"runs": Option(15), "goal_ms": Option(100.0)},
    goal="the median of fairgate --help is at most --goal-ms",
)
