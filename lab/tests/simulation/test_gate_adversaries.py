"""Nobody gains in mode account; elsewhere the same strategies do. `make simulate-gate` in small."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace

import numpy as np
import pytest

from fairgate.domain.gate import admission, pace
from fairgate_lab.simulate.gate import __main__ as command
from fairgate_lab.simulate.gate import estimates
from fairgate_lab.simulate.gate.gain import compare, mean_interval, paired_shares
from fairgate_lab.simulate.gate.sale import hold_sale, planned_epochs
from fairgate_lab.simulate.gate.strategies import (
    LAGS_S,
    STRATEGIES,
    WRONG_CLOCKS,
    lag_name,
    many_tokens,
)
from fairgate_lab.simulate.gate.study import Plan, adversaries, chosen

PLAN = Plan(buyers=100_000, adversaries=20_000, crowd=0, curves=(1.0,), seed=1)


@pytest.fixture(scope="module")
def found():
    return adversaries(PLAN, 1.0)


@pytest.fixture(scope="module")
def versions():
    return planned_epochs(40_000, 1.0, 1)


def seat(found, room, title):
    return found["gains"][room][title]["seat_probability_gain"]


def contains_zero(interval):
    return interval["low"] <= 0.0 <= interval["high"]


@pytest.mark.parametrize(
    "title",
    [
        "another honest buyer",
        "refreshes every 30 s",
        "100 tokens",
        "comes 100 ms earlier",
        "asks before boff",
        "edge lags 60 s",
    ],
)
def test_no_strategy_gains_a_seat_when_the_draw_is_the_accounts(found, title):
    gain = seat(found, "account", title)
    assert contains_zero(gain)
    assert gain["high"] - gain["low"] < 0.0004  # of 0.05: the interval means something
    assert abs(found["gains"]["account"][title]["sooner_s"]["mean"]) < 0.5


def test_coming_late_costs_when_the_draw_is_the_accounts(found):
    assert seat(found, "account", "comes 5 min later")["high"] < 0.0


def test_asking_before_boff_is_refused_many_times_and_changes_nothing(found):
    assert found["asked_early"]["refused_per_admitted"] > 100
    assert contains_zero(seat(found, "account", "asks before boff"))


@pytest.mark.parametrize(
    ("room", "title", "least"),
    [
        ("token", "100 tokens", 0.5),
        ("token", "refreshes every 30 s", 0.5),
        ("fifo", "comes 100 ms earlier", 0.02),
        ("fifo", "100 tokens", 0.02),
        ("per request", "refreshes every 30 s", 0.02),
        ("per request", "asks before boff", 0.5),
        ("per request", "100 tokens", 0.5),
    ],
)
def test_the_same_strategy_pays_when_the_room_is_another(found, room, title, least):
    assert seat(found, room, title)["low"] > least


@pytest.mark.parametrize("title", [*map(lag_name, LAGS_S), WRONG_CLOCKS])
def test_choosing_an_edge_gives_no_more_than_the_bound(found, title):
    bound = found["bounds"][title]["seat_probability"]
    assert seat(found, "account", title)["mean"] <= bound
    assert seat(found, "account", title)["low"] <= 0.0 or bound > 0.0
    assert bound < 0.01


def test_an_edge_within_the_lead_decides_as_every_other(found):
    gain = found["gains"]["account"][lag_name(60.0)]
    assert seat(found, "account", lag_name(60.0))["mean"] == 0.0
    assert gain["sooner_s"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert found["bounds"][lag_name(60.0)] == {"x": 0.0, "seat_probability": 0.0}


def test_nine_in_ten_are_in_by_what_the_page_says(found):
    """In each mode and room, at the first look and at any later moment."""
    for mode in found["estimates"].values():
        for room, moments in mode.items():
            for when, coverage in moments.items():
                assert coverage["said"] >= 0.9, (room, when)


def test_the_first_bucket_is_kept_when_the_draw_is_the_accounts(found):
    account = found["estimates"]["account"]
    assert account["controlled"]["first"]["in_or_below"] > 0.97
    assert account["by hand"]["first"]["within"] > 0.97


def test_nine_in_ten_keep_the_bucket_shown_when_the_draw_is_the_tokens(found):
    token = found["estimates"]["token"]
    assert token["controlled"]["first"]["in_or_below"] > 0.9
    # 0.9 and what the bucket rounds up
    assert 0.9 < token["by hand"]["first"]["in_or_below"] < 0.97


@pytest.mark.parametrize("mode", ["a", "t"])
def test_nine_in_ten_are_in_by_what_the_page_says_when_the_curve_is_steep(mode):
    ran = estimates.controlled(100_000, mode=mode, curve=3.0, seed=1)
    assert min(ran.first.said, ran.later.said) >= 0.9


def test_the_bucket_is_the_right_one_when_a_steep_pace_is_set_by_hand():
    ran = estimates.by_hand(40_000, mode="a", curve=3.0, tau_s=600.0, seed=1)
    assert min(ran.first.within, ran.later.within) > 0.97


def test_the_bucket_is_far_too_long_when_a_steep_pace_is_taken_to_fall(monkeypatch):
    """The negative control: H that begins at 0 in a room whose pace stays."""
    monkeypatch.setattr(pace, "STEADY_H", 0.0)
    ran = estimates.by_hand(40_000, mode="a", curve=3.0, tau_s=600.0, seed=1)
    assert ran.first.within < 0.4


@pytest.fixture(scope="module")
def steep_sale():
    versions = planned_epochs(40_000, 3.0, 1)
    return hold_sale(40_000, curve=3.0, mode="a", seed=2, versions=versions)


def test_the_bucket_shown_is_kept_when_the_curve_is_steep(steep_sale):
    assert estimates.of_sale(steep_sale).first.in_or_below > 0.9


def test_the_bucket_shown_is_broken_when_the_slope_of_now_is_believed(steep_sale, monkeypatch):
    """The negative control: an epoch that lasts for ever needs no slope that falls."""
    monkeypatch.setattr(admission, "EPOCH_S", 1e9)
    assert estimates.of_sale(steep_sale).first.in_or_below < 0.2


def test_many_tokens_find_the_turn_sooner_when_the_last_poll_is_not_dated_at_it(
    versions, monkeypatch
):
    """The negative control of mode account: without that date, asking more often pays seconds."""
    monkeypatch.setattr(admission, "near_s", lambda _least: -1.0)
    sale = hold_sale(40_000, curve=1.0, mode="a", seed=2, versions=versions)
    who = chosen(sale, 8_000)
    gain = compare(sale.outcome.admitted_s[who], many_tokens(sale, who), sale.sold_out_s)
    assert gain.sooner_s.low > 0.5


def test_the_figures_are_the_same_when_the_seed_is(versions):
    sales = [
        hold_sale(40_000, curve=1.0, mode="a", seed=seed, versions=versions) for seed in (2, 2, 3)
    ]
    assert sales[0].sold_out_s == sales[1].sold_out_s != sales[2].sold_out_s


def test_a_sale_says_so_when_seats_are_left_over(versions):
    slow = [replace(versions[0], epochs=versions[0].epochs[:1])]
    with pytest.raises(ValueError, match="not sold"):
        hold_sale(40_000, curve=1.0, mode="a", seed=1, versions=tuple(slow))


def test_the_tables_name_every_strategy_and_that_they_are_modelled(found):
    document = {"buyers": 1, "adversaries": 1, "seed": 1, "crowd": 1, "sessions": []}
    text = "\n".join(command.lines(document | {"curves": [found]}))
    assert text.startswith("Modelled:")
    assert all(f"| {title} |" in text for title in STRATEGIES)
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    "arguments", [["--buyers", "10"], ["--curve", "0.5"], ["--seed", "-1"], ["--crowd", "-1"]]
)
def test_the_command_refuses_what_it_cannot_simulate(arguments, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gate", *arguments])
    with pytest.raises(SystemExit) as exit_:
        command.main()
    assert exit_.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_an_interval_has_a_width_when_no_pair_differs():
    none = paired_shares(won=0, lost=0, pairs=10_000)
    assert none.low < none.mean == 0.0 < none.high


def test_intervals_cover_the_truth_nineteen_times_in_twenty():
    rng = np.random.default_rng(5)
    wins = rng.binomial(2_000, 0.03, 2_000)
    losses = rng.binomial(2_000 - wins, 0.02 / 0.97)
    pairs = [
        paired_shares(won=int(w), lost=int(c), pairs=2_000)
        for w, c in zip(wins, losses, strict=True)
    ]
    assert 0.93 < np.mean([one.low <= 0.01 <= one.high for one in pairs]) < 0.97
    means = [mean_interval(rng.normal(3.0, 2.0, 100)) for _ in range(2_000)]
    assert 0.93 < np.mean([one.low <= 3.0 <= one.high for one in means]) < 0.97


def test_only_pairs_with_two_seats_are_compared_in_seconds():
    gain = compare(np.array([5.0, 9.0, math.inf]), np.array([3.0, math.inf, 4.0]), 10.0)
    assert gain.sooner_s.mean == 0.0  # one pair alone has no spread
    assert gain.seat.mean == 0.0
    assert gain.honest == pytest.approx(2 / 3)
