"""Much to compare, a run without time, a damaged cursor, an event that fails: nothing is lost."""

from __future__ import annotations

import re
from typing import Any

import pytest

from fairgate import deadline
from fairgate.domain.orders.order import DELAY_MAX_S
from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Update
from fairgate.service.books import find_sold, reconcile_payments
from fairgate.service.books.books import STOP_S, Reconciled
from fairgate.service.books.compare_captures import OVERLAP_MS
from fairgate.service.books.find_sold import SaleWindow
from fairgate.service.books.reconcile_payments import HELD_BACK_MS, Reconciler
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import due_entries
from fairgate.service.shared.keys import own_order_key, reconciled_key
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.table import CountedTable
from tests.support.world import EVENT, START_MS, World
from tests.unit.books.test_reconcile_payments import captured, ticketed
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle

AWAY = DependencyUnavailableError("away")


@pytest.fixture(autouse=True)
def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query a minute of a whole day takes moto a while."""
    monkeypatch.setattr(reconcile_payments, "FIRST_LOOK_MS", 900_000)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 60_000)


def compare(world: World, *events: str, table: Any = None, **options: Any) -> Reconciled:
    table = table or world.table
    settler = PaymentSettler(table, world.clock, world.payments)
    refunder = Refunder(table, world.clock, world.payments)
    return Reconciler(table, world.clock, settler, refunder).run(events, **options)


def mark_of(world: World) -> int:
    cursor = world.table.find(ReconcileCursor, reconciled_key())
    return 0 if cursor is None else epoch_ms(cursor.until)


def sold(world: World, number: int, *, paid: bool = True) -> Order:
    order = begin(world, held(world, f"u{number}", world.seat_ids[number])).order
    captured(world, order, f"pay{number}")
    if paid:
        settle(world, order, id=f"evt{number}", payment=f"pay{number}")
        ticketed(world, order)
    return order


def kinds(world: World) -> list[str]:
    return [task.kind for task in ManualTasks(world.table, world.clock).open()]


def test_what_agrees_costs_two_batches_a_hundred(world: World) -> None:
    order = sold(world, 0)
    for _ in range(249):
        captured(world, order, "pay0")
    world.clock.tick(400)
    table = CountedTable(world.table)
    compared = compare(world, table=table)
    assert (compared.captures, compared.differences) == (250, [])
    assert table.calls == {"find": 1, "find_many": 6, "update": 1}  # the cursor, read and written


def test_what_does_not_agree_is_read_anew_before_anything_is_done(world: World) -> None:
    agreed, late = sold(world, 0), sold(world, 1, paid=False)
    world.clock.tick(400)
    table = CountedTable(world.table)
    compared = compare(world, table=table)
    assert [d.kind for d in compared.differences] == ["settled"]
    assert (order_of(world, agreed).state, order_of(world, late).state) == ("ticketed", "paid")


def test_two_captures_of_one_order_are_judged_by_what_is_then(world: World) -> None:
    order = sold(world, 0, paid=False)
    captured(world, order, "pay9")
    world.clock.tick(400)
    assert [d.what for d in compare(world).differences] == [
        "settled as paid",
        "settled as refunded",
    ]
    assert world.payments.refunds == {"pay9": order.total_minor}


def test_a_damaged_order_leaves_the_others_of_its_batch_compared(world: World) -> None:
    broken, late = sold(world, 0), sold(world, 1, paid=False)
    key = own_order_key(OrderId(broken.order_id))
    world.table.update(Update("reservations", *key, set={"createdAt": 5}))
    world.clock.tick(400)
    compared = compare(world)
    assert [failure.error for failure in compared.failures] == ["DamagedItemError"]
    assert (kinds(world), order_of(world, late).state) == (["capture-failed"], "paid")


def test_a_batch_that_cannot_be_read_is_compared_one_by_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = sold(world, 0, paid=False)

    def broken(*_arguments: object) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(reconcile_payments, "read_books", broken)
    world.clock.tick(400)
    compared = compare(world)
    assert (order_of(world, order).state, compared.failures) == ("paid", [])


def test_a_run_ends_in_time_and_the_next_goes_on_there(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = []
    for number in range(3):
        orders.append(sold(world, number, paid=False))
        world.clock.tick(10)
    world.payments.taken.reverse()  # providers list the newest first
    world.clock.tick(400)
    now_s = [1_000.0]
    monkeypatch.setattr(deadline, "monotonic", lambda: now_s[0])
    settle_one = PaymentSettler.settle

    def slowly(settler: PaymentSettler, payment: Any) -> Any:
        now_s[0] += 40.0
        return settle_one(settler, payment)

    monkeypatch.setattr(PaymentSettler, "settle", slowly)
    with deadline.within(2 * 40 + STOP_S - 1):
        compared = compare(world)
    assert [order_of(world, order).state for order in orders] == ["paid", "paid", "pending"]
    assert re.fullmatch(r"captures from \S+ on \(1\)", compared.failures[0].what)
    assert mark_of(world) == START_MS + 20_000
    assert compare(world).captures == 3
    assert order_of(world, orders[2]).state == "paid"


def test_a_list_without_an_end_leaves_half_of_the_time_for_what_it_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [sold(world, number, paid=False) for number in range(3)]
    world.clock.tick(400)
    now_s = [1_000.0]
    monkeypatch.setattr(deadline, "monotonic", lambda: now_s[0])

    def slowly(_since_ms: int) -> Any:
        for capture in world.payments.taken:
            now_s[0] += 60.0
            yield capture

    monkeypatch.setattr(world.payments, "captures", slowly)
    with deadline.within(220):
        compared = compare(world)
    assert (compared.complete, compared.captures, mark_of(world)) == (False, 2, 0)
    assert [order_of(world, order).state for order in orders] == ["paid", "paid", "pending"]


@pytest.mark.parametrize("until", [5, "~ soon"])
def test_a_damaged_cursor_is_told_and_written_anew(world: World, until: Any) -> None:
    order = sold(world, 0, paid=False)
    world.clock.tick(400)
    world.table.update(Update("reservations", *reconciled_key(), set={"until": until}))
    compared = compare(world)
    assert [failure.error for failure in compared.failures] == ["DamagedItemError"]
    assert compared.since == rfc3339(world.clock.ms - reconcile_payments.FIRST_LOOK_MS)
    assert order_of(world, order).state == "paid"
    assert mark_of(world) == world.clock.ms - 300_000
    assert compare(world).failures == []


def marked(world: World) -> int:
    """Let a run have compared everything, and an hour pass."""
    compare(world)
    world.clock.tick(3_600)
    return mark_of(world)


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*_arguments: object) -> Any:
        raise error

    monkeypatch.setattr(find_sold, "due_entries", fail)


def test_the_cursor_waits_for_an_event_that_may_be_compared_later_but_not_for_ever(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = marked(world)
    failing(monkeypatch, AWAY)
    assert len(compare(world, EVENT).failures) == 1
    assert (mark_of(world), kinds(world)) == (before, [])
    monkeypatch.setattr(world.clock, "ms", before + HELD_BACK_MS - 1)
    compare(world, EVENT)
    assert (mark_of(world), kinds(world)) == (before, [])
    monkeypatch.setattr(world.clock, "ms", before + HELD_BACK_MS)
    compare(world, EVENT)
    assert mark_of(world) == world.clock.ms - 300_000
    (task,) = ManualTasks(world.table, world.clock).open()
    assert (task.kind, task.event_id) == ("entry-failed", EVENT)
    assert "fairgate orders reconcile --since" in task.what
    compare(world, EVENT)
    assert len(kinds(world)) == 1


def test_an_event_that_meets_a_defect_is_a_task_and_the_cursor_moves_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked(world)
    failing(monkeypatch, KeyError("a defect"))
    compare(world, EVENT, dry_run=True)
    assert kinds(world) == []
    compare(world, EVENT)
    assert (mark_of(world), kinds(world)) == (world.clock.ms - 300_000, ["entry-failed"])


def test_a_run_without_time_looks_at_no_more_minutes_and_holds_its_cursor(world: World) -> None:
    before = marked(world)
    with deadline.within(STOP_S - 1):
        compared = compare(world, EVENT)
    assert [failure.temporary for failure in compared.failures] == [True]
    assert mark_of(world) == before


def test_only_minutes_are_looked_at_in_which_such_an_order_is_due(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def looking(table: Any, event: str, minute: str) -> Any:
        looked.append(minute)
        return due_entries(table, event, minute)

    monkeypatch.setattr(find_sold, "due_entries", looking)
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 7_320_000)
    order = begin(world, held(world)).order
    settle(world, order)
    world.clock.tick(360)
    window = SaleWindow.of(world.event)
    compared = compare(world, EVENT, since_ms=START_MS, windows={EVENT: window})
    assert [d.kind for d in compared.differences] == ["raised"]  # no capture is listed
    assert looked[0] == order.expires_at[:16]
    minutes = (epoch_ms(compared.until) - START_MS) // 60_000 + DELAY_MAX_S // 60
    assert len(looked) <= 1 + minutes + 1
    assert OVERLAP_MS == 3_600_000
