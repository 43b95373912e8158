"""Steps that need a value at every edge wait for it, however late edges get it."""

from __future__ import annotations

import pytest

from fairgate.domain.gate.draw_proof import commitment_of
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    TooEarlyError,
)
from fairgate.ports.table import Update
from fairgate.service.gate.gate_values import AWAY_MS
from fairgate.service.gate.prove_draw import DrawProofs
from fairgate.service.gate.rotate_keys import AuthKeyRotation, TokenKeyRotation
from fairgate.service.shared.keys import event_key
from tests.support.edge_store import EdgeStore, control_of, keep, sale_of, unavailable, written
from tests.support.secret_document import SecretDocument
from tests.support.world import EVENT, World

SPREAD_S = 120


@pytest.fixture
def store(world: World) -> EdgeStore:
    return EdgeStore(world.edge_config.values)


def test_the_draw_key_of_a_sold_out_event_is_revealed_when_its_closing_is_written(
    world: World, store: EdgeStore
) -> None:
    control = control_of(world, store)
    commitment = commitment_of(store.gate.draw_key)
    world.table.update(Update("catalog", *event_key(EVENT), set={"drawCommitment": commitment}))
    control.sold_out(EVENT)
    key = DrawProofs(world.table, world.clock, control).reveal(EVENT)
    assert sale_of(world).draw_key_revealed == key
    assert sale_of(world).state == store.gate.state == "closed"


def test_a_beacon_is_mixed_in_again_when_edges_do_not_have_it(
    world: World, store: EdgeStore
) -> None:
    now = world.clock.ms
    beacon = {"source": "s", "at": rfc3339(now - 1), "announcedAt": rfc3339(now), "value": ""}
    world.table.update(Update("catalog", *event_key(EVENT), set={"beacon": beacon}))
    proofs = DrawProofs(world.table, world.clock, control_of(world, store))
    store.away = unavailable()
    with pytest.raises(DependencyUnavailableError):
        proofs.mix_in(EVENT, "ab" * 32)
    store.away = None
    world.clock.tick(AWAY_MS / 1000)
    assert proofs.mix_in(EVENT, "ab" * 32).value == "ab" * 32
    assert store.gate.beacon_key == written(world).beacon_key != b""


def test_an_auth_key_signs_only_when_every_event_has_it_at_the_edges(
    world: World, store: EdgeStore
) -> None:
    control, document = control_of(world, store), SecretDocument()
    rotation = AuthKeyRotation(control, document, world.clock, lambda n: b"n" * n, lambda: [EVENT])
    store.away = unavailable()
    with pytest.raises(DependencyUnavailableError):
        rotation.add()
    world.clock.tick(SPREAD_S + 1)
    with pytest.raises(DependencyUnavailableError):
        rotation.switch()
    store.away = None
    world.clock.tick(AWAY_MS / 1000)
    with pytest.raises(TooEarlyError):
        rotation.switch()
    world.clock.tick(SPREAD_S)
    assert rotation.switch() in store.gate.auth_keys


def test_a_key_signs_only_when_edges_that_heard_of_it_late_have_it(
    world: World, store: EdgeStore
) -> None:
    control = control_of(world, store)
    rotation = TokenKeyRotation(control, world.clock, lambda count: b"n" * count)
    store.away = unavailable()
    rotation.add(EVENT)
    world.clock.tick(SPREAD_S + 1)
    with pytest.raises(TooEarlyError):  # no edge has it
        rotation.switch(EVENT)
    store.away = None
    keep(world, store)
    world.clock.tick(SPREAD_S - 1)
    with pytest.raises(TooEarlyError):  # some edges may not have it
        rotation.switch(EVENT)
    world.clock.tick(2)
    rotation.switch(EVENT)
    assert store.gate.token_kid != "1"


def test_a_key_is_noted_as_late_when_a_later_write_brought_it(
    world: World, store: EdgeStore
) -> None:
    rotation = TokenKeyRotation(control_of(world, store), world.clock, lambda n: b"n" * n)
    store.away = unavailable()
    rotation.add(EVENT)
    store.away = None
    world.clock.tick(SPREAD_S - 10)
    assert control_of(world, store).set_tau(EVENT, 90.0).spread
    world.clock.tick(11)
    with pytest.raises(TooEarlyError):
        rotation.switch(EVENT)


def test_a_key_is_retired_later_when_edges_heard_late_that_it_signs_no_more(
    world: World, store: EdgeStore
) -> None:
    rotation = TokenKeyRotation(control_of(world, store), world.clock, lambda n: b"n" * n)
    rotation.add(EVENT)
    world.clock.tick(SPREAD_S + 1)
    store.away = unavailable()
    rotation.switch(EVENT)
    with pytest.raises(TooEarlyError) as at_once:
        rotation.retire(EVENT)
    store.away = None
    world.clock.tick(3_600)
    keep(world, store)
    with pytest.raises(TooEarlyError) as later:
        rotation.retire(EVENT)
    assert later.value.retry_after_s == at_once.value.retry_after_s
