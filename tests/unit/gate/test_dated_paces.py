"""The controller plans on until a pace that an operator has dated far ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fairgate.domain.gate.gate_config import dump_gate, parse_gate
from fairgate.domain.gate.pace import slope_at
from fairgate.service.gate.control_gate import LEAD_S, GateControl
from fairgate.service.gate.plan_admission import AdmissionPlanner
from tests.support.world import EVENT, World
from tests.unit.gate.test_controller_function import (  # noqa: F401 a fixture by its name
    KEY,
    live,
    plan,
    sale,
    set_event,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

AHEAD_S = 3_600.0


def operator(world: World) -> GateControl:
    return GateControl(world.edge_config, world.clock, lambda _attempt: None)


def outcomes(world: World, minutes: int) -> Iterator[str]:
    for _ in range(minutes):
        world.clock.tick(60)
        yield plan(world).outcome


def plans_on(world: World) -> None:
    plan(world)
    operator(world).set_tau(EVENT, 300.0, starts_in_s=AHEAD_S)
    assert set(outcomes(world, 10)) == {"planned"}
    assert all(e.start_s < world.clock.ms / 1000 + AHEAD_S / 2 for e in written(world).epochs)


def test_a_pace_that_is_dated_far_ahead_gives_way_to_the_next_plan(
    sale: World,  # noqa: F811 the fixture
) -> None:
    plans_on(sale)


def test_control_it_stops_the_controller_when_whatever_comes_later_counts_as_planned(
    sale: World,  # noqa: F811 the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        AdmissionPlanner,
        "_is_planned",
        lambda _self, _event, gate, start_s: any(e.start_s >= start_s for e in gate.epochs),
    )
    with pytest.raises(AssertionError):
        plans_on(sale)


def test_admission_goes_on_before_the_date_when_capacity_was_reached(sale: World) -> None:  # noqa: F811 the fixture
    live(sale, 1_000)
    set_event(sale, liveMax=1)
    assert plan(sale).slope == 0.0
    operator(sale).set_tau(EVENT, 300.0, starts_in_s=AHEAD_S)
    set_event(sale, liveMax=5_000)
    assert set(outcomes(sale, 3)) == {"planned"}
    assert slope_at(written(sale), sale.clock.ms / 1000 + 2 * LEAD_S) > 0.0


def test_a_dated_resume_is_waited_for(sale: World) -> None:  # noqa: F811 the fixture
    plan(sale)
    operator(sale).pause(EVENT)
    sale.clock.tick(600)
    operator(sale).resume(EVENT, starts_in_s=1_800.0)
    resumes_s = sale.clock.ms / 1000 + 1_800.0
    assert set(outcomes(sale, 28)) == {"planned before"}
    assert slope_at(written(sale), resumes_s - 1.0) == 0.0
    assert "planned" in set(outcomes(sale, 3))


def test_a_dated_resume_is_waited_for_when_the_controller_never_planned(
    sale: World,  # noqa: F811 the fixture
) -> None:
    operator(sale).pause(EVENT)
    sale.clock.tick(600)
    operator(sale).resume(EVENT, starts_in_s=1_800.0)
    assert parse_gate(dump_gate(written(sale))) == parse_gate(sale.edge_config.values[KEY])
    assert set(outcomes(sale, 20)) == {"planned before"}
