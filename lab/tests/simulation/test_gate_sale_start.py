"""The wave at the sale start takes the load off and costs nobody a seat, in small."""

from __future__ import annotations

import pytest

from fairgate_lab.simulate.gate import sale_start
from fairgate_lab.simulate.gate.sale import hold_sale, steady_epochs

BUYERS = 40_000
WAVE_S = 40


@pytest.fixture(scope="module")
def versions():
    return steady_epochs(1.0)


@pytest.fixture(scope="module")
def sales(versions):
    return [
        hold_sale(BUYERS, curve=1.0, mode="a", seed=2, versions=versions, wave_s=width)
        for width in (0, WAVE_S)
    ]


def contains_zero(interval):
    return interval["low"] <= 0.0 <= interval["high"]


def test_the_wave_keeps_first_attempts_within_the_budget_and_no_wave_does_not():
    crowd = 100_000
    budget = crowd / WAVE_S
    assert sale_start.peak_per_s(crowd, WAVE_S, 1) <= budget
    assert sale_start.peak_per_s(crowd, 0, 1) > 2 * budget


def test_the_wave_costs_nobody_a_seat(sales):
    narrow, wide = sales
    who = sale_start.waiting_at_sale_start(wide)
    assert who.size > BUYERS / 2
    cost = sale_start.costs(narrow, wide, who)
    assert contains_zero(cost["seat_probability_gain"])
    assert abs(cost["sooner_s"]["mean"]) < 0.5
    assert abs(cost["sold_out_later_s"]) < 2.0


def test_the_last_of_the_wave_are_seated_as_the_first(sales):
    last = sale_start.last_beside_first(sales[1], sale_start.waiting_at_sale_start(sales[1]))
    assert contains_zero(last["seat_probability_gain"])
    assert abs(last["sooner_s"]["mean"]) < 1.0


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_a_latecomer_of_the_wave_overtakes_nobody(curve):
    assert sale_start.latecomer(WAVE_S, curve, 1, bound=True).overtakes == 0.0


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_a_latecomer_overtakes_when_the_wave_does_not_bind_their_place(curve):
    assert sale_start.latecomer(WAVE_S, curve, 1, bound=False).overtakes > 0.03
