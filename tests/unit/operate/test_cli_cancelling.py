"""``fairgate event create|edit --cancel-until --cancel-fee``: what buyers may give back."""

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


def answer(sale: Sale, capsys: pytest.CaptureFixture[str], words: str, code: int = 0) -> Any:
    capsys.readouterr()
    assert sale.run(f"{words} --json") == code
    return json.loads(capsys.readouterr().out)


def test_the_terms_stand_in_the_event_and_on_its_page(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create("--cancel-until", UNTIL, "--cancel-fee", "5")
    assert (sale.item["cancelUntil"], sale.item["cancelFeeMinor"]) == (
        "2031-06-01T18:00:00.000Z",
        500,
    )
    capsys.readouterr()
    assert sale.run(f"event show {EVENT}") == 0
    assert "buyers may cancel until 2031-06-01" in (page := capsys.readouterr().out)
    assert "5.00 EUR a place is kept" in page


def test_the_terms_are_edited_for_what_is_not_yet_sold(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    assert "cancelUntil" not in sale.item
    dry = answer(sale, capsys, f"event edit {EVENT} --cancel-until {UNTIL} --dry-run")
    assert (dry["changed"], "cancelUntil" in sale.item) == (False, False)
    done = answer(sale, capsys, f"event edit {EVENT} --cancel-until {UNTIL} --cancel-fee 1")
    assert done["after"] == {"cancel_until": "2031-06-01T18:00:00.000Z", "cancel_fee_minor": 100}
    assert sale.item["cancelFeeMinor"] == 100
    entries = answer(sale, capsys, f"event log {EVENT}")["entries"]
    assert (entries[-1]["act"], entries[-1]["phase"]) == ("event edited", "done")
    sale.clock.tick(10)  # a command reads the event anew
    never = answer(sale, capsys, f"event edit {EVENT} --cancel-until never")
    assert never["after"] == {"cancel_until": "", "cancel_fee_minor": 0}
    logged = answer(sale, capsys, f"event log {EVENT}")["entries"][-1]["detail"]
    assert (logged["cancel_fee_minor"], logged["cancel_fee_minor_was"]) == (0, 100)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ("", "Say what is to change"),
        ("--cancel-fee 1", "no --cancel-until"),
        (f"--cancel-until {UNTIL} --cancel-fee 45", "below the lowest price, 45.00"),
        ("--cancel-until tomorrow", "a date with a time"),
    ],
)
def test_terms_that_make_no_sense_are_refused_with_their_reason(
    sale: Sale, capsys: pytest.CaptureFixture[str], options: str, why: str
) -> None:
    sale.create()
    refused = answer(sale, capsys, f"event edit {EVENT} {options}", code=1)
    assert why in refused["error"]["detail"]
    assert "cancelUntil" not in sale.item


@pytest.mark.parametrize("words", ["--cancel-until 2020-01-01T00:00:00Z", "--transfer-until"])
def test_a_time_that_is_over_ends_nothing_and_is_refused(
    sale: Sale, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    sale.create()
    until = "" if " " in words else f" {sale.item['saleOpensAt']}"
    assert sale.run(f"event edit {EVENT} {words}{until}") == 1
    said = capsys.readouterr().err
    assert "must be after the sale starts" in said
    assert "cancelUntil" not in sale.item


def test_a_price_that_is_typed_twice_is_refused(
    sale: Sale, capsys: pytest.CaptureFixture[str]
) -> None:
    sale.create()
    assert sale.run(f"event edit {EVENT} --price t=90 --price t=0.02") == 1
    assert "--price names t more than once" in capsys.readouterr().err
