"""``make bench-rebuild``: fill the cache of a whole hall from the table, while people read.

The command of the operators, ``fairgate cache rebuild``, in a process of its own; readers call the
seat-map handler in this one, from an empty cache on. Everything shares this machine, the table's
engine too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate_ops.bench.gate import machine
from fairgate_ops.bench.rebuild_world import (
    EVENT,
    READS_A_SECOND,
    Readers,
    RebuildWorld,
    percentile,
    rebuild_world,
)
from fairgate_ops.local.environment import ROOT, base_environment, python_module
from fairgate_ops.local.processes import StartError

if TYPE_CHECKING:
    from collections.abc import Sequence

SEATS = 100_000
ALLOWED_S = 30.0
READERS = 2


@dataclass(frozen=True)
class Rebuild:
    """What the command said, how it ended, and what was read meanwhile."""

    said: dict[str, Any]
    status: int
    progress: str
    readers: Readers
    cached: int

    @property
    def good(self) -> bool:
        """Everything is cached, and every reader had a right answer."""
        return (
            self.status == 0
            and self.cached == self.said["seats"]
            and not set(self.readers.statuses) - {200}
            and not self.readers.wrong
        )


def rebuild(world: RebuildWorld, readers: int) -> Rebuild:
    """One run of the command on an empty cache, with readers until after its end."""
    reading = Readers(world, readers)
    command = python_module("fairgate_ops.cli.main", "cache", "rebuild", EVENT, "--json")
    world.empty_cache()
    with reading.reading():
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
    return Rebuild(json.loads(done.stdout), done.returncode, done.stderr, reading, world.cached())


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
    said, readers = found.said, found.readers
    print(f"\nWith {readers.count} readers. The command showed:")
    print(*(f"  {line}" for line in found.progress.splitlines()), sep="\n")
    if "seconds" not in said:
        print(json.dumps(said, indent=2))
        return
    print(
        f"{said['seats']:,} seats in {said['sections']} sections and {said['areas']} area:"
        f" {said['seconds']:.1f} s ({said['seats'] / said['seconds']:,.0f} seats a second),"
        f" allowed {ALLOWED_S:.0f} s. Cached afterwards: {found.cached:,}."
    )
    if readers.took_ms:
        p50, p99 = (percentile(readers.took_ms, share) for share in (0.5, 0.99))
        print(
            f"{len(readers.took_ms):,} reads meanwhile, up to {READS_A_SECOND} a second a reader:"
            f" statuses {dict(readers.statuses)}, {len(readers.wrong)} with wrong content,"
            f" sources {dict(readers.sources)}, p50 {p50:.0f} ms, p99 {p99:.0f} ms,"
            f" longest {max(readers.took_ms):.0f} ms."
        )


if __name__ == "__main__":
    sys.exit(main())
