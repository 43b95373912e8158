"""Charts as other systems export them: what is read, what is said of it, and what is refused."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.venues import run_validate
from fairgate_ops.operate.importers.assembly import Reading
from fairgate_ops.operate.importers.detect import import_chart
from tests.field.test_labels import row, venue

SHARED = Path(__file__).parents[3] / "shared"


def plan(*zones: dict[str, Any]) -> dict[str, Any]:
    """Return a pretix seating plan."""
    return {"name": "Hall", "categories": [{"name": "One"}], "zones": list(zones)}


def zone(name: str, *rows: tuple[str, str]) -> dict[str, Any]:
    """Return a zone with rows, each with its name and the numbers of its seats."""
    return {
        "name": name,
        "position": {"x": 0, "y": 0},
        "rows": [
            {
                "row_number": label,
                "position": {"x": 0, "y": 20 * line},
                "seats": [
                    {
                        "seat_number": number,
                        "seat_guid": f"{label}-{number}",
                        "position": {"x": 20 * place, "y": 0},
                        "category": "One",
                    }
                    for place, number in enumerate(numbers.split())
                ],
            }
            for line, (label, numbers) in enumerate(rows)
        ],
    }


def layered() -> dict[str, Any]:
    """Return a venue with two seats on one point."""
    seats = [row(0)["seats"][0], row(0)["seats"][0] | {"id": "x9", "number": "2"}]
    document = venue("Left")
    document["sections"][0]["blocks"][0]["rows"][0]["seats"] = seats
    return document


READ = [
    # chart; the names of its sections; what is said
    (plan(zone("", ("1", "1 2"))), ["Zone 1"], "it has no name and is called Zone 1"),
    (plan(zone(" ", ("1", "1"))), ["Zone 1"], "it has no name and is called Zone 1"),
    (plan(zone("Hall ", ("1", "1"))), ["Hall"], "the space around “Hall” is left out"),
    (plan(zone("Hall", ("1", "1"), ("2", ""))), ["Hall"], "it has no seat and is left out"),
    (venue("Parterre "), ["Parterre"], "the space around “Parterre” is left out"),
    (layered(), ["Left"], "Left, row 1, seat 1 and Left, row 1, seat 2 lie on one point"),
]


@pytest.mark.parametrize(("chart", "sections", "said"), READ)
def test_a_chart_is_read_and_what_is_odd_is_said(
    chart: dict[str, Any], sections: list[str], said: str
) -> None:
    how = Reading()
    assert [section.name for section in import_chart(chart, how).sections] == sections
    assert any(said in note for note in how.notes), how.notes


def test_nothing_is_said_of_a_sound_chart() -> None:
    for chart in (plan(zone("Hall", ("1", "1 2"), ("2", "1 2"))), venue("Left", "Right")):
        how = Reading()
        import_chart(chart, how)
        assert how.notes == []


REPEATED = plan(zone("Hall", ("A", "1 2"), ("B", "1 2"), ("A", "1 2"), ("A", "1 2 3")))


def test_rows_that_repeat_their_numbers_are_refused_with_what_mends_them() -> None:
    with pytest.raises(MalformedInputError) as refused:
        import_chart(REPEATED)
    errors = json.dumps(refused.value.fields["errors"], ensure_ascii=False)
    assert "row “A” exists 3 times with the same seat numbers" in errors
    assert "`fairgate venue import CHART --number-again --out FILE`" in errors


def test_number_again_numbers_them_through_and_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart, out = tmp_path / "plan.json", tmp_path / "venue.json"
    chart.write_text(json.dumps(REPEATED), "utf-8")
    words = ["venue", "import", str(chart), "--out", str(out)]
    assert main.main(words) == 1
    assert not out.exists()
    assert main.main([*words, "--number-again"]) == 0
    assert "row “A” is numbered again from 1 to 7" in capsys.readouterr().out
    rows = import_chart(out).sections[0].blocks[0].rows
    assert [(one.name, [seat.number for seat in one.seats]) for one in rows] == [
        ("A", ["1", "2"]),
        ("B", ["1", "2"]),
        ("A", ["3", "4"]),
        ("A", ["5", "6", "7"]),
    ]
    assert rows[1].seats[0].id == "B-1"  # its own id of the chart


def drawn(chart: Path) -> dict[str, Any]:
    """Check a chart as the console has it checked; return what draws it, and its faults."""
    try:
        return dict(run_validate(Namespace(chart=str(chart), map=True)).data)
    except MalformedInputError as refused:
        return dict(refused.fields)


def test_rows_that_repeat_their_numbers_are_all_marked_on_the_map(tmp_path: Path) -> None:
    chart = tmp_path / "plan.json"
    chart.write_text(json.dumps(REPEATED), "utf-8")
    error = drawn(chart)["errors"][0]
    assert error["spans"] == [[0, 2], [4, 6], [6, 9]]


@pytest.mark.skipif(not (SHARED / "field/charts").is_dir(), reason="the odd charts are not here")
def test_odd_charts_are_drawn_with_their_faults() -> None:
    for file in sorted((SHARED / "field/charts").glob("*.json")):
        answer = drawn(file)
        assert answer["map"]["venue"]["sections"], file.name
        assert all(error["spans"] for error in answer.get("errors", ())), file.name


@pytest.mark.skipif(not (SHARED / "charts").is_dir(), reason="the real charts are not here")
def test_the_stadium_that_repeats_its_rows_is_numbered_again() -> None:
    with pytest.raises(MalformedInputError):
        import_chart(SHARED / "charts" / "stadium.pretix.json")
    stadium = import_chart(SHARED / "charts" / "stadium.pretix.json", Reading(number_again=True))
    assert stadium.seat_count() == 738
