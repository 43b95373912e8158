"""An unreadable value in the catalogue closes no gate, and operators can go on."""

from __future__ import annotations

import struct

import pytest

from fairgate.domain.gate.gate_config import VERSION, is_spoilt
from fairgate.domain.gate.gate_value import FIGURES_AT
from fairgate.domain.shared.jws import b64url, from_b64url
from fairgate.errors import DependencyUnavailableError, MalformedInputError
from fairgate.ports.table import Update
from fairgate.service.gate import compare_store, gate_values
from fairgate.service.gate.catalog_values import CatalogValues
from fairgate.service.gate.compare_store import COMPARE_MS, LAG_MS, Kept, StoreKeeper, must_be_kept
from fairgate.service.gate.read_gate import GATE_CACHE_MS, GateReader
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import gate_value_key
from tests.support.edge_store import (
    KEY,
    EdgeStore,
    control_of,
    keep,
    record_of,
    sale_of,
    unavailable,
    values_of,
    written,
)
from tests.support.world import EVENT, World

SPOILT = "{}"


@pytest.fixture
def store(world: World) -> EdgeStore:
    return EdgeStore(world.edge_config.values)


def by_hand(world: World, value: str) -> None:
    """Somebody edits the item, or brings back one of an old backup."""
    world.table.update(Update("catalog", *gate_value_key(EVENT), set={"value": value}))


def newer(value: str) -> str:
    """The value as a version of tomorrow might write it."""
    figures = from_b64url(value[FIGURES_AT : FIGURES_AT + 12])
    block = b64url(struct.pack("<d", VERSION + 1) + figures[8:])
    return value[:FIGURES_AT] + block + value[FIGURES_AT + 12 :]


def later(world: World) -> None:
    world.clock.tick((COMPARE_MS + LAG_MS) / 1000)


def mended_by_itself(world: World, store: EdgeStore) -> None:
    later(world)
    keep(world, store)
    good = store.values[KEY]
    by_hand(world, SPOILT)
    later(world)
    assert keep(world, store) == [Kept(EVENT, "mended")]
    assert record_of(world).value == store.values[KEY] == good
    assert (sale_of(world).gate_behind, record_of(world).version) == (0, 2)
    later(world)
    assert keep(world, store) == []


def test_the_next_comparison_repairs_it_from_the_edges(world: World, store: EdgeStore) -> None:
    mended_by_itself(world, store)


def test_control_it_stays_when_only_the_store_is_compared(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoreKeeper, "_digest", lambda *_arguments: "")
    with pytest.raises(AssertionError):
        mended_by_itself(world, store)


def edges_keep_what_they_have(world: World, store: EdgeStore) -> None:
    good = store.values[KEY]
    by_hand(world, SPOILT)
    assert not values_of(world, store).restore(KEY)
    assert store.values[KEY] == good


def test_it_is_never_brought_to_the_edges(world: World, store: EdgeStore) -> None:
    edges_keep_what_they_have(world, store)


def test_control_without_the_guard_every_edge_gets_it(
    world: World, store: EdgeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_values, "is_spoilt", lambda _value: False)
    with pytest.raises(AssertionError):
        edges_keep_what_they_have(world, store)


def test_an_operator_changes_the_value_of_the_edges(world: World, store: EdgeStore) -> None:
    by_hand(world, SPOILT)
    assert control_of(world, store).read(EVENT).state == "open"
    assert control_of(world, store).pause(EVENT).spread
    assert written(world).state == store.gate.state == sale_of(world).state == "paused"
    assert [version.state for version in read_history(world.table, EVENT)] == ["paused"]


def test_an_act_without_a_change_mends_it_too(world: World, store: EdgeStore) -> None:
    control_of(world, store).pause(EVENT)
    by_hand(world, SPOILT)
    control_of(world, store).pause(EVENT)
    assert written(world).state == "paused"


def test_it_is_a_failure_when_edges_have_nothing_better(world: World, store: EdgeStore) -> None:
    by_hand(world, SPOILT)
    store.values[KEY] = SPOILT
    later(world)
    (kept,) = keep(world, store)
    assert kept == Kept(EVENT, "spoilt")
    with pytest.raises(DependencyUnavailableError, match=EVENT):
        must_be_kept(kept)
    with pytest.raises(MalformedInputError, match=EVENT):
        control_of(world, store).pause(EVENT)


def test_it_waits_for_a_store_that_is_away(world: World, store: EdgeStore) -> None:
    by_hand(world, SPOILT)
    store.away = unavailable()
    with pytest.raises(DependencyUnavailableError):
        keep(world, store)
    store.away = None
    later(world)
    assert keep(world, store) == [Kept(EVENT, "mended")]


def test_a_value_of_a_newer_version_is_not_spoilt(world: World, store: EdgeStore) -> None:
    value = newer(store.values[KEY])
    by_hand(world, value)
    assert not is_spoilt(value)
    with pytest.raises(MalformedInputError):
        control_of(world, store).pause(EVENT)
    keep(world, store)
    assert record_of(world).value == value


def test_an_edit_in_the_catalogue_is_copied_to_the_edges(world: World, store: EdgeStore) -> None:
    """As ``tau get`` promises; the store's own ETag says nothing of it."""
    control_of(world, store).pause(EVENT)
    paused = store.values[KEY]
    control_of(world, store).resume(EVENT)
    later(world)
    keep(world, store)
    by_hand(world, paused)
    later(world)
    assert keep(world, store) == [Kept(EVENT, "restored")]
    assert store.values[KEY] == paused


@pytest.mark.parametrize("value", [SPOILT, "", "é", "x" * 700, "x" * 2000])
def test_the_last_known_value_serves_buyers_when_it_is_spoilt(world: World, value: str) -> None:
    warm = GateReader(CatalogValues(world.table), world.clock)
    known = warm.gate(EVENT)
    by_hand(world, value)
    assert is_spoilt(value)
    world.clock.tick(GATE_CACHE_MS / 1000 + 1)
    assert warm.gate(EVENT) == known
    with pytest.raises(DependencyUnavailableError):
        GateReader(CatalogValues(world.table), world.clock).gate(EVENT)


def test_a_comparison_reads_the_store_only_when_a_value_changed(
    world: World, store: EdgeStore
) -> None:
    later(world)
    keep(world, store)
    store.calls.clear()
    for _ in range(60):
        world.clock.tick(COMPARE_MS / 1000)
        keep(world, store)
    assert store.calls == {"describe": 60}
    assert compare_store.COMPARE_MS == 60_000
