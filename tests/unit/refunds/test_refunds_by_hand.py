"""What another hand refunds at the provider is seen: it ends our task, or is one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.payments import Refund
from fairgate.service.books import reconcile_payments
from fairgate.service.ledger.manual_tasks import PROVIDER, ManualTasks
from fairgate.service.ledger.refund_steps import ARRIVED_S
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.table import InterleavedTable
from tests.support.world import World
from tests.unit.books.test_reconcile_payments import captured, kinds, reconcile
from tests.unit.checkout.test_checkout_and_settle import order_of
from tests.unit.refunds.test_refunds import arrives, heard, owed, paid, sweep, tasks
from tests.unit.shared.test_idempotency import cancel

WHOLE = 10_000


@pytest.fixture(autouse=True)
def _short_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconcile_payments, "_CHECKOUT_MS_MAX", 60_000)


def came_back(world: World) -> Order:
    """Ours was made and came back; a person has been told."""
    order = paid(world)
    captured(world, order)
    cancel(world, order, "")
    arrives(world, "failed", "lost_or_stolen_card")
    assert heard(world, order, "failed", reason="lost_or_stolen_card") == "noted"
    assert [task.kind for task in tasks(world)] == ["refund-failed"]
    world.clock.tick(600)
    return order


def refused(world: World) -> Order:
    order = paid(world)
    captured(world, order)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    cancel(world, order, "")
    world.payments.refuse.clear()
    assert [task.kind for task in tasks(world)] == ["refund-refused"]
    world.clock.tick(600)
    return order


def by_hand(
    world: World, order: Order, state: Any, refund: str = "re_hand", amount_minor: int = WHOLE
) -> None:
    """The provider's books have it from now on."""
    made = Refund(refund, "pay1", order.order_id, amount_minor, state)
    world.payments.refund_states[refund] = made
    stay = [one for one in world.payments.refund_states.values() if one.state != "failed"]
    world.payments.refunds["pay1"] = sum(one.amount_minor for one in stay)


def by_webhook(world: World, order: Order) -> None:
    assert heard(world, order, "succeeded", refund="re_hand") == "noted"
    assert heard(world, order, "succeeded", refund="re_hand") == "duplicate"


def by_comparison(world: World, _order: Order) -> None:
    assert kinds(reconcile(world, dry_run=True)) == ["refund-noted"]
    assert kinds(reconcile(world)) == ["refund-noted"]
    assert kinds(reconcile(world)) == []


def tick_all(world: World) -> None:
    listed = ManualTasks(world.table, world.clock)
    for task in listed.open():
        listed.done(task.task_id, "op", "seen to")


@pytest.mark.parametrize("before", [came_back, refused])
@pytest.mark.parametrize("learn", [by_webhook, by_comparison])
def test_money_that_another_hand_gave_back_after_ours_failed_ends_the_order_and_the_task(
    world: World,
    before: Callable[[World], Order],
    learn: Callable[[World, Order], None],
) -> None:
    order = before(world)
    first_sent = owed(world, order).sent_at
    by_hand(world, order, "succeeded")
    learn(world, order)
    assert order_of(world, order).state == "refunded"
    refund = owed(world, order)
    assert (refund.state, refund.refund_id, refund.reason) == (
        "succeeded",
        "re_hand",
        "already-refunded",
    )
    assert refund.sent_at > first_sent  # it is followed from here
    assert tasks(world) == []
    (task,) = ManualTasks(world.table, world.clock).all()
    assert (task.done_by, "re_hand" in task.reason) == (PROVIDER, True)


def repeated_before_ours_is_known_to_have_failed(world: World) -> Order:
    order = paid(world)
    captured(world, order)
    cancel(world, order, "")
    arrives(world, "failed", "lost_or_stolen_card")
    by_hand(world, order, "succeeded")
    assert heard(world, order, "succeeded", refund="re_hand") == "duplicate"
    assert (owed(world, order).state, owed(world, order).refund_id) == ("succeeded", "re_pay1")
    return order


def by_its_webhook(world: World, order: Order) -> None:
    assert heard(world, order, "failed", reason="lost_or_stolen_card") == "noted"
    assert heard(world, order, "failed", reason="lost_or_stolen_card") == "duplicate"


def by_looking(world: World, order: Order) -> None:
    world.clock.tick(ARRIVED_S)
    refunder = Refunder(world.table, world.clock, world.payments)
    assert refunder.look(order.session, order.order_id, "pay1")


