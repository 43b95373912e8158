"""Rotations of keys, step by step; test_rotation_refuses_nobody.py has the tokens."""

from __future__ import annotations

import pytest

from fairgate.domain.gate.admission import life_max_s
from fairgate.domain.gate.gate_config import dump_gate, gate_key, parse_gate
from fairgate.domain.gate.key_ring import SPREAD_S, new_kid
from fairgate.domain.shared.jws import ISSUED_AHEAD_S
from fairgate.errors import TooEarlyError, WrongStateError
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.rotate_keys import AUTH_TTL_S, AuthKeyRotation, TokenKeyRotation
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.secret_document import SecretDocument
from tests.support.world import EVENT, gate

KEY = gate_key(EVENT)
LATE_S = SPREAD_S + ISSUED_AHEAD_S  # the last edge hears so late, by a clock that is so much ahead


class Source:
    """Keys that tell which one they are."""

    made = 0

    def __call__(self, size):
        self.made += 1
        return bytes([self.made]) * size


@pytest.fixture
def clock():
    return MemoryClock()


@pytest.fixture
def store():
    return MemoryEdgeConfig({KEY: dump_gate(gate())})


@pytest.fixture
def control(store, clock):
    return GateControl(store, clock, lambda _attempt: None)


@pytest.fixture
def tokens(control, clock):
    return TokenKeyRotation(control, clock, Source())


@pytest.fixture
def document():
    return SecretDocument(other="kept")


@pytest.fixture
def auth(control, document, clock):
    return AuthKeyRotation(control, document, clock, Source(), lambda: [EVENT])


def test_a_new_key_verifies_before_it_signs(tokens, store, clock):
    tokens.add(EVENT)
    value = parse_gate(store.values[KEY])
    assert value.token_kid == "1"
    assert set(value.token_keys.values()) == {b"k" * 32, b"\1" * 32}
    clock.tick(SPREAD_S)
    tokens.switch(EVENT)
    value = parse_gate(store.values[KEY])
    assert value.token_keys[value.token_kid] == b"\1" * 32
    assert b"k" * 32 in value.token_keys.values()


def test_the_switch_waits_until_every_edge_has_the_key(tokens, store, clock):
    tokens.add(EVENT)
    clock.tick(SPREAD_S - 1)
    with pytest.raises(TooEarlyError) as caught:
        tokens.switch(EVENT)
    assert caught.value.retry_after_s == 1
    assert parse_gate(store.values[KEY]).token_kid == "1"


def test_the_old_key_stays_until_what_it_signed_has_expired(tokens, store, clock):
    tokens.add(EVENT)
    clock.tick(SPREAD_S)
    tokens.switch(EVENT)
    clock.tick(LATE_S + life_max_s(gate()) - 1)
    for step in (tokens.retire, tokens.add):
        with pytest.raises(TooEarlyError, match=r"from 2027-01-15T08:21:01.000Z, in 1 seconds"):
            step(EVENT)
    clock.tick(1)
    tokens.retire(EVENT)
    value = parse_gate(store.values[KEY])
    assert dict(value.token_keys) == {value.token_kid: b"\1" * 32}


def test_an_interrupted_rotation_begins_again_with_a_fresh_key(tokens, store, clock):
    tokens.add(EVENT)
    clock.tick(10)
    tokens.add(EVENT)
    value = parse_gate(store.values[KEY])
    assert set(value.token_keys.values()) == {b"k" * 32, b"\2" * 32}
    clock.tick(SPREAD_S - 10)
    with pytest.raises(TooEarlyError):
        tokens.switch(EVENT)


def test_the_signing_key_is_never_replaced_when_a_rotation_follows_within_a_second(clock):
    kid = new_kid("t", clock.ms // 1000)
    store = MemoryEdgeConfig({KEY: dump_gate(gate(token_keys={kid: b"k" * 32}, token_kid=kid))})
    tokens = TokenKeyRotation(GateControl(store, clock, lambda _n: None), clock, Source())
    tokens.add(EVENT)
    assert parse_gate(store.values[KEY]).token_keys[kid] == b"k" * 32


def test_the_draw_key_stays_whatever_is_rotated(tokens, auth, store, clock):
    for _ in range(3):
        tokens.add(EVENT)
        auth.add()
        clock.tick(SPREAD_S)
        tokens.switch(EVENT)
        auth.switch()
        clock.tick(AUTH_TTL_S + LATE_S)
    assert parse_gate(store.values[KEY]).draw_key == b"d" * 32
    assert auth.document.value["other"] == "kept"
    assert len(store.values[KEY]) <= 1024


def test_a_switch_is_refused_when_no_key_was_added(tokens, auth):
    with pytest.raises(WrongStateError, match="add one first"):
        tokens.switch(EVENT)
    with pytest.raises(WrongStateError, match="add one first"):
        auth.switch()
    with pytest.raises(WrongStateError, match="no old"):
        tokens.retire(EVENT)
    with pytest.raises(WrongStateError, match="no old"):
        auth.retire()


def test_nothing_is_written_when_it_is_a_dry_run(store, document, clock):
    before = (dict(store.values), document.text)
    control = GateControl(store, clock, lambda _n: None, dry_run=True)
    TokenKeyRotation(control, clock, Source()).add(EVENT)
    AuthKeyRotation(control, document, clock, Source(), lambda: [EVENT]).add()
    assert (store.values, document.text) == before
