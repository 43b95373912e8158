"""``make bench-rebuild``: fill the cache of a whole hall from the table, while people read.

The command of the operators, ``fairgate cache rebuild``, and readers who call the seat-map handler
from an empty cache on, each in a process of its own. Everything shares this machine, the table's
engine too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.prove.bench.kit.report import machine
from fairgate_ops.prove.bench.rebuild_reader import READS_A_SECOND
from fairgate_ops.prove.bench.rebuild_world import EVENT, RebuildWorld, rebuild_world
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SEATS = 100_000
ALLOWED_S = 30.0
READERS = 4


@dataclass
class Reads:
    """What all readers got."""

    readers: int
    statuses: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    took_ms: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        ordered = sorted(self.took_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@dataclass(frozen=True)
class Rebuild:
    """What the command said, how it ended, and what was read meanwhile."""

    said: dict[str, Any]
    status: int
    progress: str
    reads: Reads
    cached: int

    @property
    def good(self) -> bool:
        """Everything is cached, and every reader had a right answer."""
        return (
            self.status == 0
            and self.cached == self.said["seats"]
            and not set(self.reads.statuses) - {"200"}
            and not self.reads.wrong
        )


def rebuild(world: RebuildWorld, readers: int) -> Rebuild:
    """One run of the command on an empty cache, with readers until after its end."""
    command = python_module("fairgate_ops.operate.cli.main", "cache", "rebuild", EVENT, "--json")
    reads = Reads(readers)
    with _reading(world, reads):
        world.empty_cache()
        done = subprocess.run(
            [*command, "--run-file", str(world.run_file)],
            cwd=ROOT,
            env=base_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    if not done.stdout:
        raise StartError(f"The command said nothing. Its errors: {done.stderr[-2000:]}")
    return Rebuild(json.loads(done.stdout), done.returncode, done.stderr, reads, world.cached())


@contextmanager
def _reading(world: RebuildWorld, reads: Reads) -> Iterator[None]:
    with ExitStack() as stack:
        children = [stack.enter_context(_reader(world, seed)) for seed in range(reads.readers)]
        for child in children:
            if child.stdout is None or child.stdout.readline() != "ready\n":
                raise StartError("A reader did not start.")
        yield
        for child in children:
            said, _ = child.communicate()
            got = json.loads(said)
            reads.statuses.update(got["statuses"])
            reads.sources.update(got["sources"])
            reads.wrong += got["wrong"]
            reads.took_ms += got["took_ms"]


def _reader(world: RebuildWorld, seed: int) -> subprocess.Popen[str]:
    words = ("--seats", str(world.hall.seats), "--seed", str(seed))
    return subprocess.Popen(
        [
            *python_module("fairgate_ops.prove.bench.rebuild_reader", *words),
            *("--run-file", str(world.run_file)),
        ],
        cwd=ROOT,
        env=base_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--readers", type=int, default=READERS)
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-rebuild-") as folder,
        rebuild_world(Path(folder), options.seats) as world,
    ):
        found = [rebuild(world, readers) for readers in (0, options.readers)]
    for each in found:
        _show(each)
    print(f"Machine: {machine()}.")
    return 0 if all(each.good and each.said["seconds"] < ALLOWED_S for each in found) else 1


def _show(found: Rebuild) -> None:
    said, reads = found.said, found.reads
    print(f"\nWith {reads.readers} readers. The command showed:")
    print(*(f"  {line}" for line in found.progress.splitlines()), sep="\n")
    if "seconds" not in said:
        print(json.dumps(said, indent=2))
        return
    print(
        f"{said['seats']:,} seats in {said['sections']} sections and {said['areas']} area:"
        f" {said['seconds']:.1f} s ({said['seats'] / said['seconds']:,.0f} seats a second),"
        f" allowed {ALLOWED_S:.0f} s. Cached afterwards: {found.cached:,}."
    )
    if reads.took_ms:
        p50, p99 = reads.percentile(0.5), reads.percentile(0.99)
        print(
            f"{len(reads.took_ms):,} reads meanwhile, up to {READS_A_SECOND} a second a reader:"
            f" statuses {dict(reads.statuses)}, {len(reads.wrong)} with wrong content,"
            f" sources {dict(reads.sources)}, p50 {p50:.0f} ms, p99 {p99:.0f} ms,"
            f" longest {max(reads.took_ms):.0f} ms (all sections at once, before any was there)."
        )


if __name__ == "__main__":
    sys.exit(main())
