"""The operators' log has a line for each plan of the controller that changes the pace."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairgate.service.gate.control_gate import GateControl
from fairgate.service.gate.log_plans import CONTROLLER, log_plan
from fairgate.service.gate.operator_log import OperatorLog
from fairgate.service.gate.plan_admission import Planned
from functions.controller import handler as controller
from tests.support.world import EVENT
from tests.unit.gate.test_controller_function import live, plan, sale, written

__all__ = ["sale"]  # a fixture
PLANNED = Planned(EVENT, "planned", 1 / 300, 1 / 600, starts_at="2027-01-15T08:01:00.000Z", live=7)


def log_of(world):
    return OperatorLog.of(world.table, world.clock, EVENT, written(world))


def logged(world, planned):
    control = GateControl(world.edge_config, world.clock, lambda _n: None)
    return log_plan(world.table, world.clock, control, planned)


def test_a_line_has_old_and_new_and_from_when(sale):
    assert logged(sale, PLANNED)
    (entry,) = log_of(sale).read()
    assert (entry.who, entry.act, entry.phase, entry.gate) == (CONTROLLER, "plan", "done", None)
    assert entry.detail == {
        "tau_s_before": 600.0,
        "tau_s": 300.0,
        "starts_at": PLANNED.starts_at,
        "live": 7,
    }
    assert log_of(sale).check([entry]) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"slope_before": None},
        {"slope": None},
        {"slope": 1 / 600},
        {"slope": 1.019 / 600},
        {"slope": 0.0, "slope_before": 0.0},
    ],
)
def test_an_unchanged_pace_is_not_logged(sale, changes):
    assert not logged(sale, replace(PLANNED, **changes))
    assert log_of(sale).read() == []


def test_a_standstill_is_logged(sale):
    assert logged(sale, replace(PLANNED, slope=0.0))
    assert log_of(sale).read()[0].detail["tau_s"] is None


def test_what_is_planned_is_what_is_logged(sale):
    live(sale, 10)
    planned = plan(sale)
    gate = written(sale)
    assert planned.slope_before == pytest.approx(1e-5)
    assert planned.slope == gate.epochs[-1].slope != planned.slope_before
    assert plan(sale).slope_before is None  # planned before: nothing changed


def test_the_function_logs_each_plan_once(sale, monkeypatch):
    monkeypatch.setattr(controller, "container", lambda: sale.container)
    planned = [controller.handler({}, None)["planned"][0] for _ in range(3)]
    assert [p["slope_before"] is None for p in planned] == [False, True, True]
    (entry,) = log_of(sale).read()
    assert (entry.who, entry.detail["tau_s_before"]) == (CONTROLLER, 1e5)
    slope = planned[0]["slope"]
    assert entry.detail["tau_s"] == (pytest.approx(1 / slope, rel=1e-3) if slope else None)
    assert entry.detail["starts_at"] == planned[0]["starts_at"]
