"""A draft at the edge: as an unknown event until it is published, then as an open one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairgate.domain.gate.gate_config import GateConfig
from tests.edge.gate_tools import (
    EVENT,
    NOW_S,
    asks,
    make_gate,
    missing_tool,
    run_handler,
    run_joined,
    told,
    write_gates,
)
from tests.support.gate_build import gate_source

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
AT_S = NOW_S + 100
DRAFT, TIMED = make_gate(state="draft"), make_gate(state="draft", open_until_s=AT_S)


def answers(tmp: Path, gate: GateConfig | None, *cases: Any) -> list[dict[str, Any]]:
    gates = {} if gate is None else {EVENT: gate}
    shown = [told(outcome) for outcome in run_handler(tmp, gates, cases)]
    return [{k: v for k, v in body.items() if k != "request_id"} for body in shown]


@pytest.mark.parametrize("action", ["queue", "admission"])
@pytest.mark.parametrize(
    ("gate", "now_s"), [(DRAFT, NOW_S), (DRAFT, NOW_S + 10**8), (TIMED, AT_S - 0.001)]
)
def test_a_draft_answers_as_an_unknown_event(
    tmp_path: Path, gate: GateConfig, now_s: float, action: str
) -> None:
    case = asks(action, gate, now_s)
    assert answers(tmp_path / "draft", gate, case) == answers(tmp_path / "unknown", None, case)


def test_a_published_event_takes_buyers_as_an_open_one(tmp_path: Path) -> None:
    [joined] = answers(tmp_path / "join", TIMED, asks("queue", TIMED, AT_S))
    assert (joined["status"], joined["state"]) == (200, "waiting")
    case = asks("admission", TIMED, joined["boff"], joined["token"])
    published, opened = (answers(tmp_path / g.state, g, case) for g in (TIMED, make_gate()))
    assert published == opened


def test_a_gate_that_forgets_drafts_is_noticed(tmp_path: Path) -> None:
    """Negative control: without the comparison everybody could join a draft."""
    guard, source = "state === DRAFT && !(", gate_source(readable=True)
    assert source.count(guard) == 1
    write_gates(tmp_path / "kvs", {EVENT: DRAFT})
    careless = source.replace(guard, "false && !(")
    [outcome] = run_joined(tmp_path, careless, "harness.js", [asks("queue", DRAFT, NOW_S)])
    assert told(outcome)["status"] == 200
