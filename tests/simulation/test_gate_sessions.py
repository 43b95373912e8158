"""The planner that ships, before a shop that is not as it believes. Long form: `simulate-gate`."""

from __future__ import annotations

import numpy as np
import pytest

from fairgate_ops.prove.simulate.gate.sessions import SESSION_S_MAX, Setting, run, session_lengths
from fairgate_ops.prove.simulate.gate.study import SETTLED_S

BUYERS, TARGET = 2_000_000, 10_000


def figures(**changes):
    setting = Setting(BUYERS, TARGET, minutes=45, **({"capped": False} | changes))
    return run(setting).figures(after_s=SETTLED_S)


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_sessions_meet_the_target_when_the_crowd_is_known(curve):
    found = figures(curve=curve)
    assert abs(found["mean_error"]) < 0.02
    assert found["within_3_percent"] > 0.7  # chance alone is 1 % of a target of 10,000
    assert found["highest"] < 1.15
    assert found["reached_90_percent_s"] < 420


@pytest.mark.parametrize("misjudged", [0.6, 1.4])
def test_sessions_meet_the_target_when_the_crowd_is_misjudged_and_corrected(misjudged):
    found = figures(misjudged=misjudged)
    assert abs(found["mean_error"]) < 0.03
    assert found["highest"] < 1.2


@pytest.mark.parametrize(("misjudged", "sign"), [(0.6, 1), (1.4, -1)])
def test_sessions_miss_the_target_when_nothing_corrects_the_crowd(misjudged, sign):
    assert sign * figures(misjudged=misjudged, corrects=False)["mean_error"] > 0.08


def test_the_hall_is_never_fuller_than_its_target_when_the_origin_refuses():
    found = figures(misjudged=0.6, capped=True)
    assert found["highest"] <= 1.0
    assert found["refused_per_admitted"] > 0
    assert found["mean_error"] > -0.05


def test_nobody_stays_beyond_the_limit_and_the_mean_is_as_asked():
    lengths = session_lengths(100_000, 300.0, np.random.default_rng(1))
    assert lengths.max() <= SESSION_S_MAX
    assert lengths.min() >= 1
    assert 270 < lengths.mean() < 310
