"""No valid token is refused in a rotation, however late a step comes or an edge gets it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.admission import life_max_s
from fairgate.domain.gate.gate_config import Signed, dump_gate, gate_key, parse_gate
from fairgate.domain.gate.key_ring import SPREAD_S
from fairgate.domain.gate.waiting_token import (
    encode_waiting_token,
    issue_waiting_token,
    parse_waiting_token,
    read_waiting_token,
)
from fairgate.domain.shared.auth_token import issue_auth_token, verify_auth_token
from fairgate.domain.shared.jws import ISSUED_AHEAD_S, b64url, from_b64url
from fairgate.errors import (
    DependencyUnavailableError,
    TooEarlyError,
    UnauthenticatedError,
)
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.rotate_keys import AUTH_TTL_S, AuthKeyRotation, TokenKeyRotation
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.support.secret_document import SecretDocument
from tests.support.world import EVENT, gate

OTHER = "gala"
HOUR_S = 3_600
LATE_S = SPREAD_S + ISSUED_AHEAD_S


class Store(MemoryEdgeConfig):
    """A store that can be away for one key."""

    away = ""

    def write(self, key, value, etag):
        if key == self.away:
            raise DependencyUnavailableError("away")
        return super().write(key, value, etag)


class System:
    """Two events' gates, the secret, and both rotations of them."""

    def __init__(self, document=None, **rules):
        made = iter(range(1, 256))
        self.events = [EVENT, OTHER]
        self.clock = MemoryClock()
        self.store = Store({gate_key(name): dump_gate(gate(**rules)) for name in (EVENT, OTHER)})
        self.document = document or SecretDocument()
        control = GateControl(self.store, self.clock, lambda _attempt: None)

        def source(size):
            return bytes([next(made)]) * size

        self.tokens = TokenKeyRotation(control, self.clock, source)
        self.auth = AuthKeyRotation(control, self.document, self.clock, source, lambda: self.events)

    @property
    def now_s(self):
        return self.clock.ms // 1000

    def rules(self, event=EVENT):
        return parse_gate(self.store.values[gate_key(event)])

    def place(self, rules=None, *, ahead_s=0):
        """A waiting token as an edge signs it that knows these rules, by its clock."""
        rules = rules or self.rules()
        now_ms = self.clock.ms + ahead_s * 1000
        token = issue_waiting_token(rules, EVENT, "ann", request_id="r", ip="", now_ms=now_ms)
        return encode_waiting_token(token, rules)

    def sign_in(self):
        document = self.document.value
        kid = document["auth_kid"]
        key = from_b64url(document["auth"][kid])
        return issue_auth_token("ann", [], key, kid, self.now_s, AUTH_TTL_S)

    def check_sign_in(self, text):
        for event in (EVENT, OTHER):
            verify_auth_token(text, self.rules(event).auth_keys, self.now_s)


def test_a_token_of_this_second_outlives_a_switch_that_came_late():
    system = System()
    system.tokens.add(EVENT)
    system.clock.tick(HOUR_S)
    text = system.place()
    exp = read_waiting_token(text, system.rules()).exp
    system.tokens.switch(EVENT)
    while system.now_s < exp:
        for step in (system.tokens.retire, system.tokens.add):
            with pytest.raises(TooEarlyError):
                step(EVENT)
        parse_waiting_token(text, system.rules(), system.now_s)
        system.clock.tick(10)


def test_a_sign_in_of_this_second_outlives_a_switch_that_came_late():
    system = System()
    system.auth.add()
    system.clock.tick(AUTH_TTL_S)
    text = system.sign_in()
    system.auth.switch()
    for _ in range(24):
        for step in (system.auth.retire, system.auth.add):
            with pytest.raises(TooEarlyError):
                step()
        system.check_sign_in(text)
        system.clock.tick(HOUR_S - 1)


