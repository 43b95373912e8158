"""The draw's maths: H is level before the start, waiting counts, extremes stay finite."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from fairgate.domain.gate import proof_of_work
from fairgate.domain.gate.admission import (
    EPOCH_S,
    Estimate,
    admission_at,
    admission_probability,
    backoff,
    decide,
    earliest_s,
    estimate,
    life_max_s,
    lottery_number,
    lottery_ticket,
    near_s,
    operational_time,
    sampled_account,
    state_shown,
)
from fairgate.domain.gate.gate_config import Epoch
from fairgate.domain.gate.waiting_token import issue_waiting_token
from fairgate.service.gate.plan_admission import PLAN_S
from tests.edge.gate_tools import NOW_S, make_gate

ID = "01a3185c-5000-7790-88b2-846735a60dff"
LOT = bytes(16)


def test_h_is_level_when_no_epoch_has_started() -> None:
    epochs = (Epoch(100, 3.0, 0.1), Epoch(200, 13.0, 0.0), Epoch(300, 13.0, 0.5))
    times = (0, 100, 150, 200, 250, 300, 302)
    assert [operational_time(epochs, t) for t in times] == [3, 3, 8, 13, 13, 13, 14]


def test_a_second_token_draws_the_same_ticket_when_the_mode_is_account() -> None:
    account, token = make_gate(mode="a"), make_gate(mode="t")
    assert lottery_ticket(account, "e", "ada", "1") == lottery_ticket(account, "e", "ada", "2")
    assert lottery_ticket(token, "e", "ada", "1") != lottery_ticket(token, "e", "ada", "2")


def test_tickets_differ_when_event_or_user_differ() -> None:
    gate = make_gate()
    tickets = {lottery_ticket(gate, e, s, "1") for e in ("e", "f") for s in ("ada", "bob")}
    assert len(tickets) == 4


def test_lottery_numbers_are_spread_evenly_when_many_are_drawn() -> None:
    gate = make_gate()
    numbers = [
        lottery_number(gate.draw_key, lottery_ticket(gate, "e", f"u{n}", "")) for n in range(4000)
    ]
    assert all(0 <= u < 1 for u in numbers)
    counts = [sum(1 for u in numbers if int(u * 10) == tenth) for tenth in range(10)]
    chi_square = sum((count - 400) ** 2 / 400 for count in counts)
    assert chi_square < 27.88  # nine degrees of freedom, one in a thousand


@pytest.mark.parametrize("k", [1.0, 3.0, 100.0])
def test_the_moment_of_admission_is_where_the_probability_reaches_u(k: float) -> None:
    for u in (1e-9, 0.1, 0.5, 0.999):
        assert admission_probability(admission_at(u, k), k) == pytest.approx(u, rel=1e-6)


def test_the_maths_stays_finite_where_it_must_when_the_input_is_extreme() -> None:
    assert admission_probability(1e300, 100) == 1.0
    assert admission_probability(0.0, 1) == 0.0
    assert admission_at(1.0, 1) == math.inf
    gate = make_gate()
    assert backoff(gate, ID, LOT, 1.0, 0.0, NOW_S) <= NOW_S + math.ceil(60 * 1.2)


def test_the_longer_wait_wins_when_two_have_the_same_number() -> None:
    gate = make_gate()
    early, late = (
        issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=(NOW_S - ago) * 1000)
        for ago in (3000, 1)
    )
    assert decide(gate, early, NOW_S).probability > decide(gate, late, NOW_S).probability
    assert decide(gate, early, NOW_S).u == decide(gate, late, NOW_S).u


@pytest.mark.parametrize("state", ["paused", "soldout", "closed"])
def test_nobody_is_admitted_when_the_gate_is_not_open(state: str) -> None:
    gate = make_gate(state=state, open_until_s=NOW_S + 60)
    token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=1000)
    assert not decide(gate, token, NOW_S).admitted


def test_waiting_buyers_are_admitted_when_the_room_drains() -> None:
    gate = make_gate(state="draining")
    token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=1000)
    assert decide(gate, token, NOW_S).admitted
    assert state_shown(gate, NOW_S) == "waiting"
    assert decide(gate, token, NOW_S).estimate is not None


def test_everybody_is_admitted_when_the_operator_opens_the_gate() -> None:
    gate = make_gate(open_until_s=NOW_S + 1, epochs=(Epoch(0, 0.0, 0.0),))
    token = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=NOW_S * 1000)
    assert decide(gate, token, NOW_S + 0.9).admitted
    assert not decide(gate, token, NOW_S + 1).admitted


def test_polls_get_rarer_when_the_turn_is_far() -> None:
    gate = make_gate(backoff_max_s=3600)
    waits = [backoff(gate, ID, LOT, u, 0.0, NOW_S) - NOW_S for u in (0.001, 0.3, 0.9)]
    assert waits == sorted(waits)
    assert waits[0] >= 5
    assert waits[2] > 300


def test_the_last_poll_meets_the_turn_when_it_is_near() -> None:
    gate = make_gate()  # at least 5 s, τ = 300 s
    for remaining_s in (5.2, 9.0, 14.9):
        u = admission_probability(0.3 + remaining_s / 300, 1.0)
        found = {backoff(gate, ID[:-1] + digit, LOT, u, 0.3, NOW_S + 0.25) for digit in "0159cf"}
        assert found == {math.ceil(NOW_S + 0.25 + remaining_s)}


@pytest.mark.parametrize("least", [1, 2, 5, 30])
def test_a_poll_before_the_last_leaves_the_least_wait_when_the_turn_is_further(least: int) -> None:
    gate = make_gate(backoff_min_s=least, backoff_max_s=3600)
    for step in range(1, 200):
        remaining_s = near_s(least) + step / 7
        u = admission_probability(0.3 + remaining_s / 300, 1.0)
        for tail in ("00000000", "7fffffff", "ffffffff"):
            wait = backoff(gate, ID[:-8] + tail, LOT, u, 0.3, NOW_S) - NOW_S
            assert remaining_s - wait >= least - 1e-6


def test_a_near_turn_stays_secret_when_the_mode_is_token() -> None:
    gate = make_gate(mode="t")
    u = admission_probability(0.31, 1.0)
    assert backoff(gate, ID, LOT, u, 0.3, NOW_S) - NOW_S >= 60


def test_the_backoff_is_the_longest_when_time_stands_still() -> None:
    gate = make_gate(epochs=(Epoch(0, 0.0, 0.0),))
    assert 60 <= backoff(gate, ID, LOT, 0.1, 0.0, NOW_S) - NOW_S <= 72


def test_an_early_buyer_comes_back_at_a_near_start() -> None:
    gate = make_gate(sale_start_s=NOW_S + 280)
    found = {
        backoff(gate, ID, n.to_bytes(16, "big"), 0.0001, 0.0, NOW_S)
        for n in range(0, 2**128, 2**124)
    }
    assert min(found) >= NOW_S + 280
    assert max(found) <= NOW_S + 292
    assert len(found) > 5


def test_an_early_buyer_comes_back_to_renew_before_a_far_start() -> None:
    gate = make_gate(sale_start_s=NOW_S + 30 * 86_400)
    found = {
        backoff(gate, f"{n:08x}"[-8:] * 4, LOT, 0.0001, 0.0, NOW_S) for n in range(0, 2**32, 2**28)
    }
    assert min(found) >= NOW_S + gate.token_ttl_s / 2
    assert max(found) <= NOW_S + 1.2 * gate.token_ttl_s / 2
    assert len(found) > 5


@pytest.mark.parametrize(
    ("u", "want"),
    [
        (0.0001, Estimate(0, 30)),
        (0.5, Estimate(120, 300)),
        (1 - 1e-9, Estimate(3600, 7200)),
        (1.0, Estimate(14400, None)),
    ],
)
def test_the_estimate_is_a_bucket_when_the_line_moves(u: float, want: Estimate) -> None:
    assert estimate(make_gate(), u, 0.0, NOW_S) == want


def test_the_estimate_tells_nothing_of_the_ticket_when_the_mode_is_token() -> None:
    gate = make_gate(mode="t")
    assert estimate(gate, 0.001, 0.2, NOW_S) == estimate(gate, 0.999, 0.2, NOW_S)
    assert backoff(gate, ID, LOT, 0.001, 0.2, NOW_S) == backoff(gate, ID, LOT, 0.999, 0.2, NOW_S)


def test_nine_in_ten_wait_no_longer_than_shown_when_the_mode_is_token() -> None:
    # 300 s · ln 10 = 691 s from the start; who still waits at 1 or later has 391 s as long as that.
    assert estimate(make_gate(mode="t"), 0.5, 0.0, NOW_S) == Estimate(600, 1200)
    assert estimate(make_gate(mode="t"), 0.5, 0.4, NOW_S) == Estimate(300, 600)
    assert estimate(make_gate(mode="t"), 0.5, 5.0, NOW_S) == Estimate(300, 600)


# A sale's first minute with curve 3 as a controller plans it: this slope leads to the turn of the
# first 1 % in 216 s, but lets in only 0.02 % by the minute's end.
STEEP = Epoch(NOW_S, 0.0, 0.001)


@pytest.mark.parametrize(
    ("curve", "age_s", "u", "want"),
    [
        (1.0, 0, 0.2, Estimate(120, 300)),  # −ln(0.8) ÷ 0.001 = 223 s
        (3.0, 0, 0.01, Estimate(1800, 3600)),  # 216 s · (0.216 ÷ 0.06)²
        (3.0, 0, 0.0001, Estimate(30, 60)),  # 46 s: within the minute, nothing is added
        (3.0, 12, 0.01, Estimate(1800, 3600)),  # 204 s · (0.216 ÷ 0.072)²
        (3.0, 60, 0.01, Estimate(300, 600)),  # 156 s · (0.216 ÷ 0.12)²
    ],
)
def test_a_steep_curve_s_estimate_counts_on_a_slope_that_falls(
    curve: float, age_s: int, u: float, want: Estimate
) -> None:
    gate = make_gate(curve=curve, epochs=(STEEP,))
    assert estimate(gate, u, age_s * STEEP.slope, NOW_S + age_s) == want


def test_an_estimate_trusts_a_slope_the_longer_it_has_lasted() -> None:
    gate = make_gate(curve=3.0, epochs=(STEEP,))
    u = admission_probability(1.0, 3.0)
    shown = [estimate(gate, u, age / 1000, NOW_S + age) for age in (0, 300, 500)]
    assert shown == [Estimate(14400, None), Estimate(1800, 3600), Estimate(300, 600)]


def test_the_way_back_is_that_of_the_slope_whatever_the_estimate_adds() -> None:
    """A longer pause would miss the moment of admission if the slope stayed as it is."""
    gate = make_gate(curve=3.0, epochs=(STEEP,), backoff_max_s=10_000)
    admission_s = admission_at(0.01, 3.0) / STEEP.slope
    assert backoff(gate, ID, LOT, 0.01, 0.0, NOW_S) <= NOW_S + 0.6 * admission_s + 1


def test_an_estimate_takes_an_epoch_to_last_as_long_as_the_controller_plans() -> None:
    assert EPOCH_S == PLAN_S


def test_there_is_no_estimate_when_time_stands_still() -> None:
    assert estimate(make_gate(state="paused"), 0.5, 0.0, NOW_S) is None
    assert estimate(make_gate(epochs=(Epoch(0, 0.0, 0.0),)), 0.5, 0.0, NOW_S) is None


def test_the_state_shown_follows_doors_and_pause_when_asked() -> None:
    assert state_shown(make_gate(sale_start_s=NOW_S + 1), NOW_S) == "prequeue"
    assert state_shown(make_gate(sale_start_s=NOW_S), NOW_S) == "waiting"
    assert state_shown(make_gate(sale_start_s=NOW_S + 1, state="paused"), NOW_S) == "paused"


def test_a_solution_counts_when_it_has_the_bits() -> None:
    nonce = proof_of_work.solve("AAAAAAAAAAAAAAAAAAAAAA", 10)
    assert proof_of_work.verify("AAAAAAAAAAAAAAAAAAAAAA", 10, nonce)
    assert not proof_of_work.verify("BAAAAAAAAAAAAAAAAAAAAA", 10, nonce)
    assert proof_of_work.verify("x", 0, "0")


@pytest.mark.parametrize("nonce", ["", "-1", "1" * 17, "0x1", " 1", "1\n", "١"])
def test_a_solution_is_refused_when_it_is_no_short_decimal(nonce: str) -> None:
    assert not proof_of_work.verify("x", 0, nonce)


def test_a_place_has_its_moment_in_the_wave_and_no_latecomer_overtakes_it() -> None:
    gate = make_gate(sale_start_s=NOW_S + 10, wave_s=600, token_ttl_s=3600)
    lot = (2**31).to_bytes(4, "big") + bytes(12)  # halfway
    assert earliest_s(gate, lot) == NOW_S + 310
    for now_s in (NOW_S - 1000, NOW_S, NOW_S + 10, NOW_S + 200):
        assert backoff(gate, ID, lot, 0.0001, 5.0, now_s) == NOW_S + 310
        assert backoff(gate, ID, LOT, 0.0001, 5.0, now_s) == max(NOW_S + 10, now_s + 5)
    assert backoff(gate, ID, lot, 0.0001, 5.0, NOW_S + 400) == NOW_S + 405


def test_nobody_is_admitted_before_their_moment_whatever_their_token_names() -> None:
    gate = make_gate(sale_start_s=NOW_S, wave_s=600)
    issued = issue_waiting_token(gate, "e", "ada", request_id="r", ip="", now_ms=1000)
    held = replace(issued, lot=(2**31).to_bytes(4, "big") + bytes(12), boff=NOW_S - 1)
    assert decide(gate, held, NOW_S + 1).u < decide(gate, held, NOW_S + 1).probability
    assert not decide(gate, held, NOW_S + 297.9).admitted
    assert decide(gate, held, NOW_S + 297.9).boff_s >= NOW_S + 300
    assert decide(gate, held, NOW_S + 298).admitted  # as much too soon as clocks differ
    assert decide(gate, replace(held, lot=b"\xff" * 16), NOW_S + 600).admitted
    assert decide(replace(gate, open_until_s=NOW_S + 9), held, NOW_S + 1).admitted


def test_a_wave_that_nobody_set_is_a_fifth_of_the_longest_backoff() -> None:
    gate = make_gate(sale_start_s=NOW_S + 10, backoff_max_s=60)
    last = b"\xff" * 16
    assert earliest_s(gate, last) == NOW_S + 22
    assert earliest_s(make_gate(sale_start_s=NOW_S + 10, wave_s=13), last) == NOW_S + 23


@pytest.mark.parametrize("mode", ["a", "t"])
def test_a_second_token_has_another_moment_only_where_it_has_another_ticket(mode: str) -> None:
    gate = make_gate(mode=mode, sale_start_s=NOW_S + 10, wave_s=3600, token_ttl_s=86_400)
    moments = {
        issue_waiting_token(gate, "e", "ada", request_id=str(n), ip="", now_ms=NOW_S * 1000).boff
        for n in range(9)
    }
    assert (len(moments) == 1) == (mode == "a")


@pytest.mark.parametrize("wave_s", [0, 900, 3600])
def test_no_token_outlives_what_a_rotation_waits_for_in_a_wave(wave_s: int) -> None:
    gate = make_gate(sale_start_s=NOW_S, wave_s=wave_s)
    lived = [
        backoff(gate, ID, bytes([first]) * 16, 0.5, 0.0, now_s) + gate.token_ttl_s - now_s
        for first in range(0, 256, 5)
        for now_s in (NOW_S - 3000, NOW_S - 1, NOW_S, NOW_S + wave_s - 1)
    ]
    assert max(lived) <= life_max_s(gate)


@pytest.mark.parametrize("mode", ["a", "t"])
def test_an_account_is_in_the_sample_or_not_however_often_it_asks(mode: str) -> None:
    subs = [f"user-{n}" for n in range(4000)]
    for share in (0.0, 0.1, 1.0):
        gate = make_gate(mode=mode, sample_queue=share)
        found = [sub for sub in subs if sampled_account(gate, "e", sub)]
        assert found == [sub for sub in subs if sampled_account(gate, "e", sub)]
        assert abs(len(found) / len(subs) - share) <= 0.02
    other = make_gate(mode=mode, sample_queue=0.1, draw_key=b"k" * 32)
    assert [sub for sub in subs if sampled_account(other, "e", sub)] != [
        sub for sub in subs if sampled_account(make_gate(sample_queue=0.1), "e", sub)
    ]


def test_no_character_of_a_token_says_who_is_in_the_sample() -> None:
    """Of a thousand sampled and a thousand other accounts, tickets begin alike."""
    gate = make_gate(sample_queue=0.5)
    firsts: dict[bool, list[int]] = {True: [], False: []}
    for n in range(4000):
        ticket = issue_waiting_token(gate, "e", f"u{n}", request_id="r", ip="", now_ms=0).lot
        firsts[sampled_account(gate, "e", f"u{n}")].append(ticket[0])
    means = [sum(values) / len(values) for values in firsts.values()]
    assert abs(means[0] - means[1]) < 12  # three standard errors of uniform bytes are 7
