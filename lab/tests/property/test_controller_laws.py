"""Laws of the controller's arithmetic, whatever it is told."""

from __future__ import annotations

import math

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fairgate.domain.gate.controller import (
    MEAN_RANGE,
    RAMP_CAUTION,
    STOCK_SHARE,
    TAU_MIN_S,
    TREND_MAX,
    Cohort,
    Lengths,
    Outlook,
    Turnout,
    expected_admissions,
    fastest_slope,
    plan_epoch,
)

WITHIN = 1e-6  # the slope is found by halving


def numbers(least, most):
    return st.floats(least, most, allow_nan=False, allow_infinity=False)


cohorts = st.lists(st.builds(Cohort, h=numbers(0, 5), count=numbers(0, 1e7)), max_size=6)


@st.composite
def outlooks(draw):
    h_now = draw(numbers(0, 5))
    threshold = draw(st.none() | numbers(0, 6))
    return Outlook(
        cohorts=draw(cohorts),
        curve=draw(st.sampled_from([1.0, 1.5, 3.0, 20.0])),
        live=draw(numbers(0, 1e6)),
        live_max=draw(st.integers(1, 100_000)),
        session_s=draw(numbers(1, 7_200)),
        h_now=h_now,
        h_start=h_now + draw(numbers(0, 1)),
        slope=draw(numbers(0, 1)),
        lead_s=draw(numbers(60, 120)),
        plan_s=draw(numbers(30, 90)),
        fastest=draw(numbers(1e-7, 1)),
        threshold=threshold,
        places_left=draw(st.none() | numbers(0, 100_000)),
    )


@settings(deadline=None)
@given(outlooks())
def test_a_plan_is_a_number_within_its_limits(outlook):
    plan = plan_epoch(outlook)
    assert all(map(math.isfinite, (plan.slope, plan.admissions, plan.live_at_end)))
    assert 0.0 <= plan.slope <= min(outlook.fastest, 1 / TAU_MIN_S)
    assert plan.admissions >= 0.0


@settings(deadline=None)
@given(outlooks())
def test_no_more_are_let_in_than_what_is_left_suffices_for(outlook):
    if outlook.places_left is None:
        return
    most = max(1.0, STOCK_SHARE * outlook.places_left) * outlook.plan_s / outlook.session_s
    assert plan_epoch(outlook).admissions <= most * (1 + WITHIN)
    assert outlook.target <= max(1.0, STOCK_SHARE * outlook.places_left)


def in_a_trusted_room(outlook):
    """Let sessions outlast the plan, and so many be inside that the estimate is trusted.

    Shorter sessions have gone before it begins. And a room that is nearly empty is filled more
    slowly than one that is half full, until the first who came in show who comes.
    """
    session_s = max(outlook.session_s, 4 * outlook.plan_s)
    trusted = outlook.target * (1 - math.exp(-outlook.plan_s / session_s) / (2 * RAMP_CAUTION))
    still_there = math.exp(-outlook.lead_s / session_s)
    inside = outlook.live + max(0.0, trusted) / still_there
    return replace(outlook, session_s=session_s, live=inside)


@settings(deadline=None)
@given(outlooks(), numbers(0, 1e6))
def test_more_inside_never_speed_up(outlook, more):
    lasting = in_a_trusted_room(outlook)
    fuller = replace(lasting, live=lasting.live + more)
    assert plan_epoch(fuller).slope <= plan_epoch(lasting).slope * (1 + WITHIN)


def test_a_nearly_empty_room_is_filled_more_slowly_than_one_half_full():
    """Why those laws begin where they do."""
    crowd = [Cohort(0.0, 1e6)]
    empty = Outlook(
        cohorts=crowd,
        curve=1.0,
        live=0.0,
        live_max=1_000,
        session_s=240.0,
        h_now=0.0,
        h_start=0.0,
        slope=0.0,
        lead_s=60.0,
        plan_s=60.0,
        fastest=1.0,
        threshold=0.0,  # what leaves a sale at capacity may come in
    )
    half = replace(empty, live=500.0)
    assert 0.0 < plan_epoch(empty).admissions < plan_epoch(half).admissions


