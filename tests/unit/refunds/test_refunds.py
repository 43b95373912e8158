"""A refund is followed until the money has arrived, and what cannot be sent is a manual task."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.times import epoch_ms
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    ProviderSetupError,
    WrongStateError,
)
from fairgate.ports.payments import PaymentEvent, Refund
from fairgate.ports.table import Action, Table, Update
from fairgate.service.catalog.read_catalog import Catalog
from fairgate.service.checkout.payment_events import PaymentEvents
from fairgate.service.expiry.sweep_expired import ExpirySweeper
from fairgate.service.expiry.swept import Swept
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.ledger.refund_steps import ARRIVED_S, FOLLOWED_S, LATE_S
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import ManualTask, Order, OwedRefund
from fairgate_lab.engine.table import CountedTable, InterleavedTable
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle
from tests.unit.shared.test_idempotency import cancel

DAY_S = 86_400


def sweep(world: World) -> Swept:
    """What the minute's run does about refunds; a long gap is caught up in several runs."""
    releaser = SeatReleaser(world.table, world.clock)
    refunder = Refunder(world.table, world.clock, world.payments)
    sweeper = ExpirySweeper(world.table, world.clock, releaser, refunder)
    return sweeper.sweep_refunds(Catalog([world.event], []))


def paid(world: World) -> Order:
    order = begin(world, held(world)).order
    settle(world, order)
    return order


def owed(world: World, order: Order, payment: str = "pay1") -> OwedRefund:
    found = world.table.find(OwedRefund, refund_key(order.session, order.order_id, payment))
    assert found is not None
    return found


def tasks(world: World) -> list[ManualTask]:
    return ManualTasks(world.table, world.clock).open()


def heard(world: World, order: Order, state: Any, *, refund: str = "re_pay1", **more: Any) -> str:
    told = Refund(refund, "pay1", order.order_id, order.total_minor, state)
    told = Refund(**{**{f: getattr(told, f) for f in told.__struct_fields__}, **more})
    event = PaymentEvent(
        f"evt_{state}", "refunded", order.order_id, order.total_minor, "EUR", "pay1", told
    )
    return PaymentEvents(world.table, world.clock, world.payments).apply(event)


def cancelled_while_pending(world: World) -> Order:
    """The provider has taken the refund and not made it yet."""
    order = paid(world)
    pending = Refund("re_pay1", "pay1", order.order_id, order.total_minor, "pending")
    world.payments.refund_states["re_pay1"] = pending
    assert cancel(world, order, "").state == "cancelled"
    return order


def arrives(world: World, state: Any, reason: str = "") -> None:
    before = world.payments.refund_states["re_pay1"]
    world.payments.refund_states["re_pay1"] = Refund(
        before.id, before.payment, before.order, before.amount_minor, state, reason
    )


def test_a_refund_that_is_refused_for_good_is_a_task_and_not_sent_again(world: World) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="disputed")
    assert cancel(world, order, "").state == "cancelled"
    (task,) = tasks(world)
    assert (task.kind, task.order_id, task.payment_id, task.event_id) == (
        "refund-refused",
        order.order_id,
        "pay1",
        "show",
    )
    assert (owed(world, order).state, owed(world, order).reason) == ("refused", "disputed")
    world.payments.refuse.clear()
    world.clock.tick(400)
    assert sweep(world).failures == ()
    assert world.payments.refunds == {}
    assert len(tasks(world)) == 1


def test_a_refund_that_is_told_while_ours_is_refused_leaves_no_task(world: World) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="unknown-payment")
    capture = (order.session, order.order_id, "pay1")

    def ours() -> None:
        assert not Refunder(world.table, world.clock, world.payments).send(*capture)
        assert [task.kind for task in tasks(world)] == ["refund-refused"]

    table = InterleavedTable(world.table, ours)
    assert Refunder(table, world.clock, world.payments).sent(*capture)
    assert (owed(world, order).state, order_of(world, order).state) == ("succeeded", "refunded")
    assert tasks(world) == []


