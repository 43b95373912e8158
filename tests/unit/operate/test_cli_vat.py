"""``fairgate event create --vat``: the rates that prices and fees include."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sale import CHART, EVENT, Sale
from tests.unit.operate.test_cli_orders_staff import order

if TYPE_CHECKING:
    from pathlib import Path

    from fairgate.service.shared.records.orders import Order
    from tests.support.world import World


__all__ = ["order"]  # a fixture


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


def test_a_rate_that_is_left_out_beside_others_is_said(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create("--vat", "standing=7%", "--fee-order", "2.50")
    created = capsys.readouterr().out
    assert "0 % VAT in it" in created
    assert "0 % VAT in them" in created


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


def test_rates_are_edited_until_the_first_sale(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create("--vat-all", "19%", "--fee-order", "2.50")
    capsys.readouterr()
    assert office.run(f"event edit {EVENT} --vat standing=7% --vat-fees 5.5%") == 0
    said = capsys.readouterr().out
    assert "VAT standing: 19 % → 7 %" in said
    assert "vat-fees: 19 % → 5.5 %" in said
    assert rates(office)["standing"] == 700
    assert office.item["fees"] == {"orderMinor": 250, "vatBp": 550}
    assert office.run(f"event edit {EVENT} --vat-all 7% --price-all 45") == 0
    assert set(rates(office).values()) == {700}
    assert {tier["priceMinor"] for tier in office.item["tiers"]} == {4500}


def test_a_rate_of_no_tier_is_refused_by_an_edit(
    office: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create()
    assert office.run(f"event edit {EVENT} --vat nowhere=19%") == 1
    assert "--vat nowhere: the venue has no such tier" in capsys.readouterr().err


def test_rates_stay_once_something_is_sold(
    office: Sale, order: Order, capsys: pytest.CaptureFixture[str]
) -> None:
    office.create()
    words = f"event edit {order.event_id} --vat-all"
    assert office.run(f"{words} 19% --dry-run") == 1
    assert office.run(f"{words} 19%") == 1
    assert "Something is sold" in capsys.readouterr().err
    assert office.run(f"{words} 0%") == 0  # as it is
