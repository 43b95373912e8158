"""seats.io charts: imported whole, or refused with the place of the defect."""

from __future__ import annotations

import pytest

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.errors import MalformedInputError
from fairgate_ops.operate.importers.detect import import_chart
from fairgate_ops.operate.importers.seatsio import import_seatsio
from tests.support.charts import chart, places, shared_chart

TWO_ROOMS = "two-rooms.seatsio.json"


def _refusal(document):
    with pytest.raises(MalformedInputError) as refused:
        import_seatsio(document)
    return places(refused.value)


def _inside(point, outline):
    """Whether the point lies in the polygon (ray casting)."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def test_chart_keeps_its_sections_rows_and_areas_when_it_mixes_all_of_them():
    venue = import_seatsio(chart(TWO_ROOMS))
    rows = {s.name: [row.name for _, row in s.rows()] for s in venue.sections}
    assert rows == {"East": ["B"], "Two rooms": ["A", "T1"], "Gallery": ["A"]}
    assert {a.name: a.capacity for a in venue.areas} == {
        "East standing": 40,
        "Lawn": 25,
        "Corner": 5,
    }
    assert [(s.kind, s.name) for s in venue.shapes] == [("other", "Closed"), ("stage", "Stage")]
    assert venue.seat_count() == 9


def test_seats_of_a_section_stand_at_its_corner_plus_their_own_place():
    venue = import_seatsio(chart(TWO_ROOMS))
    east = next(s for s in venue.sections if s.name == "East")
    corner_x, corner_y = east.outline[0]  # (201, 101) in the chart
    first = next(east.seats())  # (20, 30) from (200, 100)
    assert (first.x - corner_x, first.y - corner_y) == (19.0, 29.0)
    assert all(_inside((seat.x, seat.y), east.outline) for seat in east.seats())


def test_seat_takes_its_sections_category_when_it_names_none():
    venue = import_seatsio(chart(TWO_ROOMS))
    east = next(s for s in venue.sections if s.name == "East")
    assert [seat.tier for seat in east.seats()] == ["Near", "Far"]
    assert {area.name: area.tier for area in venue.areas}["East standing"] == "Near"


def test_tiers_and_zones_are_left_out_when_nothing_uses_them():
    venue = import_seatsio(chart(TWO_ROOMS))
    assert [tier.id for tier in venue.tiers] == ["Near", "Far"]
    assert venue.tiers[0].color == "#ff0000"
    assert venue.tiers[1].color.startswith("#")  # a name of a colour is replaced
    assert [(zone.id, zone.name) for zone in venue.zones] == [("East-wing", "East wing")]


def test_kinds_of_seats_are_kept_and_accessible_wins_when_both_are_set():
    venue = import_seatsio(chart(TWO_ROOMS))
    main = next(s for s in venue.sections if s.name == "Two rooms")
    assert [seat.kind for seat in main.seats()][:3] == ["standard", "companion", "accessible"]
    gallery = next(s for s in venue.sections if s.name == "Gallery")
    assert [seat.restricted_view for seat in gallery.seats()] == [True, False]


def test_area_outline_is_turned_when_its_rectangle_is_rotated():
    area = next(a for a in import_seatsio(chart(TWO_ROOMS)).areas if a.name == "East standing")
    xs, ys = zip(*area.outline, strict=True)
    assert (max(xs) - min(xs), max(ys) - min(ys)) == (20.0, 40.0)


def test_floors_are_drawn_below_each_other():
    document = chart(TWO_ROOMS)
    upstairs = chart("two-rooms.seatsio.json")["subChart"]
    for number, section in enumerate(upstairs["sections"]):
        section["label"] = f"Upstairs {number}"
        for area in section["subChart"].get("generalAdmissionAreas", ()):
            area["label"] += " upstairs"
    upstairs |= {"rows": [], "tables": [], "generalAdmissionAreas": []}
    document["subChartFloors"] = [document.pop("subChart"), upstairs]
    venue = import_seatsio(document)
    below, above = (
        next(s for s in venue.sections if s.name == name) for name in ("Upstairs 0", "East")
    )
    assert below.outline[0][1] - above.outline[0][1] == 300 + 200


def _double_seat(main):
    main["rows"][0]["seats"][1]["label"] = "1"


def _double_row(main):
    main["rows"][1].pop("sectionLabel")


def _double_section(main):
    main["sections"].append(dict(main["sections"][0]))


def _no_category(main):
    main["rows"][0]["seats"][0]["categoryKey"] = None


def _unknown_category(main):
    main["rows"][0]["seats"][0]["categoryKey"] = 99


def _unknown_zone(main):
    main["sections"][0]["zone"] = "moon"


def _huge_whole_table(main):
    table = main["tables"][0]
    table["bookAsAWhole"] = True
    table["seats"] = [{**table["seats"][0], "label": str(n)} for n in range(41)]


def _huge_whole_area(main):
    main["generalAdmissionAreas"][0] |= {"bookAsAWhole": True, "capacity": 41}


def _booth_nowhere(main):
    main["booths"].append({"label": "B1", "categoryKey": 1, "x": 5})


def _same_booths(main):
    main["booths"] += [{"label": "B1", "categoryKey": 1, "x": 5, "y": 5}] * 2


def _unplaced_seat(main):
    del main["rows"][0]["seats"][2]["y"]


def _empty_row(main):
    main["rows"][0]["seats"] = []


def _long_row(main):
    seat = main["rows"][0]["seats"][0]
    main["rows"][0]["seats"] = [{**seat, "label": str(n)} for n in range(2501)]


def _unknown_area(main):
    main["generalAdmissionAreas"][0]["type"] = "spiral"


@pytest.mark.parametrize(
    ("spoil", "where", "what"),
    [
        (_double_seat, "subChart.rows[0].seats[0]", "in row “A”, seat “1” is used 2 times"),
        (_double_row, "subChart.rows[0]", "row “A” exists 2 times with the same seat numbers"),
        (_double_section, "subChart.sections[0]", "the section “East” is used 2 times"),
        (_no_category, "subChart.rows[0].seats[0].categoryKey", "is missing"),
        (_unknown_category, "subChart.rows[0].seats[0].categoryKey", "no category “99”"),
        (_unknown_zone, "subChart.sections[0].zone", "no zone “moon”"),
        (_huge_whole_table, "subChart.tables[0].seats", "at most 40 are sold as a whole"),
        (_huge_whole_area, "subChart.generalAdmissionAreas[0].capacity", "from 1 to 40"),
        (_booth_nowhere, "subChart.booths[0].y", "is missing"),
        (_same_booths, "subChart.booths[0]", "seat “B1” is used 2 times"),
        (_unplaced_seat, "subChart.rows[0].seats[2].y", "is missing"),
        (_empty_row, "subChart.rows[0].seats", "must have 1 to"),
        (_long_row, "subChart.rows[0]", "2,501 seats"),
        (_unknown_area, "subChart.generalAdmissionAreas[0].type", "must be one of"),
    ],
)
def test_chart_is_refused_with_the_place_when_it_has_a_defect(spoil, where, what):
    document = chart(TWO_ROOMS)
    spoil(document["subChart"])
    assert what in _refusal(document)[where]


def test_what_is_sold_as_a_whole_becomes_one_unit_of_its_capacity():
    document = chart(TWO_ROOMS)
    main = document["subChart"]
    before = import_seatsio(chart(TWO_ROOMS))
    main["tables"][0]["bookAsAWhole"] = True
    main["booths"] += [
        {"label": "B1", "categoryKey": 1, "x": 20, "y": 30},
        {"label": "B2", "categoryKey": 1, "center": {"x": 60, "y": 30}, "capacity": 6},
    ]
    main["generalAdmissionAreas"][0]["bookAsAWhole"] = True
    venue = import_seatsio(document)
    wholes = {s.id: s for part in venue.sections for s in part.seats() if s.unit != "seat"}
    assert {(s.unit, s.number, s.capacity) for s in wholes.values()} == {
        ("table", "T1", 2),
        ("box", "B1", 1),
        ("box", "B2", 6),
        ("box", "Lawn", 25),
    }
    places = {row.name for s in venue.sections for _, row in s.rows()}
    assert {"Tables", "Booths", "Boxes"} <= places
    assert "T1" not in places
    assert "Lawn" not in [area.name for area in venue.areas]
    assert venue.unit_count() == before.unit_count() + 7


def test_a_whole_table_is_accessible_when_all_its_places_are():
    document = chart(TWO_ROOMS)
    table = document["subChart"]["tables"][0]
    table["bookAsAWhole"] = True
    table["seats"][0]["accessible"] = True
    kinds = lambda: [  # noqa: E731 asked twice
        s.kind
        for part in import_seatsio(document).sections
        for s in part.seats()
        if s.unit != "seat"
    ]
    assert kinds() == ["standard"]
    table["seats"][1]["companionSeat"] = True
    assert kinds() == ["accessible"]


def test_names_that_make_the_same_id_get_different_ones():
    document = chart(TWO_ROOMS)
    document["subChart"]["rows"][0]["label"] = "A/1"
    document["subChart"]["tables"][0]["label"] = "A 1"
    ids = [seat.id for s in import_seatsio(document).sections for seat in s.seats()]
    assert len(ids) == len(set(ids)) == 9


def test_section_is_split_between_rows_when_it_is_too_large():
    document = chart(TWO_ROOMS)
    east = document["subChart"]["sections"][0]["subChart"]
    east["rows"] = [
        {
            "label": f"R{row}",
            "seats": [
                {"x": 1 + seat / 10, "y": 2 + row / 10, "label": str(seat)} for seat in range(100)
            ],
        }
        for row in range(60)
    ]
    venue = import_seatsio(document)
    parts = [s for s in venue.sections if s.zone == "East-wing"]
    assert [s.name for s in parts] == [
        "East (rows R0–R19)",
        "East (rows R20–R39)",
        "East (rows R40–R59)",
    ]
    assert [sum(1 for _ in s.seats()) for s in parts] == [2000, 2000, 2000]
    assert next(parts[1].seats()).id == "East-R20-0"
    for part in parts:
        assert all(_inside((seat.x, seat.y), part.outline) for seat in part.seats())


def test_race_track_is_imported_whole():
    venue = import_chart(shared_chart("race-track.seatsio.json"))
    seats = {s.name: sum(1 for _ in s.seats()) for s in venue.sections}
    assert seats == {
        "Goal Stand 4": 650,
        "Goal Stand 3": 2215,
        "MT1": 2418,
        "MT3 (rows A–M)": 1807,
        "MT3 (rows N–Z)": 1807,
    }
    assert venue.seat_count() == 8897
    assert [zone.id for zone in venue.zones] == ["Finish-Line", "Mid-Track"]
    for section in venue.sections:
        assert all(_inside((seat.x, seat.y), section.outline) for seat in section.seats())


def test_small_theatre_is_imported_as_one_section_and_two_areas():
    venue = import_chart(shared_chart("small-theatre.seatsio.json"))
    assert [(s.name, sum(1 for _ in s.seats())) for s in venue.sections] == [("Sample chart", 32)]
    assert {area.id: area.capacity for area in venue.areas} == {"GA1": 100, "GA2": 100}
    assert [s.kind for s in venue.shapes] == ["stage"]
    accessible = [s.id for s in venue.sections[0].seats() if s.kind == "accessible"]
    assert accessible == ["Sample-chart-A-7"]


def test_imported_chart_is_a_fairgate_venue_when_it_is_written_and_read():
    venue = import_seatsio(chart(TWO_ROOMS))
    assert parse_venue(dump_venue(venue)) == venue
