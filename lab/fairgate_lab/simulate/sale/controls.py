"""Negative controls: how many seeds it takes to notice that a guard is missing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairgate_lab.simulate.sale.cache_server import simulated_cache
from fairgate_lab.simulate.sale.guard import Guard
from fairgate_lab.simulate.sale.guards import all_guards
from fairgate_lab.simulate.sale.run import Result, run_seed

BOUND = 500


@dataclass(frozen=True)
class Control:
    guard: str
    seeds: int  # how many were run
    found: Result | None  # None: a sale survives without the guard

    def __str__(self) -> str:
        if self.found is None:
            return f"   – {self.guard}: unnoticed in {self.seeds} seeds"
        first = self.found.failures[0].strip().splitlines()[-1]
        return f"{self.seeds:4d} {self.guard}: {first[:110]}"


def control(guard: Guard, bound: int = BOUND, *, first: Sequence[int] = ()) -> Control:
    """Without the guard, run the seeds of ``first`` and then others until a checker fails.

    A guard of the cache needs a server: without one the control has nothing to say and raises
    LookupError.
    """
    seeds = itertools.islice(itertools.chain(first, itertools.count()), bound)
    with guard.without(), simulated_cache(wanted=guard.cache) as cache:
        if guard.cache and cache is None:
            raise LookupError("there is no Valkey server here")
        for count, seed in enumerate(seeds, 1):
            result = run_seed(seed, cache=cache)
            if result.failures:
                return Control(guard.name, count, result)
    return Control(guard.name, bound, None)


def controls(bound: int = BOUND) -> Iterator[Control]:
    """Every guard's, one after another."""
    for guard in all_guards():
        yield control(guard, bound)
