"""No request to DynamoDB carries an empty map of names or values, which it refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.ports.record import Key
from fairgate.ports.table import Action, Check, Delete, Put, Update
from fairgate.service.catalog.event_rows import seat_records
from fairgate.service.shared.records.seats import SeatRecord
from fairgate_lab.worlds.bulk_writer import DynamoWriter
from fairgate_ops.operate.importers.demo import demo_venue
from tests.support.world import NAMES

ITEM = {"PK": "p", "SK": "1"}
KEY = Key("p", "1")
MAPS = ("ExpressionAttributeNames", "ExpressionAttributeValues")
ACTIONS: dict[str, Action] = {
    "put": Put("seats", ITEM, condition=""),
    "new": Put("seats", ITEM),
    "put on a condition": Put("seats", ITEM, "#a = :a", {"a": "x"}),
    "delete": Delete("seats", *KEY),
    "check": Check("seats", *KEY, "attribute_exists(#PK)"),
    "check of a value": Check("seats", *KEY, "#a = :a", {"a": "x"}),
    "touch": Update("seats", *KEY),
    "touch what is there": Update("seats", *KEY, condition="attribute_exists(#PK)"),
    "set": Update("seats", *KEY, set={"a": "x"}),
    "add": Update("seats", *KEY, add={"n": 1}),
    "set on a condition": Update("seats", *KEY, "#a = :a", {"a": "x"}, set={"a": "y"}),
}
READS: dict[str, Callable[[DynamoTable], object]] = {
    "find": lambda table: table.find(SeatRecord, KEY),
    "find many": lambda table: table.find_many(SeatRecord, [KEY]),
    "query": lambda table: table.query(SeatRecord, "p"),
    "query from": lambda table: table.query(SeatRecord, "p", sk_from="1"),
    "query by prefix": lambda table: table.query(SeatRecord, "p", "1"),
    "pages after": lambda table: list(table.pages(SeatRecord, "p", size=1, after="1")),
    "pages of the index": lambda table: list(table.pages(SeatRecord, "p", size=1, index=True)),
}


class Heard:
    """Keeps each request, and answers that there is nothing."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        def call(**request: Any) -> dict[str, Any]:
            self.requests.append(request)
            return {"Items": [], "Responses": {}, "UnprocessedItems": {}}

        return call


def bodies(value: Any) -> list[dict[str, Any]]:
    """Every map within a request, itself among them."""
    if isinstance(value, list):
        return [body for part in value for body in bodies(part)]
    if not isinstance(value, dict):
        return []
    return [value, *(body for part in value.values() for body in bodies(part))]


def assert_no_map_is_empty(heard: Heard) -> None:
    assert heard.requests
    for body in bodies(heard.requests):
        assert all(body[name] for name in MAPS if name in body), body


@pytest.mark.parametrize("what", ACTIONS)
def test_a_write_carries_no_empty_map(what: str) -> None:
    heard, action = Heard(), ACTIONS[what]
    table = DynamoTable(lambda: heard, NAMES)
    table.transact([action])
    if isinstance(action, Update):
        table.update(action)
    assert_no_map_is_empty(heard)


@pytest.mark.parametrize("what", READS)
def test_a_read_carries_no_empty_map(what: str) -> None:
    heard = Heard()
    READS[what](DynamoTable(lambda: heard, NAMES))
    assert_no_map_is_empty(heard)


def test_a_batch_carries_no_empty_map() -> None:
    heard = Heard()
    DynamoWriter(lambda: heard, NAMES, threads=1).put_many(seat_records("p", demo_venue(80), "now"))
    assert_no_map_is_empty(heard)
