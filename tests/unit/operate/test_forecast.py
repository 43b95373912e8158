"""What a forecast shows, where it can be computed by hand, and what it takes from its inputs."""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from fairgate.domain.gate.gate_config import Epoch
from fairgate.errors import MalformedInputError, NotFoundError
from fairgate_ops.operate.capacity.cost import sale_cost
from fairgate_ops.operate.cli.report import reason_texts
from fairgate_ops.operate.forecast.assumptions import (
    Assumptions,
    default_assumptions,
    read_assumptions,
)
from fairgate_ops.operate.forecast.outcome import POINTS_MAX, forecast
from fairgate_ops.operate.forecast.sessions import Edge, run
from fairgate_ops.operate.forecast.setting import Sale, setting_of, tickets_of
from fairgate_ops.run.rehearse.day.__main__ import SCRIPTS
from fairgate_ops.run.rehearse.day.predict import RUNS, assumptions_of, predict, sale_of
from fairgate_ops.run.rehearse.day.script import Expected, read_script
from tests.unit.run.test_day_predicted import OUTCOMES

START_S = 1_800_000_000
TAU_S = 300.0
# Everyone comes in the second before the start, and nobody gives up.
AT_ONCE = default_assumptions(
    before_share=0.0,
    wave_share=0.0,
    before_s=10.0,
    tail_from_s=-2.0,
    tail_s=1.0,
    gives_up_an_hour=0.0,
    leaves=0.0,
    declines=0.0,
)


def sale(**changes):
    epochs = (Epoch(START_S - 7200.0, 0.0, 0.0), Epoch(float(START_S), 0.0, 1 / TAU_S))
    plain = Sale(
        sale_start_s=START_S,
        epochs=epochs,
        control="manual",
        curve=1.0,
        live_max=0,
        session_s=600,
        checkout_s=420,
        session_mean_s=0,
        backoff_s=(2, 60),
        sample=0.01,
        places=None,
        edges=(Edge(1.0),),
    )
    return replace(plain, **changes)


@pytest.mark.parametrize("curve", [1.0, 2.0])
def test_without_a_target_the_waiting_fall_as_the_curve_of_tau_says(curve):
    one = forecast(sale(curve=curve), replace(AT_ONCE, hours=0.5), 1_000_000)
    for at_s in (60, 300, 900):
        expected = 1_000_000 * math.exp(-((at_s / TAU_S) ** curve))
        # A poll finds the moment of admission within 2.4 s, of which the queue has half.
        late = expected * 2.4 / TAU_S * curve * (at_s / TAU_S) ** (curve - 1)
        assert abs(one.course.waiting[at_s] - expected) < late + 2_000
    assert abs(one.figures()["waits"]["median_s"] - TAU_S * math.log(2) ** (1 / curve)) < 5


def test_no_more_shop_than_the_target_and_each_slot_is_used_again():
    """1,000 slots of 100 s: ten a second come in, however many wait."""
    fast = sale(live_max=1_000, session_mean_s=100)
    epochs = (*fast.epochs[:1], replace_slope(fast.epochs[1], 1 / 20))
    one = forecast(
        replace(fast, epochs=epochs), replace(AT_ONCE, lengths_s=(100.0,), hours=0.5), 100_000
    )
    figures = one.figures()
    assert figures["live_most"] == 1_000
    assert figures["target_reached_s"] < 60
    assert 0.85 * 10 < one.course.admitted[300:1500].mean() <= 10


def replace_slope(epoch, slope):
    return Epoch(epoch.start_s, epoch.h, slope)


def test_nobody_comes():
    one = forecast(sale(places=100), AT_ONCE, 0)
    figures = one.figures()
    assert (figures["sold"], figures["admitted"], figures["waits"]) == (0, 0, None)
    assert figures["sold_out_s"] is None
    assert figures["requests"]["gate"] == 0
    assert figures["cost"]["dollars"] >= 0


def test_fewer_buyers_than_seats_leave_seats_and_all_have_gone():
    one = forecast(sale(places=10_000), replace(AT_ONCE, tickets=(0.0, 1.0)), 1_000)
    figures = one.figures()
    assert (figures["sold"], figures["orders"], figures["found_no_places"]) == (2_000, 1_000, 0)
    assert figures["sold_out_s"] is None
    assert figures["waiting_at_end"] == 0


def test_every_seat_is_sold_once_and_no_more_where_too_many_come():
    assumed = replace(AT_ONCE, declines=0.3, leaves=0.2)
    one = forecast(sale(places=1_001, live_max=500), assumed, 20_000)
    figures = one.figures()
    assert figures["sold"] == 1_001
    assert figures["sold_out_s"] == one.seconds - 1
    assert figures["found_no_places"] > 0
    assert (np.diff(one.sold) >= 0).all()


def test_nobody_is_lost_between_the_queue_and_the_shop():
    assumed = replace(AT_ONCE, gives_up_an_hour=0.5, hours=0.2)
    course = forecast(sale(live_max=400), assumed, 5_000).course
    there = int(course.waiting[-1]) + int(course.admitted.sum()) + course.gave_up
    assert abs(there - 5_000) <= 1


def test_who_may_hold_fewer_tickets_than_they_want_takes_what_is_allowed():
    one = forecast(sale(hold_limit=2), replace(AT_ONCE, tickets=(0.5, 0, 0, 0.5)), 4_000)
    assert set(tickets_of(one.sale, one.assumed)) == {0.5}
    assert 1.45 < one.figures()["sold"] / one.figures()["orders"] < 1.55


