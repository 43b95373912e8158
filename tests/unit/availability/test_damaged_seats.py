"""A damaged seat or counter is not available, is told of, and takes nothing from the others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate import bootstrap, metrics
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.ports.table import Update
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.watch_seats import SeatWatch
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.shared.keys import area_key, seat_key
from fairgate_lab.engine.cache import NoCache
from fairgate_lab.engine.clock import MemoryClock
from functions.controller import handler as controller
from functions.holds import handler as holds
from functions.seatmap import handler as seatmap
from tests.contract.http import request
from tests.support.availability import EVENT, FakeTable
from tests.support.world import START_MS, World
from tests.unit.run.test_watched_figures import figures

DAMAGED = {"of another type": "x", "out of range": -1, "missing": None}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable({"a": 3, "b": 2}, {"floor": [40, 60]})


def reader_of(table: Any) -> AvailabilityReader:
    clock = MemoryClock()
    return AvailabilityReader(NoCache(), table, CatalogReader(table, clock), clock)


def damage(item: dict[str, Any], attribute: str, value: object) -> None:
    if value is None:
        del item[attribute]
    else:
        item[attribute] = value


@pytest.mark.parametrize("value", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_seat_takes_no_other_from_the_map(table: FakeTable, value: object) -> None:
    damage(table.seats["a"][1], "version", value)
    reader = reader_of(table)
    assert reader.section(EVENT, "a").codes == bytes([0, 3, 0])
    assert reader.counts(EVENT).sections == {"a": (3, 2), "b": (2, 2)}
    assert reader.fallbacks()[metrics.SEATS_DAMAGED] == 1
    assert metrics.SEATS_DAMAGED not in reader.fallbacks()


@pytest.mark.parametrize("value", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_counter_takes_no_place_of_others_from_the_map(
    table: FakeTable, value: object
) -> None:
    damage(table.areas[f"{EVENT}#floor#1", "GA"], "remaining", value)
    reader = reader_of(table)
    assert reader.counts(EVENT).areas == {"floor": (200, 40)}
    assert reader.fallbacks()[metrics.SEATS_DAMAGED] == 1


def test_a_damaged_seat_is_said_by_the_map_as_the_alarms_look_for_it(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world.table.update(Update("seats", *seat_key(world.event.id, "s-1-1"), set={"version": "x"}))
    reader = AvailabilityReader(NoCache(), world.table, world.container.catalog, world.clock)
    monkeypatch.setitem(vars(world.container), "availability", reader)
    monkeypatch.setattr(bootstrap, "container", lambda: world.container)
    path = f"/api/events/{world.event.id}/availability"
    assert seatmap.handler(request("GET", path), None)["statusCode"] == 200
    assert figures(capsys)[metrics.SEATS_DAMAGED] == 1


def test_damage_ends_no_sale_and_hides_nothing_that_is_left(world: World) -> None:
    event = world.event.id
    first, *others = world.seat_ids
    for seat in others:
        world.table.update(Update("seats", *seat_key(event, seat), set={"availability": "blocked"}))
    world.table.update(Update("seats", *area_key(event, "floor", 0), set={"remaining": 0}))
    watch = SeatWatch(world.table, world.clock)
    assert not watch.all_gone(world.event)
    key = seat_key(event, first)
    world.table.update(Update("seats", *key, set={"availability": "reserved", "version": "x"}))
    assert not watch.all_gone(world.event)
    assert watch.damaged == {event: 1}
    world.table.update(Update("seats", *key, set={"version": 3}))
    assert watch.all_gone(world.event)
    world.table.update(Update("seats", *area_key(event, "floor", 0), set={"remaining": "none"}))
    assert not watch.all_gone(world.event)
    assert watch.damaged == {event: 2}


def test_a_damaged_seat_is_said_by_the_controller(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = seat_key(world.event.id, world.seat_ids[0])
    world.table.update(Update("seats", *key, set={"version": "x"}))
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Fairgate")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "controller")
    monkeypatch.setattr(controller, "container", lambda: world.container)
    monkeypatch.setattr(controller, "_sold_out", lambda sale, watch, _now_ms: watch.all_gone(sale))
    controller.handler({}, None)
    assert '"SeatsDamaged":[1.0]' in capsys.readouterr().out


def test_a_damaged_counter_is_said_by_the_hold_that_it_refuses(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    key = area_key(world.event.id, "floor", 0)
    world.table.update(Update("seats", *key, set={"version": "x"}))
    monkeypatch.setattr(holds, "container", lambda: world.container)
    mine = world.session()
    token = issue_auth_token("ann", [], world.secrets.current.auth["1"], "1", START_MS // 1000, 600)
    path = f"/api/sessions/{mine.session}/holds"
    known = {"authorization": f"Bearer {token}", "x_fairgate_session": world.signed(mine)}
    answered = holds.handler(request("POST", path, {"areas": {"floor": 1}}, **known), None)
    assert (answered["statusCode"], json.loads(answered["body"])["seats"]) == (409, ["floor"])
    lines = capsys.readouterr().out
    assert f'"keys":["{key.pk}"]' in lines
    assert '"SeatsDamaged":1' in lines