def by_its_second_webhook(world: World, order: Order) -> None:
    """The provider did not answer at the first, when ours was noted as failed."""
    world.payments.refuse["find_refunds"] = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        heard(world, order, "failed", reason="lost_or_stolen_card")
    assert [task.kind for task in tasks(world)] == ["refund-failed"]
    world.payments.refuse.clear()
    assert heard(world, order, "failed", reason="lost_or_stolen_card") == "noted"


@pytest.mark.parametrize("learn", [by_its_webhook, by_looking, by_its_second_webhook])
def test_a_repeat_that_was_heard_of_before_ours_came_back_ends_the_order_and_the_task(
    world: World, learn: Callable[[World, Order], None]
) -> None:
    order = repeated_before_ours_is_known_to_have_failed(world)
    learn(world, order)
    assert (owed(world, order).state, owed(world, order).refund_id) == ("succeeded", "re_hand")
    assert (order_of(world, order).state, tasks(world)) == ("refunded", [])


def test_a_repeat_that_is_under_way_is_followed_and_ends_the_task_when_it_arrives(
    world: World,
) -> None:
    order = came_back(world)
    by_hand(world, order, "pending")
    assert heard(world, order, "pending", refund="re_hand") == "noted"
    assert (owed(world, order).state, owed(world, order).refund_id) == ("pending", "re_hand")
    assert (order_of(world, order).state, len(tasks(world))) == ("cancelled", 1)
    by_hand(world, order, "succeeded")
    refunder = Refunder(world.table, world.clock, world.payments)
    assert refunder.look(order.session, order.order_id, "pay1")
    assert (order_of(world, order).state, tasks(world)) == ("refunded", [])


def test_a_repeat_that_comes_back_as_well_is_a_task_of_its_own(world: World) -> None:
    order = came_back(world)
    by_hand(world, order, "succeeded")
    heard(world, order, "succeeded", refund="re_hand")
    assert tasks(world) == []
    by_hand(world, order, "failed")
    assert heard(world, order, "failed", refund="re_hand", reason="closed") == "noted"
    (task,) = tasks(world)
    assert (task.kind, "closed" in task.what) == ("refund-failed", True)
    assert order_of(world, order).state == "cancelled"
    assert reconcile(world).raised == 0  # it is on the list


@pytest.mark.parametrize("before", [came_back, refused])
def test_old_news_of_a_repeat_that_has_come_back_do_not_end_the_order(
    world: World, before: Callable[[World], Order]
) -> None:
    order = before(world)
    tick_all(world)  # the operator has refunded it by hand
    by_hand(world, order, "failed")
    assert heard(world, order, "succeeded", refund="re_hand") == "noted"
    assert heard(world, order, "failed", refund="re_hand") == "duplicate"
    assert order_of(world, order).state == "cancelled"
    assert [task.kind for task in tasks(world)] == ["refund-failed"]


def test_parts_by_other_hands_that_make_up_the_whole_end_the_order(world: World) -> None:
    order = came_back(world)
    by_hand(world, order, "succeeded", "re_1", 4_000)
    assert heard(world, order, "succeeded", refund="re_1", amount_minor=4_000) == "noted"
    assert order_of(world, order).state == "cancelled"
    assert sorted(task.kind for task in tasks(world)) == ["refund-failed", "refunded-in-part"]
    by_hand(world, order, "succeeded", "re_2", 6_000)
    assert heard(world, order, "succeeded", refund="re_2", amount_minor=6_000) == "noted"
    assert (order_of(world, order).state, tasks(world)) == ("refunded", [])
    by_hand(world, order, "failed", "re_1", 4_000)
    assert heard(world, order, "failed", refund="re_1", amount_minor=4_000) == "noted"
    assert order_of(world, order).state == "cancelled"
    assert [task.kind for task in tasks(world)] == ["refund-failed"]


def test_a_list_of_captures_that_is_older_than_our_news_ends_nothing(world: World) -> None:
    order = came_back(world)
    world.payments.refunds["pay1"] = WHOLE  # as it was before ours came back
    reconcile(world)
    assert (owed(world, order).state, order_of(world, order).state) == ("failed", "cancelled")
    assert [task.kind for task in tasks(world)] == ["refund-failed"]


def test_news_of_ours_that_failed_at_once_come_late_and_change_nothing(world: World) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="failed")
    cancel(world, order, "")
    by_hand(world, order, "failed", "re_pay1")  # its id was not told to us
    for state in ("pending", "succeeded", "failed"):
        heard(world, order, state)
    assert (owed(world, order).state, order_of(world, order).state) == ("failed", "cancelled")
    assert [task.kind for task in tasks(world)] == ["refund-failed"]


