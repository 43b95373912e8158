"""An event's orders are found by its index, each once, whatever becomes of them."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.domain.orders.find_words import have_words, words_of
from fairgate.ports.record import GSI1PK
from fairgate.ports.table import Update
from fairgate.service.checkout.begin_checkout import CheckoutBeginner
from fairgate.service.orders import list_event_orders
from fairgate.service.orders.list_event_orders import event_orders
from fairgate.service.shared.keys import email_tag, event_orders_indexes, ledger_indexes
from fairgate.service.shared.records.orders import Order
from fairgate_lab.engine.table import CountedTable
from tests.support.world import EVENT, NAMES, World
from tests.unit.checkout.test_checkout_and_settle import held, order_of, settle

BUYERS = ("ann", "bob", "cid", "dan", "eve", "fay")


@pytest.fixture
def orders(world: World) -> list[Order]:
    """Some orders, a second after one another, every second of them paid."""
    made = []
    beginner = CheckoutBeginner(world.table, world.clock, world.ids, world.reminders)
    for number, buyer in enumerate(BUYERS):
        mine = held(world, buyer, world.seat_ids[number])
        begun = beginner.begin(world.event, mine.session, buyer, f"{buyer}@example.org")
        made.append(begun.order)
        if number % 2:
            settle(world, made[-1], f"evt{number}")
        world.clock.tick(1)
    return made


def listed(world: World, **wanted: Any) -> list[str]:
    found = event_orders(world.table, EVENT, **wanted)
    return [order.order_id for some in found for order in some.records]


def test_every_order_is_listed_once_in_the_order_of_their_time(
    world: World, orders: list[Order]
) -> None:
    assert listed(world) == [order.order_id for order in orders]
    assert list(event_orders(world.table, "another")) == []
    spread = [world.items("reservations", pk, index=True) for pk in event_orders_indexes(EVENT)]
    assert len([some for some in spread if some]) > 1


def test_a_state_is_the_one_that_an_order_is_in_now(world: World, orders: list[Order]) -> None:
    assert listed(world, state="paid") == [order.order_id for order in orders[1::2]]
    assert listed(world, state="refunded") == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("107 e 7", True),
        ("ZOE muller", True),
        ("Μουλλερ", False),
        ("田中", True),
        ("10 e 7", False),
        ("107 e 8", False),
        ("pay_12", True),
        ("tkt_0", True),
        ("", True),
        ("· /", True),
    ],
)
def test_words_are_found_without_case_and_accents_short_ones_as_a_whole(
    words: str, found: bool
) -> None:
    texts = ("107 · Row E · Seat 7", "Zoë Müller", "田中太郎", "pay_123", "tkt_0")
    assert have_words(texts, words_of(words)) is found


def test_an_order_is_found_by_its_words_and_says_how_many_were_read(
    world: World, orders: list[Order]
) -> None:
    wanted = orders[2]
    for text in (wanted.order_id[-8:], wanted.units[0].label, "cid@example", wanted.user_id):
        assert listed(world, words=words_of(text)) == [wanted.order_id]
    (some,) = event_orders(world.table, EVENT, words=["nobody"])
    assert (list(some.records), some.looked_at) == ([], len(orders))


def test_an_address_finds_its_orders_and_reads_hardly_any_other(
    world: World, orders: list[Order]
) -> None:
    table = CountedTable(world.table)
    (found,) = event_orders(table, EVENT, email=f" {orders[2].email.upper()}")
    assert [order.order_id for order in found.records] == [orders[2].order_id]
    assert table.calls["find_many"] == 1
    nobody = CountedTable(world.table)
    assert list(event_orders(nobody, EVENT, email="nobody@example.org")) == []
    assert nobody.calls["find_many"] == 0


def test_another_address_of_the_same_cursor_is_not_shown(
    world: World, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_event_orders, "email_tag", lambda _email: email_tag(orders[0].email))
    assert listed(world, email="nobody@example.org") == []


def test_orders_are_read_some_at_a_time(
    world: World, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_event_orders, "TOGETHER", 2)
    table = CountedTable(world.table)
    some = event_orders(table, EVENT)
    assert [order.order_id for order in next(some).records] == [o.order_id for o in orders[:2]]
    assert table.calls["find_many"] == 1


def test_the_index_is_read_some_entries_at_a_time(
    world: World, orders: list[Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_event_orders, "PAGE_ENTRIES", 1)
    monkeypatch.setattr(list_event_orders, "TOGETHER", 1)
    asked: list[dict[str, Any]] = []
    query = world.client.query

    def heard(**request: Any) -> Any:
        asked.append(request)
        return query(**request)

    monkeypatch.setattr(world.client, "query", heard)
    some = event_orders(world.table, EVENT)
    next(some)
    assert len(asked) <= len(event_orders_indexes(EVENT)) + 1
    assert len([first for page in some for first in page.records]) == len(orders) - 1
    assert {request["Limit"] for request in asked} == {1}


def test_one_that_is_damaged_takes_nobody_elses_place(world: World, orders: list[Order]) -> None:
    world.table.update(Update("reservations", *orders[1].key, set={"totalMinor": "much"}))
    (found,) = event_orders(world.table, EVENT)
    assert [order.order_id for order in found.records] == [
        order.order_id for order in orders if order is not orders[1]
    ]
    assert list(found.damaged) == [orders[1].key]


def test_the_index_is_written_once_an_order(world: World, orders: list[Order]) -> None:
    settle(world, orders[0], "late")
    assert order_of(world, orders[0]).state == "paid"
    answer = world.client.scan(TableName=NAMES["reservations"], IndexName="GSI1")
    ledger = ledger_indexes(EVENT)
    found = [item for item in answer["Items"] if item[GSI1PK]["S"] not in ledger]
    assert len(found) == 2 * len(orders)  # of its buyer and of its event
    assert "example.org" not in str(answer["Items"])
