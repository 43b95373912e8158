"""Events are prepared over HTTP: created from what the request has, cloned, edited, deleted."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from fairgate import deadline, settings
from fairgate.adapters.aws.client import SdkClient
from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.domain.seating.dump_venue import dump_venue
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.catalog import event_rows
from fairgate.service.catalog.event_rows import row_keys
from fairgate.service.shared.keys import creation_key, event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.gate import Creation
from fairgate_ops.operate.api import system
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.importers.detect import import_chart
from functions.operator import handler as operator
from tests.support.sale import CHART
from tests.support.world import EVENT, NAMES, START_MS, World
from tests.unit.operate.test_operator_api import do
from tests.unit.refunds.test_give_back import ticketed

GALA = "gala"
STARTS = rfc3339(START_MS + 7 * 86_400_000)
HALL = {"hall.json": {"text": CHART.read_text("utf-8")}}
DOCUMENT: dict[str, Any] = {
    "event": GALA,
    "venue": "hall.json",
    "name": "The Gala",
    "sale-starts-at": STARTS,
    "price-all": "45.00",
    "currency": "EUR",
}


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)
    monkeypatch.setattr(system, "dynamodb_client", lambda: world.client)
    names = {settings.SEATS_TABLE: NAMES["seats"], settings.CATALOG_TABLE: NAMES["catalog"]}
    world.container.settings = settings.from_environment(names)


def as_file(document: object) -> dict[str, dict[str, str]]:
    return {"event.json": {"text": json.dumps(document)}}


def create(world: World, files: dict[str, Any] | None = None, **more: Any) -> tuple[int, Any]:
    dry_run = more.pop("dry_run", False)
    arguments = {"from": "event.json"}
    files = HALL | as_file(DOCUMENT | more) | (files or {})
    return do(world, "event create", arguments, files=files, dry_run=dry_run)


def event(world: World, name: str = GALA) -> Event | None:
    return world.table.find(Event, event_key(name))


def rows(world: World, name: str = GALA) -> int:
    found = world.client.scan(TableName="t-seats", ConsistentRead=True)["Items"]
    return sum(item["eventId"]["S"] == name for item in found)


def image(kind: str = "PNG", size: tuple[int, int] = (1_600, 900)) -> dict[str, str]:
    out = io.BytesIO()
    Image.new("RGB", size, "teal").save(out, kind)
    return {"base64": base64.b64encode(out.getvalue()).decode()}


def test_an_event_is_created_from_arguments_and_a_chart(world: World) -> None:
    tiers = json.loads(HALL["hall.json"]["text"])["tiers"]
    arguments = {
        "event": GALA,
        "name": "The Gala",
        "venue": "hall.json",
        "price": {tier["id"]: "45.00" for tier in tiers},
        "vat": {tier["id"]: "19%" for tier in tiers},
        "vat_fees": "19%",
        "sale_starts_in": 60,
        "backoff_s": [2, 60],
        "translations": {"de": {"name": "Die Gala"}, "fr": {"name": "Le gala"}},
    }
    status, would = do(world, "event create", arguments, files=HALL, dry_run=True)
    assert (status, event(world), rows(world)) == (200, None, 0), would
    status, answer = do(world, "event create", arguments, files=HALL)
    assert status == 200, answer
    made = event(world)
    assert made
    assert (made.state, made.translations["de"]["name"]) == ("draft", "Die Gala")
    assert made.chart == "hall.json"
    assert rows(world) >= answer["result"]["seats"] > 0
    layout = world.layouts.read(made.layout, "venue.json")
    assert json.loads(layout)["tiers"]


def test_the_document_sets_all_that_the_command_s_file_sets(world: World) -> None:
    files = {"logo.png": image(size=(300, 100)), "wide.jpg": image("JPEG")}
    facts = {
        "language": "de",
        "time-zone": "Europe/Berlin",
        "sale-starts-at": "2030-06-01T20:00",
        "starts-at": "2030-07-01T20:00",
        "logo": "logo.png",
        "picture": "wide.jpg",
        "color-1": "#004488",
        "font": "serif",
        "hold-limit": 4,
        "after-start": False,
        "tau": "10min",
        "translations": {"en": {"name": "The Gala"}, "ar": {"name": "الحفل"}},
        "backoff-s": [2, 30],
    }
    world.clock.ms = 1_900_000_000_000
    assert create(world, files, **facts)[0] == 200
    made = event(world)
    assert made
    assert (made.time_zone, made.font, made.hold_limit) == ("Europe/Berlin", "serif", 4)
    assert made.translations["ar"]["name"] == "الحفل"
    assert made.logo
    assert made.picture


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "event.json, line 1, column 2: this is not JSON"),
        ('{"a": NaN}', "event.json: this is not JSON: NaN is no number"),
        ('{"a": ' + "[" * 99_000, "event.json: this is not JSON: objects are nested too deeply."),
        ('{"name": "a", "name": "b"}', "event.json: this is not JSON: “name” stands there twice."),
        ('{"hold-limit": ' + "9" * 5_000 + "}", "event.json: this is not JSON: a number has too "),
        ("a = ", "event.json, line 1, column 5: this is not TOML"),
        ("[" * 5_000, "event.json, line 1"),
        (
            "{}",
            "event.json cannot be used: 4 things are wrong, first event.json, event: is missing",
        ),
        ({"name": 7}, "event.json cannot be used: one thing is wrong, event.json, name: must be"),
        ({"price": 7}, "event.json cannot be used: one thing is wrong, event.json, price: must be"),
        (
            {"hold-limit": 10**30},
            "event.json cannot be used: one thing is wrong, event.json, hold-",
        ),
        ({"hold-limit": 1e300}, "event.json cannot be used: one thing is wrong, event.json, hold-"),
        ({"curve": 1e400}, "event.json: this is not JSON: "),
        ({"backoff-s": [1]}, "event.json cannot be used: one thing is wrong, event.json, backoff"),
        ({"translations": {"de": 7}}, "The event cannot be used: one thing is wrong, event.json"),
        ({"translations": {"xx": {"name": "a"}}}, "The event cannot be used: one thing is wrong"),
        ({"venue": "/etc/passwd"}, "event.json, venue: /etc/passwd cannot be read: there is no su"),
        ({"venue": "../hall.json"}, "event.json, venue: ../hall.json cannot be read: there is no "),
        ({"logo": "/etc/passwd"}, "event.json, logo: There is no file /etc/passwd in the request."),
        ({"logo": "hall.json"}, "event.json, logo: hall.json is no picture of the kind PNG, JPEG "),
        ({"event": "x" * 3_000}, "The event cannot be used: one thing is wrong, event.json, event"),
        ({"event": "../x"}, "The event cannot be used: one thing is wrong, event.json, event: "),
        ({"price-all": "0"}, "The event cannot be used: "),
        ({"sale-starts-at": "1999-01-01T00:00Z"}, "event.json, sale-starts-at: The sale would hav"),
        ({"time-zone": "Mars/Base"}, "The event cannot be used: one thing is wrong, event.json, "),
    ],
)
def test_a_wrong_document_is_refused_in_words(world: World, document: Any, said: str) -> None:
    text = document if isinstance(document, str) else json.dumps(DOCUMENT | document)
    files = HALL | {"event.json": {"text": text}}
    status, answer = do(world, "event create", {"from": "event.json"}, files=files)
    assert (status, answer["detail"][: len(said)]) == (400, said)
    assert rows(world) == 0


@pytest.mark.parametrize("name", ["logo", "picture"])
@pytest.mark.parametrize("damage", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a" + b"\x00" * 99])
def test_a_broken_picture_is_refused(world: World, name: str, damage: bytes) -> None:
    whole = base64.b64decode(image()["base64"])
    for body in (damage, whole[:-40], whole[:30] + b"\xff" * 300):
        files = {"a.png": {"base64": base64.b64encode(body).decode()}}
        status, answer = create(world, files, **{name: "a.png"})
        assert (status, answer["code"]) == (400, "malformed-input"), answer
    assert event(world) is None


def test_what_is_missing_is_named_again_after_a_file_gave_it(world: World) -> None:
    assert create(world, dry_run=True)[0] == 200
    for _ in range(2):
        status, answer = do(world, "event create", {"event": GALA})
        what = "the following arguments are required: venue, name."
        assert (status, answer["detail"]) == (400, what)


def test_mistakes_have_the_names_of_the_body(world: World) -> None:
    arguments = {"event": "A!", "name": "x", "venue": "hall.json", "sale_starts_in": 60}
    arguments |= {"hold_limit": 0}
    status, answer = do(world, "event create", arguments, files=HALL)
    assert status == 400
    where = {error["where"] for error in answer["errors"]}
    assert "hold_limit" in where, where
    assert not any(one.startswith("--") for one in where)


def test_a_new_event_takes_the_brand_of_the_stage(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def parameter(_client: SdkClient, operation: str, **request: Any) -> dict[str, Any]:
        asked.append((operation, request))
        return {"Parameter": {"Value": 'color-1 = "#0e5560"'}}

    monkeypatch.setattr(SdkClient, "call", parameter)
    assert create(world, dry_run=True)[1]["result"]["notes"] == []
    names = {settings.BRAND_PARAMETER: "/fairgate/prod/brand"}
    world.container.settings = settings.from_environment(names)
    status, answer = create(world, dry_run=True)
    assert status == 200, answer
    notes = answer["result"]["notes"]
    assert notes == ["of the stage's brand: --color-1"]
    assert asked == [("get_parameter", {"Name": "/fairgate/prod/brand"})]


def test_an_id_that_is_taken_is_refused(world: World) -> None:
    assert create(world)[0] == 200
    status, answer = create(world)
    assert (status, answer["code"]) == (409, "wrong-state")
    assert create(world, event=EVENT)[0] == 409


def clock_of(monkeypatch: pytest.MonkeyPatch, batch_s: float) -> Callable[[], float]:
    """Let each call of the writer take that long."""
    now, put = [0.0], GuardedWriter.put_many

    def slow(writer: GuardedWriter, records: Any) -> None:
        put(writer, records)
        now[0] += batch_s

    monkeypatch.setattr(deadline, "monotonic", lambda: now[0])
    monkeypatch.setattr(GuardedWriter, "put_many", slow)
    return lambda: now[0]


def test_a_large_event_is_created_by_asking_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written stays written, and each seat is there once."""
    venue = demo_venue(600)
    files = {"hall.json": {"text": json.dumps(dump_venue(venue))}}
    monkeypatch.setattr(event_rows, "ROWS_NOTED", 99)
    monkeypatch.setattr(deadline, "function_timeout_s", lambda: 29.0)
    clock_of(monkeypatch, 7.0)
    counts = []
    status, answer = create(world, files)
    while status == 409:
        assert answer["reason"] == "unfinished", answer
        assert answer["written"] == rows(world)
        assert event(world) is None
        counts.append(answer["written"])
        assert len(counts) < 10
        status, answer = create(world, files)
    assert status == 200, answer
    assert counts == sorted(set(counts))
    assert len(counts) >= 2
    assert rows(world) == len(row_keys(GALA, venue))
    assert answer["result"]["completes"]


