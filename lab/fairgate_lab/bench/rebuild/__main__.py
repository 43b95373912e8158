"""``make bench-rebuild``: fill the cache of a whole hall from the table, while people read."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_lab.bench.kit.report import machine
from fairgate_lab.bench.rebuild.run import rebuild
from fairgate_lab.bench.rebuild.world import rebuild_world

if TYPE_CHECKING:
    from collections.abc import Sequence

ALLOWED_S = 30.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seats", type=int, default=100_000)
    parser.add_argument("--readers", type=int, default=4)
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory(prefix="fairgate-rebuild-") as folder,
        rebuild_world(Path(folder), options.seats) as world,
    ):
        runs = [rebuild(world, readers) for readers in (0, options.readers)]
    for each in runs:
        print(each.shown(), f"Allowed: {ALLOWED_S:.0f} s.", sep="\n")
    print(f"Machine: {machine()}.")
    return 0 if all(each.good and each.report["seconds"] < ALLOWED_S for each in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
