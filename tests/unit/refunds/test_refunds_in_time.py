"""A run that has not the time for every refund loses none, and damage stops no other refund."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.domain.shared.ids import SessionId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.table import Put, Update
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.expiry import sweep_cursors
from fairgate.service.expiry.sweep_cursors import find_cursor
from fairgate.service.expiry.sweep_expired import LANDED_MS, ExpirySweeper
from fairgate.service.expiry.swept import STOP_MS, Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.ledger.refund_steps import ARRIVED_S, next_look_s
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.keys import REFUNDS, TASK, due_key, refund_key, swept_key
from fairgate.service.shared.records.orders import Document, Order, OwedRefund
from fairgate.service.shared.records.sessions import DueEntry
from tests.support.world import World
from tests.unit.books import test_number_documents as documents
from tests.unit.books.test_number_documents import billing  # noqa: F401 a fixture
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.expiry.test_sweep_expired import OVER_S, state_of, sweep, sweeper
from tests.unit.refunds.test_give_back import give_back, ticketed
from tests.unit.refunds.test_refunds import cancelled_while_pending, owed, paid, tasks
from tests.unit.refunds.test_refunds import sweep as sweep_refunds
from tests.unit.shared.test_idempotency import cancel

pytestmark = pytest.mark.table_in_memory

AWAY = DependencyUnavailableError("away")
DAY_S = 86_400


def of_order(world: World, number: int) -> Order:
    """Sell a seat and cancel it while the provider is away: its refund is owed."""
    order = begin(world, held(world, f"u{number}", world.seat_ids[number])).order
    settle(world, order, id=f"evt{number}", payment=f"pay{number}")
    world.payments.fail = AWAY
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    return order


class Run:
    """Runs that have time for so many looks at refunds each."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
        self.world, self.looks, self.left = world, looks, looks
        self.looked: list[str] = []
        real = Refunder.look

        def look(refunder: Refunder, *about: Any) -> bool:
            self.left -= 1
            self.looked.append(about[2])
            return real(refunder, *about)

        monkeypatch.setattr(Refunder, "look", look)

    def __call__(self) -> Swept:
        self.left = self.looks
        world = self.world
        refunder = Refunder(world.table, world.clock, world.payments)
        releaser = SeatReleaser(world.table, world.clock)
        left_ms = lambda: STOP_MS if self.left > 0 else STOP_MS - 1  # noqa: E731
        run = ExpirySweeper(world.table, world.clock, releaser, refunder, None, left_ms)
        return run.sweep_refunds(Catalog([world.event], []))


def errors(swept: Swept) -> list[str]:
    return [failure.error for failure in swept.failures]


def states(world: World, orders: Sequence[Order]) -> list[str]:
    return [owed(world, order, f"pay{n}").state for n, order in enumerate(orders)]


@pytest.mark.parametrize("swept_before", [True, False])
def test_refunds_that_a_run_has_no_time_for_are_left_to_the_next_ones(
    world: World, monkeypatch: pytest.MonkeyPatch, *, swept_before: bool
) -> None:
    world.clock.tick(60 + OVER_S)
    if swept_before:
        sweep_refunds(world)
    orders = [of_order(world, number) for number in range(7)]
    world.clock.tick(300 + OVER_S)
    run = Run(world, monkeypatch, 3)
    swept = [run() for _ in range(3)]
    assert [one.refunded for one in swept] == [3, 3, 1]
    assert [errors(one) for one in swept] == [["OutOfTimeError"], ["OutOfTimeError"], []]
    assert states(world, orders) == ["succeeded"] * 7
    assert sorted(run.looked) == [f"pay{number}" for number in range(7)]  # each once
    mark = find_cursor(world.table, REFUNDS)
    assert mark is not None
    assert (mark.minute, mark.reached) == (swept[-1].until, "")


def test_the_first_minute_of_all_may_have_more_than_a_run_has_time_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = [of_order(world, number) for number in range(3)]
    world.clock.tick(7 * DAY_S + 300)  # its first look is a week back
    run = Run(world, monkeypatch, 2)
    assert [(one.refunded, errors(one)) for one in (run(), run())] == [
        (2, ["OutOfTimeError"]),
        (1, []),
    ]
    assert states(world, orders) == ["succeeded"] * 3