@settings(deadline=None)
@given(outlooks(), numbers(0, 6))
def test_more_who_found_the_hall_full_never_speed_up(outlook, threshold):
    lasting = in_a_trusted_room(outlook)
    held = replace(lasting, threshold=min(threshold, outlook.h_now))
    free = replace(lasting, threshold=outlook.h_now)
    assert plan_epoch(held).slope <= plan_epoch(free).slope * (1 + WITHIN)
    lower = replace(held, threshold=min(threshold, outlook.h_now) / 2)
    assert plan_epoch(lower).slope <= plan_epoch(held).slope * (1 + WITHIN)


@settings(deadline=None)
@given(outlooks(), numbers(0, 100_000))
def test_less_left_never_speeds_up(outlook, left):
    plenty = replace(outlook, places_left=left)
    fewer = replace(outlook, places_left=left / 2)
    assert plan_epoch(fewer).slope <= plan_epoch(plenty).slope * (1 + WITHIN)
    assert plan_epoch(plenty).slope <= plan_epoch(replace(outlook, places_left=None)).slope * (
        1 + WITHIN
    )


@settings(deadline=None)
@given(outlooks(), numbers(1e-7, 1))
def test_a_slower_operator_never_speeds_up(outlook, fastest):
    slower = replace(outlook, fastest=min(outlook.fastest, fastest))
    assert plan_epoch(slower).slope <= plan_epoch(outlook).slope * (1 + WITHIN)


@settings(deadline=None)
@given(numbers(1e-7, 1), cohorts, numbers(0, 9))
def test_the_operators_pace_is_the_fastest_until_a_crowd_waits(operator, crowd, h):
    assert fastest_slope(operator, [], 1.0, h) == operator
    assert operator <= fastest_slope(operator, crowd, 1.0, h) <= max(operator, 1 / 120)


@settings(deadline=None)
@given(
    st.lists(st.tuples(numbers(0, 1e6), numbers(0, 1e6), numbers(0, 1e6), numbers(30, 300))),
    numbers(1, 7_200),
)
def test_the_length_of_sessions_stays_near_what_was_expected(spans, expected_s):
    known = Lengths()
    for live_before, live, opened, span_s in spans:
        known = known.after(live_before=live_before, live=live, opened=opened, span_s=span_s)
    mean_s = known.mean_s(expected_s)
    assert (
        expected_s / MEAN_RANGE * (1 - WITHIN) <= mean_s <= expected_s * MEAN_RANGE * (1 + WITHIN)
    )


@settings(deadline=None)
@given(numbers(0.1, 10), st.lists(st.tuples(numbers(0, 1e9), numbers(0, 1e9)), max_size=5))
def test_a_correction_is_bounded_and_goes_the_right_way(factor, steps):
    turnout = Turnout()
    for expected, observed in steps:
        turnout = turnout.after(expected=expected, observed=observed)
    changed = turnout.factor(factor)
    assert max(0.1, factor / 2) * (1 - WITHIN) <= changed <= min(10.0, factor * 2) * (1 + WITHIN)
    if turnout.observed <= factor * turnout.expected:
        assert changed <= factor * (1 + WITHIN)
    else:
        assert changed >= factor * (1 - WITHIN)


@settings(deadline=None)
@given(
    st.tuples(numbers(0, 1e9), numbers(0, 1e6)),
    st.tuples(numbers(0, 1e9), numbers(0, 1e6)),
    numbers(1, 7_200),
    numbers(0, 9),
)
def test_the_trend_of_lengths_is_bounded_and_goes_on_as_it_has(before, now, expected_s, spans):
    known, since = Lengths(*now), Lengths(*before)
    ahead_s, mean_s = known.mean_ahead_s(since, expected_s, spans), known.mean_s(expected_s)
    assert mean_s / TREND_MAX * (1 - WITHIN) <= ahead_s <= mean_s * TREND_MAX * (1 + WITHIN)
    fell = mean_s <= since.mean_s(expected_s)
    assert ahead_s <= mean_s * (1 + WITHIN) if fell else ahead_s >= mean_s * (1 - WITHIN)


@settings(deadline=None)
@given(cohorts, st.sampled_from([1.0, 3.0]), numbers(0, 5), numbers(0, 5))
def test_nobody_is_admitted_twice(crowd, curve, h, step):
    everybody = sum(cohort.count for cohort in crowd)
    admitted = expected_admissions(crowd, curve, h, h + step)
    assert -WITHIN * everybody <= admitted <= everybody * (1 + WITHIN)