def test_news_of_a_repeat_wait_for_a_provider_that_is_away(world: World) -> None:
    order = came_back(world)
    by_hand(world, order, "succeeded")
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        heard(world, order, "succeeded", refund="re_hand")
    world.payments.fail = None
    world.payments.refuse["find_refunds"] = PaymentRefusedError("no", reason="unknown-payment")
    heard(world, order, "succeeded", refund="re_hand")
    assert order_of(world, order).state == "cancelled"


def test_a_person_may_tick_the_task_off_at_the_same_moment(world: World) -> None:
    order = came_back(world)
    by_hand(world, order, "succeeded")
    table = InterleavedTable(world.table, lambda: tick_all(world))
    refunder = Refunder(table, world.clock, world.payments)
    assert refunder.repeated(order.session, order.order_id, "pay1")
    assert order_of(world, order).state == "refunded"
    assert [task.done_by for task in ManualTasks(world.table, world.clock).all()] == ["op"]


# --- what was bought, and given back outside Fairgate


@pytest.mark.parametrize("is_owed", [False, True])
def test_a_second_part_by_another_hand_is_a_task_after_the_first_was_ticked_off(
    world: World, *, is_owed: bool
) -> None:
    order = came_back(world) if is_owed else paid(world)
    tick_all(world)
    for refund, amount_minor in (("re_1", 10), ("re_2", 20)):
        by_hand(world, order, "succeeded", refund, amount_minor)
        for again in (False, True):
            outcome = heard(world, order, "succeeded", refund=refund, amount_minor=amount_minor)
            assert outcome == ("duplicate" if again else "noted")
        (task,) = tasks(world)
        assert (task.kind, str(amount_minor) in task.what) == ("refunded-in-part", True)
        tick_all(world)


def test_a_comparison_names_parts_as_their_webhooks_do(world: World) -> None:
    order = paid(world)
    captured(world, order)
    by_hand(world, order, "succeeded", "re_1", 10)
    by_hand(world, order, "failed", "re_0", 10)
    heard(world, order, "succeeded", refund="re_1", amount_minor=10)
    world.clock.tick(360)
    assert (len(tasks(world)), reconcile(world).raised, len(tasks(world))) == (1, 0, 1)
    tick_all(world)
    by_hand(world, order, "succeeded", "re_2", 20)  # of which no webhook ever came
    assert (reconcile(world).raised, reconcile(world).raised) == (1, 0)
    assert [task.kind for task in tasks(world)] == ["refunded-in-part"]
    assert heard(world, order, "succeeded", refund="re_2", amount_minor=20) == "duplicate"


def test_a_whole_refund_by_another_hand_is_one_task_by_webhook_and_comparison(
    world: World,
) -> None:
    order = paid(world)
    captured(world, order)
    by_hand(world, order, "succeeded")
    heard(world, order, "succeeded", refund="re_hand")
    world.clock.tick(360)
    assert reconcile(world).raised == 0
    assert [task.kind for task in tasks(world)] == ["refunded-elsewhere"]


def test_an_order_that_is_cancelled_after_another_hand_gave_all_back_is_nobodys_task(
    world: World,
) -> None:
    """The task says to cancel it or to charge again: once it is cancelled neither is to be done."""
    order = paid(world)
    by_hand(world, order, "succeeded")
    heard(world, order, "succeeded", refund="re_hand")
    assert [task.kind for task in tasks(world)] == ["refunded-elsewhere"]
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="already-refunded")
    assert cancel(world, order, "").state == "refunded"
    assert tasks(world) == []
    (done,) = ManualTasks(world.table, world.clock).all()
    assert done.done_by == PROVIDER


@pytest.mark.parametrize("away", [False, True])
def test_a_refund_refused_after_another_hand_gave_all_back_is_nobodys_task(
    world: World, monkeypatch: pytest.MonkeyPatch, *, away: bool
) -> None:
    order = paid(world)
    by_hand(world, order, "succeeded")  # whose webhook came before anything was owed
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")

    def unreachable(**_: str) -> Any:
        raise DependencyUnavailableError("away")

    with monkeypatch.context() as outage:
        if away:
            outage.setattr(type(world.payments), "find_refunds", lambda _self, **_: unreachable())
        cancel(world, order, "")
    if away:
        assert [task.kind for task in tasks(world)] == ["refund-refused"]
        world.clock.tick(600)
        sweep(world)
    assert owed(world, order).state == "succeeded"
    assert order_of(world, order).state == "refunded"
    assert tasks(world) == []
