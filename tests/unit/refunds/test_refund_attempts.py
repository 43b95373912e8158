"""The number by which a refund is sent is raised by the provider's refusal, and by nothing else."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    ProviderSetupError,
    RefusedForNowError,
)
from fairgate.ports.payments import Refund
from fairgate.ports.table import Update
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.records.orders import Order
from tests.support.world import NAMES, World
from tests.unit.refunds.test_refunds import owed, paid
from tests.unit.shared.test_idempotency import cancel

NO_BALANCE = RefusedForNowError("no balance")


def waiting(world: World) -> Order:
    """An order that was cancelled while the provider was away."""
    order = paid(world)
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, order, "")
    world.payments.fail = None
    world.payments.attempts.clear()
    return order


def send(world: World, order: Order, *, payments: Any = None, table: Any = None) -> bool:
    refunder = Refunder(table or world.table, world.clock, payments or world.payments)
    return refunder.send(order.session, order.order_id, "pay1")


def refused(world: World, order: Order, *, payments: Any = None) -> None:
    with pytest.raises(RefusedForNowError):
        send(world, order, payments=payments)


class Delayed:
    """A provider that refuses one sender's call only after others have sent."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self._meanwhile = meanwhile

    def refund(self, **_asked: Any) -> Refund:
        self._meanwhile()
        raise NO_BALANCE


def test_a_refund_is_asked_for_by_the_next_number_once_it_was_refused_for_now(
    world: World,
) -> None:
    order = waiting(world)
    world.payments.refuse["refund"] = NO_BALANCE
    refused(world, order)
    refused(world, order)
    world.payments.refuse.clear()
    assert send(world, order)
    assert world.payments.attempts == [0, 1, 2]
    assert (owed(world, order).attempt, owed(world, order).state) == (2, "succeeded")
    assert world.payments.refunds == {"pay1": order.total_minor}


def test_a_record_from_before_there_were_numbers_counts_from_0(world: World) -> None:
    order = waiting(world)
    pk, sk = owed(world, order).key
    key = {"PK": {"S": pk}, "SK": {"S": sk}}
    item = world.client.get_item(TableName=NAMES["reservations"], Key=key)["Item"]
    assert "attempt" not in item
    world.payments.refuse["refund"] = NO_BALANCE
    refused(world, order)
    assert (world.payments.attempts, owed(world, order).attempt) == ([0], 1)


@pytest.mark.parametrize(
    "error",
    [
        DependencyUnavailableError("a stall, a lost answer, too often, no time left"),
        ProviderSetupError("a key is wrong"),
        PaymentRefusedError("no", reason="disputed"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_other_answer_raises_the_number(world: World, error: Exception) -> None:
    order = waiting(world)
    world.payments.refuse["refund"] = error
    with suppress(DependencyUnavailableError):
        send(world, order)
    assert (world.payments.attempts, owed(world, order).attempt) == ([0], 0)


def test_two_who_are_refused_at_once_agree_on_the_next_number(world: World) -> None:
    order = waiting(world)
    world.payments.refuse["refund"] = NO_BALANCE
    refused(world, order, payments=Delayed(lambda: refused(world, order)))
    assert owed(world, order).attempt == 1


def test_a_late_note_of_an_old_refusal_lowers_no_number(world: World) -> None:
    order = waiting(world)
    world.payments.refuse["refund"] = NO_BALANCE

    def others() -> None:
        refused(world, order)
        refused(world, order)

    refused(world, order, payments=Delayed(others))
    assert owed(world, order).attempt == 2


def test_a_refund_that_went_meanwhile_stays_sent_when_an_old_refusal_is_noted(
    world: World,
) -> None:
    order = waiting(world)

    def others() -> None:
        world.payments.refuse["refund"] = NO_BALANCE
        refused(world, order)
        world.payments.refuse.clear()
        assert send(world, order)

    refused(world, order, payments=Delayed(others))
    assert (owed(world, order).state, owed(world, order).attempt) == ("succeeded", 1)
    assert not send(world, order)
    assert world.payments.attempts == [0, 1]


class EndsBeforeNote:
    """A table whose user ends before its first single write."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def update(self, _action: Update) -> None:
        raise TimeoutError


def test_a_refusal_that_nobody_noted_is_heard_again_by_the_same_number(world: World) -> None:
    order = waiting(world)
    world.payments.refuse["refund"] = NO_BALANCE
    with pytest.raises(TimeoutError):
        send(world, order, table=EndsBeforeNote(world.table))
    assert owed(world, order).attempt == 0
    refused(world, order)
    assert (world.payments.attempts, owed(world, order).attempt) == ([0, 0], 1)
