"""A gate's value is written to the catalogue first; the edges' store follows after any failure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.domain.gate.gate_config import dump_gate, parse_gate
from fairgate.errors import (
    DependencyUnavailableError,
    NotFoundError,
    VersionConflictError,
)
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Delete, Update
from fairgate.service.gate import gate_values
from fairgate.service.gate.catalog_values import CatalogValues
from fairgate.service.gate.compare_store import COMPARE_MS, LAG_MS, Kept
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.gate_values import AWAY_MS, GateValues
from fairgate.service.gate.read_gate import GATE_CACHE_MS, GateReader
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.conditions import VALUE_AS_READ
from fairgate.service.shared.keys import event_key, gate_value_key
from fairgate.service.shared.records.catalog import IN_THE_STORE_ALONE, Event
from tests.support.edge_store import (
    KEY,
    CrashError,
    EdgeStore,
    control_of,
    keep,
    keeper_of,
    record_of,
    sale_of,
    unavailable,
    values_of,
    written,
)
from tests.support.world import EVENT, World, gate


def swap(of: object, name: str, to: object) -> None:
    """Put something else in a method's place."""
    setattr(of, name, to)


def state_of(store: EdgeStore) -> str:
    return store.gate.state


@pytest.fixture
def store(world: World) -> EdgeStore:
    return EdgeStore(world.edge_config.values)


def in_the_store_alone(world: World) -> None:
    """As older versions left an event."""
    key = gate_value_key(EVENT)
    world.client.delete_item(TableName="t-catalog", Key={"PK": {"S": key.pk}, "SK": {"S": key.sk}})
    unset = {"gateBehind": IN_THE_STORE_ALONE}
    world.table.update(Update("catalog", *event_key(EVENT), set=unset))


# --- one write


def test_value_event_and_history_change_together_and_edges_hear_of_it(
    world: World, store: EdgeStore
) -> None:
    change = control_of(world, store).pause(EVENT)
    assert change.spread
    assert record_of(world).value == store.values[KEY]
    assert (record_of(world).version, record_of(world).heard) == (2, 2)
    assert (sale_of(world).state, sale_of(world).gate_behind) == ("paused", 0)
    assert [version.state for version in read_history(world.table, EVENT)] == ["paused"]
    assert store.calls == {"describe": 1, "put": 1}


def test_nothing_is_written_when_the_event_changed_in_between(
    world: World, store: EdgeStore
) -> None:
    values = values_of(world, store)
    value, version = values.read(KEY)
    assert value is not None
    transact = world.table.transact

    def rival(actions: Any, token: str | None = None) -> None:
        swap(world.table, "transact", transact)
        world.table.update(Update("catalog", *event_key(EVENT), add={"version": 1}))
        transact(actions, token)

    swap(world.table, "transact", rival)
    with pytest.raises(VersionConflictError):
        values.write(KEY, dump_gate(gate(state="paused")), version)
    assert record_of(world).value == value
    assert read_history(world.table, EVENT) == []


def rivals_pause(world: World, store: EdgeStore) -> None:
    """Two writers read the same value; the first overwrites what it has not seen."""
    first, second = values_of(world, store), values_of(world, store)
    _, version = first.read(KEY)
    second.write(KEY, dump_gate(gate(state="paused")), version)
    first.write(KEY, dump_gate(gate(state="draining")), version)


def test_a_writer_is_refused_when_another_was_faster(world: World, store: EdgeStore) -> None:
    with pytest.raises(VersionConflictError):
        rivals_pause(world, store)
    assert written(world).state == "paused"


