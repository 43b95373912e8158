"""The controller's arithmetic alone, and closed around a simulated room of half a million."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest
from msgspec.structs import replace

from fairgate.domain.gate import controller
from fairgate.domain.gate.controller import (
    Cohort,
    Lengths,
    Outlook,
    Turnout,
    expected_admissions,
    plan_epoch,
)

LIVE_MAX = 5_000
CROWD = 500_000
STEP_S = 60


@dataclass
class Room:
    """A room in mean values: one crowd at the start, sessions that end at a constant hazard.

    Epochs take effect a step after they were planned, as they do in the KeyValueStore.
    """

    curve: float
    estimate: float = 1.0  # of the crowd, as a share of the truth
    session_s: float = 300.0
    session_believed_s: float = 300.0
    corrects: bool = True
    learns: bool = True  # how long sessions last

    def live_over(self, seconds: int) -> list[float]:
        live, h, factor = 0.0, 0.0, 1.0
        live_before, h_before, opened = 0.0, 0.0, 0.0
        lengths, turnout = Lengths(), Turnout()
        slope, slope_next = 0.0, 0.0
        history: list[float] = []
        for second in range(seconds):
            if second % STEP_S == 0:
                slope = slope_next
                if self.corrects:
                    turnout = self.seen(turnout, h_before, h, opened)
                    factor = turnout.factor(factor)
                if self.learns and second:
                    lengths = lengths.after(
                        live_before=live_before, live=live, opened=opened, span_s=STEP_S
                    )
                live_before, h_before, opened = live, h, 0.0
                session_s = lengths.mean_s(self.session_believed_s)
                slope_next = plan_epoch(self.outlook(factor, live, h, slope, session_s)).slope
            admitted = expected_admissions([Cohort(0.0, CROWD)], self.curve, h, h + slope)
            h += slope
            opened += admitted
            live = live * math.exp(-1 / self.session_s) + admitted
            history.append(live)
        return history

    def seen(self, turnout, h_before, h, opened):
        crowd = [Cohort(0.0, CROWD * self.estimate)]
        expected = expected_admissions(crowd, self.curve, h_before, h)
        return turnout.after(expected=expected, observed=opened)

    def outlook(self, factor, live, h, slope, session_s=None):
        return Outlook(
            cohorts=[Cohort(0.0, CROWD * self.estimate * factor)],
            curve=self.curve,
            live=live,
            live_max=LIVE_MAX,
            session_s=session_s or self.session_believed_s,
            h_now=h,
            h_start=h + slope * STEP_S,
            slope=slope,
            lead_s=STEP_S,
            plan_s=STEP_S,
        )


def mean_after_ramp(history):
    settled = history[900:]
    return sum(settled) / len(settled)


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_mean_live_sessions_meet_the_target_when_the_crowd_is_known(curve):
    history = Room(curve).live_over(4_000)
    assert mean_after_ramp(history) == pytest.approx(LIVE_MAX, rel=0.01)
    assert max(history) < 1.03 * LIVE_MAX
    assert next(s for s, live in enumerate(history) if live > 0.9 * LIVE_MAX) < 360


@pytest.mark.parametrize("curve", [1.0, 3.0])
@pytest.mark.parametrize("estimate", [0.6, 1.4])
def test_mean_live_sessions_meet_the_target_when_the_crowd_is_misjudged(curve, estimate):
    history = Room(curve, estimate).live_over(4_000)
    assert mean_after_ramp(history) == pytest.approx(LIVE_MAX, rel=0.03)
    assert max(history) < 1.2 * LIVE_MAX


@pytest.mark.parametrize("believed_s", [120.0, 600.0])
def test_mean_live_sessions_meet_the_target_when_sessions_are_not_as_long_as_believed(believed_s):
    history = Room(1.0, session_believed_s=believed_s).live_over(4_000)
    assert mean_after_ramp(history) == pytest.approx(LIVE_MAX, rel=0.01)
    assert max(history) < 1.05 * LIVE_MAX


@pytest.mark.parametrize(("believed_s", "sign"), [(120.0, 1), (600.0, -1)])
def test_live_sessions_miss_the_target_when_nobody_learns_how_long_they_last(believed_s, sign):
    history = Room(1.0, session_believed_s=believed_s, learns=False).live_over(4_000)
    assert sign * (mean_after_ramp(history) / LIVE_MAX - 1) > 0.05


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_the_shop_is_flooded_when_the_ramp_is_not_limited(curve, monkeypatch):
    monkeypatch.setattr(controller, "RAMP_SHARE", 1e9)
    monkeypatch.setattr(controller, "RAMP_CAUTION", 0.0)
    history = Room(curve, estimate=0.6).live_over(1_500)
    assert max(history) > 1.5 * LIVE_MAX


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_the_ramp_stays_near_the_target_when_the_crowd_is_underestimated(curve, monkeypatch):
    careful = max(Room(curve, estimate=0.4).live_over(1_500))
    monkeypatch.setattr(controller, "RAMP_CAUTION", 0.0)
    bold = max(Room(curve, estimate=0.4).live_over(1_500))
    assert careful < 1.1 * LIVE_MAX
    assert bold > careful + 0.01 * LIVE_MAX


def test_live_sessions_miss_the_target_when_nothing_corrects_the_estimate():
    history = Room(1.0, estimate=0.6, corrects=False).live_over(4_000)
    assert mean_after_ramp(history) > 1.1 * LIVE_MAX


def outlook(**changes):
    return Room(changes.pop("curve", 1.0)).outlook(
        1.0, changes.pop("live", 0.0), changes.pop("h", 0.0), changes.pop("slope", 0.0)
    )


def test_the_first_epoch_admits_a_tenth_of_the_target_when_the_room_stood_still():
    assert plan_epoch(outlook()).admissions == pytest.approx(0.1 * LIVE_MAX, rel=1e-6)


def test_no_more_are_admitted_than_the_stage_carries_for_one_event():
    free = outlook(slope=-math.log(1 - 800 / CROWD) / STEP_S)
    assert plan_epoch(free).admissions > 10 * STEP_S
    bound = replace(free, admissions_per_s=10)
    assert plan_epoch(bound).admissions == pytest.approx(10 * STEP_S, rel=1e-3)


@pytest.mark.parametrize("curve", [1.0, 2.0, 5.0])
def test_admissions_grow_by_a_step_at_most_when_there_is_room_for_more(curve):
    slope = (-math.log(1 - 800 / CROWD)) ** (1 / curve) / STEP_S  # admits 800 before it starts
    plan = plan_epoch(outlook(curve=curve, slope=slope))
    most = controller.STEP_MAX
    assert 0 < plan.slope <= most * slope * (1 + 1e-9)
    assert 0.93 * most * 800 < plan.admissions < most * 800 + 1


def test_admissions_follow_the_sessions_that_end_when_capacity_was_reached():
    """After a plan of next to nobody steps alone would take minutes; the hall's cap holds."""
    free = outlook(live=LIVE_MAX * 0.6, slope=1e-9)
    held = replace(free, threshold=free.h_now)
    assert plan_epoch(free).admissions == pytest.approx(controller.RAMP_SHARE * LIVE_MAX, rel=0.01)
    leave = held.target * held.plan_s / held.session_s
    assert plan_epoch(held).admissions == pytest.approx(leave, rel=0.01)


