"""The operators' reader: each kind, of one event, in the states that are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.ports.record import DamagedItemError, TableName
from fairgate_ops.operate.models import Models
from fairgate_ops.operate.tables import Tables
from tests.support.item_ids import ORDER, SESSION
from tests.support.item_tables import tables_of_items
from tests.support.items import ITEMS

NAMES: dict[TableName, str] = {
    "seats": "t-seats",
    "reservations": "t-reservations",
    "catalog": "t-catalog",
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with tables_of_items(NAMES) as client:
        yield client


@pytest.fixture
def tables(client: Any) -> Tables:
    return Tables(Models(NAMES, lambda: client))


def test_each_kind_of_an_event_is_read(tables: Tables) -> None:
    assert [event.id for event in tables.events()] == ["show"]
    assert [session.id for session in tables.sessions("show")] == [SESSION]
    assert [order.order_id for order in tables.orders("show")] == [ORDER]


def test_nothing_of_another_event_is_read(tables: Tables) -> None:
    assert list(tables.sessions("other")) == []
    assert list(tables.orders("other")) == []


def test_orders_are_read_by_state(tables: Tables) -> None:
    assert len(list(tables.orders("show", "paid", "ticketed"))) == 1
    assert list(tables.orders("show", "cancelled", "refunded")) == []


def test_an_order_with_an_attribute_that_nobody_knows_is_not_listed_but_reported(
    tables: Tables, client: Any
) -> None:
    damaged = ITEMS["order"][1] | {"SK": "O#damaged", "eventId": "damaged", "colour": "red"}
    client.put_item(TableName=NAMES["reservations"], Item=to_item(damaged))
    with pytest.raises(DamagedItemError, match="unknown field `colour`"):
        list(tables.orders("damaged"))
