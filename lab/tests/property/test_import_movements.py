"""Whatever the lists do, what is entered of the balance adds up to it, each movement once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import TABLES
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Movement, Payout
from fairgate.ports.record import decode
from fairgate.ports.table import Action
from fairgate.service.audit.law import violations
from fairgate.service.audit.ledger import fees, payout_parts
from fairgate.service.audit.snapshot import Snapshot
from fairgate.service.books.check_movements import MovementChecker
from fairgate.service.books.import_movements import DAY_MS, MovementImporter, read_imported
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.engine.payments import MemoryPayments
from fairgate_lab.worlds.open_sale import NAMES
from fairgate_ops.operate.laws.read_tables import of_tables
from tests.support.items import ITEMS

BEGAN_MS = 1_800_000_000_000 // DAY_MS * DAY_MS
LENGTH_MS = 3 * DAY_MS
_, ORDER_ITEM = ITEMS["order"]
OURS = decode(Order, ORDER_ITEM).order_id
ELSEWHERE = "ord_" + "e" * 32 + "_" + "f" * 8
KINDS = ("capture", "refund", "refund-returned", "dispute", "dispute-won", "topup")


class BrokenOffError(Exception):
    """The process ended here."""


@dataclass
class Lists(MemoryPayments):
    """Lists that come in any order, name some twice, and break off when they are told to."""

    cuts: Iterator[int] = field(default_factory=lambda: iter(()))

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement]:
        yield from self._cut(list(super().movements(since_ms, until_ms)))

    def movements_of_payout(self, payout: str) -> Iterator[Movement]:
        yield from self._cut(list(super().movements_of_payout(payout)))

    def _cut(self, listed: list[Movement]) -> Iterator[Movement]:
        cut = next(self.cuts, None)
        for number, one in enumerate([*reversed(listed), *listed[:2]]):
            if cut == number:
                raise DependencyUnavailableError("asked too often")
            yield one


class Ending(DynamoTable):
    """A table whose process ends after so many writes, or before the next one is answered."""

    writes_left: int | None = None

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        if self.writes_left == 0:
            raise BrokenOffError
        super().transact(actions, token)
        if self.writes_left is not None:
            self.writes_left -= 1


movements = st.builds(
    Movement,
    id=st.integers(0, 10**9).map("txn_{}".format),
    kind=st.sampled_from(KINDS),
    amount_minor=st.integers(-100_000, 100_000),
    fee_minor=st.integers(-50, 2_000),
    currency=st.sampled_from(("EUR", "JPY")),
    at_ms=st.integers(BEGAN_MS, BEGAN_MS + LENGTH_MS),
    payment=st.sampled_from(("pi_1", "pi_2")),
    order=st.sampled_from((OURS, ELSEWHERE, "")),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    moved=st.lists(movements, max_size=30, unique_by=lambda one: one.id),
    cuts=st.lists(st.integers(0, 12), max_size=6),
    endings=st.lists(st.integers(0, 8), max_size=4),
    paid_out=st.integers(0, 30),
)
def test_runs_that_end_anywhere_come_to_the_providers_own_sums(
    moved: list[Movement], cuts: list[int], endings: list[int], paid_out: int
) -> None:
    engine = MemoryDynamo({NAMES[schema.name]: schema for schema in TABLES}, lambda: 0)
    engine.put_item(TableName=NAMES["reservations"], Item=to_item(ORDER_ITEM))
    table = Ending(partial(_same, engine), NAMES)
    clock = MemoryClock(BEGAN_MS + LENGTH_MS + 60_000)
    payments = Lists(moved=moved, cuts=iter(cuts))
    pay(payments, [one for one in moved if one.currency == "EUR"][:paid_out])
    importer = MovementImporter(table, clock, payments)
    for writes in (*endings, None):
        table.writes_left = writes
        importer.run(BEGAN_MS)
    for _ in cuts:
        importer.run(BEGAN_MS)
    done = importer.run(BEGAN_MS)
    assert (done.new, done.complete, done.failures) == (0, True, [])
    assert read_imported(table) == (clock.ms, None)
    checked = MovementChecker(table, clock, payments).check(BEGAN_MS)
    assert checked.agrees, checked.differences
    assert sum(one.count for one in checked.ours.values()) == len(payments.moved)
    for currency in ("EUR", "JPY"):
        net = sum(one.net_minor for one in payments.moved if one.currency == currency)
        assert checked.ours[currency].net_minor == net
    assert violations(snapshot(engine), (fees, payout_parts)) == []


def pay(payments: Lists, parts: list[Movement]) -> None:
    net = sum(one.net_minor for one in parts)
    at_ms = BEGAN_MS + LENGTH_MS
    payments.paid_out.append(Payout("po_1", net, "EUR", "paid", at_ms, at_ms + DAY_MS, "known"))
    payments.parts_of["po_1"] = [one.id for one in parts]
    sent = Movement("txn_out", "payout", -net, 0, "EUR", at_ms, thing="po_1")
    payments.moved = [*payments.moved, sent]


def snapshot(engine: MemoryDynamo) -> Snapshot:
    return of_tables(engine, {str(name): table for name, table in NAMES.items()})


def _same(client: MemoryDynamo) -> MemoryDynamo:
    return client
