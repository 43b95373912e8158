"""Run one seed: the sale with its troubles, then calm until nothing is under way, then judge."""

from __future__ import annotations

import contextlib
import io
import logging
import random
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

from fairgate import bootstrap
from fairgate.http import app
from fairgate.service.books.compare_captures import SETTLING_MS
from fairgate_lab.simulate.sale import laws, venue
from fairgate_lab.simulate.sale.buyers import Buyer
from fairgate_lab.simulate.sale.house import SHELLS, House, house_seats
from fairgate_lab.simulate.sale.intruder import Intruder
from fairgate_lab.simulate.sale.linearize import undecided_max
from fairgate_lab.simulate.sale.organiser import Organisers
from fairgate_lab.simulate.sale.passing import Passers
from fairgate_lab.simulate.sale.sale import Sale
from fairgate_lab.simulate.sale.staff import Staff

BUYERS_MAX = 4
BOOKS_ANYWAY = 0.2  # compared although every capture was reported: many reads, no news
DESK = 0.3  # somebody is noticed
# In one of so many sales staff makes tickets void, changes prices or erases buyers: of its own
# draws, so that the other sales are what they were before that could be done.
STAFF: Mapping[str, tuple[int, int, Callable[[Staff], None]]] = {
    "inspector": (7, 6, Staff.void),
    "editor": (11, 6, Staff.edit),
    "eraser": (12, 7, Staff.erase),
}
PASSED_EVERY, PASSED_AT = 13, 7  # sales: in one of them tickets are passed on
HOUSE_EVERY, HOUSE_AT = 13, 11  # in one of them house seats are blocked and freed
COMMAND = "python -m fairgate_lab.simulate.sale --seed {seed} --trace"


@dataclass(frozen=True)
class Result:
    """What became of one seed's sale."""

    seed: int
    failures: tuple[str, ...]
    steps: int
    digest: int  # of all that happened: the same for the same seed
    seconds: int  # virtual
    judged: int  # histories of seats
    undecided: int  # of them: the search was given up
    cpu_ms: float = field(default=0.0, compare=False)  # of this process; the one thing that varies

    def report(self) -> str:
        """What went wrong and how to see it again."""
        listed = "\n".join(f"  {failure}" for failure in self.failures)
        return f"seed {self.seed} fails:\n{listed}\n  replay: {COMMAND.format(seed=self.seed)}"


@dataclass
class Undecided:
    """Counts over a run the histories that were judged and those whose search was given up."""

    judged: int = 0
    count: int = 0

    def add(self, result: Result) -> None:
        """Count one sale's."""
        self.judged += result.judged
        self.count += result.undecided

    @property
    def too_many(self) -> bool:
        """Whether this run proves less than it says, and fails."""
        return self.count > undecided_max(self.judged)

    def __str__(self) -> str:
        share = self.count / self.judged if self.judged else 0.0
        bound = f"at most {undecided_max(self.judged):,} may be"
        return f"{self.count:,} of {self.judged:,} histories undecided ({share:.2%}; {bound})"


def run_seed(seed: int, *, cache: Any = None, trace: Callable[[str], None] | None = None) -> Result:
    """Deterministic: the same seed and code give the same result.

    Args:
        cache: an adapter whose server may be emptied; None leaves the cache out.
        trace: hears every step.
    """
    if cache is not None:
        with cache._connected() as valkey:  # noqa: SLF001 the simulator owns this server
            valkey.client.flushall()
    began_s = time.process_time()
    sale = Sale(seed, cache=cache)
    digest = 0

    def hear(line: str) -> None:
        nonlocal digest
        digest = zlib.crc32(line.encode(), digest)
        if trace is not None:
            trace(line)

    sale.scheduler.trace = hear
    kept = random.getstate()
    random.seed(seed)  # the adapters' jitter
    try:
        with (
            _quiet(),
            patch.object(bootstrap, "container", sale.fleet.container),
            patch.object(app, "logger", sale.fleet),
            venue.small_counters(),
            house_seats(wanted=seed % HOUSE_EVERY == HOUSE_AT),
        ):
            found = _play(sale)
    finally:
        random.setstate(kept)
        sale.fleet.close()
    seconds = (sale.scheduler.now_ms - venue.START_MS) // 1000
    return Result(
        seed,
        tuple(found),
        sale.scheduler.steps,
        digest,
        seconds,
        judged=sale.verdicts.total(),
        undecided=sale.verdicts["undecided"],
        cpu_ms=(time.process_time() - began_s) * 1000,
    )


