"""One run of ``fairgate cache rebuild`` on an empty cache, with readers until after its end.

The readers call the seat-map handler from an empty cache on, each in a process of its own.
Everything shares this machine, the table's engine too.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from fairgate_lab.bench.kit.measure import Spread
from fairgate_lab.bench.kit.world import answer_of, start_module
from fairgate_lab.bench.rebuild.reader import READS_A_SECOND
from fairgate_lab.bench.rebuild.world import EVENT, RebuildWorld
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT


@dataclass
class Reads:
    """What all readers got."""

    readers: int
    statuses: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Rebuild:
    """What the command reported, how it ended, and what was read meanwhile."""

    report: dict[str, Any]
    status: int
    progress: str
    reads: Reads
    cached: int

    @property
    def good(self) -> bool:
        """Tell whether everything is cached, and every reader had a right answer."""
        return (
            self.status == 0
            and self.cached == self.report["seats"]
            and not set(self.reads.statuses) - {"200"}
            and not self.reads.wrong
        )

    def shown(self) -> str:
        report, reads = self.report, self.reads
        lines = [f"\nWith {reads.readers} readers. The command showed:"]
        lines += (f"  {line}" for line in self.progress.splitlines())
        if "seconds" not in report:
            return "\n".join([*lines, json.dumps(report, indent=2)])
        lines.append(
            f"{report['seats']:,} seats in {report['sections']} sections and {report['areas']}"
            f" area: {report['seconds']:.1f} s ({report['seats'] / report['seconds']:,.0f} seats"
            f" a second). Cached afterwards: {self.cached:,}."
        )
        if reads.took_ms:
            ms = Spread.of(reads.took_ms)
            lines.append(
                f"{ms.count:,} reads meanwhile, up to {READS_A_SECOND} a second a reader:"
                f" statuses {dict(reads.statuses)}, {len(reads.wrong)} with wrong content,"
                f" sources {dict(reads.sources)}, p50 {ms.p50:.0f} ms, p99 {ms.p99:.0f} ms,"
                f" longest {ms.most:.0f} ms (all sections at once, before any was there)."
            )
        return "\n".join(lines)


def rebuild(world: RebuildWorld, readers: int) -> Rebuild:
    """Run the command. Raises StartError where it or a reader does not answer."""
    command = python_module("fairgate_ops.operate.cli.main", "cache", "rebuild", EVENT, "--json")
    reads = Reads(readers)
    with ExitStack() as stack:
        processes = [stack.enter_context(_reader(world, seed)) for seed in range(readers)]
        for process in processes:
            if process.stdout is None or process.stdout.readline() != "ready\n":
                raise StartError("A reader did not start.")
        world.empty_cache()
        done = subprocess.run(
            [*command, "--run-file", str(world.run_file)],
            cwd=ROOT,
            env=base_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        for answer in [answer_of(process) for process in processes]:
            reads.statuses.update(answer["statuses"])
            reads.sources.update(answer["sources"])
            reads.wrong += answer["wrong"]
            reads.took_ms += answer["took_ms"]
    if not done.stdout:
        raise StartError(f"The command said nothing. Its errors: {done.stderr[-2000:]}")
    return Rebuild(json.loads(done.stdout), done.returncode, done.stderr, reads, world.cached())


def _reader(world: RebuildWorld, seed: int) -> subprocess.Popen[str]:
    return start_module(
        "fairgate_lab.bench.rebuild.reader",
        *("--seats", str(world.hall.seats), "--seed", str(seed)),
        *("--run-file", str(world.run_file)),
        stderr=subprocess.DEVNULL,
    )
