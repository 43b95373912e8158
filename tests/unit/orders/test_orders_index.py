"""The index of Reservations names a user's orders, an event's and its ledger, and nothing else."""

from __future__ import annotations

from fairgate.adapters.dynamodb.schema import GSI1
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from fairgate.service.shared.keys import ledger_key, orders_index, session_key
from tests.support.world import NAMES, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, order_of, settle


def everything_in_the_index(world: World) -> list[str]:
    answer = world.client.scan(TableName=NAMES["reservations"], IndexName=GSI1)
    return sorted(item[SK]["S"] for item in answer["Items"])


def test_a_users_orders_are_named_oldest_first(world: World) -> None:
    orders = []
    for seat in world.seat_ids[:2]:
        orders.append(begin(world, held(world, "ann", seat)).order)
        settle(world, orders[-1], f"evt{seat}")
        world.clock.tick(1)
    begin(world, held(world, "bob", world.seat_ids[2]))
    named = world.items("reservations", orders_index("ann"), index=True)
    assert [item[PK] for item in named] == [order.session for order in orders]
    assert [item[GSI1SK] for item in named] == [order.created_at for order in orders]
    assert set(named[0]) == {PK, SK, GSI1PK, GSI1SK}


def test_neither_a_session_nor_a_hold_writes_to_it(world: World) -> None:
    mine = held(world)
    assert everything_in_the_index(world) == []
    begun = begin(world, mine)
    settle(world, begun.order)
    entry = ledger_key(mine.session, begun.order.order_id, "capture#pay1")
    keys = [entry.sk, begun.order.sk, session_key(mine.session).sk]
    assert everything_in_the_index(world) == keys


def test_an_order_keeps_its_place_whatever_becomes_of_it(world: World) -> None:
    begun = begin(world, held(world))
    world.clock.tick(30)
    settle(world, begun.order)
    paid = order_of(world, begun.order)
    assert paid.state == "paid"
    assert (paid.gsi1_pk, paid.gsi1_sk) == (orders_index("ann"), begun.order.created_at)
