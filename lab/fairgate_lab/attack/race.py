"""Processes that hold overlapping seats on real database engines, and a judge of every answer.

Ends with 1 when a seat was held twice, a hold was partial, or an answer cannot be explained.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from fairgate.service.audit.law import Violation, violations
from fairgate.service.shared.keys import RESERVATION
from fairgate.service.shared.records.sessions import Reservation
from fairgate_lab.attack.at_once import at_once
from fairgate_lab.attack.dynoxide import Dynoxide, dynoxide_binary
from fairgate_lab.attack.race_history import Books, History
from fairgate_lab.attack.racer import Plan, Without, race_along, twin
from fairgate_lab.worlds.open_sale import put_on_sale, table_at
from fairgate_ops.operate.laws.checked import CHECKED
from fairgate_ops.operate.laws.read_tables import of_tables
from fairgate_ops.run.local.environment import TABLES
from fairgate_ops.run.local.ministack import Ministack, local_client, ministack_binary
from fairgate_ops.run.local.processes import StartError
from fairgate_ops.shared.endings import ends_with

VENUE_SEATS = 80
HOLD_LIMIT = 6
SHOWN_MAX = 20


@dataclass(frozen=True)
class Result:
    """What a race ended with."""

    engine: str
    plan: Plan
    history: History
    violations: Sequence[Violation]

    def lines(self) -> Iterator[str]:
        answers = self.history.answers
        ends = Counter((answer.kind, answer.outcome) for answer in answers)
        tries = sum(answer.kind == "hold" for answer in answers)
        yield (
            f"{self.engine}: {self.plan.processes} processes, {self.plan.contested} seats, "
            f"{tries:,} holds tried in {self.plan.seconds:.0f} s"
        )
        for (kind, outcome), count in ends.most_common():
            yield f"  {count:>7,}  {kind:<8} {outcome}"
        for law, count in Counter(v.law for v in self.violations).most_common():
            yield f"  {count:>7,}  BROKEN   {law}"
        for violation in self.violations[:SHOWN_MAX]:
            yield f"BROKEN  {violation}"
        if not self.violations:
            yield "  no seat held twice, no hold in part, every answer explained"


def race(engine: str, endpoint: str, plan: Plan) -> Result:
    """Race on a fresh engine at ``endpoint``.

    Raises:
        StartError: a process of the race did not come to its end.
    """
    sale = put_on_sale(endpoint, seats=VENUE_SEATS, hold_limit=HOLD_LIMIT)
    sessions = sale.sessions(max(1, plan.processes // plan.sharing))
    units = list(sale.units()[: plan.contested])
    tasks = [
        (endpoint, plan, number, units, sessions[number % len(sessions)])
        for number in range(plan.processes)
    ]
    answers = [a for one in at_once(race_along, tasks, seconds=plan.seconds) for a in one]
    client = local_client("dynamodb", endpoint)
    try:
        snapshot = of_tables(client, TABLES)
    finally:
        client.close()
    history = History(answers, HOLD_LIMIT)
    books = Books(snapshot)
    found = {*history.violations(), *books.violations(history), *violations(snapshot, CHECKED)}
    return Result(engine, plan, history, sorted(found))


# --- twins

TWINS = 32  # processes
TWINS_ROUNDS = 5
TWINS_SEATS = 4


@dataclass(frozen=True)
class Twins:
    """What processes were answered who sent one request under one Idempotency-Key at once."""

    answers: Sequence[tuple[str, ...]]  # hold and seats, or the error
    reservations: int

    @property
    def passed(self) -> bool:
        """One effect, one answer."""
        return len(set(self.answers)) == 1 and self.reservations == TWINS_SEATS


def twins(endpoint: str, processes: int, rounds: int = TWINS_ROUNDS) -> list[Twins]:
    """Ask for one hold from all processes at once; again with other seats in each round."""
    sale = put_on_sale(endpoint, seats=VENUE_SEATS)
    seen = []
    for number, credential in enumerate(sale.sessions(rounds)):
        units = list(sale.units()[number * TWINS_SEATS : (number + 1) * TWINS_SEATS])
        answers = at_once(twin, [(endpoint, credential, units)] * processes)
        with table_at(endpoint) as table:
            kept = table.query(Reservation, credential.session, RESERVATION)
        seen.append(Twins(answers, len(kept)))
    return seen


# --- the command

ENGINES: dict[str, tuple[Callable[[], Path | None], type[Ministack | Dynoxide]]] = {
    "ministack": (ministack_binary, Ministack),
    "dynoxide": (dynoxide_binary, Dynoxide),
}


def missing_engine(name: str) -> str | None:
    """Why this engine cannot run here, or None."""
    found, _ = ENGINES[name]
    return None if found() else f"{name} is not installed: make setup"


def race_on(name: str, plan: Plan, folder: Path) -> Result:
    """Race on an engine of its own. Raises StartError."""
    _, server = ENGINES[name]
    with server(folder) as running:
        return race(name, running.endpoint, plan)


def twins_on(name: str, processes: int, folder: Path, *, rounds: int = TWINS_ROUNDS) -> list[Twins]:
    """Twins on an engine of their own. Raises StartError."""
    _, server = ENGINES[name]
    with server(folder) as running:
        return twins(running.endpoint, processes, rounds)


@ends_with(StartError)
def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=10.0, help="on each engine")
    parser.add_argument("--contested", type=int, default=48, help="seats that everybody wants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=sorted(ENGINES), action="append")
    parser.add_argument(
        "--without", choices=get_args(Without)[1:], default="", help="it must fail then"
    )
    options = parser.parse_args(arguments)
    plan = Plan(
        options.processes,
        options.seconds,
        options.contested,
        seed=options.seed,
        without=options.without,
    )
    broken = 0
    for name in options.engine or list(ENGINES):
        if reason := missing_engine(name):
            print(f"{name}: left out: {reason}")
            continue
        with tempfile.TemporaryDirectory(prefix="fairgate-race-") as folder:
            result = race_on(name, plan, Path(folder))
            pairs = [] if plan.without else twins_on(name, TWINS, Path(folder))
        print("\n".join(result.lines()), flush=True)
        broken += len(result.violations)
        if not plan.without:
            broken += sum(not one.passed for one in pairs)
            same = sum(one.passed for one in pairs)
            print(
                f"  one Idempotency-Key from {TWINS} processes at once, {len(pairs)} times: "
                f"one hold and the same answer in {same}",
                flush=True,
            )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
