"""Simulate sales from seeds, check every law, and say how to see a failure again."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from typing import Any

from fairgate_lab.simulate.sale.cache_server import simulated_cache
from fairgate_lab.simulate.sale.controls import controls
from fairgate_lab.simulate.sale.run import Result, Undecided, run_seed
from fairgate_ops.run.local.processes import die_with_parent
from fairgate_ops.shared.progress import progress

CHUNK = 100
SHOWN_MAX = 5


def run_range(seeds: range, *, with_cache: bool = True) -> list[Result]:
    """Every seed of a range in this process, on a cache of its own."""
    with simulated_cache(wanted=with_cache) as cache:
        return [run_seed(seed, cache=cache) for seed in seeds]


def run_many(first: int, count: int, jobs: int, *, with_cache: bool) -> Iterator[Result]:
    """Every seed, over ``jobs`` processes, as they come."""
    ranges = [
        range(start, min(start + CHUNK, first + count))
        for start in range(first, first + count, CHUNK)
    ]
    work = partial(run_range, with_cache=with_cache)
    with ProcessPoolExecutor(jobs, initializer=die_with_parent, initargs=(os.getpid(),)) as pool:
        for done in as_completed([pool.submit(work, seeds) for seeds in ranges]):
            yield from done.result()


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    with_cache = not options.no_cache
    if options.controls:
        for line in map(str, controls(options.controls)):
            print(line, flush=True)
        return 0
    if options.seed is not None:
        return _one(options.seed, trace=options.trace, with_cache=with_cache)
    first = _unseen() if options.start is None else options.start
    print(f"Seeds from {first} on: --start {first} makes the same sales again.", flush=True)
    return _many(first, options.seeds, options.jobs, with_cache=with_cache)


def _unseen() -> int:
    """Return a first seed from the clock: no run is faster than a seed a millisecond."""
    return time.time_ns() // 1_000_000


def _many(first: int, count: int, jobs: int, *, with_cache: bool) -> int:
    failed: list[Result] = []
    steps, cpu_ms, undecided = 0, 0.0, Undecided()
    with progress("Simulating sales", count) as step:
        for result in run_many(first, count, jobs, with_cache=with_cache):
            steps += result.steps
            cpu_ms += result.cpu_ms
            undecided.add(result)
            step()
            if result.failures:
                failed.append(result)
                if len(failed) <= SHOWN_MAX:
                    print(result.report(), flush=True)
    found = f"{len(failed):,} of them fail" if failed else "every law holds"
    cost = f"{cpu_ms / count:,.0f} ms of one core a sale"
    print(f"{count:,} sales, {steps:,} calls interleaved: {found}. {cost}.")
    print(f"{undecided}{': too many.' if undecided.too_many else '.'}")
    return 1 if failed or undecided.too_many else 0


def _one(seed: int, *, trace: bool, with_cache: bool) -> int:
    with simulated_cache(wanted=with_cache) as cache:
        hear: Any = partial(print, file=sys.stderr) if trace else None
        result = run_seed(seed, cache=cache, trace=hear)
    if result.failures:
        print(result.report())
        return 1
    undecided = Undecided(result.judged, result.undecided)
    print(
        f"Seed {seed}: {result.steps:,} calls in {result.seconds:,} virtual seconds; "
        f"every law holds. Digest {result.digest:08x}."
    )
    if undecided.count:
        print(f"{undecided}{': too many.' if undecided.too_many else '.'}")
    return 1 if undecided.too_many else 0


def _some(text: str) -> int:
    """Read a count of at least one: of no sale it would be true that every law holds."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.simulate.sale",
        description=(__doc__ or "").splitlines()[0],
    )
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--trace", action="store_true", help="with --seed: say every step")
    parser.add_argument("--seeds", type=_some, default=2_000, help="how many, one at least")
    parser.add_argument(
        "--start", type=int, help="the first of them; without it, one that nobody has run"
    )
    parser.add_argument("--jobs", type=_some, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--controls",
        type=_some,
        metavar="BOUND",
        help="instead: for each guard, how many seeds it takes to notice that it is missing",
    )
    parser.add_argument("--no-cache", action="store_true", help="leave the cache out")
    return parser


if __name__ == "__main__":
    sys.exit(main())
