"""A change of the value's format in mid-sale: whichever comes first, gate or value, nobody notices.

The gate as it was deployed with the format before is kept as it was built, and runs here beside the
one of now: over values that the tools of now have written and changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from fairgate.domain.gate.gate_config import (
    SAMPLE_VIOLATIONS,
    VERSION,
    VERSION_BEFORE,
    Epoch,
    GateConfig,
    dump_gate,
    gate_key,
    parse_gate,
)
from fairgate.domain.gate.slip import kept_until_s
from fairgate.domain.gate.waiting_token import read_waiting_token
from fairgate.errors import DependencyUnavailableError, WrongStateError
from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.read_gate import GATE_CACHE_MS, GateReader
from fairgate.service.gate.upgrade_gate import first_format, upgrade_gate
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.outside import MemoryEdgeConfig
from tests.edge.gate_tools import (
    EVENT,
    HERE,
    NOW_S,
    asks,
    make_gate,
    missing_tool,
    run_joined,
    told,
    write_gates,
)
from tests.support.gate_build import gate_source

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
KEY = gate_key(EVENT)
GATE = make_gate(  # in mid-sale, with a rotation under way, and time that stands still for the test
    version=VERSION_BEFORE,
    sample_violations=SAMPLE_VIOLATIONS,  # as everybody reads a value that does not say
    epochs=(Epoch(NOW_S - 3600, 0.0, 1 / 300), Epoch(NOW_S - 60, 11.8, 0.0)),
    token_keys={"t1799990000": bytes(32), "t1799999000": bytes(range(32))},
    token_kid="t1799999000",
)
UNREADABLE = "dependency-unavailable"


class System:
    """One event's value, what is deployed to read it, and the tools of now that write it."""

    def __init__(self, tmp: Path, gate: GateConfig = GATE, *, deployed: int = VERSION_BEFORE):
        self.tmp = tmp
        self.deployed = deployed
        self.clock = MemoryClock(ms=NOW_S * 1000)
        self.store = MemoryEdgeConfig({KEY: dump_gate(gate)})
        self.origin = GateReader(self.store, self.clock)
        self.control = GateControl(self.store, self.clock, lambda _attempt: None)

    @property
    def value(self) -> str:
        return self.store.values[KEY]

    @property
    def gate_code(self) -> str:
        if self.deployed == VERSION:
            return gate_source()
        return (HERE / "formats" / f"gate-{self.deployed}.txt").read_text()

    def upgrade(self, version: int = VERSION) -> None:
        upgrade_gate(self.control, EVENT, version, deployed=self.deployed)

    def ask(self, to: str, token: str = "", *, value: str = "") -> str:
        """Return the token of the deployed gate's answer, or the code or verdict of its refusal."""
        if token:
            half_s = kept_until_s(GATE, read_waiting_token(token, GATE))
            self.clock.ms = max(self.clock.ms, half_s * 1000)  # so that it is signed again
        write_gates(self.tmp / "kvs", {EVENT: value or self.value})
        case = asks(to, GATE, self.clock.ms / 1000, token)
        [outcome] = run_joined(self.tmp, self.gate_code, "harness.js", [case])
        answer = told(outcome)
        return str(answer.get("token") or answer.get("code") or answer["verdict"])

    def check_same_place(self, token: str) -> str:
        """Ask with a place; it must come back the same, and so must the origin read it."""
        self.clock.tick(1 + GATE_CACHE_MS // 1000)
        again = self.ask("admission", token)
        before, after = (read_waiting_token(text, GATE) for text in (token, again))
        assert (after.id, after.lot, after.h) == (before.id, before.lot, before.h)
        assert after.boff > before.boff
        assert read_waiting_token(again, self.origin.gate(EVENT)) == after
        return again


def test_nobody_notices_when_the_deployment_comes_first(tmp_path: Path) -> None:
    system = System(tmp_path)
    token = system.check_same_place(system.ask("queue"))
    system.deployed = VERSION
    token = system.check_same_place(token)
    assert parse_gate(system.value).version == VERSION_BEFORE
    system.control.set_tau(EVENT, 900, starts_in_s=3600)
    system.upgrade()
    assert parse_gate(system.value).version == VERSION
    system.check_same_place(token)
    system.check_same_place(system.ask("queue"))


def test_nobody_notices_when_newer_tools_write_the_value_first(tmp_path: Path) -> None:
    """The controller, an operator and a rotation of the auth keys, before the gate is deployed."""
    system = System(tmp_path)
    token = system.check_same_place(system.ask("queue"))
    changes = (
        lambda: system.control.bend(EVENT, system.clock.ms / 1000 + 3600, 1 / 900),
        lambda: system.control.set_tau(EVENT, 800, starts_in_s=3600),
        lambda: system.control.drain(EVENT),
        lambda: system.control.resume(EVENT),
        lambda: system.control.change_rules(
            EVENT,
            lambda gate: make_gate(
                **structs.asdict(gate) | {"auth_keys": {**gate.auth_keys, "a1800000000": b"n" * 32}}
            ),
        ),
    )
    for change in changes:
        before = system.value
        change()
        assert system.value != before
        token = system.check_same_place(token)
    system.deployed = VERSION
    system.check_same_place(token)


def test_a_value_waits_for_its_readers(tmp_path: Path) -> None:
    system = System(tmp_path)
    before = system.value
    with pytest.raises(WrongStateError, match="Deploy this version first"):
        system.upgrade()
    assert system.value == before


def test_everybody_is_turned_away_when_a_value_does_not_wait(tmp_path: Path) -> None:
    """What the refusal is for."""
    system = System(tmp_path)
    token = system.ask("queue")
    system.deployed = VERSION
    system.upgrade()
    system.deployed = VERSION_BEFORE
    assert system.ask("admission", token) == UNREADABLE
    assert system.ask("queue") == UNREADABLE


def test_nobody_notices_while_some_edges_have_the_new_value_and_some_the_old(
    tmp_path: Path,
) -> None:
    system = System(tmp_path, deployed=VERSION)
    before = system.value
    system.upgrade()
    token = system.ask("queue", value=before)
    for value in (system.value, before, system.value):
        again = system.ask("admission", token, value=value)
        assert read_waiting_token(again, GATE).id == read_waiting_token(token, GATE).id
        token = again


def test_the_way_back_is_open_too(tmp_path: Path) -> None:
    """A deployment that has to be taken back: first the value, then the gate."""
    system = System(tmp_path, deployed=VERSION)
    system.upgrade()
    token = system.ask("queue")
    system.upgrade(VERSION_BEFORE)
    assert parse_gate(system.value) == GATE
    token = system.check_same_place(token)
    system.deployed = VERSION_BEFORE
    system.check_same_place(token)


def test_a_value_that_goes_back_loses_its_wave_and_its_share(tmp_path: Path) -> None:
    system = System(tmp_path, deployed=VERSION)
    system.upgrade()
    assert parse_gate(system.value) == make_gate(**structs.asdict(GATE) | {"version": VERSION})
    waved = make_gate(
        **structs.asdict(GATE) | {"version": VERSION, "wave_s": 90, "sample_violations": 0.5}
    )
    system.control.change_rules(EVENT, lambda _gate: waved)
    assert parse_gate(system.value) == waved
    system.upgrade(VERSION_BEFORE)
    assert parse_gate(system.value) == GATE
    system.upgrade(VERSION_BEFORE)
    assert parse_gate(system.value) == GATE


@pytest.mark.parametrize(
    ("deployed", "version"),
    [(VERSION_BEFORE, VERSION_BEFORE), (VERSION, VERSION), (VERSION + 1, VERSION)],
)
def test_a_first_value_is_one_that_the_deployment_reads(deployed: int, version: int) -> None:
    assert first_format(deployed) == version


def test_no_first_value_is_written_for_a_deployment_two_versions_back() -> None:
    with pytest.raises(WrongStateError, match="Use that of the deployment"):
        first_format(VERSION_BEFORE - 1)


def test_both_versions_differ_by_one() -> None:
    """The gate's own constant and the tools' are compared by every case above."""
    assert VERSION - VERSION_BEFORE == 1


def test_the_origin_fails_closed_when_a_value_is_of_a_version_to_come(tmp_path: Path) -> None:
    from fairgate.errors import MalformedInputError
    from fairgate_ops.operate.gate_check.rows import with_figure

    system = System(tmp_path, deployed=VERSION)
    system.store.values[KEY] = with_figure(system.value, 0, VERSION + 1.0)
    with pytest.raises((MalformedInputError, DependencyUnavailableError)):
        system.origin.gate(EVENT)
    assert system.ask("queue") == UNREADABLE
