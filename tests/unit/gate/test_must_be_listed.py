"""Acts at a gate are for events that the catalogue has, in whatever state they are."""

from __future__ import annotations

import pytest

from fairgate.errors import NotFoundError
from fairgate.ports.table import Delete, Update
from fairgate.service.gate import gate_values
from fairgate.service.gate.gate_values import GateValues
from fairgate.service.gate.must_be_listed import must_be_listed
from fairgate.service.shared.keys import event_key
from tests.support.edge_store import EdgeStore, control_of, written
from tests.support.world import EVENT, World


def test_an_event_is_there(world: World) -> None:
    must_be_listed(world.table, EVENT)
    with pytest.raises(NotFoundError, match="There is no event gala"):
        must_be_listed(world.table, "gala")


def test_a_damaged_event_is_there(world: World) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"name": 5}))
    must_be_listed(world.table, EVENT)


def close_what_was_deleted(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    """Close an event that is deleted meanwhile; return the state that its value is left with."""
    read = GateValues.read

    def read_then_delete(values: GateValues, key: str) -> tuple[str | None, str]:
        answer = read(values, key)
        world.table.transact([Delete("catalog", *event_key(EVENT))])
        return answer

    control = control_of(world, EdgeStore(world.edge_config.values))
    monkeypatch.setattr(GateValues, "read", read_then_delete)
    with pytest.raises(NotFoundError):
        control.close(EVENT)
    return written(world).state


def test_the_value_of_an_event_that_is_deleted_meanwhile_stays(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert close_what_was_deleted(world, monkeypatch) == "open"


def test_control_without_the_look_for_it_the_value_of_no_event_changes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_values, "must_be_listed", lambda _table, _event: None)
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        close_what_was_deleted(world, monkeypatch)
    assert written(world).state == "closed"
