"""What a benchmark declares, and one way to run them all."""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate_lab.bench.kit.measure import BenchError
from fairgate_lab.bench.kit.report import machine, table, versions
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with

Options = argparse.Namespace


@dataclass(frozen=True)
class Option:
    """An option of a benchmark. Its default gives its type: a tuple takes many, None is a path."""

    default: Any
    about: str = ""
    choices: Sequence[str] | None = None

    def add(self, parser: argparse.ArgumentParser, name: str) -> None:
        """Let the parser read ``--name``."""
        many = isinstance(self.default, tuple)
        sample = next(iter(self.default), "") if many else self.default
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            type=Path if sample is None else type(sample),
            nargs="*" if many else None,
            default=self.default,
            choices=self.choices,
            help=f"{self.about} [{self.default}]",
        )


@dataclass(frozen=True)
class Part:
    """What was measured: a table with its title, a text below it, goals that were met or not."""

    title: str
    head: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    below: str = ""
    goals: Mapping[str, bool] = field(default_factory=dict)

    def shown(self) -> str:
        """Show it, each goal that is not met in a line of its own."""
        lines = [table(self.title, self.head, self.rows) if self.head else self.title]
        broken = [f"BROKEN  {goal}" for goal, met in self.goals.items() if not met]
        return "\n".join([*lines, *([self.below] if self.below else []), *broken])


Measure = Callable[[Options, Path], Iterable[Part]]


@dataclass(frozen=True)
class Benchmark:
    """A benchmark: what it asks, its options, and what measures it in an empty folder.

    Attributes:
        goal: what has to hold; "" where figures are only shown.
        packages: whose versions are shown.
        missing: says why it cannot run here, or None.
    """

    about: str
    measure: Measure
    options: Mapping[str, Option] = field(default_factory=dict)
    goal: str = ""
    packages: Sequence[str] = ()
    missing: Callable[[Options], str | None] = lambda _options: None

    def read(self, words: Sequence[str]) -> Options:
        """Read the options; ends the process for wrong ones."""
        goal = f"Goal: {self.goal}" if self.goal else ""
        parser = argparse.ArgumentParser(description=self.about, epilog=goal)
        for name, option in self.options.items():
            option.add(parser, name)
        return parser.parse_args(words)

    def run(self, words: Sequence[str] = ()) -> int:
        """Print each part once it is measured; 1 where a goal is missed or it cannot run."""
        options = self.read(words)

        @ends_with(BenchError, StartError, OSError, subprocess.CalledProcessError)
        def run(_words: Sequence[str] | None) -> int:
            return self._run(options)

        return run()

    def _run(self, options: Options) -> int:
        if why := self.missing(options):
            raise BenchError(why)
        load = f"load when it began {os.getloadavg()[0]:.1f}"
        print(f"{machine()}, {versions(*self.packages)}; {load}\n", flush=True)
        met = True
        with tempfile.TemporaryDirectory(prefix="fairgate-bench-") as folder:
            for part in self.measure(options, Path(folder)):
                print(part.shown(), flush=True)
                met = met and all(part.goals.values())
        return 0 if met else 1