class EndsAfter:
    """A table whose user ends after so many writes, as a function that runs out of time."""

    def __init__(self, table: Table, writes: int) -> None:
        self._table, self._left = table, writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        self._count()
        self._table.transact(actions, token)

    def update(self, action: Update) -> None:
        self._count()
        self._table.update(action)

    def _count(self) -> None:
        if not self._left:
            raise TimeoutError
        self._left -= 1


def test_a_task_ends_with_the_refund_when_whoever_wrote_it_ended_before_its_state(
    world: World,
) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="disputed")
    capture = (order.session, order.order_id, "pay1")
    with pytest.raises(TimeoutError):
        Refunder(EndsAfter(world.table, 1), world.clock, world.payments).send(*capture)
    assert [task.kind for task in tasks(world)] == ["refund-refused"]
    world.payments.refuse.clear()
    assert Refunder(world.table, world.clock, world.payments).send(*capture)
    assert (owed(world, order).state, tasks(world)) == ("succeeded", [])


def test_a_payment_that_comes_too_late_and_cannot_go_back_is_taken_from_the_webhook(
    world: World,
) -> None:
    mine = held(world)
    order = begin(world, mine).order
    SeatReleaser(world.table, world.clock).end_session(mine.session, "cancelled")
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    assert settle(world, order) == "refunded"
    assert [task.kind for task in tasks(world)] == ["refund-refused"]
    assert order_of(world, order).state == "refund_due"


@pytest.mark.parametrize(
    "error", [DependencyUnavailableError("away"), ProviderSetupError("a key is wrong")]
)
def test_what_may_be_sent_later_is_no_task_yet(world: World, error: Exception) -> None:
    order = paid(world)
    world.payments.fail = error
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    assert tasks(world) == []
    assert owed(world, order).waits


def test_money_that_another_hand_gave_back_is_noted_as_given_back(world: World) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="already-refunded")
    assert cancel(world, order, "").state == "refunded"
    assert tasks(world) == []


@pytest.mark.parametrize("webhook_first", [True, False])
def test_a_refund_that_fails_at_once_is_one_task_whoever_says_so_first(
    world: World, monkeypatch: pytest.MonkeyPatch, *, webhook_first: bool
) -> None:
    order = paid(world)
    why = "lost_or_stolen_card"

    def comes_back(**_: object) -> Refund:
        if webhook_first:
            heard(world, order, "failed", reason=why)
        raise PaymentRefusedError("no", reason="failed", provider_code=why, refund_id="re_pay1")

    monkeypatch.setattr(world.payments, "refund", comes_back)
    assert cancel(world, order, "").state == "cancelled"
    heard(world, order, "failed", reason=why)
    (task,) = tasks(world)  # two would have a person give it back twice
    assert (task.kind, why in task.what) == ("refund-failed", True)
    assert (owed(world, order).state, owed(world, order).refund_id) == ("failed", "re_pay1")


def test_an_order_is_refunded_only_once_the_money_has_arrived(world: World) -> None:
    order = cancelled_while_pending(world)
    assert (owed(world, order).state, owed(world, order).refund_id) == ("pending", "re_pay1")
    arrives(world, "succeeded")
    world.clock.tick(400)
    assert sweep(world).refunded == 1
    assert order_of(world, order).state == "refunded"
    assert owed(world, order).state == "succeeded"


