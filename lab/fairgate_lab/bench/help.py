"""What an operator waits for ``fairgate --help``: `python -m fairgate_lab.bench.help`.

Fresh processes with compiled bytecode, by turns with a bare interpreter. Ends with 1 where the
median of ``--help`` is above its goal.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING

from fairgate_lab.bench.kit.measure import Range, by_turns
from fairgate_lab.bench.kit.report import machine, table, versions
from fairgate_ops.run.local.environment import base_environment, python_module

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GOAL_MS = 100.0
_RUNS = 15
_HELP = "fairgate --help"
_COMMAND = python_module("fairgate_ops.operate.cli.main")
COMMANDS = {
    "(bare Python)": [sys.executable, "-c", "pass"],
    _HELP: [*_COMMAND, "--help"],
    "fairgate event create --help": [*_COMMAND, "event", "create", "--help"],
}


def took_ms(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Run a command to its end. Raises CalledProcessError where it fails."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return (time.perf_counter() - began) * 1000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--goal-ms", type=float, default=GOAL_MS)
    options = parser.parse_args(arguments)
    environment = base_environment()
    ways = {name: partial(took_ms, command, environment) for name, command in COMMANDS.items()}
    for way in ways.values():  # its bytecode is compiled once
        way()
    seen = {name: Range.of(took) for name, took in by_turns(ways, options.runs).items()}
    title = f"{machine()}, {versions()}: medians of {options.runs} fresh processes."
    rows = [(name, one.shown()) for name, one in seen.items()]
    print(table(title, ("command", "ms"), rows))
    if seen[_HELP].median > options.goal_ms:
        print(f"BROKEN  {_HELP} takes more than {options.goal_ms:.0f} ms")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
