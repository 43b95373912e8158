"""The planner that ships, before a shop that is not as it believes. Long form: `simulate-gate`."""

from __future__ import annotations

import numpy as np
import pytest

from fairgate.domain.gate import controller
from fairgate_ops.operate.forecast.sessions import (
    SESSION_S_MAX,
    Course,
    Edge,
    Setting,
    run,
    session_lengths,
)

BUYERS, TARGET = 2_000_000, 10_000


def figures(**changes):
    setting = Setting(BUYERS, TARGET, minutes=30, **({"capped": False} | changes))
    return run(setting).figures()


def capacity_reached(curve, misjudged, lag_s):
    edges = (Edge(1.0, lag_s),)
    return run(Setting(BUYERS, TARGET, minutes=30, curve=curve, misjudged=misjudged, edges=edges))


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_sessions_meet_the_target_when_the_crowd_is_known(curve):
    found = figures(curve=curve)
    # Nobody waits at a hall here, so that the sag after the ramp is seen, and counts.
    assert abs(found["mean_error"]) < 0.04
    assert found["within_5_percent"] > 0.7
    assert found["highest"] < 1.05
    assert found["reached_90_percent_s"] < 420


@pytest.mark.parametrize("misjudged", [0.6, 1.4])
def test_sessions_meet_the_target_when_the_crowd_is_misjudged_and_corrected(misjudged):
    found = figures(misjudged=misjudged)
    assert abs(found["mean_error"]) < 0.03
    assert found["highest"] < 1.06


@pytest.mark.parametrize(("misjudged", "sign"), [(0.6, 1), (1.4, -1)])
def test_sessions_miss_the_target_when_nothing_corrects_the_crowd(misjudged, sign):
    assert sign * figures(misjudged=misjudged, corrects=False)["mean_error"] > 0.08


@pytest.mark.parametrize(
    ("curve", "misjudged", "lag_s"), [(1.0, 0.6, 120.0), (3.0, 1.4, 60.0), (3.0, 0.6, 120.0)]
)
def test_a_full_sale_stays_full_and_no_fuller_when_the_crowd_is_misjudged(curve, misjudged, lag_s):
    found = capacity_reached(curve, misjudged, lag_s).figures()
    assert found["ramp_s"] < 420
    assert found["highest"] <= 1.0
    assert found["within_5_percent"] >= 0.99  # when the first sessions end together as well
    assert found["refused_per_admitted"] < 0.05  # the level hands out what there is


def test_a_full_sale_sags_when_nobody_is_admitted_ahead(monkeypatch):
    """The negative control."""
    monkeypatch.setattr(controller, "RESERVE_SHARE", 0.0)
    assert capacity_reached(3.0, 0.6, 120.0).figures()["within_5_percent"] < 0.9


def test_the_ramp_ends_where_the_run_first_comes_within_a_twentieth_and_a_sag_counts():
    live = np.array([0, 500, 949, 955, 940, 1_000, 1_051, 1_000])
    nobody = np.zeros(live.size, np.int64)
    course = Course(Setting(1_000, 1_000), live, nobody, nobody, [])
    assert course.ramp_s == 3
    assert course.figures()["within_5_percent"] == 3 / 5
    assert Course(Setting(1_000, 9_000), live, nobody, nobody, []).figures()["ramp_s"] == live.size


def test_sessions_meet_the_target_when_they_last_half_as_long_as_the_operator_said():
    assert abs(figures(session_believed=2.0)["mean_error"]) < 0.03


def test_nobody_stays_beyond_the_limit_and_the_mean_is_as_asked():
    lengths = session_lengths(100_000, 300.0, np.random.default_rng(1))
    assert lengths.max() <= SESSION_S_MAX
    assert lengths.min() >= 1
    assert 270 < lengths.mean() < 310
