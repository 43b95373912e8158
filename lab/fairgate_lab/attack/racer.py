"""One process of a race: what it does, and what it was answered."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from fairgate.adapters.system import SystemClock, SystemIds
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    LimitExceededError,
    SeatsTakenError,
)
from fairgate.ports.table import Action, Refusal, Table, TransactionRefusedError
from fairgate.service.holds import hold_seats
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate_lab.attack.at_once import Start
from fairgate_lab.attack.race_history import Answer
from fairgate_lab.worlds.open_sale import table_at

SEATS_A_HOLD_MAX = 4
RELEASE_SHARE = 0.4
TWIN_ASKS_MAX = 20
TWIN_SPREAD_S = 0.3  # so that they don't come back at one moment
T = TypeVar("T")
Without = Literal["", "seat-guard", "all-or-none"]
# True for every seat that exists, with the same values in it: nothing guards the seat then.
NO_GUARD = "#availability = :available OR #availability = :locked OR #expiresAt <= :now"


@dataclass(frozen=True)
class Plan:
    """Attributes:
    contested: how many seats everybody wants.
    sharing: how many processes act for one session at the same time.
    without: what is taken away to see that the judge notices it.
    """

    processes: int = 64
    seconds: float = 10.0
    contested: int = 48
    sharing: int = 2
    seed: int = 1
    without: Without = ""


def race_along(
    start: Start,
    endpoint: str,
    plan: Plan,
    number: int,
    units: Sequence[Unit],
    credential: Credential,
) -> list[Answer]:
    """One process of the race."""
    if plan.without == "seat-guard":
        vars(hold_seats)["SEAT_IS_FREE"] = NO_GUARD
    with table_at(endpoint) as real:
        table: Any = OneByOne(real) if plan.without == "all-or-none" else real
        racer = Racer(
            SeatHolder(table, SystemClock(), SystemIds()),
            SeatReleaser(real, SystemClock()),
            credential,
            units,
            random.Random(plan.seed * 1_000 + number),  # noqa: S311 a simulation
        )
        start()
        until = time.monotonic() + plan.seconds
        while time.monotonic() < until:
            racer.act()
    return racer.answers


class OneByOne:
    """A table without transactions: each action for itself, until one is refused."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        reasons = [Refusal("None", None)] * len(actions)
        for place, action in enumerate(actions):
            try:
                self._table.transact([action], token and f"{token[:-2]}{place:02d}")
            except TransactionRefusedError as refused:
                reasons[place] = refused.reasons[0]
                raise TransactionRefusedError(reasons) from refused


class Racer:
    """Holds neighbouring seats that others want as well, and gives holds back now and then."""

    def __init__(
        self,
        holder: SeatHolder,
        releaser: SeatReleaser,
        credential: Credential,
        units: Sequence[Unit],
        chance: random.Random,
    ) -> None:
        self._holder, self._releaser, self._credential = holder, releaser, credential
        self._units, self._chance = units, chance
        self._mine: dict[str, tuple[str, ...]] = {}
        self.answers: list[Answer] = []

    def act(self) -> None:
        if self._mine and self._chance.random() < RELEASE_SHARE:
            self._release(self._chance.choice(sorted(self._mine)))
        else:
            self._hold()

    def _hold(self) -> None:
        first = self._chance.randrange(len(self._units))
        count = self._chance.randint(1, SEATS_A_HOLD_MAX)
        units = [self._units[(first + n) % len(self._units)] for n in range(count)]
        seats = tuple(unit.place for unit in units)
        began = time.monotonic_ns()
        more: dict[str, Any] = {}
        try:
            held = self._holder.hold(self._credential, units)
            more = {"outcome": "held", "hold": held.hold}
            self._mine[held.hold] = seats
        except SeatsTakenError as error:
            more = {"outcome": "seats-taken", "named": tuple(error.seats)}
        except LimitExceededError as error:
            more = {"outcome": "limit-exceeded", "held": error.fields.get("held", 0)}
        except DependencyUnavailableError:
            more = {"outcome": "unknown"}
        except FairgateError as error:
            more = {"outcome": "broken", "detail": f"hold of {seats}: {error!r}"}
        self._note("hold", seats, began, more)

    def _release(self, hold: str) -> None:
        seats = self._mine.pop(hold)
        began = time.monotonic_ns()
        more: dict[str, Any] = {"outcome": "released"}
        try:
            self._releaser.release_hold(self._credential.session, self._credential.user, hold)
        except DependencyUnavailableError:
            more = {"outcome": "unknown"}
        except FairgateError as error:
            more = {"outcome": "broken", "detail": f"release of {hold}: {error!r}"}
        self._note("release", seats, began, more | {"hold": hold})

    def _note(self, kind: Any, seats: tuple[str, ...], began_ns: int, more: dict[str, Any]) -> None:
        ended_ns = time.monotonic_ns()  # one clock for all processes of this machine
        session = self._credential.session
        self.answers.append(Answer(session, kind, seats, began_ns, ended_ns, **more))


def twin(
    start: Start, endpoint: str, credential: Credential, units: Sequence[Unit]
) -> tuple[str, ...]:
    """Hold these units under the key that all twins send; the hold and its units, or the error."""
    with table_at(endpoint) as table:
        holder = SeatHolder(table, SystemClock(), SystemIds())
        start()
        try:
            held = ask_again(lambda: holder.hold(credential, units, idempotency_key="the-same"))
        except FairgateError as error:
            return (repr(error),)
    return (held.hold, *(unit.place for unit in held.units))


def ask_again(ask: Callable[[], T], sleep: Callable[[float], object] = time.sleep) -> T:
    """Ask as a buyer's page does: while the system is busy, again when it said.

    Raises:
        DependencyUnavailableError: the last of TWIN_ASKS_MAX answers was no other.
    """
    for _ in range(TWIN_ASKS_MAX - 1):
        try:
            return ask()
        except DependencyUnavailableError as error:
            spread_s = random.uniform(0, TWIN_SPREAD_S)  # noqa: S311 no secret
            sleep((error.retry_after_s or 1) + spread_s)
    return ask()
