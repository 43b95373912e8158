"""What a lagging edge or a wrong clock gives stays within the bound, whatever the schedule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairgate.domain.gate.admission import admission_probability
from fairgate.domain.gate.gate_config import Epoch, with_epoch
from fairgate.errors import LimitExceededError
from fairgate.service.gate.control_gate import LEAD_S
from fairgate_lab.simulate.gate.bounds import (
    clock_bound_x,
    lag_bound_x,
    seat_bound,
    widest_lag_bound_x,
)
from fairgate_ops.operate.forecast.maths import Rules, steepest
from fairgate_ops.operate.forecast.timeline import Version, seen
from tests.edge.gate_tools import NOW_S, make_gate

ROUNDING = 1e-7  # an epoch second is a double that knows a quarter of a microsecond
CHECKED = settings(max_examples=150, deadline=None, derandomize=True, database=None)
SLOPES = st.one_of(st.just(0.0), st.floats(1e-6, 0.1))
CHANGES = st.lists(st.tuples(st.floats(1, 200), st.floats(0, 90), SLOPES), min_size=1, max_size=12)
LAGS = st.one_of(st.floats(0, 300), st.sampled_from([30.0, 60.0, 60.5, 120.0]))


def schedule(changes, *, lead_s=LEAD_S):
    """Writes as the operators' commands make them: each dated ``lead_s`` and more ahead."""
    gate = make_gate(epochs=(Epoch(NOW_S - 10.0, 0.0, 1 / 300),))
    now_s, versions = float(NOW_S), [Version(float(NOW_S), gate.epochs)]
    for gap_s, more_s, slope in changes:
        now_s += gap_s
        try:
            gate = with_epoch(gate, now_s + lead_s + more_s, slope, now_s=now_s)
        except LimitExceededError:
            continue  # the operator is told to try again later
        versions.append(Version(now_s, gate.epochs))
    return versions


def off(versions, lag_s, t_s):
    t = np.array([t_s])
    return abs(float(seen(versions, lag_s).at(t)[0] - seen(versions).at(t)[0]))


@CHECKED
@given(CHANGES, LAGS, st.floats(0, 3000))
def test_an_edge_is_off_by_no_more_than_the_bound(changes, lag_s, after_s):
    versions = schedule(changes)
    t_s = NOW_S + after_s
    bound = lag_bound_x(versions, lag_s, LEAD_S, t_s)
    assert off(versions, lag_s, t_s) <= bound + ROUNDING


@CHECKED
@given(CHANGES, st.floats(0, LEAD_S), st.floats(0, 3000))
def test_an_edge_that_lags_less_than_the_lead_is_off_by_nothing(changes, lag_s, after_s):
    assert off(schedule(changes), lag_s, NOW_S + after_s) <= ROUNDING


@pytest.mark.parametrize("lag_s", [75.0, 120.0, 180.0])
def test_the_bound_is_the_change_of_slope_times_the_seconds_beyond_the_lead(lag_s):
    versions = schedule([(10.0, 0.0, 1 / 100)])
    learned_s = NOW_S + 10 + lag_s
    bound = (1 / 100 - 1 / 300) * (lag_s - LEAD_S)
    assert lag_bound_x(versions, lag_s, LEAD_S, learned_s - 1e-6) == pytest.approx(bound)
    assert off(versions, lag_s, learned_s - 1e-6) == pytest.approx(bound, abs=1e-6)
    assert off(versions, lag_s, learned_s + 1e-6) == pytest.approx(0.0, abs=ROUNDING)
    span = {"since_s": NOW_S, "until_s": learned_s + 600}
    assert widest_lag_bound_x(versions, lag_s, LEAD_S, **span) == pytest.approx(bound)


@pytest.mark.parametrize("lag_s", [30.0, 60.0, 120.0])
def test_the_bound_breaks_when_epochs_are_not_dated_ahead(lag_s):
    """The negative control: what dates each change ahead is what the bound rests on."""
    versions = schedule([(10.0, 0.0, 1 / 100)], lead_s=0.0)
    t_s = NOW_S + 10 + lag_s - 1e-6
    assert off(versions, lag_s, t_s) > lag_bound_x(versions, lag_s, LEAD_S, t_s) + 0.1


@CHECKED
@given(CHANGES, st.floats(0, 2), st.floats(0, 3000))
def test_a_clock_is_off_by_no_more_than_its_seconds_at_the_steepest_slope(
    changes, clock_s, after_s
):
    line = seen(schedule(changes))
    t_s = NOW_S + after_s
    credited = line.at(np.array([t_s + clock_s]))[0] - line.at(np.array([t_s]))[0]
    bound = clock_bound_x(line, issuer_s=0.0, edge_s=clock_s, until_s=t_s + clock_s)
    assert credited <= bound + ROUNDING


@CHECKED
@given(st.floats(0, 3), st.floats(0, 1), st.sampled_from([1.0, 1.7, 3.0, 10.0]))
def test_the_probability_grows_by_no_more_than_the_steepest_times_x(x, credited, curve):
    gained = admission_probability(x + credited, curve) - admission_probability(x, curve)
    assert gained <= steepest(curve, x + credited) * credited + ROUNDING


def test_the_bound_of_a_seat_counts_what_a_poll_may_be_late():
    line = seen(schedule([]))
    rules = Rules(1.0, "a", NOW_S, 2, 60)
    found = seat_bound(rules, line, 0.001, NOW_S + 100.0)
    assert found == pytest.approx(0.001 + 7.5 / 300)
