"""The law that every item of the tables loads, and what breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.ports.record import TableName
from fairgate.service.shared.keys import seat_key
from fairgate_ops.run.laws.check import violations
from fairgate_ops.run.laws.snapshot import Snapshot
from tests.support.items import ITEMS, NOW

_, SEAT = ITEMS["seat"]


def snapshot(table: TableName, *items: dict[str, Any]) -> Snapshot:
    return Snapshot(now=NOW, raw={table: [to_item(item) for item in items]})


def test_items_of_every_kind_break_no_law() -> None:
    for table, item in ITEMS.values():
        found = violations(snapshot(table, item))
        assert [violation for violation in found if violation.law == "data"] == []


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (SEAT | {"owner": "ann"}, "unknown field `owner`"),
        ({name: SEAT[name] for name in SEAT if name != "version"}, "missing required field"),
        (SEAT | {"version": "1"}, "Expected `int`, got `str`"),
        (SEAT | {"availability": "gone"}, "Invalid enum value 'gone'"),
        (SEAT | {"SK": "MEMO"}, "No kind of item of seats has the key"),
    ],
)
def test_one_broken_item_among_sound_ones_breaks_the_law(broken: dict[str, Any], what: str) -> None:
    other = SEAT | {"PK": seat_key("show", "A-2").pk}
    (violation,) = violations(snapshot("seats", other, broken))
    assert violation.law == "data"
    assert violation.thing == "seats"
    assert what in violation.what
