"""pretix seating plans: imported whole, or refused with the place of the defect."""

from __future__ import annotations

import json

import pytest

from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.detect import detect_format, import_chart
from fairgate_ops.operate.importers.pretix import import_pretix
from tests.support.charts import CHARTS, chart, places, shared_chart

CHAPEL = "chapel.pretix.json"


def _refusal(document):
    with pytest.raises(MalformedInputError) as refused:
        import_pretix(document)
    return places(refused.value)


def test_positions_of_zone_row_and_seat_add_up():
    venue = import_pretix(chart(CHAPEL))
    first, second, third = venue.sections[0].seats()
    stage = next(s for s in venue.shapes if s.kind == "stage")
    left, top = stage.outline[0]  # its corner is at the zone's (100, 50) plus (0, -40)
    assert (first.x - left, first.y - top) == (10.0, 45.5)
    assert (second.x - first.x, second.y - first.y) == (25.0, 0.0)
    assert (third.x - left, third.y - top) == (10.0, 70.0)


def test_plan_becomes_sections_tiers_and_shapes():
    venue = import_pretix(chart(CHAPEL))
    assert [(s.id, s.name) for s in venue.sections] == [("Nave", "Nave")]
    assert [(tier.id, tier.color) for tier in venue.tiers] == [
        ("Nave", "#F44336"),
        ("Choir", "#9C27B0"),
    ]
    assert [(s.kind, s.name) for s in venue.shapes] == [
        ("stage", "Main stage"),
        ("other", ""),
        ("other", ""),
        ("other", ""),
        ("other", "Bar"),
    ]
    assert venue.areas == ()


def test_seat_guid_is_the_id_when_it_can_be_one():
    seats = [seat.id for seat in import_pretix(chart(CHAPEL)).sections[0].seats()]
    assert seats == ["nave-1-1", "Nave-1-2", "nave-2-1"]


def test_ellipse_is_turned_when_it_is_rotated():
    ellipse = import_pretix(chart(CHAPEL)).shapes[2]
    xs, ys = zip(*ellipse.outline, strict=True)
    assert (round(max(xs) - min(xs)), round(max(ys) - min(ys))) == (20, 60)


@pytest.mark.parametrize(
    ("zone", "where", "what"),
    [
        ({"seat_guid": "nave-2-1"}, "zones[0].rows[0].seats[0]", "“nave-2-1” is used 2 times"),
        ({"seat_number": "2"}, "zones[0].rows[0].seats[0]", "seat “2” is used 2 times"),
        ({"category": "Crypt"}, "zones[0].rows[0].seats[0].category", "no category “Crypt”"),
        ({"position": {"x": 1}}, "zones[0].rows[0].seats[0].position.y", "is missing"),
        ({"position": None}, "zones[0].rows[0].seats[0].position", "must be an object"),
        ({"seat_number": 5}, "zones[0].rows[0].seats[0].seat_number", "must be like"),
    ],
)
def test_plan_is_refused_with_the_place_when_a_seat_is_wrong(zone, where, what):
    document = chart(CHAPEL)
    document["zones"][0]["rows"][0]["seats"][0] |= zone
    assert what in _refusal(document)[where]


def test_stadium_is_refused_with_every_doubled_seat_named():
    path = shared_chart("stadium.pretix.json")
    with pytest.raises(MalformedInputError) as refused:
        import_chart(path)
    found = places(refused.value)
    doubled = [what for what in found.values() if what.startswith("the seat id")]
    counts: dict[str, int] = {}
    for zone in json.loads(path.read_text())["zones"]:
        for row in zone["rows"]:
            for seat in row["seats"]:
                counts[seat["seat_guid"]] = counts.get(seat["seat_guid"], 0) + 1
    expected = {guid for guid, count in counts.items() if count > 1}
    assert {what.split("“")[1].split("”")[0] for what in doubled} == expected
    rows = [what for what in found.values() if what.startswith("row “A” exists 8 times")]
    assert len(rows) == 1
    total = refused.value.fields["errors_total"]
    assert isinstance(total, int)
    assert total > len(expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("little-hall.venue.json", "fairgate"),
        ("two-rooms.seatsio.json", "seatsio"),
        ("chapel.pretix.json", "pretix"),
    ],
)
def test_format_is_told_from_the_content(name, expected):
    assert detect_format(chart(name)) == expected
    by_path, by_document = import_chart(CHARTS / name), import_chart(chart(name))
    assert by_path == by_document == import_chart(str(CHARTS / name))


@pytest.mark.parametrize("document", [{}, [], None, "text", 7, {"zones": {}}, {"seats": []}])
def test_unknown_format_is_refused_with_the_known_ones_named(document):
    with pytest.raises(MalformedInputError, match=r"its own format.*seats\.io.*pretix"):
        detect_format(document)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"zones": [\n}', "line 2"),
        (b"\xff\xfe\x00", "not a readable JSON text"),
        (b"[" * 200_000, "not a readable JSON text"),
        (b"9" * 5_000, "not a readable JSON text"),
        (b"", "line 1"),
        (b"\xef\xbb\xbf[]", "no seating chart"),
    ],
)
def test_file_is_refused_kindly_when_it_is_no_chart(tmp_path, content, message):
    path = tmp_path / "chart.json"
    path.write_bytes(content)
    with pytest.raises(MalformedInputError, match=message):
        import_chart(path)


def test_file_is_refused_kindly_when_it_cannot_be_read(tmp_path):
    with pytest.raises(MalformedInputError, match="No such file"):
        import_chart(tmp_path / "nothing.json")
    with pytest.raises(MalformedInputError, match="cannot be read"):
        import_chart(tmp_path)
