"""A rotation with the real steps, and the deployed gate in njs before, between and after them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate.domain.gate.gate_config import Epoch, dump_gate, gate_key, parse_gate
from fairgate.domain.gate.waiting_token import read_waiting_token
from fairgate.errors import TooEarlyError
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.rotate_keys import TokenKeyRotation
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.edge.gate_tools import EVENT, NOW_S, asks, make_gate, missing_tool, run_handler, told

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
KEY = gate_key(EVENT)
GATE = make_gate(epochs=(Epoch(NOW_S - 60, 0.0, 0.0),))  # nobody is admitted
HOUR_S = 3_600


class System:
    """The store, the rotation of its one event, and the gate that reads it."""

    def __init__(self, tmp: Path) -> None:
        self.tmp = tmp
        self.clock = MemoryClock(ms=NOW_S * 1000)
        self.store = MemoryEdgeConfig({KEY: dump_gate(GATE)})
        control = GateControl(self.store, self.clock, lambda _attempt: None)
        self.rotation = TokenKeyRotation(control, self.clock, lambda size: b"n" * size)

    @property
    def now_s(self) -> int:
        return self.clock.ms // 1000

    def ask(self, to: str, token: str = "", *, value: str = "") -> tuple[str, str]:
        """Return the token that the edge answers with, and the code or verdict of its refusal."""
        case = asks(to, GATE, self.clock.ms / 1000, token)
        [outcome] = run_handler(self.tmp, {EVENT: value or self.store.values[KEY]}, [case])
        answer = told(outcome)
        return answer.get("token", ""), answer.get("verdict", answer.get("code", ""))


def test_the_edge_takes_a_token_of_this_second_when_the_switch_came_late(tmp_path: Path) -> None:
    system = System(tmp_path)
    system.rotation.add(EVENT)
    system.clock.tick(HOUR_S)
    token, _ = system.ask("queue")
    place = read_waiting_token(token, GATE)  # under the old key
    system.rotation.switch(EVENT)
    with pytest.raises(TooEarlyError) as caught:
        system.rotation.retire(EVENT)
    wait_s = caught.value.retry_after_s or 0
    assert system.now_s + wait_s > place.exp
    system.clock.tick(place.exp - 1 - system.now_s)
    renewed, _ = system.ask("admission", token)
    rules = parse_gate(system.store.values[KEY])
    again = read_waiting_token(renewed, rules)
    assert (again.id, again.lot, again.h) == (place.id, place.lot, place.h)
    system.clock.tick(1)
    assert system.ask("admission", token) == ("", "waiting-token-ended")


def test_the_edge_refuses_an_honest_token_when_its_key_goes_too_soon(tmp_path: Path) -> None:
    """What the wait is for: the same token under a value without its key."""
    system = System(tmp_path)
    token, _ = system.ask("queue")
    system.clock.tick(read_waiting_token(token, GATE).boff - NOW_S)
    assert system.ask("admission", token)[1] == ""
    gone = dump_gate(make_gate(token_keys={"w9": b"n" * 32}, token_kid="w9", epochs=GATE.epochs))
    assert system.ask("admission", token, value=gone) == ("", "bad-token")
