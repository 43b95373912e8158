"""The judge of a draw: the statistic against known values, and each bound with what breaks it."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from fairgate.domain.gate.admission import admission_at
from fairgate.domain.gate.gate_config import Epoch
from fairgate_lab.attack.draw import sent_on_in
from fairgate_lab.attack.draw_judge import (
    KS_LEVEL,
    Rule,
    Seen,
    Verdict,
    kolmogorov_smirnov,
    kolmogorov_tail,
)

SALE_START = 1_700_000_000.0
LINE = (Epoch(SALE_START, 0.0, 1 / 60),)
RULE = Rule(LINE, 3.0)


def kept(count: int = 400, late_s: float = 0.3, seed: int = 1) -> list[Seen]:
    """Guests who got in as the rule says, ``late_s`` after their turns."""
    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    numbers = [chance.random() for _ in range(count)]
    return [
        Seen(f"guest-{n}", u, 0.0, 0.0, RULE.admission_s(0.0, u) + late_s)
        for n, u in enumerate(numbers)
    ]


@pytest.mark.parametrize(
    ("lam", "chance"),
    # Smirnov's table of the limit: 10 %, 5 %, 1 % and 0.1 %.
    [(1.2238, 0.10), (1.3581, 0.05), (1.6276, 0.01), (1.9495, 0.001)],
)
def test_the_limit_has_its_known_quantiles(lam: float, chance: float) -> None:
    assert kolmogorov_tail(lam) == pytest.approx(chance, rel=2e-3)


def test_the_limit_is_one_where_the_series_would_not_converge() -> None:
    assert kolmogorov_tail(0.0) == 1.0
    assert kolmogorov_tail(0.19) == 1.0
    assert kolmogorov_tail(0.2) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("power", [1.0, 1.1, 1.3])
def test_d_and_its_chance_are_as_another_implementation_has_them(seed: int, power: float) -> None:
    from scipy import stats

    chance = random.Random(seed)  # noqa: S311 a drawing that repeats
    values = [chance.random() ** power for _ in range(1_000)]
    d, p = kolmogorov_smirnov(values)
    known = stats.kstest(values, "uniform")
    assert d == pytest.approx(known.statistic, abs=1e-12)
    assert p == pytest.approx(known.pvalue, rel=0.05, abs=2e-3)


def test_a_kept_draw_is_not_broken() -> None:
    verdict = Verdict(RULE, kept())
    assert verdict.broken == []
    assert verdict.late_p95_s == pytest.approx(0.3, abs=1e-3)


def test_a_guest_who_never_got_in_is_said() -> None:
    seen = kept()
    seen[3] = replace(seen[3], admitted_s=math.inf)
    (broken,) = Verdict(RULE, seen).broken
    assert broken == "1 guests never got in, the first guest-3"


def test_a_guest_who_got_in_early_is_said() -> None:
    seen = kept()
    seen[5] = replace(seen[5], admitted_s=RULE.admission_s(0.0, seen[5].u) - 0.06)
    (broken,) = Verdict(RULE, seen).broken
    assert broken == "1 guests got in early, the first guest-5"


def test_a_guest_who_was_put_off_after_their_turn_is_said() -> None:
    seen = kept()
    admission_s = RULE.admission_s(0.0, seen[7].u)
    seen[7] = replace(seen[7], asked_s=admission_s + 0.05)
    seen[8] = replace(seen[8], asked_s=RULE.admission_s(0.0, seen[8].u) - 0.05)
    (broken,) = Verdict(RULE, seen).broken
    assert broken == "1 guests were put off after their turn, the first guest-7"


def test_late_answers_are_said_when_more_than_one_in_twenty_is() -> None:
    late = kept(count=400, late_s=2.1)
    on_time = kept(count=400)
    assert Verdict(RULE, late[:19] + on_time[19:]).broken == []
    (broken,) = Verdict(RULE, late[:30] + on_time[30:]).broken
    assert broken.startswith("p95 of the answers is 2.1")


def test_admissions_that_follow_another_curve_are_said() -> None:
    # Everybody in at x* of k = 2: nobody early by their number's own rule, but not as drawn.
    other = Rule(LINE, 2.0)
    seen = [
        replace(one, admitted_s=max(one.admitted_s, other.admission_s(0.0, one.u)))
        for one in kept()
    ]
    broken = Verdict(RULE, seen).broken
    assert any(text.startswith("admissions are not as the rule draws them") for text in broken)
    assert Verdict(RULE, seen).ks[1] < KS_LEVEL < Verdict(RULE, kept()).ks[1]


def test_a_turn_is_found_on_the_line_that_it_lies_on() -> None:
    epochs = (
        Epoch(SALE_START, 0.0, 0.1),
        Epoch(SALE_START + 5, 0.5, 0.0),
        Epoch(SALE_START + 15, 0.5, 0.05),
    )
    rule = Rule(epochs, 1.0)
    early, late = 1 - math.exp(-0.3), 1 - math.exp(-1.0)
    assert rule.admission_s(0.0, early) == pytest.approx(SALE_START + 3)
    assert rule.admission_s(0.0, late) == pytest.approx(SALE_START + 25)
    assert rule.admission_s(0.2, early) == pytest.approx(SALE_START + 5)
    assert math.isinf(Rule(epochs[:2], 1.0).admission_s(0.0, late))
    for u in (early, late):
        assert rule.x_at(rule.admission_s(0.0, u), 0.0) == pytest.approx(admission_at(u, 1.0))


def test_a_wave_moves_a_turn_that_comes_before_the_call() -> None:
    seen = [replace(one, called_s=one.admitted_s - 0.3) for one in kept(late_s=30.0)]
    assert Verdict(replace(RULE, wave_s=60), seen).late_p95_s == pytest.approx(0.3, abs=1e-3)
    assert Verdict(RULE, seen).late_p95_s == pytest.approx(30.0, abs=1e-3)


def test_what_waits_at_the_origin_is_late_but_no_part_of_the_draw() -> None:
    seen = [replace(one, sent_on_s=one.admitted_s, admitted_s=one.admitted_s + 9) for one in kept()]
    verdict = Verdict(RULE, seen)
    (broken,) = verdict.broken
    assert broken.startswith("p95 of the answers is 9.30 s")
    assert verdict.gate_late_s[-1] == pytest.approx(0.3, abs=1e-3)


def test_a_gate_that_let_in_early_is_said_though_the_answer_came_late() -> None:
    seen = kept()
    seen[5] = replace(seen[5], sent_on_s=RULE.admission_s(0.0, seen[5].u) - 0.06)
    assert Verdict(RULE, seen).broken == ["1 guests got in early, the first guest-5"]


def test_the_moment_of_the_gate_is_read_from_the_calls_that_opened_a_session(
    tmp_path: Path,
) -> None:
    log = tmp_path / "access.log"
    log.write_text(
        "1000500 POST /api/events/draw/admission 201 4.0 250.0 guest-1\n"
        "1000900 POST /api/events/draw/admission 503 4.0 0.0 guest-2\n"
        "1000900 POST /api/events/draw/admission 201 4.0 0.0\n"
    )
    assert sent_on_in(log) == {"guest-1": 1000.25}
    assert sent_on_in(None) == {}
