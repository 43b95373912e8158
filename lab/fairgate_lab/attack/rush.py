"""A rush: hundreds of buyers at once against a system of its own, and the checker after them.

Ends with 1 when a law is broken, when a buyer ended without a clear outcome, or when a message
could not be delivered.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fairgate_lab.attack.noting_worker import LOG
from fairgate_lab.attack.processor import busy_s, seconds_by_group
from fairgate_lab.attack.stages import Calls, Stamps, calls_in, notes_in, seconds_of, stamps_of
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.crowd.arrivals import Crowd
from fairgate_ops.run.laws.check import check
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.local_config import LocalConfig
from fairgate_ops.run.local.logged_system import LoggedSystem
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.run.local.resources import dead_letters
from fairgate_ops.run.local.system import LocalSystem
from fairgate_ops.shared.endings import ends_with
from fairgate_ops.shared.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fairgate_ops.operate.laws.checked import Report
    from fairgate_ops.run.crowd.buyer import Outcome

EVENT = "rush"
SEATS = 1_500
SETTLE_S = 60.0
# A core of this machine serves two or three buyers a second. Two hundred at once inside would wait
# half a minute, so most of them wait in the waiting room.
LIVE_PER_CORE = 6
TAU_S = 40.0
# A buyer who leaves at the payment page keeps a capacity slot for so long. With an event's defaults
# such buyers would soon fill a small capacity.
SESSION_S, CHECKOUT_S = 120, 60
PERCENTILES = (50, 95, 99, 100)
SHOWN_MAX = 20
BUYERS, MACHINE = "the buyers", "the machine"


@dataclass(frozen=True)
class Used:
    """Who used the processor from the first buyer to the last, in seconds."""

    wall_s: float
    buyers_s: float  # the simulated buyers themselves
    machine_s: float  # everybody on this machine
    parts_s: Mapping[str, float]

    def lines(self) -> Iterator[str]:
        cores = os.cpu_count() or 1
        others_s = max(0.0, self.machine_s - self.buyers_s - sum(self.parts_s.values()))
        yield f"of the processor, {self.wall_s:.0f} s of {cores} cores"
        named = {BUYERS: self.buyers_s, **self.parts_s, "others on this machine": others_s}
        for name, used_s in sorted(named.items(), key=lambda pair: -pair[1]):
            yield f"  {name:<32}{used_s:>8.1f} s{used_s / self.wall_s / cores:>7.1%}"


@dataclass
class Result:
    """What a rush ended with."""

    outcomes: Sequence[Outcome]
    report: Report
    dead: dict[str, int] = field(default_factory=dict)
    stamps: Sequence[Stamps] = ()
    calls: Mapping[str, Calls] = field(default_factory=dict)
    used: Used | None = None

    @property
    def broken(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.kind == "broken"]

    @property
    def passed(self) -> bool:
        return not (self.broken or self.report.violations or any(self.dead.values()))

    def lines(self) -> Iterator[str]:
        ends = Counter((outcome.kind, outcome.code) for outcome in self.outcomes)
        yield f"{len(self.outcomes):,} buyers"
        for (kind, code), count in ends.most_common():
            yield f"  {count:>6,}  {kind:<8} {code}"
        yield from _table("a buyer's steps", "calls", sorted(self._seconds().items()))
        yield from _table("where the tickets wait", "orders", seconds_of(self.stamps))
        yield from _table("until the API has a worker", "calls", self._api("waited"))
        yield from _table("the API's work", "calls", self._api("took"))
        if self.used is not None:
            yield from self.used.lines()
        for outcome in self.broken[:SHOWN_MAX]:
            yield f"BROKEN  {outcome.buyer}: {outcome.code} {outcome.detail}"
        for queue, count in self.dead.items():
            if count:
                yield f"BROKEN  {count} messages of the queue {queue} could not be delivered"
        yield from self.report.lines()

    def _api(self, what: str) -> list[tuple[str, list[float]]]:
        return [
            (kind, [ms / 1000 for ms in getattr(calls, what)]) for kind, calls in self.calls.items()
        ]

    def _seconds(self) -> dict[str, list[float]]:
        steps: defaultdict[str, list[float]] = defaultdict(list)
        for outcome in self.outcomes:
            for step, seconds in outcome.steps:
                steps[step].append(seconds)
        return steps


def rush_on(system: LocalSystem, event: str, *, buyers: int, seconds: float, seed: int) -> Result:
    """Keep ``buyers`` at once busy on a running system for ``seconds``, then check it."""
    before, began = _processor(system), time.monotonic()
    with progress("Buyers done") as step:
        crowd = Crowd(
            system.base_url,
            event,
            seed=seed,
            think_s=0.5,
            patience_s=seconds + 60,
            on_end=lambda _outcome: step(1),
        )
        outcomes = asyncio.run(crowd.keep(buyers, seconds))
    used = _used(before, _processor(system), time.monotonic() - began)
    system.watch()
    config = LocalConfig.read(system.run_dir)
    report = check(config, within_s=SETTLE_S)
    dead = dead_letters(config["dynamodb_endpoint"], config["queues"])
    seen_ms = {outcome.order: outcome.seen_ms for outcome in outcomes if outcome.seen_ms}
    stamps = stamps_of(report.snapshot, seen_ms, notes_in(system.place.logs / LOG))
    return Result(outcomes, report, dead, stamps, calls_in(system.access_log), used)


def _processor(system: LocalSystem) -> dict[str, float]:
    used = seconds_by_group()
    parts = {name: used.get(group, 0.0) for name, group in system.groups().items()}
    return {BUYERS: time.process_time(), MACHINE: busy_s(), **parts}


def _used(before: Mapping[str, float], after: Mapping[str, float], wall_s: float) -> Used:
    spent = {name: seconds - before.get(name, 0.0) for name, seconds in after.items()}
    return Used(wall_s, spent.pop(BUYERS), spent.pop(MACHINE), spent)


class RushSystem(LoggedSystem):
    """`make up` without the crowd, with an access log at the API and notes at the ticketer."""

    worker_module = "fairgate_lab.attack.noting_worker"


def rush(
    run_dir: Path, sale: Sale, *, buyers: int, seconds: float, seats: int, seed: int
) -> Result:
    """A rush for this sale on a system of its own, on free ports.

    Raises:
        StartError: the system did not start, or a part of it died under way.
    """
    with RushSystem(run_dir) as system:
        put_on_sale(system.place.config, sale, demo_venue(seats))
        return rush_on(system, sale.event, buyers=buyers, seconds=seconds, seed=seed)


def sale_of(capacity: int, tau_s: float) -> Sale:
    """Return the sale of a rush: ``capacity`` may shop at once, the others wait."""
    return Sale(
        EVENT,
        name="Rush",
        sale_starts_in_s=3,
        tau_s=tau_s,
        pow_bits=10,
        backoff_max_s=5,
        live_max=capacity,
        session_s=SESSION_S,
        checkout_s=CHECKOUT_S,
    )


def _table(title: str, counted: str, rows: Iterable[tuple[str, Sequence[float]]]) -> Iterator[str]:
    listed = list(rows)
    if not listed:
        return
    yield (
        f"{title + ', seconds':<44}"
        + "".join(f"{_name(p):>8}" for p in PERCENTILES)
        + f"{counted:>8}"
    )
    for step, seconds in listed:
        figures = "".join(f"{_percentile(seconds, p):>8.3f}" for p in PERCENTILES)
        yield f"  {step:<42}{figures}{len(seconds):>8,}"


def _name(percent: int) -> str:
    return "max" if percent == max(PERCENTILES) else f"p{percent}"


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


@ends_with(StartError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--buyers", type=int, default=200, help="at once")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seats", type=int, default=SEATS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--capacity",
        type=int,
        default=LIVE_PER_CORE * (os.cpu_count() or 1),
        help="how many may shop at once: what the machine serves well; default: %(default)s",
    )
    parser.add_argument("--tau", type=float, default=TAU_S, help="pace of admission in seconds")
    parser.add_argument("--run-dir", type=Path, help="keep the run's files and logs here")
    options = parser.parse_args(arguments)
    print(
        f"{options.buyers} buyers at once for {options.seconds:.0f} s, "
        f"{options.capacity} of them inside …",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="fairgate-rush-") as temporary:
        run_dir = options.run_dir or Path(temporary)
        result = rush(
            run_dir,
            sale_of(options.capacity, options.tau),
            buyers=options.buyers,
            seconds=options.seconds,
            seats=options.seats,
            seed=options.seed,
        )
    print("\n".join(result.lines()))
    return 0 if result.passed else 1


if __name__ == "__main__":
    sys.exit(main())
