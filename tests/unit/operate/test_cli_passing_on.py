"""``fairgate event create|edit --transfer-until``: until when tickets may be passed on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.sale import EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World

UNTIL = "2031-06-01T18:00:00Z"


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def answer(sale: Sale, capsys: pytest.CaptureFixture[str], words: str) -> Any:
    capsys.readouterr()
    assert sale.run(f"{words} --json") == 0
    return json.loads(capsys.readouterr().out)


def test_an_event_is_created_with_its_last_moment(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--transfer-until", UNTIL)
    assert sale.item["transferUntil"] == "2031-06-01T18:00:00.000Z"
    capsys.readouterr()
    assert sale.run(f"event show {EVENT}") == 0
    assert "tickets may be passed on until 2031-06-01" in capsys.readouterr().out


def test_it_is_edited_for_what_is_not_yet_sold(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    assert "transferUntil" not in sale.item
    done = answer(sale, capsys, f"event edit {EVENT} --transfer-until {UNTIL}")
    assert done["after"] == {"transfer_until": "2031-06-01T18:00:00.000Z"}
    assert sale.run(f"event edit {EVENT} --transfer-until never") == 0
    assert "From now on tickets stay with their buyers." in capsys.readouterr().out
    assert sale.item["transferUntil"] == ""


def test_what_is_no_moment_is_refused_by_its_name(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    assert sale.run(f"event edit {EVENT} --transfer-until tomorrow") != 0
    assert "--transfer-until" in "".join(capsys.readouterr())
    assert "transferUntil" not in sale.item
