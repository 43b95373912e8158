"""Nobody gains by asking again and again at capacity; by the rule before, robots did."""

from __future__ import annotations

import numpy as np
import pytest

from fairgate_lab.simulate.gate import hammering
from fairgate_lab.simulate.gate.capacity_reached import OVER, SETTLED_S, Setting, run
from fairgate_lab.simulate.gate.hammering import ROBOTS, by_rule
from fairgate_ops.operate.forecast.crowd import SALE_START_S

BUYERS = 30_000
CURVES = (1.0, 3.0)
OLD_TOKEN = "the first, with the token of before the refusal"
NEWEST = [title for title in ROBOTS if title != OLD_TOKEN]


@pytest.fixture(scope="module", params=CURVES)
def found(request):
    return by_rule(BUYERS, request.param, 1, ordered=True)


@pytest.fixture(scope="module")
def before():
    return by_rule(BUYERS, 1.0, 1, ordered=False)


@pytest.mark.parametrize("title", NEWEST)
def test_nobody_gains_a_place_by_hammering_at_capacity(found, title):
    gain = found["strategies"][title]
    seat = gain["seat_probability_gain"]
    assert seat["low"] <= 0.0 <= seat["high"] < 0.01
    assert gain["sooner_s"]["high"] < 0.5
    assert gain["honest_waited_s"] > 60.0


def test_an_older_token_is_worth_the_seconds_between_two_polls_at_most(found):
    gain = found["strategies"][OLD_TOKEN]
    assert gain["seat_probability_gain"]["high"] < 0.01
    assert gain["sooner_s"]["high"] < 5.0


def test_robots_among_honest_buyers_wait_as_long_as_these(found):
    assert abs(found["in one sale"]["sooner_s"]["mean"]) < 10.0
    assert found["in one sale"]["honest_waited_s"] > 60.0


def test_the_order_leaves_few_places_empty(found):
    assert found["filled"] > 0.95


@pytest.mark.parametrize("title", list(ROBOTS))
def test_the_same_robot_gains_when_a_place_is_whoever_finds_its(before, title):
    gain = before["strategies"][title]
    assert gain["seat_probability_gain"]["low"] > 0.1
    assert gain["waited_s"] < 0.2 * gain["honest_waited_s"]
    assert before["in one sale"]["sooner_s"]["low"] > 60.0


@pytest.mark.parametrize("curve", CURVES)
def test_turns_come_as_much_too_fast_as_the_setting_says(curve):
    course = run(Setting(BUYERS, curve=curve))
    settled = course.due.first_s > SALE_START_S + SETTLED_S
    per_s = settled.sum() / (course.setting.end_s - SALE_START_S - SETTLED_S)
    holds = course.setting.live_max / course.due.lasts_s.mean()
    assert per_s / holds == pytest.approx(OVER, rel=0.12)
    came = np.isfinite(course.admitted_s)
    assert course.sale.live <= course.setting.live_max
    assert came.sum() < course.due.key.size


def test_the_figures_are_the_same_when_the_seed_is():
    runs = [run(Setting(BUYERS, seed=seed, minutes=20)).admitted_s for seed in (1, 1, 2)]
    assert np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


def test_the_pairs_are_a_sample_when_there_are_very_many(monkeypatch):
    monkeypatch.setattr(hammering, "_PAIRS_MAX", 100)
    found = by_rule(BUYERS, 1.0, 1, ordered=False)
    assert {one["pairs"] for one in found["strategies"].values()} == {100}
