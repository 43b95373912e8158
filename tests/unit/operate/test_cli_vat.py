"""``fairgate event create --vat``: the rates that prices and fees include."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sale import CHART, EVENT, Sale

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.world import World


@pytest.fixture
def office(world: World, tmp_path: Path) -> Sale:
    return Sale(world, tmp_path)


def rates(office: Sale) -> dict[str, int]:
    return {tier["id"]: tier.get("vatBp", 0) for tier in office.item["tiers"]}


def test_one_rate_is_for_all_tiers_and_fees_but_those_that_have_their_own(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create("--vat-all", "19%", "--vat", "standing=7%", "--fee-order", "2.50")
    of_tier = rates(office)
    assert of_tier.pop("standing") == 700
    assert set(of_tier.values()) == {1900}
    assert office.item["fees"] == {"orderMinor": 250, "vatBp": 1900}
    capsys.readouterr()
    assert office.run(f"event show {EVENT}") == 0
    shown = capsys.readouterr().out
    assert "7 % VAT in it" in shown
    assert "19 % VAT in it" in shown


def test_without_a_rate_nothing_is_said_of_vat(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create()
    assert set(rates(office).values()) == {0}
    assert office.run(f"event show {EVENT}") == 0
    assert "VAT" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "code", "says"),
    [
        ("--vat-all 1900", 2, "19 % is written 19%"),
        ("--vat-fees -1", 2, "--vat-fees"),
        ("--vat nowhere=19%", 1, "the venue has no such tier"),
        ("--vat 19%", 2, "is not TIER=RATE"),
    ],
)
def test_what_is_no_rate_is_refused_as_it_is_typed(
    office: Sale, capsys: pytest.CaptureFixture[str], typed: str, code: int, says: str
) -> None:
    words = f"event create {EVENT} --venue {CHART} --name N --price-all 45"
    words = f"{words} --sale-starts-in 60 {typed}"
    if code == 1:
        assert office.run(words) == code
    else:
        with pytest.raises(SystemExit):
            office.run(words)
    captured = capsys.readouterr()
    assert says in captured.out + captured.err