def test_the_last_honest_token_is_dead_in_the_second_in_which_its_key_may_go():
    system = System(
        sale_start_s=System().now_s + 10**7
    )  # weeks before doors, where lives are longest
    system.tokens.add(EVENT)
    system.clock.tick(SPREAD_S)
    before = system.rules()
    system.tokens.switch(EVENT)
    system.clock.tick(SPREAD_S)
    lives = []
    for _ in range(240):  # of an edge that hears last, with a clock that is ahead
        system.clock.ms += 250
        text = system.place(before, ahead_s=ISSUED_AHEAD_S)
        lives.append(read_waiting_token(text, system.rules()).exp - system.now_s - ISSUED_AHEAD_S)
    longest_s = max(lives)
    assert longest_s <= life_max_s(system.rules()) <= longest_s + 12
    system.clock.ms -= 60_000
    with pytest.raises(TooEarlyError) as caught:
        system.tokens.retire(EVENT)
    assert caught.value.retry_after_s == ISSUED_AHEAD_S + life_max_s(system.rules())
    system.clock.tick(caught.value.retry_after_s)
    system.tokens.retire(EVENT)


@pytest.mark.parametrize("hours", [0.3, 2])
def test_a_timer_makes_every_step_and_refuses_nobody(hours):
    """Called every few minutes; an edge that lags by two minutes signs and verifies meanwhile."""
    system = System()
    every_s = round(hours * HOUR_S)
    kids, places, versions, seen = set(), [], [], 0
    for _ in range(int(3 * max(every_s, 1_500) / 61)):
        versions.append(system.rules())
        lagging = versions[-3] if len(versions) > 2 else versions[0]
        text = system.place(lagging)
        places.append((text, read_waiting_token(text, lagging).exp))
        kids.add(lagging.token_kid)
        for text, exp in places[-20:]:
            if 0 < exp - system.now_s <= 61:  # its last moments
                parse_waiting_token(text, system.rules(), system.now_s)
                parse_waiting_token(text, lagging, system.now_s)
                seen += 1
        step = system.tokens.next_step(EVENT, every_s)
        if step == "switch" and system.rules().token_keys != versions[-2].token_keys:
            step = None  # the command waits here
        if step:
            getattr(system.tokens, step)(EVENT)
        assert len(system.store.values[gate_key(EVENT)]) <= 1024
        system.clock.tick(61)
    assert len(kids) >= 3
    assert seen > 50
    assert system.rules().draw_key == gate().draw_key


def test_an_auth_key_signs_only_once_every_event_has_it():
    """One event's gate did not answer, or the event came while the key was being added."""
    system = System()
    system.store.away = gate_key(OTHER)
    with pytest.raises(DependencyUnavailableError):
        system.auth.add()
    system.clock.tick(HOUR_S)
    with pytest.raises(DependencyUnavailableError):
        system.auth.switch()
    system.store.away = ""
    for wait_s in (0, SPREAD_S - 1):
        system.clock.tick(wait_s)
        with pytest.raises(TooEarlyError):
            system.auth.switch()
        system.check_sign_in(system.sign_in())
    system.clock.tick(1)
    kid = system.auth.switch()
    assert system.document.value["auth_kid"] == kid == system.auth.switch()
    system.check_sign_in(system.sign_in())


def test_an_event_that_comes_while_a_key_is_waited_for_has_it_before_it_signs():
    """Its creation began before the key was made."""
    system = System()
    system.events = [EVENT]
    system.auth.add()
    system.clock.tick(SPREAD_S)
    system.events = [EVENT, OTHER]
    with pytest.raises(TooEarlyError):
        system.auth.switch()
    system.check_sign_in(system.sign_in())
    system.clock.tick(SPREAD_S)
    system.auth.switch()
    system.check_sign_in(system.sign_in())


def test_a_retirement_that_broke_off_is_made_again():
    system = System()
    system.auth.add()
    system.clock.tick(SPREAD_S)
    system.auth.switch()
    system.clock.tick(LATE_S + AUTH_TTL_S)
    system.store.away = gate_key(EVENT)
    with pytest.raises(DependencyUnavailableError):
        system.auth.retire()
    system.store.away = ""
    system.auth.retire()
    assert all(len(system.rules(event).auth_keys) == 1 for event in (EVENT, OTHER))
    assert len(system.document.value["auth"]) == 1


