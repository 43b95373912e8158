"""The venue document: validator and schema agree, and each defect is named with its place."""

from __future__ import annotations

import functools
import json
import math
import re

import jsonschema
import pytest

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.parse_venue import parse_venue
from fairgate.domain.shared.reading import SHOWN_MAX
from fairgate.errors import MalformedInputError
from tests.support.charts import ROOT, chart, places

LITTLE_HALL = "little-hall.venue.json"
DELETED = object()


def _at(document, path, value):
    """Set (or delete) the value at a path such as ``sections.0.name``."""
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    inner = document
    for part in parents:
        inner = inner[part]
    if value is DELETED:
        del inner[last]
    else:
        inner[last] = value
    return document


def _refusal(path, value):
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(_at(chart(LITTLE_HALL), path, value))
    return places(refused.value)


@functools.cache
def _schema_validator():
    schema = json.loads((ROOT / "docs" / "venue.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_parsed_venue_has_every_part_of_the_document():
    venue = parse_venue(chart(LITTLE_HALL))
    assert (venue.name, venue.width, venue.height) == ("Little Hall", 200, 160)
    assert venue.seat_count() == 4
    assert venue.unit_count() == 1205
    section = venue.sections[0]
    assert [seat.id for seat in section.seats()] == ["A-1-1-1", "A-1-1-2", "A-1-1-3", "A-1-2-1"]
    last = section.blocks[0].rows[0].seats[2]
    assert (last.kind, last.restricted_view, last.y) == ("accessible", True, 70.0)
    assert venue.focal_point_of(section) == (100.0, 25.0)


def test_dumped_venue_parses_to_an_equal_one():
    venue = parse_venue(chart(LITTLE_HALL))
    assert parse_venue(json.loads(json.dumps(dump_venue(venue)))) == venue


def test_section_focal_point_comes_first_when_it_has_one():
    document = _at(chart(LITTLE_HALL), "sections.0.focalPoint", [1, 2])
    venue = parse_venue(document)
    assert venue.focal_point_of(venue.sections[0]) == (1.0, 2.0)


# What the schema and the validator both refuse, and the validator with this very place.
BROKEN_SHAPES = [
    ("format", "fairgate-venue/2"),
    ("format", DELETED),
    ("name", ""),
    ("name", " "),
    ("name", "a\x00b"),
    ("name", "n" * 121),
    ("name", 7),
    ("surprise", 1),
    ("bounds", [1, 2]),
    ("bounds.width", 0),
    ("bounds.width", True),
    ("focalPoint", [1]),
    ("focalPoint", [1, "2"]),
    ("focalPoint", {"x": 1, "y": 2}),
    ("tiers", []),
    ("tiers.0", "stalls"),
    ("tiers.0.color", "blue"),
    ("tiers.0.id", "a#b"),
    ("zones", {}),
    ("zones.0.focalPoint", DELETED),
    ("sections.0.id", "-a"),
    ("sections.0.id", "a" * 65),
    ("sections.0.zone", 3),
    ("sections.0.outline", [[0, 0], [1, 1]]),
    ("sections.0.outline.1", [0, None]),
    ("sections.0.blocks", []),
    ("sections.0.blocks.0.rows", []),
    ("sections.0.blocks.0.rows.1.seats", []),
    ("sections.0.blocks.0.rows.1.seats.0.x", "1"),
    ("sections.0.blocks.0.rows.1.seats.0.x", 1e9),
    ("sections.0.blocks.0.rows.0.seats.0.number", "1#"),
    ("sections.0.blocks.0.rows.0.seats.0.kind", "vip"),
    ("sections.0.blocks.0.rows.0.seats.0.restrictedView", 1),
    ("sections.0.blocks.0.rows.0.seats.0.row", 1),
    ("sections.0.blocks.0.rows.0.seats.0.unit", "sofa"),
    ("sections.0.blocks.0.rows.0.seats.0.capacity", 2),
    ("areas.0.capacity", 0),
    ("areas.0.capacity", 1.5),
    ("areas.0.tier", DELETED),
    ("shapes.0.kind", "bar"),
]


TABLE = {"id": "T-1", "number": "1", "x": 20, "y": 20, "tier": "stalls", "unit": "table"}
FIRST_SEAT = "sections.0.blocks.0.rows.0.seats.0"


@pytest.mark.parametrize("capacity", [{}, {"capacity": 0}, {"capacity": 41}, {"capacity": "8"}])
def test_validator_and_schema_refuse_a_table_without_a_sound_capacity(capacity):
    document = _at(chart(LITTLE_HALL), FIRST_SEAT, TABLE | capacity)
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(document)
    assert "sections[0].blocks[0].rows[0].seats[0].capacity" in str(refused.value.fields["errors"])
    with pytest.raises(jsonschema.ValidationError):
        _schema_validator().validate(document)


def test_a_table_counts_for_as_many_as_it_seats():
    plain = parse_venue(chart(LITTLE_HALL))
    document = _at(chart(LITTLE_HALL), FIRST_SEAT, TABLE | {"capacity": 8})
    _schema_validator().validate(document)
    venue = parse_venue(document)
    assert (venue.seat_count(), venue.unit_count()) == (plain.seat_count(), plain.unit_count() + 7)
    assert parse_venue(dump_venue(venue)) == venue


@pytest.mark.parametrize(("path", "value"), BROKEN_SHAPES)
def test_validator_and_schema_refuse_the_same_when_the_shape_is_wrong(path, value):
    assert re.sub(r"\.(\d+)", r"[\1]", path) in _refusal(path, value)
    with pytest.raises(jsonschema.ValidationError):
        _schema_validator().validate(_at(chart(LITTLE_HALL), path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("zones", None),
        ("shapes", DELETED),
        ("sections.0.zone", None),
        ("sections.0.focalPoint", None),
        ("sections.0.blocks.0.rows.0.seats.0.kind", None),
        ("sections.0.blocks.0.rows.0.seats.0.number", "12 b"),
        ("areas.0.capacity", 3.0),
        ("name", "Théâtre 🎭"),
    ],
)
def test_validator_and_schema_accept_the_same_when_optional_parts_vary(path, value):
    document = _at(chart(LITTLE_HALL), path, value)
    if path == "zones":
        document["sections"][0]["zone"] = None
    parse_venue(document)
    _schema_validator().validate(document)


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        ("areas.0.id", "A", "sections[0].id", "used already, at areas[0].id"),
        ("areas.0.id", "A-1-2-1", "sections[0].blocks[0].rows[1].seats[0].id", "used already"),
        ("tiers.1.id", "stalls", "tiers[1].id", "used already"),
        ("sections.0.zone", "attic", "sections[0].zone", "no zone “attic”"),
        ("areas.0.tier", "gold", "areas[0].tier", "no tier “gold”"),
        (
            "sections.0.blocks.0.rows.0.seats.1.tier",
            "gold",
            "sections[0].blocks[0].rows[0].seats[1].tier",
            "no tier “gold”",
        ),
        (
            "sections.0.blocks.0.rows.1.name",
            "1",
            "sections[0].blocks[0].rows[1].seats[0].number",
            "a ticket for “Stalls A, row 1, seat 1”",
        ),
        (
            "sections.0.blocks.0.rows.0.seats.1.x",
            201,
            "sections[0].blocks[0].rows[0].seats[1]",
            "outside the bounds",
        ),
        ("shapes.0.outline.0", [-5, 0], "shapes[0].outline[0]", "outside the bounds"),
    ],
)
def test_validator_names_the_place_when_parts_do_not_fit_together(path, value, where, what):
    assert what in _refusal(path, value)[where]


