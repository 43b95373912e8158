"""What the hourly comparison asks of the table (``make bench-reconcile``).

Calls are counted, not timed: the real comparison over the simulator's table, once as it reads and
once with every capture read by itself. Below them the time that so many calls in a row take at
``--trip-ms`` each (modelled), and CPU of this process.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.domain.shared.ids import EventId, OrderId, SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.payments import Capture
from fairgate.ports.table import Put
from fairgate.service.orders.find_sold import SaleWindow
from fairgate.service.orders.reconcile_payments import OVERLAP_MS, SETTLING_MS, Reconciler
from fairgate.service.orders.refunds import Refunder
from fairgate.service.orders.settle_payment import PaymentSettler
from fairgate.service.shared.due import session_due
from fairgate.service.shared.keys import orders_index, own_order_key
from fairgate.service.shared.records.orders import Order
from fairgate_lab.bench.kit.report import machine, table, versions
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_ops.run.local.environment import TABLES

EVENT, CHECKOUT_S = EventId("sale"), 420
SPAN_MS = 3_600_000  # in which the captures were made


@dataclass(frozen=True)
class Cost:
    """What one comparison of so many captures asked for."""

    way: str
    captures: int
    reads: int  # GetItem and BatchGetItem
    queries: int
    cpu_s: float


class OneByOne(Reconciler, frozen=True):
    """Reads each capture's order and refund by themselves."""

    def _agreed(self, captures: Sequence[Capture]) -> set[Capture]:  # noqa: ARG002 none is known
        return set()


class CountedDynamo:
    """Counts the calls of a client by their names."""

    def __init__(self, engine: MemoryDynamo) -> None:
        self._engine = engine
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        self.calls[name] += 1
        return getattr(self._engine, name)


def measure(captures: int) -> list[Cost]:
    """Compare a sale's hour, all of whose captures agree, each way."""
    client, clock, payments = _sale(captures)
    known: dict[str, SaleWindow] = {EVENT: SaleWindow(EVENT, checkout_ms=(CHECKOUT_S * 1000,) * 2)}
    dynamo = DynamoTable(lambda: client, {s.name: TABLES[s.name] for s in SCHEMAS})
    refunder = Refunder(dynamo, clock, payments)
    settler = PaymentSettler(dynamo, clock, payments)
    costs = []
    ways: list[tuple[str, type[Reconciler], dict[str, SaleWindow]]] = [
        ("one by one, checkouts of any length", OneByOne, {}),
        ("a hundred at a time, the event's checkouts", Reconciler, known),
    ]
    for way, kind, windows in ways:
        client.calls.clear()
        began_s = time.process_time()
        since_ms = clock.now_ms() - OVERLAP_MS - SETTLING_MS
        found = kind(dynamo, clock, settler, refunder).run(
            [EVENT], since_ms=since_ms, windows=windows
        )
        if found.captures != captures or found.differences or found.failures:
            raise AssertionError(f"{way}: {found}")
        calls = client.calls
        reads = calls["get_item"] + calls["batch_get_item"]
        costs.append(Cost(way, captures, reads, calls["query"], time.process_time() - began_s))
    return costs


def _sale(captures: int) -> tuple[CountedDynamo, MemoryClock, MemoryPayments]:
    clock, payments = MemoryClock(), MemoryPayments()
    client = CountedDynamo(MemoryDynamo({TABLES[s.name]: s for s in SCHEMAS}, clock.now_ms))
    dynamo = DynamoTable(lambda: client, {s.name: TABLES[s.name] for s in SCHEMAS})
    began_ms = clock.now_ms()
    for number in range(captures):
        at_ms = began_ms + number * SPAN_MS // captures
        order = _order(number, at_ms)
        due = session_due(EVENT, order.session, order.expires_at, at_ms, order.order_id)
        dynamo.transact([Put.of(order), due])
        payments.taken.append(
            Capture(f"pay{number}", order.order_id, order.total_minor, "EUR", at_ms, 0)
        )
    clock.ms = began_ms + SPAN_MS + SETTLING_MS
    return client, clock, payments


def _order(number: int, at_ms: int) -> Order:
    session = SessionId(f"ses_{number:032x}")
    order, user, now = OrderId(f"ord_{number:032x}_{0:08x}"), UserId(f"u{number}"), rfc3339(at_ms)
    return Order(
        *own_order_key(order),
        gsi1_pk=orders_index(user),
        gsi1_sk=f"{now}#{session}",
        user_id=user,
        event_id=EVENT,
        order_id=order,
        state="ticketed",
        total_minor=10_000,
        currency="EUR",
        lines=[],
        units=[],
        user_limit=8,
        email="",
        expires_at=rfc3339(at_ms + CHECKOUT_S * 1000),
        created_at=now,
        payment_id=f"pay{number}",
        paid_at=now,
        ticketed_at=now,
        mailed_at=now,
    )


def shown(costs: Sequence[Cost], trip_ms: float) -> str:
    def per_thousand(figure: float, cost: Cost) -> float:
        return figure * 1_000 / cost.captures

    return table(
        f"{costs[0].captures:,} captures of an hour that agree",
        (
            "the comparison reads",
            "reads per 1,000 captures",
            f"their time at {trip_ms:g} ms each, s (modelled)",
            "queries of the event's minutes",
            "CPU per 1,000, s",
        ),
        (
            (
                cost.way,
                f"{per_thousand(cost.reads, cost):,.0f}",
                f"{per_thousand(cost.reads, cost) * trip_ms / 1000:.2f}",
                f"{cost.queries:,}",
                f"{per_thousand(cost.cpu_s, cost):.2f}",
            )
            for cost in costs
        ),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fairgate_lab.bench.reconcile", description=__doc__
    )
    parser.add_argument("--captures", type=int, default=1_000)
    parser.add_argument("--trip-ms", type=float, default=5.0, help="of one call (modelled)")
    options = parser.parse_args(arguments)
    print(f"{machine()}, {versions()}\n", flush=True)
    print(shown(measure(options.captures), options.trip_ms))
    return 0


if __name__ == "__main__":
    sys.exit(main())
