"""``fairgate audit items``: the laws over the stored items of a running system."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.service.shared.keys import SESSION
from tests.support.sale import EVENT, Sale
from tests.support.world import NAMES, World

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    sale = Sale(world, tmp_path)
    sale.create()
    return sale


def findings(sale: Sale, capsys: pytest.CaptureFixture[str], code: int) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert sale.run("audit items --within 0 --json") == code
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def test_every_law_holds_of_a_new_event(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    assert findings(sale, capsys, 0) == []
    assert sale.run("audit items --within 0") == 0
    assert "laws hold." in capsys.readouterr().out


def test_a_seat_that_was_changed_by_hand_is_named_by_its_law(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    items = sale.world.client.scan(TableName=NAMES["seats"])["Items"]
    seat = next(item for item in items if item["SK"]["S"] == "META" and "seatIndex" in item)
    sale.world.client.put_item(
        TableName=NAMES["seats"], Item={**seat, "availability": {"S": "reserved"}}
    )
    assert seat["PK"]["S"] in str(findings(sale, capsys, 1))


def test_a_damaged_item_stops_no_law_in_silence(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    session = {"PK": {"S": "ses_" + "1" * 32}, "SK": {"S": SESSION}, "eventId": {"S": EVENT}}
    sale.world.client.put_item(TableName=NAMES["reservations"], Item=session)
    found = findings(sale, capsys, 1)
    stopped = {one["law"] for one in found if "not checked: an item is damaged" in one["what"]}
    assert stopped
    assert any(one["law"] == "data" for one in found)  # which names the item
