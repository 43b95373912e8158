"""What a session keeps of its admission, and what the catalogue keeps of the gate."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.domain.gate.admission_log import pseudonym
from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.gate_history import GateVersion
from fairgate.domain.gate.gate_value import EPOCHS_MAX
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.shared.jws import b64url
from fairgate.errors import NotAdmittedError
from fairgate.service.gate.record_gate import read_history
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.catalog import Beacon
from fairgate_lab.engine.sizes import item_bytes
from tests.support.edge_store import EdgeStore, control_of, sale_of
from tests.support.world import EVENT, START_MS, World, gate
from tests.unit.sessions.test_open_session import open_it, token_for

WRITE_UNIT_BYTES = 1024  # Developer Guide, read and write operations


def opened(
    world: World, rules: GateConfig, place: WaitingToken, verdict: str = "admit", **changes: Any
) -> dict[str, Any]:
    """The session item of an admission that the edge let through."""
    now_s = world.clock.ms // 1000
    word = sign_edge_header(rules, verdict, place.event, place.sub, now_s, "203.0.113.7")
    arguments: dict[str, Any] = {"edge_word": word, "user": place.sub}
    session = open_it(world, rules, place, **(arguments | changes)).session
    item = world.item("reservations", session_key(session))
    assert item is not None
    return item


@pytest.mark.parametrize("verdict", ["admit", "sample-admit"])
def test_a_session_keeps_what_it_takes_to_decide_again(world: World, verdict: str) -> None:
    rules = gate()
    place = token_for(rules)
    item = opened(world, rules, place, verdict)
    assert item["admission"] == {
        "iat": place.iat,
        "h": place.h,
        "lot": b64url(place.lot),
        "kid": "1",
        "edgeAt": START_MS // 1000,
        "verdict": verdict,
    }
    assert item["tokenId"] == place.id


def test_a_session_says_so_when_the_gate_stood_open(world: World) -> None:
    still = gate(
        epochs=(Epoch(START_MS / 1000 - 3600, 0.0, 0.0),), open_until_s=START_MS // 1000 + 60
    )
    assert opened(world, still, token_for(still))["admission"]["verdict"] == "open-until"


def test_an_announced_beacon_holds_back_the_draw_and_not_an_open_gate(world: World) -> None:
    rules = gate()
    event = msgspec.structs.replace(
        world.event, beacon=Beacon(source="x", at="", announced_at="", value="")
    )
    with pytest.raises(NotAdmittedError, match="about to be made") as caught:
        opened(world, rules, token_for(rules), event=event)
    assert caught.value.retry_after_s
    mixed = structs.replace(rules, beacon_key=b"b" * 32)
    assert opened(world, mixed, token_for(mixed), event=event)["admission"]["verdict"] == "admit"
    still = gate(
        epochs=(Epoch(START_MS / 1000 - 3600, 0.0, 0.0),), open_until_s=START_MS // 1000 + 60
    )
    assert opened(world, still, token_for(still, "bob"), event=event)


def test_the_longest_session_fits_one_write_unit(world: World) -> None:
    rules = gate(token_keys={"k" * 16: b"k" * 32}, token_kid="k" * 16)
    event, user = "e" * 40, "u" * 128
    place = token_for(rules, user, event)
    place = structs.replace(place, h=2345.123456789)
    item = opened(
        world, rules, place, "sample-admit", event=msgspec.structs.replace(world.event, sk=event)
    )
    assert item_bytes(to_item(item)) <= WRITE_UNIT_BYTES


def test_pseudonyms_differ_by_event_kind_and_key() -> None:
    names = {
        pseudonym(key, event, kind, "ann")
        for key in (b"1" * 32, b"2" * 32)
        for event in ("a", "b")
        for kind in ("user", "session")
    }
    assert len(names) == 8
    assert all(len(name) == 22 for name in names)


def test_every_version_of_the_gate_is_kept_also_cancelled_plans(world: World) -> None:
    control = control_of(world, EdgeStore(world.edge_config.values))
    world.clock.tick(10)
    control.set_tau(EVENT, 30.0, starts_in_s=60)
    world.clock.tick(10)
    control.pause(EVENT, starts_in_s=5)  # before the planned pace came into force
    control.pause(EVENT, starts_in_s=5)
    world.clock.tick(10)
    control.resume(EVENT, tau_s=20.0, starts_in_s=0)
    control.open_until(EVENT, START_MS // 1000 + 600, starts_in_s=0)
    history = read_history(world.table, EVENT)
    assert [v.state for v in history] == ["open", "paused", "open", "open"]
    assert [v.at_ms - START_MS for v in history] == [10_000, 20_000, 30_000, 30_000]
    assert history[0].epochs[-1][0] == START_MS / 1000 + 70
    assert history[1].epochs[-1][0] == START_MS / 1000 + 25
    assert history[2].open_until_s == 0
    assert history[3].open_until_s == START_MS // 1000 + 600
    assert [GateVersion.from_json(v.as_json()) for v in history] == history


def test_the_history_keeps_more_epochs_than_the_gate(world: World) -> None:
    store = EdgeStore(world.edge_config.values)
    control = control_of(world, store)
    for n in range(12):
        control.set_tau(EVENT, 30.0 + n, starts_in_s=60)
        world.clock.tick(100)
    assert len(store.gate.epochs) == EPOCHS_MAX
    log = sale_of(world).epochs_log
    assert log == [[e.start_s, e.h, e.slope] for e in store.gate.epochs]
    starts = {epoch[0] for v in read_history(world.table, EVENT) for epoch in v.epochs}
    assert len(starts) == 13
