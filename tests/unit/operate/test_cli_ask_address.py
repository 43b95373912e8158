"""``fairgate event create|edit --ask-address``: whether checkout asks for a postal address."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sale import EVENT, Sale
from tests.unit.operate.test_cli_passing_on import answer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World


@pytest.fixture
def sale(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def test_an_event_that_asks_says_so(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    sale.create("--ask-address")
    assert sale.item["askAddress"] is True
    assert answer(sale, capsys, f"event show {EVENT}")["ask_address"] is True
    assert sale.run(f"event show {EVENT}") == 0
    assert "name and postal address" in capsys.readouterr().out


def test_it_is_switched_on_and_off(sale: Sale, capsys: pytest.CaptureFixture[str]) -> None:
    sale.create()
    assert "askAddress" not in sale.item
    done = answer(sale, capsys, f"event edit {EVENT} --ask-address")
    assert (done["before"], done["after"]) == ({"ask_address": False}, {"ask_address": True})
    assert sale.run(f"event edit {EVENT} --no-ask-address") == 0
    assert "ask-address: yes → no" in capsys.readouterr().out
    assert sale.item["askAddress"] is False
    assert answer(sale, capsys, f"event edit {EVENT} --no-ask-address")["changed"] is False
