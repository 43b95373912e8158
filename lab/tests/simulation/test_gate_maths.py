"""The simulator's arrays say what the gate's own functions say, one buyer at a time."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from fairgate.domain.gate import admission
from fairgate.domain.gate.gate_config import Epoch
from fairgate_lab.simulate.gate.estimates import bucket_ends
from fairgate_lab.simulate.gate.polls import Gate, Tokens, admissions
from fairgate_ops.operate.forecast import maths
from fairgate_ops.operate.forecast.maths import Rules
from fairgate_ops.operate.forecast.timeline import Version, seen
from tests.edge.gate_tools import NOW_S, make_gate

ROOT = Path(__file__).parents[3]
EPOCHS = (
    Epoch(NOW_S - 600, 0.0, 0.0),
    Epoch(NOW_S - 300, 0.0, 1 / 600),
    Epoch(NOW_S - 120, 0.3, 0.0),
    Epoch(NOW_S, 0.3, 1 / 200),
)
SAMPLE = 2_000


def rules(gate):
    bounds = (gate.backoff_min_s, gate.backoff_max_s)
    return Rules(gate.curve, gate.mode, gate.sale_start_s, *bounds, gate.wave_s)


def sample(seed):
    chance = random.Random(seed)  # noqa: S311 reproducible, nothing secret
    cases = []
    for _ in range(SAMPLE):
        u = chance.choice([chance.random(), chance.random() * 0.5, chance.random() * 0.35])
        now_s = NOW_S + chance.choice([-700, -450, -200, -60, 0, 30]) + chance.random() * 60
        cases.append((u, now_s, chance.randrange(2**32), chance.random() * 0.3))
    return cases


@pytest.mark.parametrize("wave_s", [0, 300])
@pytest.mark.parametrize("mode", ["a", "t"])
@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_arrays_say_what_the_domain_says(mode, curve, wave_s):
    # A life in which nobody has to renew a token: the arrays leave renewals out.
    gate = make_gate(
        mode=mode,
        curve=curve,
        epochs=EPOCHS,
        sale_start_s=NOW_S - 300,
        token_ttl_s=3_600,
        wave_s=wave_s,
    )
    line = seen([Version(0.0, EPOCHS)])
    cases = sample(f"{mode}{curve}")
    u, now_s, tail, h = (np.array(column) for column in zip(*cases, strict=True))
    lot = (tail * 3 + 5) % 2**32
    turn = maths.admission_at(u, curve)
    level, slope = line.at(now_s), line.slope(now_s)
    x = np.maximum(0.0, level - h)
    boff = maths.backoff(rules(gate), tail, lot, turn, x, now_s, slope)
    shown = maths.bucket(rules(gate), turn, x, line.pace(now_s))
    ends = bucket_ends(np.maximum(shown, 0))
    for n, (one_u, one_s, one_tail, _h) in enumerate(cases):
        assert level[n] == pytest.approx(admission.operational_time(EPOCHS, one_s), abs=1e-12)
        assert slope[n] == admission.slope(EPOCHS, one_s)
        assert turn[n] == pytest.approx(admission.admission_at(one_u, curve), rel=1e-12)
        ticket = int(lot[n]).to_bytes(4, "big") + bytes(12)
        token_id = f"00000000-0000-7000-8000-0000{one_tail:08x}"
        assert boff[n] == admission.backoff(gate, token_id, ticket, one_u, float(x[n]), one_s)
        estimate = admission.estimate(gate, one_u, float(x[n]), one_s)
        if estimate is None:
            assert shown[n] == -1
        else:
            assert ends[n] == (estimate.hi_s or np.inf)
            assert admission.ESTIMATE_LADDER_S[shown[n]] == estimate.lo_s


def test_claims_lie_on_the_tokens_grid():
    h = np.array([0.0, 1 / 3, 1e-10, 123.456789012345])
    assert maths.on_grid(h).tolist() == [admission.on_grid(float(one)) for one in h]


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_the_rule_is_the_turn_when_compared_with_decide(curve):
    """x > x* and u < P are one decision, but for the last bits."""
    for u, _now, _tail, x in sample(curve):
        if abs(admission.admission_at(u, curve) - x) > 1e-9:
            by_turn = x > maths.admission_at(np.array([u]), curve)[0]
            assert by_turn == (u < admission.admission_probability(x, curve))


@pytest.mark.parametrize("curve", [1.0, 1.5, 3.0, 8.0])
def test_no_step_of_x_adds_more_than_the_steepest(curve):
    x = np.linspace(0.0, 3.0, 4_001)
    p = 1.0 - np.exp(-(x**curve))
    growth = np.diff(p) / np.diff(x)
    assert growth.max() <= maths.steepest(curve) * (1 + 1e-9)
    assert growth.max() >= maths.steepest(curve) * 0.999
    assert growth[:1000].max() <= maths.steepest(curve, float(x[1000])) * (1 + 1e-9)


def one_token(*, turn, h=0.0, issued_s=NOW_S - 500.0):
    return Tokens(*(np.array([v]) for v in (issued_s, h, turn, 7, 7, 0.1)))


def room(edge, origin):
    gate = make_gate(epochs=EPOCHS, sale_start_s=NOW_S - 300)
    return Gate(rules(gate), edge=edge, issuer=edge, origin=origin)


def test_the_first_poll_after_the_turn_is_admitted_when_edge_and_origin_agree():
    line = seen([Version(0.0, EPOCHS)])
    found = admissions(room(line, line), one_token(turn=0.2), NOW_S + 600.0).admitted_s[0]
    admission_s = NOW_S - 300 + 0.2 * 600
    assert admission_s < found <= admission_s + 1.2


def test_the_origin_decides_last_when_an_edge_is_ahead():
    ahead = seen([Version(0.0, (Epoch(NOW_S - 300, 0.0, 1 / 60),))])
    true = seen([Version(0.0, EPOCHS)])
    outcome = admissions(room(ahead, true), one_token(turn=0.2), NOW_S + 600.0)
    admission_s = NOW_S - 300 + 0.2 * 600
    assert admission_s - 2 < outcome.admitted_s[0] <= admission_s + 5.2


def test_nobody_is_admitted_when_the_turn_is_beyond_the_end():
    line = seen([Version(0.0, EPOCHS)])
    outcome = admissions(room(line, line), one_token(turn=9.0), NOW_S + 600.0)
    assert not np.isfinite(outcome.admitted_s[0])
    assert outcome.polls == 0


def test_the_page_has_the_steps_of_the_gates_ladder():
    script = (ROOT / "edge/web/assets/js/format.js").read_text("utf-8")
    steps = re.search(r"STEPS_S = \[([0-9, ]+)\]", script)
    assert steps is not None
    assert [int(step) for step in steps[1].split(",")] == list(admission.ESTIMATE_LADDER_S[1:])
