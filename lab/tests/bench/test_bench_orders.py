"""The benchmark of looking for orders counts what it says; it bounds what each way may read."""

from __future__ import annotations

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import TABLES as SCHEMAS
from fairgate.domain.shared.ids import EventId
from fairgate_lab.bench.kit.orders import OFTEN_ORDERS, records
from fairgate_lab.bench.orders import benchmark as bench
from fairgate_lab.engine.dynamodb import MemoryDynamo
from fairgate_lab.worlds.open_sale import EVENT, NAMES

ORDERS = 500


@pytest.fixture(scope="module")
def costs() -> dict[str, bench.Cost]:
    client = MemoryDynamo({NAMES[schema.name]: schema for schema in SCHEMAS}, lambda: 0)
    for record in records(EventId(EVENT), ORDERS):
        client.put_item(TableName=NAMES[record.table], Item=to_item(record.item()))
    return {cost.way: cost for cost in bench.costs(client, ORDERS)}


def test_each_way_finds_what_is_there(costs: dict[str, bench.Cost]) -> None:
    found = {way: cost.orders for way, cost in costs.items()}
    assert list(found.values()) == [1, 20, ORDERS, ORDERS // 10, 1, 1, 2 * ORDERS * 9 // 10]
    assert OFTEN_ORDERS > 2 * 20


def test_an_orders_list_reads_each_order_once_and_an_address_reads_one(
    costs: dict[str, bench.Cost],
) -> None:
    one, page, every, _, address, words, ledger = costs.values()
    assert one.by_rule == 1.5
    assert page.by_rule <= 20 + 1
    assert ORDERS < every.by_rule < ORDERS * 1.03
    assert address.by_rule < ORDERS * 0.03 + 1
    assert words.by_rule == every.by_rule
    assert every.calls == 4 + ORDERS // 100
    entries, fees = 2 * ORDERS * 9 // 10, ORDERS * 9 // 10
    assert entries + fees < ledger.by_rule < (entries + fees) * 1.05


def test_the_figures_are_a_table(costs: dict[str, bench.Cost]) -> None:
    text = bench.shown(costs.values(), ORDERS, "memory").shown()
    assert "| `orders list` | 500 | 9 |" in text
    assert "not counted" in text  # as the engine in memory says nothing
