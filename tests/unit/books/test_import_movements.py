"""What moved on the provider's balance is entered once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import pytest
from msgspec import structs

from fairgate import deadline
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.payments import Movement, Payout, UnreadableEntry
from fairgate.ports.record import Key, Record
from fairgate.ports.table import Put, Table, Update
from fairgate.service.books import import_movements
from fairgate.service.books.import_movements import (
    DAY_MS,
    Imported,
    MovementImporter,
    first_of,
    read_imported,
)
from fairgate.service.books.read_movements import payouts_of, read_movements, read_payouts
from fairgate.service.ledger import ledger
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.ledger.read_ledger import read_ledger
from fairgate.service.shared.movement_keys import imported_key
from fairgate.service.shared.readable import Readable, find_many_readable
from fairgate.service.shared.records.movements import MovementRecord
from fairgate.service.shared.records.orders import LedgerEntry, Order
from fairgate_lab.engine.outside import MemoryTicketQueue
from fairgate_lab.engine.payments import MemoryPayments
from functions.reconcile import handler as reconcile
from tests.support.world import EVENT, World
from tests.unit.expiry.test_backstop import run as called
from tests.unit.refunds.test_refunds import paid

ELSEWHERE = "ord_" + "e" * 32 + "_" + "f" * 8


def moved(world: World, name: str, kind: str, amount: int, fee: int = 0, **more: str) -> Movement:
    movement = Movement(name, kind, amount, fee, "EUR", world.clock.ms, **more)
    world.payments.moved.append(movement)
    return movement


def sold(world: World) -> Order:
    """An order that was paid, and what moved with it; an hour later."""
    order = paid(world)
    moved(world, "txn_1", "capture", 10_000, 165, payment="pay1", order=order.order_id)
    world.clock.tick(3_600)
    return order


def run(world: World, *, dry_run: bool = False, since_ms: int | None = None) -> Imported:
    importer = MovementImporter(world.table, world.clock, world.payments)
    first_ms = first_of([world.event], world.clock.ms)
    return importer.run(first_ms, since_ms=since_ms, dry_run=dry_run)


def entered(world: World) -> list[MovementRecord]:
    first_ms = first_of([world.event], world.clock.ms)
    read = read_movements(world.table, first_ms, world.clock.ms + 1)
    return [one for some in read for one in some.records]


def fees(world: World) -> list[LedgerEntry]:
    entries = [entry for some in read_ledger(world.table, EVENT) for entry in some.records]
    return [entry for entry in entries if entry.kind.startswith("fee")]


def test_a_capture_is_entered_with_its_fee_in_the_ledger_of_its_event(world: World) -> None:
    order = sold(world)
    imported = run(world)
    assert (imported.new, imported.of_others, imported.complete) == (1, 0, True)
    (record,) = entered(world)
    assert (record.event_id, record.amount_minor, record.net_minor) == (EVENT, 10_000, 9_835)
    (fee,) = fees(world)
    assert (fee.kind, fee.amount_minor, fee.order_id) == ("fee", -165, order.order_id)
    assert (fee.payment_id, fee.thing) == ("pay1", "txn_1")


def test_said_again_nothing_is_entered_twice(world: World) -> None:
    sold(world)
    run(world)
    before = entered(world), fees(world)
    again = run(world, since_ms=first_of([world.event], 0))
    assert (again.new, again.known) == (0, 1)
    assert (entered(world), fees(world)) == before


def test_a_dispute_has_a_fee_of_its_own_kind_and_an_unknown_kind_keeps_its_name(
    world: World,
) -> None:
    order = sold(world)
    ids = {"payment": "pay1", "order": order.order_id}
    moved(world, "txn_2", "dispute", -10_000, 2_000, thing="dp_1", **ids)
    moved(world, "txn_3", "climate_order_purchase", -7)
    world.clock.tick(1)
    assert run(world).of_others == 1
    assert [(fee.kind, fee.amount_minor) for fee in fees(world)] == [
        ("fee", -165),
        ("fee-dispute", -2_000),
    ]
    assert {one.kind for one in entered(world)} == {
        "capture",
        "dispute",
        "climate_order_purchase",
    }


def test_another_business_on_the_account_is_entered_and_is_no_events(world: World) -> None:
    moved(world, "txn_1", "capture", 500, 10, payment="pi_x")
    moved(world, "txn_2", "capture", 700, 10, payment="pi_y", order=ELSEWHERE)
    world.clock.tick(1)
    imported = run(world)
    assert (imported.new, imported.of_others) == (2, 2)
    assert {one.event_id for one in entered(world)} == {""}
    assert fees(world) == []


def test_a_dry_run_counts_and_writes_nothing(world: World) -> None:
    sold(world)
    world.payments.paid_out.append(payout(world))
    imported = run(world, dry_run=True)
    assert (imported.new, imported.payouts) == (1, 1)
    assert (entered(world), fees(world), read_imported(world.table)) == ([], [], (None, None))
    assert read_payouts(world.table).records == []


class Breaking(MemoryPayments):
    """Its list breaks off after so many entries, until it is mended."""

    after = 1

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement]:
        for number, one in enumerate(super().movements(since_ms, until_ms)):
            if number == self.after:
                raise DependencyUnavailableError("asked too often")
            yield one


def test_what_came_before_a_list_broke_off_stays_and_the_next_run_goes_on(world: World) -> None:
    world.payments = payments = Breaking()
    sold(world)
    moved(world, "txn_2", "refund", -300)
    world.clock.tick(1)
    imported = run(world)
    assert (imported.new, imported.complete) == (1, False)
    assert imported.failures[0].temporary
    payments.after = 9
    imported = run(world)
    assert (imported.new, imported.known, imported.complete) == (1, 1, True)


def test_a_day_that_is_done_is_not_asked_for_again_but_for_its_last_hour(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold(world)
    run(world)
    world.clock.tick(3 * 86_400)
    asked: list[tuple[int, int]] = []
    listed = world.payments.movements

    def movements(since_ms: int, until_ms: int) -> Iterator[Movement]:
        asked.append((since_ms, until_ms))
        return listed(since_ms, until_ms)

    cursor_ms, _ = read_imported(world.table)
    assert cursor_ms is not None
    monkeypatch.setattr(world.payments, "movements", movements)
    run(world)
    assert asked[0][0] == cursor_ms - 3_600_000
    assert [begin for begin, _ in asked[1:]] == [end for _, end in asked[:-1]]
    assert asked[-1][1] == world.clock.ms
    assert all(begin // DAY_MS == (end - 1) // DAY_MS for begin, end in asked)


def test_a_run_without_time_ends_well_and_the_next_one_goes_on(world: World) -> None:
    sold(world)
    with deadline.within(1):
        imported = run(world)
    assert (imported.new, imported.complete, imported.failures) == (0, False, [])
    assert run(world).new == 1


def test_what_cannot_be_read_is_a_task_and_the_others_are_entered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold(world)
    listed = list(world.payments.moved)
    monkeypatch.setattr(
        world.payments, "movements", lambda *_: iter([UnreadableEntry("txn_9"), *listed])
    )
    imported = run(world)
    assert imported.new >= 1
    assert imported.failures[0].what == "movement txn_9"
    (task,) = ManualTasks(world.table, world.clock).open()
    assert (task.kind, "txn_9" in task.what) == ("entry-failed", True)


def test_a_damaged_order_holds_nothing_else_up(world: World) -> None:
    order = sold(world)
    world.table.update(Update("reservations", *order.key, set={"totalMinor": "much"}))
    moved(world, "txn_2", "capture", 5, payment="pi_x")
    world.clock.tick(1)
    imported = run(world)
    assert imported.new == 1
    assert imported.failures[0].detail.endswith("which is damaged")
    assert [one.movement_id for one in entered(world)] == ["txn_2"]


def test_a_damaged_cursor_is_written_anew(world: World) -> None:
    sold(world)
    run(world)
    world.table.update(Update("reservations", *imported_key(), set={"until": "never"}))
    assert run(world).failures[0].error == "DamagedItemError"
    assert read_imported(world.table)[0] == world.clock.ms


def test_a_cursor_is_not_moved_past_what_nobody_imported(world: World) -> None:
    run(world)
    cursor = read_imported(world.table)
    world.clock.tick(86_400)
    run(world, since_ms=world.clock.ms - 1_000)
    assert read_imported(world.table) == cursor


def test_the_hourly_function_enters_what_moved_once_the_provider_answers(world: World) -> None:
    sold(world)
    world.container.__dict__["ticket_queue"] = MemoryTicketQueue()
    world.payments.refuse["captures"] = DependencyUnavailableError("away")
    assert called(reconcile, world)["movements"] == 0
    world.payments.refuse.clear()
    assert called(reconcile, world, lambda: 800_000)["movements"] == 1
    assert [fee.amount_minor for fee in fees(world)] == [-165]


# --- payouts


Parts = Literal["known", "later", "never"]


def payout(world: World, state: str = "paid", parts: Parts = "known") -> Payout:
    now_ms = world.clock.ms
    return Payout("po_1", 9_835, "EUR", state, now_ms, now_ms + DAY_MS, parts)


def paid_out(world: World, state: str = "paid", parts: Parts = "known") -> Order:
    order = sold(world)
    world.payments.paid_out = [payout(world, state, parts)]
    world.payments.parts_of["po_1"] = ["txn_1"]
    return order


def steps(world: World) -> list[tuple[str, int, int]]:
    return [(one.step, one.amount_minor, one.parts) for one in read_payouts(world.table).records]


def test_a_payout_is_entered_with_its_parts_and_what_they_add_up_to(world: World) -> None:
    paid_out(world)
    assert (run(world).payouts, run(world).payouts) == (1, 0)
    assert steps(world) == [("listed", 9_835, 1), ("paid", 9_835, 0)]
    assert payouts_of(world.table, ["txn_1", "txn_2"]) == {"txn_1": "po_1"}


def test_each_state_of_a_payout_is_heard_of_once(world: World) -> None:
    paid_out(world, "in_transit", "later")
    run(world)
    world.clock.tick(60)
    (made,) = world.payments.paid_out
    world.payments.paid_out = [structs.replace(made, state="failed", parts="known")]
    run(world)
    assert sorted(steps(world)) == [
        ("failed", 9_835, 0),
        ("in_transit", 9_835, 0),
        ("listed", 9_835, 1),
    ]


def test_parts_that_are_not_told_are_asked_for_later_and_of_a_person_s_payout_never(
    world: World,
) -> None:
    paid_out(world, parts="never")
    run(world)
    assert steps(world) == [("paid", 9_835, 0)]
    assert payouts_of(world.table, ["txn_1"]) == {}


def test_a_list_of_parts_that_breaks_off_is_no_sum(world: World) -> None:
    paid_out(world)
    world.payments.refuse["movements_of_payout po_1"] = DependencyUnavailableError("away")
    assert not run(world).complete
    assert steps(world) == [("paid", 9_835, 0)]
    world.payments.refuse.clear()
    run(world)
    assert ("listed", 9_835, 1) in steps(world)


# --- the writes' own conditions: taken away, what is there is written over


def test_without_its_condition_a_movement_would_be_entered_over_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold(world)
    run(world)
    nothing_known(monkeypatch)
    (record,) = entered(world)
    world.payments.moved[0] = structs.replace(world.payments.moved[0], fee_minor=999)
    run(world, since_ms=first_of([world.event], 0))
    assert entered(world) == [record]
    unconditional(monkeypatch)
    run(world, since_ms=first_of([world.event], 0))
    assert entered(world) != [record]


def test_without_its_condition_a_payout_would_be_entered_over_another(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    paid_out(world)
    run(world)
    before = read_payouts(world.table).records
    monkeypatch.setattr(world.table, "query", lambda *_what, **_how: [])
    world.clock.tick(60)
    assert run(world).payouts == 0
    monkeypatch.undo()
    assert read_payouts(world.table).records == before
    monkeypatch.setattr(world.table, "query", lambda *_what, **_how: [])
    unconditional(monkeypatch)
    run(world)
    monkeypatch.undo()
    assert read_payouts(world.table).records != before


def test_without_its_condition_the_cursor_would_move_back(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(world)
    cursor = read_imported(world.table)
    world.clock.tick(-1_800)
    read_before = (world.clock.ms - 60_000, None)  # as one that another run overtook
    monkeypatch.setattr(import_movements, "read_imported", lambda _table: read_before)
    run(world)
    assert read_imported(world.table) == cursor
    monkeypatch.setattr(import_movements, "IMPORTED_NOT_FURTHER", "#until <> :until")
    run(world)
    assert read_imported(world.table) != cursor


def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a run find no movement that is there, as one that read before another wrote."""
    read = find_many_readable

    def none_of_them(table: Table, kind: type[Record], keys: Sequence[Key]) -> Readable[Any]:
        return Readable([]) if kind is MovementRecord else read(table, kind, keys)

    monkeypatch.setattr(import_movements, "find_many_readable", none_of_them)


def unconditional(monkeypatch: pytest.MonkeyPatch) -> None:
    class Over(Put, frozen=True):
        @classmethod
        def of(
            cls, record: Record, condition: str = "", values: Mapping[str, Any] | None = None
        ) -> Put:
            return Put.of(record, condition, values)

    for module in (import_movements, ledger):
        monkeypatch.setattr(module, "Put", Over)
