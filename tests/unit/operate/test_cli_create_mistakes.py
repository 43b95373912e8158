"""Mistakes in a creation's options: each is refused by the name that was typed, or is said."""

from __future__ import annotations

import json

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures


@pytest.mark.parametrize(
    ("words", "where"),
    [
        (["--curve", "nan"], "--curve"),
        (["--sample", "nan"], "--sample"),
        (["--sample-admissions", "inf"], "--sample-admissions"),
        (["--sample-violations=-inf"], "--sample-violations"),
        (["--cancel-fee", "0.05"], "--cancel-fee"),
    ],
)
def test_what_is_wrong_is_named_as_it_was_typed(system, chart, capsys, words, where):
    assert create(chart, *words, "--json") == 1
    errors = said(capsys)["error"]["errors"]
    assert [error["where"] for error in errors] == [where]


@pytest.mark.parametrize(
    "words", [["--cancel-fee", "0.05"], ["--starts-at", "2028-01-01T00:00:00Z"]]
)
def test_another_option_is_named_as_it_is_typed(system, chart, capsys, words):
    assert create(chart, *words) == 1
    told = capsys.readouterr().err
    assert "_" not in told
    assert ("--cancel-until" in told) or ("--starts-at" in told)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--cancel-until", "2027-01-15T07:00:00Z"], "must be after the sale starts"),
        (["--transfer-until", "2027-01-15T07:00:00Z"], "must be after the sale starts"),
        (["--price", "stalls=1", "--price", "stalls=2"], "--price names stalls more than once"),
        (["--vat", "stalls=7%", "--vat", "stalls=19%"], "--vat names stalls more than once"),
    ],
)
def test_what_would_be_lost_without_a_word_is_refused(system, chart, capsys, words, why):
    for switches in (["--dry-run"], []):
        assert create(chart, *words, *switches) == 1
        assert why in capsys.readouterr().err


def test_a_sale_start_in_another_century_is_refused(system, chart, capsys):
    words = f"event create x --venue {chart} --name X --price-all 0.01"
    assert main.main([*words.split(), "--sale-starts-at", "2062-06-01T18:00:00Z"]) == 1
    assert "Look at the year" in capsys.readouterr().err


def test_a_dry_run_shows_no_commitment_that_nobody_will_keep(system, chart, capsys):
    """The key is made with the event; who published another's digest would seem to have cheated."""
    assert create(chart, "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["draw_commitment"] is None
    assert create(chart, "--dry-run") == 0
    assert "commitment is made with the event, not in a dry run" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ["--price-all", "0"],
            "--price stalls: must be from 0.01 to 1,000,000.00 EUR, not 0.00",
        ),
        (
            ["--time-zone", "Berlin", "--sale-ends-at", "2030-01-01T20:00"],
            "“Berlin” is no zone's name, like “Europe/Berlin”",
        ),
        (
            [
                *("--time-zone", "Europe/Berlin", "--starts-at", "2030-01-01T20:00"),
                *("--cancel-until", "2030-01-02T00:00"),
            ],
            "is after the performance starts, at 2030-01-01T19:00:00Z (20:00:00 CET)",
        ),
    ],
)
def test_zones_amounts_and_times_are_named_as_people_write_them(system, chart, capsys, words, why):
    assert create(chart, *words) == 1
    assert why in capsys.readouterr().err