def test_a_timer_rotates_the_auth_keys_too():
    system = System()
    steps = []
    for _ in range(80):
        step = system.auth.next_step(12 * HOUR_S)
        steps.append(step)
        if step:
            getattr(system.auth, step)()
        system.check_sign_in(system.sign_in())
        system.clock.tick(HOUR_S)
    done = [step for step in steps if step]
    assert done[:5] == ["add", "switch", "retire", "add", "switch"]
    assert len(system.document.value["auth"]) <= 2


def test_missing_times_are_taken_as_late_as_possible():
    """The second key signed until a moment that a secret of an earlier version does not say."""
    keys = {"a1700000000": b64url(b"o" * 32), "a1700009999": b64url(b"n" * 32)}
    system = System(SecretDocument(auth=keys, auth_kid="a1700009999"))
    assert system.auth.next_step(HOUR_S) is None
    assert system.document.value["auth_signed"]["a1700000000"] == [0, system.now_s]
    system.clock.tick(LATE_S + AUTH_TTL_S - 1)
    with pytest.raises(TooEarlyError):
        system.auth.retire()
    system.clock.tick(1)
    assert system.auth.next_step(HOUR_S) == "retire"
    system.auth.retire()
    assert system.document.value["auth_signed"] == {"a1700009999": [0, 0]}


def test_a_key_that_waits_in_an_older_secret_is_spread_before_it_signs():
    keys = {"a1700000000": b64url(b"o" * 32), "a1700009999": b64url(b"n" * 32)}
    system = System(SecretDocument(auth=keys, auth_kid="a1700000000"))
    with pytest.raises(TooEarlyError):
        system.auth.switch()
    assert set(system.rules(OTHER).auth_keys) == set(keys)
    system.clock.tick(SPREAD_S)
    assert system.auth.switch() == "a1700009999"


def test_a_value_keeps_its_times_whatever_else_is_changed():
    system = System()
    system.tokens.add(EVENT)
    system.clock.tick(SPREAD_S)
    system.tokens.switch(EVENT)
    signed = system.rules().token_signed
    assert signed == {
        "1": Signed(0, system.now_s),
        system.rules().token_kid: Signed(system.now_s),
    }
    control = system.tokens.control
    control.pause(EVENT)
    control.resume(EVENT, tau_s=60)
    control.create(EVENT, replace(gate(), token_keys={"9": b"9" * 32}, token_kid="9"))
    assert system.rules().token_signed == signed


def test_a_retired_key_verifies_nothing():
    system = System()
    text = system.place()
    system.tokens.add(EVENT)
    system.clock.tick(SPREAD_S)
    system.tokens.switch(EVENT)
    system.clock.tick(LATE_S + life_max_s(gate()))
    system.tokens.retire(EVENT)
    with pytest.raises(UnauthenticatedError):
        read_waiting_token(text, system.rules())


@pytest.mark.parametrize(
    ("guard", "instead", "law"),
    [
        (
            "service.gate.rotate_keys.life_max_s",
            lambda gate: gate.token_ttl_s,
            test_the_last_honest_token_is_dead_in_the_second_in_which_its_key_may_go,
        ),
        (
            "domain.gate.key_ring.ISSUED_AHEAD_S",
            0,
            test_the_last_honest_token_is_dead_in_the_second_in_which_its_key_may_go,
        ),
        (
            "domain.gate.key_ring.KeyRing.check_retire",
            lambda *_: None,
            test_a_sign_in_of_this_second_outlives_a_switch_that_came_late,
        ),
        (
            "domain.gate.key_ring.KeyRing.check_add",
            lambda *_: None,
            test_a_token_of_this_second_outlives_a_switch_that_came_late,
        ),
        (
            "domain.gate.key_ring.KeyRing.check_switch",
            lambda *_: None,
            test_an_auth_key_signs_only_once_every_event_has_it,
        ),
        (
            "service.gate.rotate_keys.AuthKeyRotation._tell",
            lambda *_: False,
            test_a_key_that_waits_in_an_older_secret_is_spread_before_it_signs,
        ),
    ],
)
def test_a_law_breaks_when_its_guard_is_taken_away(guard, instead, law, monkeypatch):
    monkeypatch.setattr(f"fairgate.{guard}", instead)
    with pytest.raises((AssertionError, UnauthenticatedError, pytest.fail.Exception)):
        law()
