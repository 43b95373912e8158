"""`event rehearse`: a hidden copy with a crowd that is asked for, and nothing else changes."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate import settings
from fairgate.adapters.dynamodb.guarded_writer import GuardedWriter
from fairgate.errors import DependencyUnavailableError
from fairgate.service.operators.rehearsals import Rehearsals
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate_ops.operate.api import system
from fairgate_ops.operate.cli.event_rehearse import OFF
from functions.operator import handler as operator
from tests.support.world import NAMES, World
from tests.unit.operate import test_operator_events as events
from tests.unit.operate.test_operator_api import do

REHEARSE = "event rehearse"
GALA, COPY = "gala", "gala-rehearsal-1"
MOST = 400


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)
    monkeypatch.setattr(system, "dynamodb_client", lambda: world.client)
    names = {settings.SEATS_TABLE: NAMES["seats"], settings.CATALOG_TABLE: NAMES["catalog"]}
    on = {settings.REHEARSAL_BUYERS: str(MOST)}
    world.container.settings = settings.from_environment(names | on)


def rehearse(world: World, event: str = GALA, buyers: int = 300, **more: Any) -> tuple[int, Any]:
    dry_run = more.pop("dry_run", False)
    return do(world, REHEARSE, {"event": event, "buyers": buyers, **more}, dry_run=dry_run)


def stored(world: World) -> dict[tuple[str, str, str], Any]:
    """Every item of the tables by its table and key, but for what a key of a request leaves."""
    return {
        (table, item["PK"]["S"], item["SK"]["S"]): item
        for table in NAMES.values()
        for item in world.client.scan(TableName=table, ConsistentRead=True)["Items"]
        if not item["PK"]["S"].startswith("ACT#")
    }


def of(world: World, event: str) -> Event:
    found = world.table.find(Event, event_key(event))
    assert found is not None
    return found


def asked(world: World, event: str = COPY) -> Any:
    return Rehearsals(world.table, world.clock).find(event)


def test_a_rehearsal_is_a_hidden_copy_and_a_request_and_touches_nothing_else(
    world: World,
) -> None:
    assert events.create(world)[0] == 200
    before, values = stored(world), dict(world.edge_config.values)
    status, done = rehearse(world, script="too-fast")
    assert (status, done["result"]["event"]) == (200, COPY)
    after = stored(world)
    assert {key: after.get(key) for key in before} == before
    new = {key for key in after.keys() - before.keys() if COPY not in " ".join(key)}
    assert new == set()
    assert {name: world.edge_config.values[name] for name in values} == values
    copy = of(world, COPY)
    assert (copy.hidden, copy.state, copy.name) == (True, "open", "The Gala (rehearsal 1)")
    one = asked(world)
    assert (one.of, one.buyers, one.script, one.state) == (GALA, 300, "too-fast", "asked")
    assert one.by == "sign-in olga"


def test_a_dry_run_says_what_can_be_rehearsed_and_writes_nothing(world: World) -> None:
    assert events.create(world)[0] == 200
    before = stored(world)
    result = rehearse(world, dry_run=True)[1]["result"]
    assert (result["event"], result["buyers_max"], result["left_out"]) == (COPY, MOST, [])
    assert {"calm", "too-fast"} < result["scripts"].keys()
    assert stored(world) == before


def test_what_simulated_buyers_cannot_meet_is_left_out_and_said(world: World) -> None:
    strict: dict[str, Any] = {
        "members": "fan-club",
        "account-days": 30,
        "verified-phone": True,
        "card-limit": 4,
        "terms": "https://seller.example/terms",
    }
    assert events.create(world, **strict)[0] == 200
    said = rehearse(world)[1]["said"]
    copy, gala = of(world, COPY), of(world, GALA)
    assert (gala.members, gala.account_days, gala.verified_phone, gala.card_limit) == (
        *("fan-club", 30, True),
        4,
    )
    assert (copy.members, copy.account_days, copy.verified_phone, copy.card_limit) == (
        *("", 0, False),
        0,
    )
    assert copy.terms_url == ""
    (left_out,) = [line for line in said if line.startswith("Left out")]
    for words in ("memberships", "age of an account", "phone number", "payment card", "terms"):
        assert words in left_out


def test_each_rehearsal_has_the_next_number_and_one_that_broke_off_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert events.create(world)[0] == 200
    assert rehearse(world)[1]["result"]["event"] == COPY

    def breaks(_writer: GuardedWriter, *_arguments: object, **_more: object) -> None:
        raise DependencyUnavailableError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(GuardedWriter, "put_many", breaks)
        assert rehearse(world, buyers=7)[0] == 503
    second = "gala-rehearsal-2"
    assert world.table.find(Event, event_key(second)) is None
    assert rehearse(world, buyers=8)[1]["result"]["event"] == second
    assert asked(world, second).buyers == 8


def test_it_is_refused_where_nothing_is_rehearsed(world: World) -> None:
    assert events.create(world)[0] == 200
    world.container.settings = world.container.settings._replace(rehearsal_buyers=0)
    status, refused = rehearse(world)
    assert (status, refused["reason"]) == (409, OFF)
    assert "make up" in refused["detail"]
    assert (asked(world), world.table.find(Event, event_key(COPY))) == (None, None)
    assert do(world, "event show", {"event": GALA})[1]["result"]["rehearsal"] is None


@pytest.mark.parametrize("buyers", [0, MOST + 1])
def test_a_crowd_has_bounds(world: World, buyers: int) -> None:
    assert events.create(world)[0] == 200
    status, refused = rehearse(world, buyers=buyers)
    assert (status, f"1 to {MOST}" in refused["detail"]) == (400, True)
    assert asked(world) is None


def test_a_rehearsal_is_not_rehearsed(world: World) -> None:
    assert events.create(world)[0] == 200
    assert rehearse(world)[0] == 200
    status, refused = rehearse(world, COPY)
    assert (status, f"Rehearse {GALA}" in refused["detail"]) == (409, True)


def test_list_and_show_say_how_far_its_crowd_is(world: World) -> None:
    assert events.create(world)[0] == 200
    assert rehearse(world)[0] == 200
    Rehearsals(world.table, world.clock).note(COPY, "running", arrived=120, tickets=14, gone=3)
    listed = do(world, "event list", {})[1]["result"]["events"]
    crowds = {one["event"]: one["rehearsal"] for one in listed}
    assert crowds[GALA] is None
    shown = do(world, "event show", {"event": COPY})[1]["result"]["rehearsal"]
    assert shown == crowds[COPY]
    assert (shown["state"], shown["arrived"], shown["tickets"], shown["gone"]) == (
        *("running", 120, 14),
        3,
    )