@pytest.mark.parametrize("live", [LIVE_MAX * 2.0, LIVE_MAX * 1.5])
def test_nobody_is_admitted_when_there_is_no_room(live):
    plan = plan_epoch(outlook(live=live))
    assert plan.slope == 0.0
    assert plan.admissions == 0.0
    assert plan.live_at_end < live


def test_the_slope_is_bounded_when_the_crowd_is_gone():
    assert plan_epoch(replace(outlook(), cohorts=[])).slope == 1.0


def test_the_factor_stays_when_too_few_were_expected_to_judge():
    before = Turnout(200.0, 260.0)
    assert before.after(expected=10, observed=0) == before


def test_the_factor_is_bounded_when_one_observation_is_absurd():
    many = Turnout().after(expected=100, observed=1e9)
    none = Turnout().after(expected=100, observed=0)
    assert many.factor(1.0) == controller.CORRECTION_STEP_MAX
    assert none.factor(1.0) == 1 / controller.CORRECTION_STEP_MAX
    assert many.factor(10.0) == controller.CORRECTION_MAX


def test_the_factor_is_learnt_whole_and_not_moved_when_a_minutes_buyers_come_in_the_next():
    turnout, late, factors = Turnout(), 0.0, []
    for step in range(30):
        delayed = 600.0 if step % 2 else 0.0  # edges hear late of every other change
        turnout = turnout.after(expected=1_000, observed=1_500 - delayed + late)
        late = delayed
        factors.append(turnout.factor(1.5))
    assert factors[-1] == pytest.approx(1.5, rel=0.08)
    assert factors[-2] == pytest.approx(1.5, rel=0.08)


def test_a_length_that_falls_is_taken_to_fall_on_and_of_few_sessions_it_is_chance():
    before, now = Lengths(90_000.0, 300.0), Lengths(75_000.0, 300.0)
    many = [Lengths(100 * known.spent_s, 100 * known.ended) for known in (before, now)]
    falling = many[1].mean_ahead_s(many[0], 300.0, spans=2.0)
    assert falling == pytest.approx(250 * (250 / 300) ** 0.8, rel=0.02)
    few = [Lengths(known.spent_s / 30, known.ended / 30) for known in (before, now)]
    assert few[1].mean_ahead_s(few[0], 300.0, spans=2.0) == pytest.approx(
        few[1].mean_s(300.0), rel=0.01
    )
    assert many[1].mean_ahead_s(many[0], 300.0, spans=50.0) == pytest.approx(
        many[1].mean_s(300.0) / controller.TREND_MAX
    )


def test_more_are_admitted_than_fit_only_when_capacity_holds_them_back():
    free = outlook(live=float(LIVE_MAX))
    assert free.target == LIVE_MAX
    held = replace(free, threshold=free.h_now)
    assert held.target == pytest.approx(LIVE_MAX * (1 + controller.RESERVE_SHARE))
    assert replace(held, places_left=100).target == controller.STOCK_SHARE * 100
