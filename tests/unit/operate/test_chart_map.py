"""What a page needs to draw a chart before an event has it, also a chart with faults."""

from __future__ import annotations

import base64
import io
import json
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.seating.layout import OVERVIEW, PICTURE, SEATS, split_layout
from fairgate.domain.seating.parse_venue import UNITS_MAX
from fairgate_ops.operate.cli import venues
from fairgate_ops.operate.importers import chart_places
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.importers.detect import import_chart
from functions.operator import handler as operator
from tests.support.charts import chart, shared_chart
from tests.unit.operate.test_operator_api import do
from tests.unit.operate.test_operator_files import packed
from tests.unit.seating.test_chart_picture import drawn as image

if TYPE_CHECKING:
    from tests.support.world import World

ANSWER_BYTES_MAX = 6_000_000  # of a Lambda function


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)


def validate(world: World, document: Any, **beside: bytes) -> tuple[int, Any]:
    sent = {"hall.json": json.dumps(document).encode(), **beside}
    files = {name: packed(content) for name, content in sent.items()}
    return do(world, "venue validate", {"chart": "hall.json", "map": True}, files=files)


def seats_of(drawn: dict[str, Any]) -> list[tuple[float, float, str]]:
    """Where each seat of the drawing is, and its number."""
    return [
        (x / 100, y / 100, number)
        for part in drawn["seats"]["sections"]
        for x, y, number in zip(
            accumulate(part["x"]), accumulate(part["y"]), part["numbers"], strict=True
        )
    ]


@pytest.mark.parametrize(
    "name", ["little-hall.venue.json", "two-rooms.seatsio.json", "chapel.pretix.json"]
)
def test_a_good_chart_is_drawn_as_its_layout_will_be(world: World, name: str) -> None:
    status, answer = validate(world, chart(name))
    assert status == 200, answer
    drawn, venue = answer["result"]["map"], import_chart(chart(name))
    files = split_layout(venue).files
    assert drawn["venue"] == json.loads(files[OVERVIEW])
    numbers = [[seat.number for seat in section.seats()] for section in venue.sections]
    assert [part.pop("numbers") for part in drawn["seats"]["sections"]] == numbers
    assert drawn["seats"] == json.loads(files[SEATS])
    assert "picture" not in drawn


def test_the_picture_of_a_chart_is_drawn(world: World) -> None:
    below = {
        "webp": base64.b64encode(image(kind="WEBP")).decode(),
        "x": 0,
        "y": 0,
        "width": 9,
        "height": 9,
    }
    document = chart("little-hall.venue.json") | {"picture": below}
    drawn = validate(world, document)[1]["result"]["map"]
    files = split_layout(import_chart(document)).files
    assert (drawn["picture"], drawn["venue"]) == (
        json.loads(files[PICTURE]),
        json.loads(files[OVERVIEW]),
    )


def with_picture(name: str) -> tuple[Any, dict[str, bytes], tuple[float, ...]]:
    """A chart that names a picture, the file of it, and where that lies in the chart."""
    document, file = chart(name), image((40, 20))
    if name.endswith("seatsio.json"):
        document["subChart"]["backgroundImage"] = {
            "backgroundImageUrl": "https://cdn.example.com/plan.png",
            "backgroundImageZoom": 200,
            "origin": {"x": 300, "y": 200},
        }
        return document, {"plan.png": file}, (260, 180, 80, 40)
    place = {"x": 1, "y": 2, "width": 9, "height": 8}
    document["picture"] = place | {"file": "plan.png"}
    return document, {"plan.png": file}, tuple(place.values())


