"""Several senders of one part at once, each between any two calls: the money goes once.

A whole sale seldom has two of them, so here they are alone with the provider, which is silent,
loses answers, and keeps refusals and 500s by their number.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.domain.shared.ids import EventId, OrderId, session_of_order
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Refund
from fairgate.ports.table import Put, Update
from fairgate.service.refunds import refund_attempts
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import OwedRefund
from fairgate_lab.engine.clock import MemoryIds
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.secrets import MemorySecrets
from fairgate_lab.simulate.sale.fault_plan import FaultPlan
from fairgate_lab.simulate.sale.faults import FaultInjector
from fairgate_lab.simulate.sale.fleet import ProcessClock
from fairgate_lab.simulate.sale.provider import Provider
from fairgate_lab.simulate.sale.scheduler import Scheduler
from fairgate_lab.simulate.sale.seams import PaymentsSeam
from fairgate_lab.simulate.sale.table_seam import TableSeam, UnderWay
from tests.support.lengths import at_length

ORDER = OrderId("ord_" + "a" * 32 + "_" + "b" * 8)
SESSION, PART, AMOUNT, TAKEN = session_of_order(ORDER), 1, 100, 1_000
START_MS, HOUR_MS, TURNS_MS = 1_900_000_000_000, 3_600_000, 3_000
TROUBLES = FaultPlan(provider=0.3, refund_kept=0.5, stall=0.2, stall_ms=TURNS_MS)
SEEDS = range(at_length(500, 10_000))
SENDERS, TRIES_MAX = 4, 60


class Race:
    """A part that is owed, and senders that go on until none is."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311 a schedule, not a secret
        begins_ms = START_MS - START_MS % HOUR_MS - rng.randint(0, TURNS_MS)  # the hour turns soon
        self.scheduler = Scheduler(rng, begins_ms)
        self.faults = FaultInjector(self.scheduler, TROUBLES)
        self.clock = ProcessClock(self.scheduler, skew_ms=0)
        hears = SimpleNamespace(invoke=lambda *_: {"statusCode": 204, "body": '{"outcome": ""}'})
        notes = SimpleNamespace(begin=lambda *_, **__: None, end=lambda *_, **__: None)
        ids: Any = MemoryIds()
        self.provider = Provider(hears, self.faults, notes, b"s", ids)  # type: ignore[arg-type]
        page, _ = self.books.open(ORDER, TAKEN, "EUR", begins_ms + HOUR_MS)
        self.payment = page.payment
        self.books.capture(page, TAKEN)
        names: Any = {schema.name: schema.name for schema in TABLES}
        schemas = {str(schema.name): schema for schema in TABLES}
        engine = MemoryDynamo(schemas, lambda: self.scheduler.now_ms)
        self.table = DynamoTable(lambda: engine, names)
        self.table.transact([Put.of(self.owed())])
        seam = TableSeam(engine, self.faults, UnderWay())
        self.shared = DynamoTable(lambda: seam, names, sleep=self.waits)

    @property
    def books(self) -> Any:
        return self.provider.books

    def waits(self, seconds: float) -> None:
        self.scheduler.sleep(round(seconds * 1000))

    def owed(self) -> OwedRefund:
        return OwedRefund(
            *refund_key(SESSION, ORDER, self.payment, PART),
            order_id=ORDER,
            event_id=EventId("show"),
            payment_id=self.payment,
            amount_minor=AMOUNT,
            part=PART,
            owed_at="2026-01-01T00:00:00.000Z",
            currency="EUR",
        )

    def send(self) -> None:
        secrets, clock = MemorySecrets(), self.clock
        payments = PaymentsSeam(secrets, clock, self.provider, self.faults)
        refunder = Refunder(self.shared, clock, payments)
        for _ in range(TRIES_MAX):
            try:
                refunder.send(SESSION, ORDER, self.payment, PART)
            except DependencyUnavailableError:
                self.scheduler.sleep(self.scheduler.rng.randint(0, 500))
            else:
                return
        self.scheduler.fail(f"not sent in {TRIES_MAX} tries")

    def run(self) -> Race:
        for number in range(SENDERS):
            self.scheduler.spawn(f"sender {number}", self.send)
        self.scheduler.run()
        assert self.scheduler.failures == []
        return self

    def record(self) -> OwedRefund:
        found = self.table.find(OwedRefund, refund_key(SESSION, ORDER, self.payment, PART))
        assert found is not None
        return found


def test_the_money_goes_once_whoever_sends_it_and_however_late() -> None:
    numbers = set()
    for seed in SEEDS:
        race = Race(seed).run()
        assert race.books.again == [], f"seed {seed}"
        assert race.books.back(race.payment) == AMOUNT, f"seed {seed}"
        assert race.record().state == "succeeded", f"seed {seed}"
        numbers.add(race.record().attempt)
    assert {0, 1, 2, 3} <= numbers


def by_the_hour() -> AbstractContextManager[Any]:
    """The key as it was: the hour in the number's place."""
    refund = Provider.refund

    def at(provider: Provider, made: Any, amount_minor: int, part: int, _attempt: int) -> Refund:
        hour = provider._faults.scheduler.now_ms // HOUR_MS
        return refund(provider, made, amount_minor, part, hour)

    return patch.object(Provider, "refund", at)


def raised_by_silence() -> AbstractContextManager[Any]:
    return patch.object(refund_attempts, "RefusedForNowError", DependencyUnavailableError)


def raised_by_each() -> AbstractContextManager[Any]:
    """Two who hear one refusal raise the number twice."""

    def twice(table: Any, owed: OwedRefund) -> None:
        table.update(Update("reservations", *owed.key, add={"attempt": 1}))

    return patch.object(refund_attempts, "_raise_number", twice)


@pytest.mark.parametrize("without", [by_the_hour, raised_by_silence, raised_by_each])
def test_it_goes_twice_when_the_number_is_another_or_raised_by_less(
    without: Callable[[], AbstractContextManager[Any]],
) -> None:
    def twice(seed: int) -> bool:
        race = Race(seed)
        try:
            race.run()
        except AssertionError:  # nobody sent it, which is another thing
            return False
        return bool(race.books.again)

    with without():
        assert any(twice(seed) for seed in range(3_000))
