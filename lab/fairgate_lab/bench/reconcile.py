"""What the hourly comparison asks of the table (``make bench-reconcile``).

Calls are counted, not timed: the real comparison over the simulator's table, once as it reads and
once with every capture read by itself. Below them the time that so many calls in a row take at
``--trip-ms`` each (modelled), and CPU of this process.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.domain.shared.ids import EventId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.payments import Capture
from fairgate.ports.table import Put
from fairgate.service.books.compare_captures import OVERLAP_MS, SETTLING_MS
from fairgate.service.books.find_sold import SaleWindow
from fairgate.service.books.reconcile_payments import Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import session_due
from fairgate_lab.bench.kit.benchmark import Benchmark, Option, Options, Part
from fairgate_lab.bench.kit.orders import made_order
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_lab.worlds.open_sale import NAMES

EVENT, CHECKOUT_S = EventId("sale"), 420
SPAN_MS = 3_600_000  # in which the captures were made


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


def measure(options: Options, _folder: Path) -> Iterator[Part]:
    """Compare a sale's hour, all of whose captures agree, each way."""
    captures: int = options.captures
    client, clock, payments = _sale(captures)
    known: dict[str, SaleWindow] = {EVENT: SaleWindow(EVENT, checkout_ms=(CHECKOUT_S * 1000,) * 2)}
    dynamo = DynamoTable(lambda: client, NAMES)
    refunder = Refunder(dynamo, clock, payments)
    settler = PaymentSettler(dynamo, clock, payments)
    since_ms = clock.now_ms() - OVERLAP_MS - SETTLING_MS
    ways: list[tuple[str, type[Reconciler], dict[str, SaleWindow]]] = [
        ("one by one, checkouts of any length", OneByOne, {}),
        ("a hundred at a time, the event's checkouts", Reconciler, known),
    ]
    rows = []
    for way, kind, windows in ways:
        client.calls.clear()
        began_s = time.process_time()
        found = kind(dynamo, clock, settler, refunder).run(
            [EVENT], since_ms=since_ms, windows=windows
        )
        cpu_s = time.process_time() - began_s
        if found.captures != captures or found.differences or found.failures:
            raise AssertionError(f"{way}: {found}")
        reads = (client.calls["get_item"] + client.calls["batch_get_item"]) * 1_000 / captures
        took_s = f"{reads * options.trip_ms / 1000:.2f}"
        queries, each_s = f"{client.calls['query']:,}", f"{cpu_s * 1_000 / captures:.2f}"
        rows.append((way, f"{reads:,.0f}", took_s, queries, each_s))
    yield Part(
        f"{captures:,} captures of an hour that agree",
        (
            "the comparison reads",
            "reads per 1,000 captures",
            f"their time at {options.trip_ms:g} ms each, s (modelled)",
            "queries of the event's minutes",
            "CPU per 1,000, s",
        ),
        rows,
    )


def _sale(captures: int) -> tuple[CountedDynamo, MemoryClock, MemoryPayments]:
    clock, payments = MemoryClock(), MemoryPayments()
    client = CountedDynamo(MemoryDynamo({NAMES[s.name]: s for s in SCHEMAS}, clock.now_ms))
    dynamo = DynamoTable(lambda: client, NAMES)
    began_ms = clock.now_ms()
    for number in range(captures):
        at_ms = began_ms + number * SPAN_MS // captures
        until = rfc3339(at_ms + CHECKOUT_S * 1000)
        order = made_order(EVENT, number, UserId(f"u{number}"), at_ms=at_ms, expires_at=until)
        due = session_due(EVENT, order.session, until, at_ms, order.order_id)
        dynamo.transact([Put.of(order), due])
        payment, total = order.payment_id or "", order.total_minor
        payments.taken.append(Capture(payment, order.order_id, total, "EUR", at_ms, 0))
    clock.ms = began_ms + SPAN_MS + SETTLING_MS
    return client, clock, payments


BENCHMARK = Benchmark(
    about="What the hourly comparison with the provider's books asks of the table.",
    measure=measure,
    options={"captures": Option(1_000), "trip_ms": Option(5.0, "of one call (modelled)")},
)