def test_control_without_its_condition_a_write_is_lost(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    always = f"{VALUE_AS_READ} OR attribute_exists(#PK)"
    monkeypatch.setattr(gate_values, "VALUE_AS_READ", always)
    rivals_pause(world, store)
    assert written(world).state == "draining"


def test_both_of_two_changes_hold_and_both_are_in_the_history(
    world: World, store: EdgeStore
) -> None:
    ours, theirs = control_of(world, store), control_of(world, store)
    read = ours.store.read
    rivals = [lambda: theirs.set_tau(EVENT, 100.0, starts_in_s=60)]

    def read_then_rival(key: str) -> tuple[str | None, str]:
        answer = read(key)
        if rivals:
            rivals.pop()()
        return answer

    swap(ours.store, "read", read_then_rival)
    ours.set_tau(EVENT, 200.0, starts_in_s=120)
    assert [e.slope for e in store.gate.epochs[-2:]] == [1 / 100, 1 / 200]
    assert store.gate == written(world)
    history = read_history(world.table, EVENT)
    assert [version.epochs[-1][2] for version in history] == [1 / 100, 1 / 200]
    assert sale_of(world).gate_behind == 0


# --- what breaks between the catalogue and the store


def crashes(world: World, store: EdgeStore) -> None:
    store.away = CrashError()
    with pytest.raises(CrashError):
        control_of(world, store).pause(EVENT)
    store.away = None


def test_the_next_run_brings_it_when_a_writer_crashed_in_between(
    world: World, store: EdgeStore
) -> None:
    crashes(world, store)
    assert (written(world).state, store.gate.state) == ("paused", "open")
    assert sale_of(world).gate_behind == 2
    assert keep(world, store) == [Kept(EVENT, "brought")]
    assert store.gate == written(world)
    assert sale_of(world).gate_behind == 0


def test_control_a_crash_stays_when_the_event_does_not_note_it(
    world: World, store: EdgeStore
) -> None:
    crashes(world, store)
    world.table.update(Update("catalog", *event_key(EVENT), set={"gateBehind": 0}))
    world.clock.tick(1)
    assert keep(world, store) == []  # too new to be compared
    assert store.gate.state == "open"


def test_the_origin_stops_when_the_store_refuses_and_edges_follow_later(
    world: World, store: EdgeStore
) -> None:
    store.away = unavailable()
    change = control_of(world, store).pause(EVENT)
    assert (change.spread, change.after.state) == (False, "paused")
    reader = GateReader(CatalogValues(world.table), world.clock)
    assert reader.gate(EVENT).state == "paused"
    keeper = keeper_of(world, store)
    assert keeper.bring(sale_of(world)) == [Kept(EVENT, "behind")]
    with pytest.raises(DependencyUnavailableError):
        keeper.compare([sale_of(world)])
    store.away = None
    world.clock.tick(10)
    assert keep(world, store) == [Kept(EVENT, "brought")]
    assert store.gate.state == "paused"


def test_a_store_that_stalls_is_not_asked_for_every_event(world: World, store: EdgeStore) -> None:
    store.away = unavailable()
    values = values_of(world, store)
    control = GateControl(values, world.clock, lambda _attempt: None)
    control.pause(EVENT)
    asked = store.calls.total()
    control.resume(EVENT, tau_s=60.0)
    assert store.calls.total() == asked
    store.away = None
    world.clock.tick(AWAY_MS / 1000)
    assert control.drain(EVENT).spread
    assert store.gate.state == "draining"


def test_nothing_older_comes_over_something_newer_when_a_writer_was_held_up(
    world: World, store: EdgeStore
) -> None:
    """Between the first writer's reading of the catalogue and its put, another one is quicker."""
    store.before_put = lambda: control_of(world, store).drain(EVENT)
    control_of(world, store).set_tau(EVENT, 77.0)
    versions = [parse_gate(value) for value in store.history]
    assert [version.state for version in versions] == ["open", "draining", "draining"]
    assert store.gate == written(world)
    assert (sale_of(world).gate_behind, record_of(world).version) == (0, 3)


def test_control_something_older_comes_when_the_catalogue_is_read_before_the_etag(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same race against a publication that asks for the ETag last."""
    monkeypatch.setattr(GateValues, "_publish", publish_in_the_wrong_order)
    rivals = [lambda: control_of(world, store).drain(EVENT)]
    etag = store.etag
    monkeypatch.setattr(store, "etag", lambda: (rivals.pop()() if rivals else None, etag())[1])
    control_of(world, store).set_tau(EVENT, 77.0)
    assert written(world).state == "draining"
    assert store.gate.state == "open"


def publish_in_the_wrong_order(values: Any, key: str) -> int:
    record = values._record(EVENT)
    values._edge_config.write(key, record.value, values._edge_config.etag())
    return int(record.version)


def test_a_newer_write_still_waits_when_an_older_one_is_noted(
    world: World, store: EdgeStore
) -> None:
    """Version 2 is noted after a writer of version 3 has crashed."""
    values = values_of(world, store)
    note = values._note

    def crash_first(event: str, version: int, *, late: bool) -> None:
        crashes(world, store)
        note(event, version, late=late)

    swap(values, "_note", crash_first)
    GateControl(values, world.clock, lambda _attempt: None).drain(EVENT)
    assert state_of(store) == "draining"
    assert sale_of(world).gate_behind == 2
    assert keep(world, store) == [Kept(EVENT, "brought")]
    assert state_of(store) == "paused"


def test_a_lagging_store_is_left_until_it_answers(world: World, store: EdgeStore) -> None:
    control = control_of(world, store)
    store.lag()
    store.version += 1  # another key was written: the ETag shown is not the one in force
    assert not control.pause(EVENT).spread
    assert store.gate.state == "open"
    store.shown = None
    assert keep(world, store) == [Kept(EVENT, "brought")]
    store.lag()
    control.resume(EVENT, tau_s=60.0)
    world.clock.tick(LAG_MS / 1000 - 1)
    assert [kept.outcome for kept in keep(world, store)] in ([], ["behind"])
    store.shown = None
    keep(world, store)
    assert store.gate == written(world)


# --- compared, and what that costs


def run_for(world: World, store: EdgeStore, seconds: int) -> Iterator[list[Kept]]:
    for _ in range(seconds // 10):
        world.clock.tick(10)
        yield keep(world, store)


def test_one_call_a_minute_compares_everything_when_nothing_changes(
    world: World, store: EdgeStore
) -> None:
    for kept in run_for(world, store, 180):
        assert kept == []
    store.calls.clear()
    for kept in run_for(world, store, 3_600):
        assert kept == []
    assert store.calls == {"describe": 60}


def test_a_foreign_value_in_the_store_is_overwritten(world: World, store: EdgeStore) -> None:
    list(run_for(world, store, 180))
    store.values[KEY] = dump_gate(gate(open_until_s=world.clock.ms // 1000 + 3_600))
    store.version += 1
    kept = [kept for run in run_for(world, store, COMPARE_MS // 1000) for kept in run]
    assert kept == [Kept(EVENT, "restored")]
    assert store.gate == written(world)


def test_a_value_too_new_to_compare_is_compared_next_time(world: World, store: EdgeStore) -> None:
    control_of(world, store).drain(EVENT)
    world.clock.tick(LAG_MS / 1000 - 1)
    store.values[KEY] = dump_gate(gate())
    store.version += 1
    assert keep(world, store) == []
    world.clock.tick(COMPARE_MS / 1000)
    assert keep(world, store) == [Kept(EVENT, "restored")]
    assert store.gate.state == "draining"


def test_a_write_during_the_comparison_is_no_difference(world: World, store: EdgeStore) -> None:
    world.clock.tick(LAG_MS / 1000)
    read = store.read

    def read_then_write(key: str) -> tuple[str | None, str]:
        answer = read(key)
        swap(store, "read", read)
        control_of(world, store).drain(EVENT)
        return (dump_gate(gate(state="paused")), answer[1])

    swap(store, "read", read_then_write)
    assert keep(world, store) == []
    assert store.calls["put"] == 1


def test_another_key_of_the_store_restores_nothing(world: World, store: EdgeStore) -> None:
    list(run_for(world, store, 180))
    store.values["e:other"] = "x"
    store.version += 1
    assert [kept for run in run_for(world, store, 600) for kept in run] == []
    assert store.calls["put"] == 0


def test_a_closed_event_costs_nothing(world: World, store: EdgeStore) -> None:
    control_of(world, store).close(EVENT)
    list(run_for(world, store, 60))
    store.calls.clear()
    sale, keeper = sale_of(world), keeper_of(world, store)
    swap(keeper.table, "find", None)  # no read, or it fails
    for _ in range(10):
        world.clock.tick(COMPARE_MS / 1000)
        assert [*keeper.bring(sale), *keeper.compare([sale])] == []
    assert store.calls.total() == 0


def test_an_event_that_is_closed_while_the_store_is_away_is_closed_at_the_edges_later(
    world: World, store: EdgeStore
) -> None:
    store.away = unavailable()
    control_of(world, store).close(EVENT)
    store.away = None
    assert keep(world, store) == [Kept(EVENT, "brought")]
    assert store.gate.state == "closed"
    assert keep(world, store) == []


# --- events of older versions


def test_a_value_that_the_store_alone_has_is_brought_by_the_next_run(
    world: World, store: EdgeStore
) -> None:
    in_the_store_alone(world)
    reader = GateReader(CatalogValues(world.table), world.clock)
    with pytest.raises(DependencyUnavailableError):
        reader.gate(EVENT)
    assert keep(world, store)[0] == Kept(EVENT, "adopted")
    assert reader.gate(EVENT) == store.gate == written(world)
    assert store.calls["put"] == 0
    assert keep(world, store) == []


def test_the_first_writer_brings_it_even_when_nothing_changes(
    world: World, store: EdgeStore
) -> None:
    in_the_store_alone(world)
    control = control_of(world, store)
    assert control.change_rules(EVENT, lambda unchanged: unchanged).spread
    assert record_of(world).value == store.values[KEY]
    in_the_store_alone(world)
    control.drain(EVENT)
    assert (written(world).state, store.gate.state) == ("draining", "draining")
    assert sale_of(world).gate_behind == 0


def bring_twice(world: World, store: EdgeStore) -> None:
    """While one brings the value, another one brings it too and pauses."""
    in_the_store_alone(world)
    slow = values_of(world, store)
    read = store.read

    def slowly(key: str) -> tuple[str | None, str]:
        answer = read(key)
        swap(store, "read", read)
        control_of(world, store).pause(EVENT)
        return answer

    swap(store, "read", slowly)
    slow.spread(KEY, late=True)


def test_a_value_copied_twice_undoes_nothing(world: World, store: EdgeStore) -> None:
    bring_twice(world, store)
    assert written(world).state == store.gate.state == "paused"


def test_control_without_its_condition_a_value_copied_twice_undoes_a_pause(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_values, "VALUE_IS_NEW", "")
    # The event's own version is the other guard.
    monkeypatch.setattr(gate_values, "gate_actions", lambda *_arguments: [])
    bring_twice(world, store)
    assert written(world).state == "open"


def test_an_event_without_a_value_anywhere_is_said_to_have_none(
    world: World, store: EdgeStore
) -> None:
    in_the_store_alone(world)
    del store.values[KEY]
    with pytest.raises(NotFoundError):
        keep(world, store)
    with pytest.raises(NotFoundError):
        control_of(world, store).read(EVENT)


def test_a_damaged_event_can_be_paused(world: World, store: EdgeStore) -> None:
    world.table.update(Update("catalog", *event_key(EVENT), set={"version": "one"}))
    assert control_of(world, store).pause(EVENT).spread
    assert written(world).state == store.gate.state == "paused"


def delete_while_it_spreads(world: World, store: EdgeStore) -> Event | None:
    """Delete an event while edges get its value; return what the catalogue has of it then."""
    write = store.write

    def write_then_delete(key: str, value: str, etag: str) -> str:
        world.table.transact([Delete("catalog", *event_key(EVENT))])
        return write(key, value, etag)

    swap(store, "write", write_then_delete)
    control_of(world, store).pause(EVENT)
    return world.table.find(Event, event_key(EVENT))


def test_an_event_that_is_deleted_while_its_value_spreads_is_gone(
    world: World, store: EdgeStore
) -> None:
    assert delete_while_it_spreads(world, store) is None


def test_control_without_its_condition_a_piece_of_the_event_comes_back(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_values, "EVENT_IS_THERE", "")
    with pytest.raises(DamagedItemError):
        delete_while_it_spreads(world, store)


# --- the origin reads the catalogue


@pytest.mark.parametrize("event", ["", "DEMO", "a#b", "a" * 41, "no-such"])
def test_an_unknown_event_is_not_found_at_the_origin(world: World, event: str) -> None:
    with pytest.raises(NotFoundError):
        GateReader(CatalogValues(world.table), world.clock).gate(event)


def test_the_origin_serves_on_when_the_table_is_away(world: World) -> None:
    reader = GateReader(CatalogValues(world.table), world.clock)
    known = reader.gate(EVENT)
    asked = 0

    def away(*_arguments: Any) -> None:
        nonlocal asked
        asked += 1
        raise unavailable()

    swap(world.table, "find", away)
    world.clock.tick(GATE_CACHE_MS / 1000 + 1)
    for _ in range(20):
        assert reader.gate(EVENT) == known
    assert asked == 1
    with pytest.raises(DependencyUnavailableError):
        GateReader(CatalogValues(world.table), world.clock).gate(EVENT)


def test_a_value_does_not_show_its_keys_when_it_is_printed(world: World) -> None:
    assert record_of(world).value not in f"{record_of(world)!r} {record_of(world)}"