def test_a_pending_refund_is_asked_about_at_growing_distance(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = cancelled_while_pending(world)
    asked: list[int] = []
    find = world.payments.find_refund

    def counting(refund: str) -> Refund:
        asked.append((world.clock.ms - began) // 60_000)
        return find(refund)

    began = world.clock.ms
    monkeypatch.setattr(world.payments, "find_refund", counting)
    for _ in range(90):
        world.clock.tick(60)
        sweep(world)
    assert owed(world, order).state == "pending"
    assert len(asked) == 4
    gaps = [later - sooner for sooner, later in itertools.pairwise(asked)]
    assert gaps == sorted(gaps)
    assert gaps[-1] > 2 * gaps[0]


def test_a_refund_that_comes_back_is_a_task_and_the_order_says_so(world: World) -> None:
    order = paid(world)
    assert cancel(world, order, "").state == "refunded"
    arrives(world, "failed", "lost_or_stolen_card")
    refunder = Refunder(world.table, world.clock, world.payments)
    assert not refunder.look(order.session, order.order_id, "pay1")  # it has only just arrived
    world.clock.tick(ARRIVED_S)
    assert refunder.look(order.session, order.order_id, "pay1")
    assert order_of(world, order).state == "cancelled"
    (task,) = tasks(world)
    assert (task.kind, "lost_or_stolen_card" in task.what) == ("refund-failed", True)
    assert not refunder.look(order.session, order.order_id, "pay1")


def test_a_refund_is_looked_at_for_a_month_after_it_arrived(world: World) -> None:
    order = paid(world)
    cancel(world, order, "")
    refunder = Refunder(world.table, world.clock, world.payments)
    looks = []
    for day in (1, 2, 4, 8, 16, 32):
        world.clock.ms = epoch_of(owed(world, order).sent_at) + day * DAY_S * 1000
        before = len(due_refunds(world))
        refunder.look(order.session, order.order_id, "pay1")
        looks.append(len(due_refunds(world)) - before)
    assert looks == [1, 1, 1, 1, 1, 0]
    assert FOLLOWED_S == 30 * DAY_S


def due_refunds(world: World) -> list[str]:
    items = world.client.scan(TableName="t-reservations")["Items"]
    return [i["PK"]["S"] for i in items if i["PK"]["S"].startswith("REFUNDS#DUE#")]


def epoch_of(time: str) -> int:
    from fairgate.domain.shared.times import epoch_ms

    return epoch_ms(time)


def test_webhooks_of_a_refund_may_come_in_any_order(world: World) -> None:
    order = cancelled_while_pending(world)
    assert heard(world, order, "failed", reason="declined") == "noted"
    assert heard(world, order, "succeeded") == "duplicate"
    assert heard(world, order, "pending") == "duplicate"
    assert owed(world, order).state == "failed"
    assert order_of(world, order).state == "cancelled"
    assert [task.kind for task in tasks(world)] == ["refund-failed"]


def test_a_webhook_tells_of_a_refund_before_we_noted_it(world: World) -> None:
    order = paid(world)
    world.payments.fail = DependencyUnavailableError("its answer was lost")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    assert heard(world, order, "succeeded") == "noted"
    assert order_of(world, order).state == "refunded"
    assert owed(world, order).refund_id == "re_pay1"


@pytest.mark.parametrize(
    ("amount", "kind"), [(10_000, "refunded-elsewhere"), (1, "refunded-in-part")]
)
def test_a_refund_by_another_hand_is_a_task_once(world: World, amount: int, kind: str) -> None:
    order = paid(world)
    assert heard(world, order, "succeeded", refund="re_x", amount_minor=amount) == "noted"
    assert heard(world, order, "succeeded", refund="re_x", amount_minor=amount) == "duplicate"
    assert [task.kind for task in tasks(world)] == [kind]
    assert order_of(world, order).state == "paid"


def test_a_refund_heard_before_its_payment_is_a_task_when_it_is_heard_again(world: World) -> None:
    order = begin(world, held(world)).order
    with pytest.raises(DependencyUnavailableError):
        heard(world, order, "succeeded", refund="re_x", amount_minor=1)
    settle(world, order)
    assert heard(world, order, "succeeded", refund="re_x", amount_minor=1) == "noted"
    assert [task.kind for task in tasks(world)] == ["refunded-in-part"]


def test_a_refund_of_no_order_that_we_know_is_passed_over(world: World) -> None:
    order = paid(world)
    stranger = msgspec.structs.replace(order, order_id="ord_" + "0" * 32 + "_" + "0" * 8)
    assert heard(world, stranger, "succeeded") == "unknown-order"
    assert heard(world, order, "failed", refund="re_x") == "noted"
    assert tasks(world) == []


def test_a_refund_that_stays_on_its_way_is_a_task_until_it_arrives(world: World) -> None:
    order = cancelled_while_pending(world)
    refunder = Refunder(world.table, world.clock, world.payments)
    for late_s, kinds in ((-1, []), (0, ["refund-missing"]), (86_400, ["refund-missing"])):
        world.clock.ms = epoch_ms(owed(world, order).sent_at) + (LATE_S + late_s) * 1000
        assert not refunder.look(order.session, order.order_id, "pay1")
        assert [task.kind for task in tasks(world)] == kinds
    assert "Refund nothing another way" in tasks(world)[0].what
    arrives(world, "succeeded")
    assert refunder.look(order.session, order.order_id, "pay1")
    assert [bool(task.done_at) for task in ManualTasks(world.table, world.clock).all()] == [True]


def test_a_refund_that_the_provider_does_not_know_is_a_task(world: World) -> None:
    order = cancelled_while_pending(world)
    world.payments.refund_states.clear()
    world.clock.tick(400)
    sweep(world)
    assert [task.kind for task in tasks(world)] == ["refund-missing"]
    assert owed(world, order).state == "pending"


def test_a_refund_sent_before_states_were_kept_stays_as_it_is(world: World) -> None:
    order = paid(world)
    cancel(world, order, "")
    old = owed(world, order)
    world.put(OwedRefund(**{**msgspec.structs.asdict(old), "state": "owed", "refund_id": ""}))
    assert not Refunder(world.table, world.clock, world.payments).sent(
        order.session, order.order_id, "pay1"
    )
    assert heard(world, order, "failed", refund="re_pay1") == "duplicate"


# --- the list of tasks


def test_a_task_is_ticked_off_once_and_says_by_whom(world: World) -> None:
    kept = ManualTasks(world.table, world.clock)
    assert kept.note("disputed", "Answer it.", order="ord_1")
    counted = CountedTable(world.table)
    assert not ManualTasks(counted, world.clock).note("disputed", "Answer it again.", order="ord_1")
    assert counted.calls == {"find": 1}
    (task,) = kept.open()
    assert kept.done(task.task_id, "ann@desk", "answered").done_by == "ann@desk"
    assert kept.open() == []
    with pytest.raises(WrongStateError, match="ann@desk"):
        kept.done(task.task_id, "bob@desk", "me too")
    assert not kept.note("disputed", "Answer it.", order="ord_1")
    assert [d.done_by for d in kept.all()] == ["ann@desk"]


def test_a_task_that_two_notice_at_the_same_moment_is_written_once(world: World) -> None:
    def other() -> None:
        assert ManualTasks(world.table, world.clock).note("disputed", "By another.", order="ord_1")

    table = InterleavedTable(world.table, other)
    assert not ManualTasks(table, world.clock).note("disputed", "By us.", order="ord_1")
    assert [task.what for task in tasks(world)] == ["By another."]


@pytest.mark.parametrize("state", ["pending", "succeeded", "failed"])
def test_a_part_given_back_by_another_hand_leaves_the_rest_owed(world: World, state: str) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "c")
    world.payments.refuse.clear()
    assert heard(world, order, state, refund="re_theirs", amount_minor=10) == "noted"
    assert owed(world, order).waits
    assert [d.kind for d in tasks(world)] == ([] if state == "failed" else ["refunded-in-part"])
    world.clock.tick(400)
    assert sweep(world).refunded == 1
    assert (owed(world, order).refund_id, order_of(world, order).state) == ("re_pay1", "refunded")


def test_a_disputed_order_refunded_by_another_hand_is_a_task(world: World) -> None:
    order = paid(world)
    disputed = {"state": "disputed"}
    world.table.update(Update("reservations", *order.key, set=disputed))
    assert heard(world, order, "succeeded", refund="re_theirs") == "noted"
    assert [task.kind for task in tasks(world)] == ["refunded-elsewhere"]


def test_what_came_back_while_it_was_looked_at_has_not_arrived(world: World) -> None:
    """Both states have moved the same money: no entry of the ledger stands in the way."""
    order = cancelled_while_pending(world)
    arrives(world, "succeeded")
    key = refund_key(order.session, order.order_id, "pay1")
    failed = Update("reservations", *key, set={"state": "failed"})
    table = InterleavedTable(world.table, lambda: world.table.update(failed))
    refunder = Refunder(table, world.clock, world.payments)
    refunder.look(order.session, order.order_id, "pay1")
    assert owed(world, order).state == "failed"
