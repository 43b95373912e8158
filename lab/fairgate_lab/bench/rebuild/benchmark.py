"""Fill the cache of a whole hall from the table, while people read (``make bench-rebuild``).

``fairgate cache rebuild`` on an empty cache. Readers call the seat-map handler from the empty
cache on until after its end, each in a process of its own, as Lambda environments do. Everything
shares this machine, the table's engine too.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.child import answer_of, start
from fairgate_lab.bench.kit.measure import Spread
from fairgate_lab.bench.rebuild.reader import READS_A_SECOND, read
from fairgate_lab.bench.rebuild.venue import EVENT, RebuildWorld, rebuild_world
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT

ALLOWED_S = 30.0


@dataclass(frozen=True)
class Rebuild:
    """What the command reported, how it ended, and what was read meanwhile."""

    report: dict[str, Any]
    status: int
    progress: str
    readers: int
    cached: int
    answers: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Tell whether everything is cached, and every reader had a right answer."""
        whole = self.status == 0 and self.cached == self.report["seats"]
        return whole and not set(self.answers) - {"200"} and not self.wrong

    def part(self) -> Part:
        """Show it with its goals."""
        report = self.report
        title = f"With {self.readers} readers. The command showed:\n{self.progress}"
        if "seconds" not in report:
            return Part(title + json.dumps(report, indent=2), goals={"it reports": False})
        below = (
            f"{report['seats']:,} seats in {report['sections']} sections and {report['areas']}"
            f" area: {report['seconds']:.1f} s ({report['seats'] / report['seconds']:,.0f} seats"
            f" a second). Cached afterwards: {self.cached:,}."
        )
        if self.took_ms:
            ms = Spread.of(self.took_ms)
            below += (
                f"\n{ms.count:,} reads meanwhile, up to {READS_A_SECOND} a second a reader:"
                f" statuses {dict(self.answers)}, {len(self.wrong)} with wrong content,"
                f" sources {dict(self.sources)}, p50 {ms.p50:.0f} ms, p99 {ms.p99:.0f} ms,"
                f" longest {ms.most:.0f} ms (all sections at once, before any was there)."
            )
        within = report["seconds"] < ALLOWED_S
        goals = {"every answer is right": self.good, f"at most {ALLOWED_S:.0f} s": within}
        return Part(title, below=below, goals=goals)


def rebuild(world: RebuildWorld, readers: int) -> Rebuild:
    """Run the command. Raises StartError where it or a reader does not answer."""
    command = python_module("fairgate_ops.operate.cli.main", "cache", "rebuild", EVENT, "--json")
    reach: dict[str, Any] = {
        "seats": world.hall.seats,
        "endpoint": world.endpoint,
        "valkey_url": world.valkey_url,
    }
    with ExitStack() as stack:
        processes = [
            stack.enter_context(start(read, stderr=subprocess.DEVNULL, seed=seed, **reach))
            for seed in range(readers)
        ]
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
        answers = [answer_of(process) for process in processes]
    if not done.stdout:
        raise StartError(f"The command said nothing. Its errors: {done.stderr[-2000:]}")
    report = json.loads(done.stdout)
    rebuilt = Rebuild(report, done.returncode, done.stderr, readers, world.cached())
    for answer in answers:
        rebuilt.answers.update(answer["answers"])
        rebuilt.sources.update(answer["sources"])
        rebuilt.wrong.extend(answer["wrong"])
        rebuilt.took_ms.extend(answer["took_ms"])
    return rebuilt


def measure(options: Options, folder: Path) -> Iterator[Part]:
    """Rebuild alone, then beside readers."""
    with rebuild_world(folder, options.seats) as world:
        for readers in (0, options.readers):
            yield rebuild(world, readers).part()


BENCHMARK = Benchmark(
    about="Fill the cache of a whole hall from the table, while people read.",
    measure=measure,
    options={"seats": Option(100_000), "readers": Option(4)},
    goal=f"every answer is right, and it takes at most {ALLOWED_S:.0f} s",
)
