"""The law that what took money is found by its address sees an entry too few and one too many."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.adapters.dynamodb.codec import to_item
from fairgate_ops.run.laws.listing_laws import found_by_address
from fairgate_ops.run.laws.snapshot import Snapshot
from tests.support.items import ORDER
from tests.support.mailbox_items import MAILBOX, mailbox_items

PAID = {"orderId": ORDER, "mailbox": MAILBOX, "paymentId": "pay_1"}
ITEMS = {
    name: {"PK": key.pk, "SK": key.sk, **item} for name, _, key, item in mailbox_items(ORDER, "now")
}
ENTRY, MARK = ITEMS["mailbox order"], ITEMS["mailed link"]


def found(orders: list[dict[str, Any]], *items: dict[str, Any]) -> list[str]:
    snapshot = Snapshot(
        now="", orders=orders, raw={"reservations": [to_item(item) for item in items]}
    )
    return [str(violation) for violation in found_by_address(snapshot)]


@pytest.mark.parametrize(
    ("orders", "items"),
    [
        ([PAID], [ENTRY, MARK]),
        ([{"orderId": ORDER, "mailbox": MAILBOX}], [MARK]),  # never paid
        ([{"orderId": ORDER, "paymentId": "pay_1"}], []),  # of before
    ],
)
def test_what_is_as_it_should_be_is_no_violation(orders: Any, items: Any) -> None:
    assert found(orders, *items) == []


def test_an_order_without_its_entry_is_noticed() -> None:
    [violation] = found([PAID], MARK)
    assert "is not entered" in violation


def test_an_entry_of_nothing_is_noticed() -> None:
    [violation] = found([{"orderId": ORDER, "mailbox": MAILBOX}], ENTRY)
    assert "took nothing" in violation
