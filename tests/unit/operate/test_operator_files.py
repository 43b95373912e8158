"""Files of an act come in its request, and from nowhere else."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from fairgate.http.app import ACT_BODY_MAX_BYTES
from fairgate_ops.operate.api import sent_files
from functions.operator import handler as operator
from tests.support.charts import chart, shared_chart
from tests.support.sale import CHART
from tests.support.world import World
from tests.unit.operate.test_operator_api import do

HALL = CHART.read_text("utf-8")


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)


def packed(body: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(gzip.compress(body)).decode()}


def validate(world: World, file: dict[str, Any], name: str = "hall.json") -> tuple[int, Any]:
    return do(world, "venue validate", {"chart": name}, files={name: file})


@pytest.mark.parametrize("file", [{"text": HALL}, packed(HALL.encode())])
def test_a_chart_is_read_from_the_request(world: World, file: dict[str, str]) -> None:
    status, answer = validate(world, file)
    assert status == 200, answer
    result = answer["result"]
    assert sum(result["seats_of"].values()) == result["seats"]
    assert sum(tier["seats"] for tier in result["tiers"]) == result["seats"]
    assert sum(tier["area_places"] for tier in result["tiers"]) == result["area_places"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", str(CHART), ".", "", "\x00"])
def test_no_file_of_the_function_is_read(world: World, path: str) -> None:
    status, answer = do(
        world, "venue validate", {"chart": path}, files={"hall.json": {"text": "1"}}
    )
    assert status == 400, answer
    assert "no such file in the request" in answer["detail"] or "characters" in answer["detail"]


def test_a_picture_below_a_chart_is_not_looked_for_on_the_disk(
    world: World, tmp_path: Path
) -> None:
    document = chart("little-hall.venue.json") | {
        "picture": {"file": "x.png", "x": 0, "y": 0, "width": 9, "height": 9}
    }
    (tmp_path / "x.png").write_bytes(b"never read")
    name = str(tmp_path / "hall.json")
    status, answer = validate(world, {"text": json.dumps(document)}, name)
    assert (status, "picture.file must be the name" in answer["detail"]) == (400, True), answer


@pytest.mark.parametrize(
    ("file", "detail"),
    [
        ({"text": "{"}, "hall.json is not JSON: "),
        ({"text": "[" * 100_000}, "hall.json is not a readable JSON text."),
        ({"text": "9" * 10_000}, "hall.json is not a readable JSON text."),
        ({"text": "7"}, "This is no seating chart"),
        ({"text": '"hall.json"'}, "This is no seating chart"),
        ({"base64": "/w=="}, "hall.json is not a readable JSON text."),
        ({"base64": "%"}, "The file hall.json is no base64."),
        ({"base64": "é"}, "The file hall.json is no base64."),
        ({"base64": base64.b64encode(b"\x1f\x8bx").decode()}, "The file hall.json is no gzip "),
        (
            {"base64": base64.b64encode(gzip.compress(b"x" * 99)[:-9]).decode()},
            "The file hall.json is no gzip file that is whole.",
        ),
        ({"text": "a", "base64": "YQ=="}, "The file hall.json has either text or base64."),
        ({}, "The file hall.json has either text or base64."),
        ({"path": "/etc/passwd"}, "The request body is not as expected: "),
        ("/etc/passwd", "The request body is not as expected: "),
    ],
)
def test_what_is_no_chart_is_refused_in_words(world: World, file: Any, detail: str) -> None:
    status, answer = validate(world, file)
    assert (status, answer["detail"][: len(detail)]) == (400, detail)


def test_files_are_bounded_packed_and_unpacked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, answer = validate(world, {"text": "x" * ACT_BODY_MAX_BYTES})
    assert (status, answer["code"]) == (413, "body-too-large")
    assert answer["detail"].startswith("An act and its files have at most 5,000,000 bytes.")
    monkeypatch.setattr(sent_files, "UNPACKED_BYTES_MAX", 1_000)
    files = {"a": packed(b"x" * 600), "b": packed(b"x" * 600)}
    status, answer = do(world, "venue validate", {"chart": "a"}, files=files)
    what = "The file b is too large: unpacked, the files have more than 1,000 bytes."
    assert (status, answer["detail"]) == (400, what)
    many = {str(n): {"text": ""} for n in range(21)}
    assert do(world, "venue validate", {"chart": "a"}, files=many)[0] == 400


def test_what_is_wrong_says_where_it_is_on_the_map(world: World) -> None:
    plan = chart("chapel.pretix.json")
    zone = plan["zones"][0]
    row = zone["rows"][0]
    row["seats"][1]["seat_number"] = row["seats"][0]["seat_number"]
    status, answer = validate(world, {"text": json.dumps(plan)})
    assert status == 400
    places = [place for error in answer["errors"] for place in error["places"]]
    assert len(places) == 2
    for place, seat in zip(places, row["seats"], strict=False):
        names = (zone["name"], row["row_number"], seat["seat_number"])
        assert (place["section"], place["row"], place["seat"]) == names
        parts = [part.get("position", {"x": 0, "y": 0}) for part in (zone, row, seat)]
        assert place["x"] == pytest.approx(sum(part["x"] for part in parts), abs=0.02)


def test_a_seat_of_each_format_is_named(world: World) -> None:
    venue = chart("little-hall.venue.json")
    seat = venue["sections"][0]["blocks"][0]["rows"][0]["seats"][0]
    seat["tier"] = "gold"
    (error,) = validate(world, {"text": json.dumps(venue)})[1]["errors"]
    assert (error["places"][0]["x"], error["places"][0]["y"]) == (seat["x"], seat["y"])
    rooms = chart("two-rooms.seatsio.json")
    section = rooms["subChart"]["sections"][0]
    section["subChart"]["rows"][0]["seats"][0]["label"] = ""
    error = validate(world, {"text": json.dumps(rooms)})[1]["errors"][0]
    corner = section["topLeft"]
    seat = section["subChart"]["rows"][0]["seats"][0]
    assert error["places"][0]["section"] == section["label"]
    assert error["places"][0]["x"] == pytest.approx(corner["x"] + seat["x"], abs=0.02)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("race-track.seatsio.json", 200),
        ("small-theatre.seatsio.json", 200),
        ("stadium.pretix.json", 400),  # rows repeat their numbers
    ],
)
def test_large_charts_fit_into_a_request(world: World, name: str, status: int) -> None:
    body = shared_chart(name).read_bytes()
    for file in (packed(body), {"text": body.decode()}):
        found, answer = validate(world, file)
        assert found == status
        assert all(error["places"] for error in answer.get("errors", ()))
