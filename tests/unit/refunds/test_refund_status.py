"""What a buyer is told of their refund: where it is, and when a person has to see to it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.table import Update
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.refund_part import PartRefunder
from fairgate.service.refunds.refund_status import BuyersRefund, refund_status
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import Order
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import order_of, settle
from tests.unit.refunds.test_refunds import (
    arrives,
    cancelled_while_pending,
    heard,
    owed,
    paid,
    sweep,
    tasks,
)
from tests.unit.shared.test_idempotency import cancel


def standing(world: World, order: Order) -> Any:
    told = refund_status(world.table, order_of(world, order))
    return None if told is None else told.state


def test_nothing_is_said_of_a_refund_where_none_is_owed(world: World) -> None:
    order = paid(world)
    assert refund_status(world.table, order) is None
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))
    assert standing(world, order) is None


def test_a_refund_is_owed_until_it_is_sent_and_arrives_later(world: World) -> None:
    order = cancelled_while_pending(world)
    assert standing(world, order) == "sent"
    arrives(world, "succeeded")
    world.clock.tick(400)
    sweep(world)
    assert order_of(world, order).state == "refunded"
    told = refund_status(world.table, order_of(world, order))
    assert told == BuyersRefund("arrived", order.total_minor)


def test_a_refund_is_owed_while_the_provider_is_away(world: World) -> None:
    order = paid(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    assert standing(world, order) == "owed"


@pytest.mark.parametrize("reason", ["disputed", "too-old", "invalid"])
def test_a_refund_that_is_refused_needs_attention_until_a_person_has_handled_it(
    world: World, reason: str
) -> None:
    order = paid(world)
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason=reason)
    cancel(world, order, "")
    assert standing(world, order) == "attention"
    (task,) = tasks(world)
    ManualTasks(world.table, world.clock).done(task.task_id, "bob", "by bank transfer")
    assert standing(world, order) == "handled"


def test_a_refund_that_comes_back_after_days_needs_attention(world: World) -> None:
    order = cancelled_while_pending(world)
    arrives(world, "succeeded")
    world.clock.tick(400)
    sweep(world)
    assert order_of(world, order).state == "refunded"
    heard(world, order, "failed", reason="expired_or_canceled_card")
    assert order_of(world, order).state == "cancelled"
    assert standing(world, order) == "attention"
    (task,) = tasks(world)
    ManualTasks(world.table, world.clock).done(task.task_id, "bob", "by bank transfer")
    assert standing(world, order) == "handled"


def test_a_refund_that_the_provider_does_not_know_any_more_needs_attention(world: World) -> None:
    order = cancelled_while_pending(world)
    world.payments.refuse["find_refund"] = PaymentRefusedError("who?", reason="unknown-payment")
    world.clock.tick(400)
    sweep(world)
    assert owed(world, order).state == "pending"
    assert standing(world, order) == "attention"


def test_a_second_payment_of_an_order_that_keeps_its_tickets_is_told_of(world: World) -> None:
    order = paid(world)
    assert settle(world, order, event="evt2", payment="pay2") == "refunded"
    assert standing(world, order) is None  # its tickets are still being made
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))
    told = refund_status(world.table, order_of(world, order))
    assert told == BuyersRefund("arrived", order.total_minor, second_payment=True)


def test_what_staff_gives_back_in_part_is_no_second_payment(world: World) -> None:
    order = paid(world)
    world.table.update(Update("reservations", *order.key, set={"state": "ticketed"}))
    refunder = PartRefunder(world.table, world.clock, world.payments)
    refunder.refund(order_of(world, order), 500, key="late")
    told = refund_status(world.table, order_of(world, order))
    assert told is not None
    assert (told.amount_minor, told.second_payment) == (500, False)


def test_of_several_captures_the_least_good_news_counts_with_its_amount(world: World) -> None:
    order = paid(world)
    assert settle(world, order, event="evt2", payment="pay2") == "refunded"
    world.payments.refuse["refund"] = PaymentRefusedError("no", reason="too-old")
    cancel(world, order, "")
    now = order_of(world, order)
    assert refund_status(world.table, now) == BuyersRefund("attention", order.total_minor)


def test_a_refund_from_before_states_were_kept_has_arrived(world: World) -> None:
    order = paid(world)
    cancel(world, order, "")
    key = refund_key(order.session, order.order_id, "pay1")
    world.table.update(Update("reservations", *key, set={"state": "owed"}))
    assert owed(world, order).sent_at
    assert standing(world, order) == "arrived"


def test_refunds_of_another_order_of_the_session_are_not_this_ones(world: World) -> None:
    order = paid(world)
    cancel(world, order, "")
    other = msgspec.structs.replace(order, order_id=f"{order.order_id}9", state="ticketed")
    assert refund_status(world.table, other) is None