def _play(sale: Sale) -> list[str]:
    scheduler = sale.scheduler
    if sale.created_before:
        _begin(sale)
    else:
        Organisers(sale, then=lambda: _begin(sale)).start()
    scheduler.run()
    if scheduler.failures:
        return scheduler.failures
    return [*sale.wrong, *map(str, laws.finally_(sale))]


def _begin(sale: Sale) -> None:
    """Let everybody come who has a part in the sale."""
    scheduler = sale.scheduler
    sale.look()
    users = ("ann", "bob", "cid", "dot")[: sale.rng.randint(2, BUYERS_MAX)]
    buyers = [scheduler.spawn(user, Buyer(sale, user).live) for user in users]
    if sale.rng.random() < DESK:
        scheduler.spawn("desk", lambda: sale.desk(sale.rng.choice(users)))
    buyers.append(scheduler.spawn("mallory", Intruder(sale).live))
    staff = Staff(sale, random.Random(sale.rng.getrandbits(64)))  # noqa: S311 a schedule
    buyers.append(scheduler.spawn("staff", staff.live))
    for name, (every, at, act) in STAFF.items():
        if sale.seed % every == at:
            own = Staff(sale, random.Random(sale.seed))  # noqa: S311 a schedule
            buyers.append(scheduler.spawn(name, partial(act, own)))
    if sale.seed % PASSED_EVERY == PASSED_AT:
        rng = random.Random(sale.seed)  # noqa: S311 a schedule
        # In every second of them; the others are what they were before tickets were taken back.
        takes_back = sale.seed % (2 * PASSED_EVERY) == PASSED_AT
        passers = Passers(sale, users, rng, takes_back=takes_back)
        buyers.append(scheduler.spawn("passers", passers.live))
    if sale.seed % HOUSE_EVERY == HOUSE_AT:
        house = House(sale, random.Random(sale.seed))  # noqa: S311 a schedule
        shells = (f"house {shell}" for shell in range(SHELLS))
        buyers += [scheduler.spawn(shell, house.live) for shell in shells]
    scheduler.spawn("sweeper", sale.sweep, daemon=True)
    scheduler.spawn("the end", lambda: _end(sale, buyers), daemon=True)


def _end(sale: Sale, buyers: list[Any]) -> None:
    """Check as it goes; when the buyers have gone, let everything settle: what the sweeper and the
    reconciliation repair has consequences of its own.
    """
    scheduler = sale.scheduler
    while not all(buyer.finished for buyer in buyers):
        scheduler.sleep(sale.rng.randint(1, sale.long_ms))
        _judge(sale)
        if sale.faults.chance(sale.faults.plan.redrive):
            sale.redrive()
    sale.faults.plan, sale.calm = sale.faults.plan.calm(), True
    for books in (sale.forgotten, False, sale.forgotten or sale.rng.random() < BOOKS_ANYWAY):
        sale.redrive()  # again: what was under way may have died since
        while scheduler.busy():
            scheduler.sleep(sale.long_ms)
            _judge(sale)
        scheduler.sleep(2 * SETTLING_MS)
        sale.sweep_once()
        if books:
            sale.reconcile()
    sale.over = True


def _judge(sale: Sale) -> None:
    found = [*sale.wrong, *laws.meanwhile(sale)]
    if found:
        sale.scheduler.fail("; ".join(map(str, found)))


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Handlers print metrics and log what they survive; thousands of seeds need neither."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        logging.disable(before)