def test_half_of_those_who_wait_leave_in_an_hour_if_that_is_assumed():
    still = sale(epochs=(Epoch(START_S - 7200.0, 0.0, 0.0),))
    one = forecast(still, replace(AT_ONCE, gives_up_an_hour=0.5, hours=1.0), 100_000)
    assert abs(one.figures()["gave_up"] - 50_000) < 1_000


def test_the_curve_has_few_points_and_ends_with_the_sale():
    curve = forecast(sale(), replace(AT_ONCE, hours=0.6), 10_000).curve()
    names = ["offset_s", "waiting", "live", "admitted_per_s", "sold", "tau_s"]
    assert list(curve) == names
    assert {len(column) for column in curve.values()} == {len(curve["offset_s"])}
    assert 300 < len(curve["offset_s"]) <= POINTS_MAX
    assert set(curve["tau_s"]) == {TAU_S}


def test_the_cost_is_the_capacity_plans_of_what_was_simulated():
    one = forecast(sale(places=2_000, sections=7), AT_ONCE, 10_000)
    inputs, figures = one.inputs, one.figures()
    assert (inputs.waiting, inputs.seats, inputs.keys_looked_at) == (10_000, figures["sold"], 9)
    assert figures["cost"]["dollars"] == round(sum(c.dollars for c in sale_cost(inputs)), 2)
    assert figures["requests"]["total"] == pytest.approx(
        sum(figures["requests"][name] for name in ("gate", "cached_files", "api")), abs=2
    )


def test_a_waiting_buyer_asks_as_often_as_is_assumed():
    """τ of 300 s is looked at each 60 s, with a jitter of 0 to 20 %."""
    still = replace(AT_ONCE, hours=0.2)
    by_gate, by_hand = (
        forecast(sale(), replace(still, polls_s=polls), 100_000) for polls in (0.0, 66.0)
    )
    assert by_gate.figures()["requests"] == by_hand.figures()["requests"]
    often = forecast(sale(), replace(still, polls_s=6.6), 100_000).figures()["requests"]["gate"]
    assert often > 5 * by_gate.figures()["requests"]["gate"]


def test_a_rehearsals_prediction_is_this_forecast():
    """One model: what ``make rehearse-day`` expects is the curve of ``fairgate simulate``."""
    script = read_script(SCRIPTS / "controller.toml")
    expected = (Expected(4.0, 7.0),)
    script = replace(script, expected=expected, crowd=replace(script.crowd, leaves=0.0))
    (predicted,) = predict(script, OUTCOMES)
    found = []
    for seed in range(RUNS):
        assumed = replace(assumptions_of(script, [OUTCOMES[0].inside_s], 7), seed=seed)
        curve = forecast(sale_of(script, seed), assumed, script.crowd.buyers).curve()
        assert len(curve["offset_s"]) == 7 * 60
        first = round(4 * 60 - script.sale.sale_starts_in_s)
        found.append(sum(live or 0 for live in curve["live"][first : first + 180]) / 180)
    assert predicted.means == pytest.approx(found)


def test_the_same_event_and_file_give_the_same_figures():
    setting = setting_of(sale(live_max=50), replace(AT_ONCE, hours=0.1), 1_000)
    assert (run(setting).live == run(setting).live).all()


def test_each_assumption_is_documented_with_its_default():
    named = {field.name for field in fields(Assumptions)}
    assert set(asdict(read_assumptions())) == named


def test_a_file_says_only_what_it_changes(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("buyers = 7_000\ntickets = [1.0]\n")
    assert read_assumptions(path) == default_assumptions(buyers=7_000, tickets=(1.0,))


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("byers = 5", "byers", "nothing that a forecast assumes"),
        ("buyers = -1", "buyers", "0 to 10,000,000"),
        ("buyers = 10_000_001", "buyers", "0 to 10,000,000"),
        ("buyers = 1.5", "buyers", "whole number"),
        ("choose_s = -3", "choose_s", "1 to"),
        ("choose_s = nan", "choose_s", "must be a number"),
        ("leaves = 1.1", "leaves", "0 to 1"),
        ("declines = 1.0", "declines", "below 1"),
        ("wave_share = 0.5", "wave_share", "at most 1"),
        ("tail_from_s = -4000", "tail_from_s", "earlier than before_s"),
        ("tickets = [0.5]", "tickets", "make 1 together"),
        ("tickets = [-1, 2]", "tickets", "list of numbers"),
        ("pay_s = 'soon'", "pay_s", "must be a number"),
        ("polls_s = true", "polls_s", "must be a number"),
        ("lengths_s = [0]", "lengths_s", "seconds from 1"),
        (f"wave_s = 1{'0' * 400}", "wave_s", "must be a number"),
    ],
)
def test_a_wrong_assumption_is_named_with_what_is_wrong(tmp_path, text, where, what):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(MalformedInputError, match="cannot be used") as refused:
        read_assumptions(path)
    said = [text for text in reason_texts(refused.value) if text.startswith(f"{where}: ")]
    assert what in said[0]


def test_a_typed_value_of_lists_in_lists_is_no_number():
    with pytest.raises(MalformedInputError, match="buyers: must be a number"):
        read_assumptions(None, {"buyers": "[" * 1_900})


def test_a_file_that_is_not_there_or_no_toml_is_refused(tmp_path):
    with pytest.raises(NotFoundError):
        read_assumptions(tmp_path / "none.toml")
    (tmp_path / "no.toml").write_text("buyers 5")
    with pytest.raises(MalformedInputError, match="no TOML"):
        read_assumptions(tmp_path / "no.toml")
