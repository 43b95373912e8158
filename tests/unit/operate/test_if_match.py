"""An act with ``if_match`` is refused when somebody has changed the event since."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.errors import PreconditionFailedError
from fairgate.ports.table import Update
from fairgate.service.catalog.set_target import set_target
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.seen_version import only_if, version_of
from fairgate_lab.engine.table import InterleavedTable
from fairgate_ops.operate.api.once import VERSIONED
from fairgate_ops.operate.api.roles import MAY
from functions.operator import handler as operator
from tests.support.world import EVENT, World
from tests.unit.operate.test_operator_api import ARGUMENTS, do, stored

EVENT_ONLY = {"event": EVENT}


@pytest.fixture(autouse=True)
def served(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator, "container", lambda: world.container)


def seen(world: World) -> str:
    shown = [
        do(world, act, EVENT_ONLY)[1]["result"]["version"] for act in ("event show", "tau get")
    ]
    assert shown[0] == shown[1]
    return str(shown[0])


def changed(world: World) -> None:
    """Change both parts, as somebody else does."""
    assert do(world, "event target", {"event": EVENT, "live_max": 77})[0] == 200
    assert do(world, "tau set", {"event": EVENT, "seconds": 2.0})[0] == 200


def all_of(world: World) -> Any:
    return world.table.find(type(world.event), event_key(EVENT)), stored(world)


@pytest.mark.parametrize("act", sorted(VERSIONED & MAY.keys()))
def test_an_act_is_refused_when_what_it_writes_has_changed(world: World, act: str) -> None:
    version = seen(world)
    changed(world)
    before = all_of(world)
    status, told = do(world, act, ARGUMENTS[act], if_match=version, confirm="yes")
    assert (status, told["code"]) == (412, "precondition-failed"), told
    assert all_of(world) == before


def test_an_act_on_what_was_seen_is_done(world: World) -> None:
    for act in ("event target", "tau set", "event pause", "event hide", "event say"):
        version = seen(world)
        assert do(world, act, ARGUMENTS[act], if_match=version, confirm="yes")[0] == 200, act
        assert seen(world) != version


def test_an_act_that_writes_twice_is_not_stopped_by_itself(world: World) -> None:
    asked = {"event": EVENT, "seconds": 3, "session_mean_s": 60, "sample_violations": 0.5}
    assert do(world, "tau set", asked, if_match=seen(world))[0] == 200
    with only_if(EVENT, seen(world)):
        for live_max in (77, 78):
            set_target(world.table, world.clock, EVENT, live_max)


def test_only_the_part_counts_that_is_written(world: World) -> None:
    version = seen(world)
    assert do(world, "tau set", {"event": EVENT, "seconds": 2.0})[0] == 200
    assert do(world, "event hide", EVENT_ONLY, if_match=version)[0] == 200
    assert do(world, "tau set", {"event": EVENT, "seconds": 3.0}, if_match=version)[0] == 412


def test_a_change_between_reading_and_writing_is_noticed(world: World) -> None:
    version = version_of(world.event, stored(world))
    edit = Update("catalog", *event_key(EVENT), set={"name": "Other"}, add={"version": 1})
    table = InterleavedTable(world.table, lambda: world.table.update(edit))
    with only_if(EVENT, version), pytest.raises(PreconditionFailedError):
        set_target(table, world.clock, EVENT, 77)
    with only_if("other", version):
        set_target(world.table, world.clock, EVENT, 77)


def test_what_the_system_writes_is_no_edit(world: World) -> None:
    version = seen(world)
    writes = {"lastChange": None, "counted": True, "gateBehind": 0}
    world.table.update(Update("catalog", *event_key(EVENT), set=writes, add={"version": 1}))
    assert seen(world) == version


@pytest.mark.parametrize(
    ("act", "version"),
    [("event show", "0" * 16 + "-" + "0" * 16), ("event hide", "7"), ("event hide", "*")],
)
def test_what_cannot_be_compared_is_refused(world: World, act: str, version: str) -> None:
    status, told = do(world, act, EVENT_ONLY, if_match=version)
    assert (status, told["code"]) == (400, "malformed-input")
    assert "if_match" in told["detail"]


def test_a_version_tells_no_key(world: World) -> None:
    gate = stored(world)
    other = replace(gate, edge_key=b"x" * 32, draw_key=b"y" * 32)
    assert version_of(world.event, gate) == version_of(world.event, other)
    assert version_of(None, gate).startswith("0" * 16 + "-")
