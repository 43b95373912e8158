"""An edge that does not know of a pause yet: what it costs buyers who join there, to 1e-9."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import Epoch, GateConfig
from fairgate.domain.gate.waiting_claims import WaitingToken
from fairgate.domain.gate.waiting_token import parse_waiting_token
from tests.edge.gate_tools import EVENT, NOW_S, asks, make_gate, missing_tool, run_handler, told

pytestmark = pytest.mark.skipif(missing_tool() is not None, reason=str(missing_tool()))
TAU_S = 300
PAUSED_S = 400  # from NOW_S on; longer than an edge lags
BEFORE = make_gate(epochs=(Epoch(NOW_S - 3600, 0.0, 1 / TAU_S),))
SINCE = replace(
    BEFORE,
    epochs=(
        *BEFORE.epochs,
        Epoch(NOW_S, 3600 / TAU_S, 0.0),
        Epoch(NOW_S + PAUSED_S, 3600 / TAU_S, 1 / TAU_S),
    ),
)


def joined(tmp: Path, gate: GateConfig, at_s: int) -> WaitingToken:
    [outcome] = run_handler(tmp, {EVENT: gate}, [asks("queue", gate, at_s)])
    return parse_waiting_token(told(outcome)["token"], gate, at_s)


def test_a_buyer_is_later_by_what_h_ran_ahead_when_the_edge_lags_behind_a_pause(
    tmp_path: Path,
) -> None:
    """docs/fairness.md states this bound. Nobody else gains more by it."""
    lag_s = 120
    late, heard = joined(tmp_path, BEFORE, NOW_S + lag_s), joined(tmp_path, SINCE, NOW_S + lag_s)
    assert late.lot == heard.lot
    now_s = NOW_S + PAUSED_S + TAU_S  # x of the buyer at the edge that knows is one
    x_late, x_heard = (admission.decide(SINCE, t, now_s).x for t in (late, heard))
    assert x_heard == pytest.approx(1.0, abs=1e-8)
    assert x_heard - x_late == pytest.approx(lag_s / TAU_S, abs=1e-8)


def test_who_joined_at_a_lagging_edge_has_the_right_h_when_they_join_again(tmp_path: Path) -> None:
    """In mode a the number is the same: a buyer who joins again in the pause loses nothing."""
    first = joined(tmp_path, BEFORE, NOW_S + 120)
    again = joined(tmp_path, SINCE, NOW_S + 300)
    assert again.lot == first.lot
    assert again.h == joined(tmp_path, SINCE, NOW_S + 1).h < first.h
