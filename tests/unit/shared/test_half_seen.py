"""A repeated request that sees only a part of the first one's commit is asked to come again.

A transaction is all or nothing to other transactions; plain reads see its items one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import PK, SK, Key
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import own_order_key, session_key
from fairgate.service.shared.records.orders import Order
from tests.support.world import NAMES, World, gate
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.holds.test_hold_seats import floor, holder, seats
from tests.unit.sessions.test_open_session import open_it, token_for
from tests.unit.shared.test_idempotency import begin_as, cancel


@contextmanager
def unseen(world: World, keys: list[tuple[str, str]]) -> Iterator[None]:
    """Take what a commit has written out of the reach of readers for a moment."""
    items = [world.item("reservations", key) for key in keys]
    names = [{PK: {"S": pk}, SK: {"S": sk}} for pk, sk in keys]
    for name in names:
        world.client.delete_item(TableName=NAMES["reservations"], Key=name)
    yield
    for item in items:
        assert item is not None
        world.client.put_item(TableName=NAMES["reservations"], Item=to_item(item))


def keys_of(world: World, session: str, prefix: str) -> list[tuple[str, str]]:
    return [(item[PK], item[SK]) for item in world.items("reservations", session, prefix)]


def assert_again(ask: Callable[[], Any]) -> None:
    with pytest.raises(DependencyUnavailableError) as refused:
        ask()
    assert refused.value.retry_after_s == 1


@pytest.mark.parametrize("missing", [slice(0, 1), slice(1, 3), slice(0, 3)])
def test_a_hold_is_answered_again_only_with_all_its_places(world: World, missing: slice) -> None:
    mine = world.session()
    wanted = [floor(2), *seats(*world.seat_ids[:2])]

    def ask() -> Any:
        return holder(world).hold(mine, wanted, shards={"floor": 1}, idempotency_key="k")

    first = ask()
    with unseen(world, keys_of(world, mine.session, f"R#{first.hold}#")[missing]):
        assert_again(ask)
        assert_again(lambda: holder(world).made_before(mine, "k", route="hold", payload=ASKED))
    assert ask() == first


ASKED = [["area", "floor", 2], ["seat", "s-1-1", 1], ["seat", "s-1-2", 1]]


def test_a_checkout_is_answered_again_only_with_its_order(world: World) -> None:
    mine = held(world)
    first = begin_as(world, mine, "k")
    with unseen(world, keys_of(world, mine.session, "O#")):
        assert_again(lambda: begin_as(world, mine, "k"))
    assert begin_as(world, mine, "k") == first


def test_a_token_is_not_called_used_up_before_its_session_can_be_read(world: World) -> None:
    rules = gate()
    first = open_it(world, rules, token_for(rules))
    with unseen(world, [session_key(first.session)]):
        assert_again(lambda: open_it(world, rules, token_for(rules)))
    assert open_it(world, rules, token_for(rules)).session == first.session


def test_a_cancellation_is_not_answered_with_an_order_that_is_paid(world: World) -> None:
    order = begin(world, held(world)).order
    settle(world, order)
    (key,) = keys_of(world, order.session, "O#")
    paid = world.item("reservations", key)
    cancel(world, order, "k")
    cancelled = world.item("reservations", key)
    assert paid is not None
    assert cancelled is not None
    world.put_item("reservations", paid)
    assert_again(lambda: cancel(world, order, "k"))
    world.put_item("reservations", cancelled)
    assert cancel(world, order, "k").state == "refunded"


def test_an_order_is_cancelled_with_all_that_was_sold_with_it(world: World) -> None:
    mine = world.session()
    holder(world).hold(mine, [floor(2), *seats(world.seat_ids[0])], shards={"floor": 1})
    order = begin(world, mine).order
    live = {key: world.item("reservations", key) for key in keys_of(world, mine.session, "R#")}
    settle(world, order)
    sold = {key: world.item("reservations", key) for key in live}
    for key, before in live.items():
        assert before is not None
        world.put_item("reservations", before)
        assert_again(lambda: cancel(world, order, "k"))
        after = sold[key]
        assert after is not None
        world.put_item("reservations", after)
    assert cancel(world, order, "k").state == "refunded"
    states = [item["state"] for item in world.items("reservations", mine.session, "R#")]
    assert states == ["released", "released"]


class SeenLate:
    """A table whose first reading of an order is from before the commit that is under way."""

    def __init__(self, world: World, before: Order) -> None:
        self._table, self._before = world.table, [before]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def find(self, record: type[Any], key: Key) -> Any:
        late = record is Order and bool(self._before)
        return self._before.pop() if late else self._table.find(record, key)


def test_a_refund_is_told_to_the_order_that_was_decided_with_it(world: World) -> None:
    placed = begin(world, held(world)).order
    settle(world, placed)
    key = own_order_key(placed.order_id)
    paid = world.table.find(Order, key)
    assert paid is not None
    world.payments.fail = DependencyUnavailableError("away")
    with pytest.raises(DependencyUnavailableError):
        cancel(world, paid, "")
    world.payments.fail = None
    table: Any = SeenLate(world, paid)
    assert Refunder(table, world.clock, world.payments).send(paid.session, paid.order_id, "pay1")
    after = world.table.find(Order, key)
    assert after is not None
    assert after.state == "refunded"