@pytest.mark.parametrize("looks", [1, 2, 3, 4, 5])
def test_what_landed_late_is_looked_at_behind_what_is_due(
    world: World, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    world.clock.tick(60 + OVER_S)
    sweep_refunds(world)
    landed = [of_order(world, number) for number in range(2)]
    world.clock.tick(LANDED_MS // 1000)
    due = [of_order(world, number) for number in range(2, 5)]
    world.clock.tick(240)
    sweep_refunds(world)  # up to the minute that both are looked at with
    assert states(world, landed + due) == ["succeeded"] * 2 + ["owed"] * 3
    for number, order in enumerate(landed):  # as if they had landed after their minute was swept
        key = refund_key(order.session, order.order_id, f"pay{number}")
        world.table.update(Update("reservations", *key, set={"state": "owed", "sentAt": ""}))
    run = Run(world, monkeypatch, looks)
    world.clock.tick(60 + OVER_S)
    for _ in range(5):
        run()
    assert states(world, landed + due) == ["succeeded"] * 5
    assert sorted(run.looked) == [f"pay{number}" for number in range(5)]  # each once


def test_a_run_out_of_time_says_what_it_did(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        of_order(world, number)
    world.clock.tick(300 + OVER_S)
    world.payments.fail = AWAY
    swept = Run(world, monkeypatch, 3)()
    assert swept.overdue == 3
    assert errors(swept) == ["DependencyUnavailableError"] * 3 + ["OutOfTimeError"]


@pytest.mark.parametrize("at", range(1, 14))
def test_what_was_done_is_counted_once_whichever_write_fails(
    world: World, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    orders = [of_order(world, number) for number in range(6)]
    world.clock.tick(300 + OVER_S)
    run, writes = Run(world, monkeypatch, 4), itertools.count(1)

    def failing(call: Callable[..., None]) -> Callable[..., None]:
        def write(*arguments: Any) -> None:
            if next(writes) == at:
                raise AWAY
            call(*arguments)

        return write

    monkeypatch.setattr(DynamoTable, "update", failing(DynamoTable.update))
    monkeypatch.setattr(DynamoTable, "transact", failing(DynamoTable.transact))
    swept = [run(), run(), run()]
    world.clock.tick(120 + OVER_S)
    swept.append(run())
    assert states(world, orders) == ["succeeded"] * 6
    assert sum(one.refunded for one in swept) == 6
    assert [error for one in swept for error in errors(one)].count(type(AWAY).__name__) == 1


@pytest.mark.parametrize("reached", ["~", "2099-01-01T00:00 landed"])
def test_where_a_run_ended_says_nothing_of_another_minute(world: World, reached: str) -> None:
    world.clock.tick(60 + OVER_S)
    sweep_refunds(world)
    order = of_order(world, 0)
    world.clock.tick(300)
    sweep_refunds(world)
    world.table.update(Update("reservations", *swept_key(REFUNDS), set={"reached": reached}))
    world.clock.tick(60)
    assert sweep_refunds(world).refunded == 1
    assert states(world, [order]) == ["succeeded"]


def test_where_a_run_ended_in_an_earlier_minute_says_nothing_of_a_later_one(world: World) -> None:
    world.clock.tick(60 + OVER_S)
    until = sweep_refunds(world).until
    stale = f"{until} landed {REFUNDS}#DUE#9 refund#~"  # of a run that ended late
    world.table.update(Update("reservations", *swept_key(REFUNDS), set={"reached": stale}))
    order = of_order(world, 0)
    world.clock.tick(300 + OVER_S)
    assert sweep_refunds(world).refunded == 1
    assert states(world, [order]) == ["succeeded"]


@pytest.mark.parametrize("order_id", ["", "x", "ord_1"])
def test_an_entry_that_names_no_order_is_a_task_and_stops_no_other(
    world: World, order_id: str
) -> None:
    order = of_order(world, 0)
    by_ms = world.clock.ms + 300_000
    damaged = DueEntry(
        *due_key(REFUNDS, minute_of(rfc3339(by_ms)), "refund#"),
        session_id=SessionId("ses_x"),
        order_id=order_id,
        payment_id="p",
        ttl=by_ms // 1000,
    )
    world.table.transact([Put.of(damaged, condition="")])
    world.clock.tick(300 + OVER_S)
    swept = sweep_refunds(world)
    assert (swept.refunded, errors(swept)) == (1, ["DamagedItemError"])
    assert states(world, [order]) == ["succeeded"]
    assert [task.kind for task in tasks(world)] == ["entry-failed"]
    assert sweep_refunds(world).failures == ()


def damage_tasks(world: World) -> None:
    for task in world.items("reservations", TASK):
        world.put_item("reservations", {k: v for k, v in task.items() if k != "since"})


def test_a_damaged_task_of_a_damaged_refund_stops_no_other(world: World) -> None:
    first, second = of_order(world, 0), of_order(world, 1)
    key = refund_key(first.session, first.order_id, "pay0")
    world.table.update(Update("reservations", *key, set={"amountMinor": "some"}))
    ManualTasks(world.table, world.clock).note(
        "entry-failed", "Look.", thing=f"refund {first.order_id} pay0"
    )
    damage_tasks(world)
    world.clock.tick(300 + OVER_S)
    swept = sweep_refunds(world)
    assert (swept.refunded, errors(swept)) == (1, ["DamagedItemError"])
    assert owed(world, second, "pay1").state == "succeeded"
    assert not ManualTasks(world.table, world.clock).note(
        "entry-failed", "Look.", thing=f"refund {first.order_id} pay0"
    )


def test_a_refund_is_noted_though_the_task_that_it_ends_is_damaged(world: World) -> None:
    order = of_order(world, 0)
    refused = owed(world, order, "pay0")
    ManualTasks(world.table, world.clock).note(
        "refund-refused",
        "Refund it another way.",
        event=refused.event_id,
        order=refused.order_id,
        payment=refused.payment_id,
        thing=refused.thing,
    )
    damage_tasks(world)
    world.clock.tick(300 + OVER_S)
    swept = sweep_refunds(world)
    assert (swept.refunded, swept.failures) == (1, ())
    assert [task.kind for task in tasks(world)] == ["entry-failed"]  # listed as damaged


UNDATED = {"no time": "soon", "nothing": "", "to come": "2099-01-01T00:00:00.000Z"}


@pytest.mark.parametrize("created", UNDATED.values(), ids=UNDATED)
def test_refunds_are_looked_for_far_back_where_an_event_is_undated(
    world: World, monkeypatch: pytest.MonkeyPatch, created: str
) -> None:
    monkeypatch.setattr(sweep_cursors, "REFUNDS_LOOK_BACK_MS", 6 * 3_600_000)
    order = of_order(world, 0)
    event = msgspec.structs.replace(world.event, created_at=created)
    world.clock.tick(3 * 3_600)
    young = msgspec.structs.replace(world.event, created_at=rfc3339(world.clock.ms))
    minutes = 0
    while states(world, [order]) == ["owed"] and minutes < 5:
        sweeper(world).sweep_refunds(Catalog([event, young], []))
        world.clock.tick(60)
        minutes += 1
    assert states(world, [order]) == ["succeeded"]


@pytest.mark.parametrize("created", UNDATED.values(), ids=UNDATED)
def test_an_undated_event_is_swept_and_said(world: World, created: str) -> None:
    world.clock.tick(60 + OVER_S)
    sweep(world)
    mine = held(world, seconds=60)
    world.clock.tick(60 + OVER_S)
    event = msgspec.structs.replace(world.event, created_at=created)
    swept = sweeper(world).sweep(event)
    assert (swept.expired, errors(swept)) == (1, ["DamagedItemError"])
    assert state_of(world, mine) == "expired"


def test_a_damaged_cursor_hides_no_refund_of_an_outage(world: World) -> None:
    sweep_refunds(world)
    order = of_order(world, 0)
    world.clock.tick(5 * 3_600)  # no run in all that time
    world.table.update(Update("reservations", *swept_key(REFUNDS), set={"minute": 5}))
    runs = [sweep_refunds(world) for _ in range(4)]
    assert states(world, [order]) == ["succeeded"]
    assert [errors(run) for run in runs] == [["DamagedItemError"], [], [], []]


def entries(world: World, seconds: int) -> list[DueEntry]:
    """What is due in the minutes around so many seconds from now."""
    at_ms = world.clock.ms + seconds * 1000
    minutes = {minute_of(rfc3339(at_ms + near * 60_000)) for near in (-1, 0, 1)}
    return [e for minute in minutes for e in due_entries(world.table, REFUNDS, minute).records]


def test_a_part_that_fails_is_entered_again_as_that_part(world: World) -> None:
    order = ticketed(world)
    world.payments.fail = AWAY
    with pytest.raises(DependencyUnavailableError):
        give_back(world, order)
    world.clock.tick(300 + OVER_S)
    assert sweep_refunds(world).overdue == 1
    world.payments.fail = None
    world.clock.tick(120 + OVER_S)
    assert sweep_refunds(world).refunded == 1
    part = world.table.find(OwedRefund, refund_key(order.session, order.order_id, "pay1", 1))
    assert part is not None
    assert part.state == "succeeded"


def test_a_part_on_its_way_is_followed_as_that_part(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = ticketed(world)
    real = world.payments.refund

    def pending(**asked: Any) -> Any:
        return msgspec.structs.replace(real(**asked), state="pending")

    monkeypatch.setattr(world.payments, "refund", pending)
    give_back(world, order)
    world.clock.tick(300 + OVER_S)
    assert sweep_refunds(world).refunded == 1  # it has arrived
    part = world.table.find(OwedRefund, refund_key(order.session, order.order_id, "pay1", 1))
    assert part is not None
    assert part.state == "succeeded"
    assert {entry.part for entry in entries(world, DAY_S)} == {1}


def test_a_refusal_that_nobody_could_judge_is_looked_at_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = of_order(world, 0)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="disputed")

    def unknown(**_asked: Any) -> Any:
        raise AWAY

    monkeypatch.setattr(world.payments, "find_refunds", unknown)
    refunder = Refunder(world.table, world.clock, world.payments)
    world.clock.tick(180)
    assert entries(world, 300) == []
    assert not refunder.send(order.session, order.order_id, "pay0")
    assert states(world, [order]) == ["refused"]
    assert len(entries(world, 300)) == 1


@pytest.mark.parametrize(
    ("state", "age_s", "next_s"),
    [
        ("pending", 0, 300),
        ("pending", 5_000, 5_000),
        ("pending", 3 * DAY_S, DAY_S),
        ("succeeded", 0, DAY_S),
        ("succeeded", 4 * DAY_S, 4 * DAY_S),
        ("succeeded", 30 * DAY_S, None),
        ("refused", 0, None),
    ],
)
def test_a_refund_is_looked_at_as_far_ahead_as_it_is_old(
    state: Any, age_s: int, next_s: int | None
) -> None:
    now_ms = 1_800_000_000_000
    assert next_look_s(state, rfc3339(now_ms - age_s * 1000), now_ms) == next_s


def test_one_that_has_only_just_arrived_is_not_asked_about(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = paid(world)
    cancel(world, order, "")
    asked: list[str] = []
    real = world.payments.find_refund

    def counting(refund: str) -> Any:
        asked.append(refund)
        return real(refund)

    monkeypatch.setattr(world.payments, "find_refund", counting)
    world.clock.tick(300 + OVER_S)
    sweep_refunds(world)
    assert asked == []
    refunder = Refunder(world.table, world.clock, world.payments)
    world.clock.tick(ARRIVED_S)
    refunder.look(order.session, order.order_id, "pay1")
    assert asked == ["re_pay1"]


def test_one_on_its_way_is_asked_about_at_once(world: World) -> None:
    order = cancelled_while_pending(world)
    world.clock.tick(300 + OVER_S)
    world.payments.refund_states["re_pay1"] = msgspec.structs.replace(
        world.payments.refund_states["re_pay1"], state="succeeded"
    )
    assert sweep_refunds(world).refunded == 1
    assert owed(world, order).state == "succeeded"


@pytest.mark.parametrize("back_s", [180, 3 * 3_600])
def test_one_that_nobody_could_ask_about_is_asked_again_though_the_clock_went_back(
    world: World, monkeypatch: pytest.MonkeyPatch, back_s: int
) -> None:
    order = cancelled_while_pending(world)
    world.clock.tick(300 + OVER_S)

    def away(_refund: str) -> Any:
        world.clock.tick(-back_s)
        raise AWAY

    with monkeypatch.context() as patched:
        patched.setattr(world.payments, "find_refund", away)
        assert sweep_refunds(world).overdue == 1
    world.clock.tick(back_s)
    arrived = msgspec.structs.replace(world.payments.refund_states["re_pay1"], state="succeeded")
    world.payments.refund_states["re_pay1"] = arrived
    world.clock.tick(120 + OVER_S)
    assert sweep_refunds(world).refunded == 1
    assert owed(world, order).state == "succeeded"


def test_a_part_that_arrived_has_a_credit_note_of_its_own(billing: World) -> None:  # noqa: F811
    order = ticketed(billing)
    give_back(billing, order)
    billing.clock.tick(300 + OVER_S)
    for _ in range(3):
        sweep_refunds(billing)
    kinds: list[Document] = documents.documents(billing, order)
    assert [one.kind for one in kinds] == ["invoice", "credit-note"]
    assert kinds[1].amount_minor == 5_000