def test_another_chart_does_not_go_on_with_the_rows_of_the_one_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"hall.json": {"text": json.dumps(dump_venue(demo_venue(300)))}}
    with monkeypatch.context() as slow:
        slow.setattr(event_rows, "ROWS_NOTED", 99)
        slow.setattr(deadline, "function_timeout_s", lambda: 29.0)
        clock_of(slow, 20.0)
        assert create(world, files)[0] == 409
    assert create(world)[0] == 200
    made = event(world)
    assert made
    items = world.client.scan(TableName="t-seats", ConsistentRead=True)["Items"]
    found = {(one["PK"]["S"], one["SK"]["S"]) for one in items if one["eventId"]["S"] == GALA}
    assert found == row_keys(GALA, import_chart(CHART))


def test_rows_that_a_deletion_removed_are_written_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deletion that breaks off counts none of them as written."""
    assert create(world)[0] == 200
    whole = rows(world)

    def breaks(writer: GuardedWriter, name: str, keep: Any) -> int:
        removed = remove(writer, name, keep)
        assert removed
        raise DependencyUnavailableError("gone")

    remove = GuardedWriter.remove_others
    with monkeypatch.context() as broken:
        broken.setattr(GuardedWriter, "remove_others", breaks)
        assert do(world, "event delete", {"event": GALA}, confirm=GALA)[0] == 503
    assert (event(world), rows(world)) == (None, 0)
    begun = world.table.find(Creation, creation_key(GALA))
    assert begun
    assert begun.rows_by != begun.nonce
    assert create(world)[0] == 200
    assert rows(world) == whole


def test_a_draft_is_cloned_and_deleted(world: World) -> None:
    assert create(world)[0] == 200
    again = {"event": GALA, "new": "matinee", "name": "Matinee", "sale_starts_in": 120}
    assert do(world, "event clone", again, dry_run=True)[0] == 200
    assert event(world, "matinee") is None
    assert do(world, "event clone", again)[0] == 200
    assert rows(world, "matinee") == rows(world) > 0
    status, asked = do(world, "event delete", {"event": "matinee"})
    assert (status, asked["reason"], asked["confirm"]) == (409, "unconfirmed", "matinee")
    assert do(world, "event delete", {"event": "matinee"}, dry_run=True)[0] == 200
    assert do(world, "event delete", {"event": "matinee"}, confirm="matinee")[0] == 200
    assert (event(world, "matinee"), rows(world, "matinee")) == (None, 0)
    assert rows(world) > 0
    assert do(world, "event clone", {"event": GALA, "new": "x" * 2_000})[0] == 400
    assert do(world, "event delete", {"event": EVENT}, confirm=EVENT)[0] == 409  # on sale


def test_an_event_is_edited_by_arguments_and_by_its_file(world: World) -> None:
    facts: dict[str, Any] = {"language": "de", "translations": {"en": {"name": "The Gala"}}}
    assert create(world, **facts, publish=None)[0] == 200
    status, answer = do(world, "event edit", {"event": GALA, "name": "Gala II"}, dry_run=True)
    assert (status, answer["result"]["after"]["name"]) == (200, "Gala II")
    told = {"event": GALA, "translations": {"fr": {"name": "Le gala"}}, "price_all": "50.00"}
    assert do(world, "event edit", told)[0] == 200
    made = event(world)
    assert made
    assert set(made.translations) == {"fr"}
    assert {tier.price_minor for tier in made.tiers} == {5_000}
    document = DOCUMENT | {"name": "Gala III", "price-all": "55.00"} | facts
    del document["sale-starts-at"]
    arguments, files = {"event": GALA, "from": "event.json"}, as_file(document)
    assert do(world, "event edit", arguments, files=HALL | files)[0] == 200
    made = event(world)
    assert made
    assert (made.name, {tier.price_minor for tier in made.tiers}) == ("Gala III", {5_500})
    again = do(world, "event edit", arguments, files=HALL | files)[1]
    assert again["result"]["changed"] is False
    files |= {"hall.json": {"text": json.dumps(dump_venue(demo_venue(80)))}}
    status, answer = do(world, "event edit", arguments, files=files)
    assert (status, "is another chart than the event's" in answer["detail"]) == (400, True)


def test_a_fact_is_emptied_and_a_switch_is_turned_off(world: World) -> None:
    facts: tuple[tuple[str, bool], ...] = (("Ann", True), ("", False))
    for artist, avoid in facts:
        change = {"event": EVENT, "artist": artist, "avoid_single_seats": avoid}
        assert do(world, "event edit", change)[0] == 200
        made = event(world, EVENT)
        assert made
        assert (made.artist, made.avoid_single_seats) == (artist, avoid)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "Say what is to change: name, starts_at, price, "),
        ({"price": {"nowhere": "5.00"}}, "The event cannot be changed: "),
        ({"price": {"t": "1e99"}}, "argument price: "),
        ({"price": [5]}, "price is an object."),
        ({"currency": "USD"}, "The event cannot be changed: "),
        ({"translations": "x"}, "translations is an object of languages"),
        ({"translations": {"de": {"name": "x" * 99_999}}}, "translations is an object"),
        ({"backoff_s": [1, 2]}, "'backoff_s' is none of: "),
        ({"picture": "/etc/passwd"}, "There is no file /etc/passwd in the request."),
        ({"from": "/etc/passwd"}, "/etc/passwd cannot be read: there is no such file in the "),
    ],
)
def test_a_wrong_edit_is_refused_in_words(world: World, change: dict[str, Any], said: str) -> None:
    status, answer = do(world, "event edit", {"event": EVENT} | change)
    assert (status, answer["detail"][: len(said)]) == (400, said)


def test_buyers_are_written_to_after_it_was_confirmed(world: World) -> None:
    ticketed(world)
    later = {"event": EVENT, "artist": "Ann"}
    status, asked = do(world, "event edit", later)
    assert (status, asked["reason"], asked["confirm"]) == (409, "unconfirmed", "yes"), asked
    assert asked["ends"] == ["Writes to the buyers of 1 order; --no-mail does not."]
    status, answer = do(world, "event edit", later, confirm="yes")
    assert (status, answer["result"]["mails"]["orders"]) == (200, 1), answer
    assert len(world.mail_queue.changes) == 1