def test_validator_refuses_a_section_when_it_has_more_seats_than_fit():
    document = chart(LITTLE_HALL)
    rows = document["sections"][0]["blocks"][0]["rows"]
    rows[0]["seats"] = [
        {"id": f"s{n}", "number": str(n), "x": 100, "y": 70, "tier": "stalls"} for n in range(2500)
    ]
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(document)
    assert "2,501 seats" in places(refused.value)["sections[0]"]
    del rows[1]
    assert parse_venue(document).seat_count() == 2500


def test_validator_refuses_a_venue_when_it_has_too_many_places_or_none():
    crowd = {"name": "B", "capacity": 120_000, "tier": "standing"}
    document = chart(LITTLE_HALL)
    document["areas"].append({**crowd, "id": "b", "outline": document["areas"][0]["outline"]})
    with pytest.raises(MalformedInputError, match="at most 120,000"):
        parse_venue(document)
    empty = chart(LITTLE_HALL) | {"sections": [], "areas": []}
    with pytest.raises(MalformedInputError, match="nothing to sell"):
        parse_venue(empty)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400])
def test_validator_refuses_a_coordinate_when_it_is_not_a_finite_number(value):
    assert "focalPoint" in _refusal("focalPoint", [0, value])


def test_validator_lists_everything_and_counts_it_when_much_is_wrong():
    document = chart(LITTLE_HALL)
    seat = {"id": "", "number": "", "x": None, "y": None, "tier": ""}
    document["sections"][0]["blocks"][0]["rows"][0]["seats"] = [dict(seat) for _ in range(100)]
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(document)
    errors = refused.value.fields["errors"]
    assert isinstance(errors, list)
    assert len(errors) == SHOWN_MAX
    assert refused.value.fields["errors_total"] == 500
    assert "500 things are wrong" in refused.value.detail


@pytest.mark.parametrize("document", [None, [], "x", 3, {}, {"format": "fairgate-venue/1"}])
def test_validator_refuses_kindly_when_the_document_is_no_venue(document):
    with pytest.raises(MalformedInputError):
        parse_venue(document)


def test_documented_example_is_a_venue():
    text = (ROOT / "docs" / "venue-format.md").read_text()
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert example is not None
    document = json.loads(example[1])
    _schema_validator().validate(document)
    assert parse_venue(document).seat_count() == 3


@pytest.mark.parametrize("kind", ["tiers", "areas"])
def test_two_tiers_or_areas_with_one_name_are_refused(kind):
    document = chart(LITTLE_HALL)
    again = document[kind][0] | {"id": "again"}
    document[kind].append(again)
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(document)
    assert f"is also the name at {kind}[0].name" in str(refused.value.fields["errors"])


def test_a_section_that_repeats_another_is_one_fault_and_not_one_a_seat():
    document = chart(LITTLE_HALL)
    again = json.loads(json.dumps(document["sections"][0]).replace('"id": "A', '"id": "Z'))
    document["sections"].append(again)
    with pytest.raises(MalformedInputError) as refused:
        parse_venue(document)
    errors = str(refused.value.fields["errors"])
    assert "the same of 3 more seats" in errors
    assert errors.count("a ticket for") == 1