@pytest.mark.parametrize("name", ["little-hall.venue.json", "two-rooms.seatsio.json"])
def test_the_picture_of_a_chart_is_drawn_below_its_faults(
    world: World, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    document, pictures, box = with_picture(name)
    wrong_seat(document, name)
    answer = validate(world, document, **pictures)[1]
    assert len(answer["errors"]) == 1
    place = answer["map"]["venue"]["picture"]
    assert tuple(place[side] for side in ("x", "y", "width", "height")) == box
    below = base64.b64decode(answer["map"]["picture"]["webp"])
    with Image.open(io.BytesIO(below)) as shown:
        assert (shown.format, shown.size) == ("WEBP", (40, 20))
    monkeypatch.setattr(venues, "MAP_BYTES_MAX", venues._bytes_of(answer["map"]) - 1)
    plain = validate(world, document, **pictures)[1]["map"]
    assert (len(plain["seats"]["sections"]) > 0, "picture" in plain) == (True, False)


def test_a_picture_whose_place_is_wrong_is_not_drawn(world: World) -> None:
    document, pictures, _ = with_picture("little-hall.venue.json")
    document["picture"]["width"] = "wide"
    answer = validate(world, document, **pictures)[1]
    assert [error["where"] for error in answer["errors"]] == ["picture.width"]
    assert "picture" not in answer["map"]


@pytest.mark.parametrize("wrong", [{"origin": None}, {"opacity": 5}, {"backgroundImageZoom": 0}])
def test_a_picture_whose_place_in_a_seats_io_chart_is_wrong_is_not_drawn(
    world: World, wrong: dict[str, Any]
) -> None:
    document, pictures, _ = with_picture("two-rooms.seatsio.json")
    document["subChart"]["backgroundImage"] |= wrong
    answer = validate(world, document, **pictures)[1]
    assert all("backgroundImage" in error["where"] for error in answer["errors"])
    assert "picture" not in answer["map"]


def test_a_field_that_cannot_be_sent_is_named_all_the_same(world: World) -> None:
    document = chart("little-hall.venue.json")
    document["sections"][0]["\ud800"] = 1
    status, answer = validate(world, document)
    assert (status, answer["errors"][0]["where"]) == (400, "sections[0].�")
    json.dumps(answer, ensure_ascii=False).encode()


def test_faults_of_many_places_fit_into_an_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = chart("two-rooms.seatsio.json")
    document["subChart"]["sections"][0]["subChart"]["rows"] *= 3
    whole = validate(world, document)[1]
    assert len(whole["errors"][0]["spans"]) > 1
    monkeypatch.setattr(venues, "FAULTS_BYTES_MAX", 100)
    answer = validate(world, document)[1]
    assert answer["map"] == whole["map"]
    for error, before in zip(answer["errors"], whole["errors"], strict=True):
        assert error["what"] == before["what"]
        for name in ("places", "also", "spans"):
            assert error.get(name, []) == before.get(name, [])[:1]


def wrong_seat(document: Any, name: str) -> Any:
    """Spoil one seat that is not the first, and return it."""
    if name.endswith("pretix.json"):
        seat = document["zones"][0]["rows"][0]["seats"][1]
        seat["category"] = "nowhere"
    elif name.endswith("seatsio.json"):
        seat = document["subChart"]["sections"][0]["subChart"]["rows"][0]["seats"][1]
        seat["categoryKey"] = "nowhere"
    else:
        seat = document["sections"][0]["blocks"][0]["rows"][0]["seats"][1]
        seat["tier"] = "nowhere"
    return seat


@pytest.mark.parametrize(
    "name", ["little-hall.venue.json", "two-rooms.seatsio.json", "chapel.pretix.json"]
)
def test_the_seat_of_a_fault_is_that_of_the_drawing(world: World, name: str) -> None:
    document = chart(name)
    wrong_seat(document, name)
    status, answer = validate(world, document)
    assert status == 400, answer
    (error,) = answer["errors"]
    (first, last), place = error["spans"][0], error["places"][0]
    assert last - first == 1
    x, y, number = seats_of(answer["map"])[first]
    assert (x, y) == (pytest.approx(place["x"], abs=0.02), pytest.approx(place["y"], abs=0.02))
    assert number == place["seat"]


def test_a_row_and_a_section_are_all_of_their_seats(world: World) -> None:
    document = chart("little-hall.venue.json")
    section = document["sections"][0]
    row = section["blocks"][0]["rows"][0]
    row["name"], section["name"] = "", ""
    answer = validate(world, document)[1]
    spans = {error["where"]: error["spans"] for error in answer["errors"]}
    assert spans["sections[0].blocks[0].rows[0].name"] == [[0, len(row["seats"])]]
    all_seats = sum(len(row["seats"]) for part in section["blocks"] for row in part["rows"])
    assert spans["sections[0].name"] == [[0, all_seats]]
    assert answer["map"]["venue"]["sections"][0]["outline"] == section["outline"]


def test_a_seat_without_a_place_is_shown_by_its_row(world: World) -> None:
    document = chart("little-hall.venue.json")
    row = document["sections"][0]["blocks"][0]["rows"][0]
    del row["seats"][0]["x"]
    (error,) = validate(world, document)[1]["errors"]
    assert error["spans"] == [[0, len(row["seats"]) - 1]]


def test_rows_of_one_name_are_all_marked(world: World) -> None:
    body = json.loads(shared_chart("stadium.pretix.json").read_bytes())
    answer = validate(world, body)[1]
    assert answer["map"]["venue"]["sections"]
    assert len(answer["errors"][0]["spans"]) == 8
    assert all(error["spans"] for error in answer["errors"])


@pytest.mark.parametrize(
    "document", [{"zones": [{"rows": [{"seats": [{}]}]}]}, {"format": "fairgate-venue/1"}]
)
def test_of_a_chart_without_places_the_list_alone_is_answered(world: World, document: Any) -> None:
    answer = validate(world, document)[1]
    assert answer["errors"]
    assert answer["map"] is None


def test_what_is_no_chart_is_refused_as_without_a_map(world: World) -> None:
    status, answer = validate(world, 7)
    assert (status, "map" in answer) == (400, False)


def test_nothing_is_drawn_unless_it_is_asked_for(world: World) -> None:
    files = {"hall.json": packed(json.dumps(chart("little-hall.venue.json")).encode())}
    answer = do(world, "venue validate", {"chart": "hall.json"}, files=files)[1]
    assert "map" not in answer["result"]


@pytest.mark.parametrize("spoiled", [False, True])
def test_the_largest_chart_fits_into_an_answer(world: World, *, spoiled: bool) -> None:
    document = dump_venue(demo_venue(UNITS_MAX - 20_000))
    if spoiled:
        wrong_seat(document, "big")
    answer = validate(world, document)[1]
    drawn = answer["map"] if spoiled else answer["result"]["map"]
    assert len(seats_of(drawn)) == UNITS_MAX - 20_000
    assert len(json.dumps(answer)) < ANSWER_BYTES_MAX


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_drawing_that_is_too_large_is_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch, *, spoiled: bool
) -> None:
    monkeypatch.setattr(venues, "MAP_BYTES_MAX", 100)
    document = chart("little-hall.venue.json")
    if spoiled:
        wrong_seat(document, "little-hall")
    answer = validate(world, document)[1]
    assert (answer if spoiled else answer["result"])["map"] is None


def test_the_faults_of_a_row_read_its_seats_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read anew for each fault, a row of 20,000 seats took a minute; a request has half of one."""
    read: list[object] = []

    def points_in(node: object, origin: Any) -> Any:
        read.append(node)
        return points(node, origin)

    points = chart_places.points_in
    monkeypatch.setattr(chart_places, "points_in", points_in)
    row = {"label": "A", "seats": [{"x": x, "y": 5, "label": ""} for x in range(30)]}
    status, answer = validate(world, {"subChart": {"rows": [row]}})
    placed = [one["places"][0] for one in answer["errors"] if "seats[" in one["where"]]
    assert (status, len(placed) >= 30) == (400, True)
    assert {place["x"] for place in placed} == set(range(30))
    assert read.count(row) == 1
