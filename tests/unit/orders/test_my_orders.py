"""A buyer's orders, of every event and state: the newest first, by pages, and no other's."""

from __future__ import annotations

import pytest

from fairgate.errors import MalformedInputError
from fairgate.ports.table import Update
from fairgate.service.orders import list_orders as module
from fairgate.service.orders.list_orders import list_orders
from fairgate.service.shared.records.orders import Order
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle


def buy(world: World, user: str, count: int) -> list[Order]:
    """As many orders, the newest first."""
    orders = []
    for number in range(count):
        world.clock.tick(1)
        orders.append(begin(world, held(world, user, world.seat_ids[number])).order)
        settle(world, orders[-1], f"evt-{user}-{number}")
    return orders[::-1]


def ids(orders: list[Order]) -> list[str]:
    return [order.order_id for order in orders]


def test_they_come_a_page_at_a_time_the_newest_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGE_ORDERS", 2)
    bought = buy(world, "ann", 5)
    seen: list[Order] = []
    after = ""
    for count in (2, 2, 1):
        page = list_orders(world.table, "ann", after)
        assert len(page.orders) == count
        seen += page.orders
        after = page.after
    assert ids(seen) == ids(bought)
    assert after == ""
    assert all(order.state == "paid" for order in seen)  # as they are now, and not as at checkout


def test_a_page_that_is_full_and_the_last_names_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGE_ORDERS", 2)
    buy(world, "ann", 2)
    assert list_orders(world.table, "ann").after == ""


def test_nobody_sees_another_ones(world: World) -> None:
    [mine] = buy(world, "ann", 1)
    assert list_orders(world.table, "bob").orders == []
    for after in (mine.order_id, "ord_" + "0" * 32 + "_" + "0" * 8, "x"):
        with pytest.raises(MalformedInputError):
            list_orders(world.table, "bob", after)


def test_one_that_is_damaged_hides_no_other(world: World) -> None:
    damaged, other = buy(world, "ann", 2)
    world.table.update(Update("reservations", *damaged.key, set={"totalMinor": "much"}))
    assert ids(list(list_orders(world.table, "ann").orders)) == [other.order_id]
