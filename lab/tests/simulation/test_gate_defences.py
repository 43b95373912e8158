"""The tables of the defences name everything, and the page that shows them names the same."""

from __future__ import annotations

import math
import re
import sys

import numpy as np
import pytest

from fairgate.domain.gate.controller import COMING_SHARE, REQUESTS_PER_S, wave_width_s
from fairgate.service.gate.plan_admission import _WAVE_SAME
from fairgate_lab.simulate.gate import __main__ as command
from fairgate_lab.simulate.gate import defences
from fairgate_lab.simulate.gate.farms import CAMPUS, FARMS
from fairgate_lab.simulate.gate.gain import compare
from fairgate_lab.simulate.gate.hammering import ROBOTS
from fairgate_lab.simulate.gate.sale_start import (
    LAST_WRITTEN_S,
    joined_by,
    latecomer,
    peak_per_s,
)
from fairgate_ops.shared.paths import ROOT

PAGE = (ROOT / "lab" / "docs" / "adversaries.md").read_text("utf-8")
GAIN = compare(np.array([5.0, 9.0, math.inf]), np.array([3.0, 8.0, 4.0]), 10.0).as_json()
INTERVAL = GAIN["sooner_s"]


def capacity_reached():
    waits = {"waited_s": 2.4, "honest_waited_s": 92.7}
    by_rule = {
        "filled": 0.99,
        "asked_per_admitted": 9.0,
        "strategies": dict.fromkeys(ROBOTS, GAIN | waits),
        "in one sale": waits | {"sooner_s": INTERVAL},
    }
    return {"by the threshold": by_rule, "before": by_rule}


def wave():
    return {
        "crowd": 10,
        "budget_per_s": 2,
        "wave_s": 5,
        "peak_per_s": {"0": 7, "5": 2},
        "costs": GAIN,
        "last_beside_first": GAIN,
        "latecomer": {"overtakes": 0.0},
        "latecomer_not_bound": {"overtakes": 0.25},
    }


def document():
    desk = {"flagged": 1.0, "locked_out": 0.5, "campus_seen": 30, "campus_flagged": 0}
    ways = {way: GAIN | {"seats": 1.0} | desk for way in ("desk off", "desk on", "before")}
    moved = {"most": 1.0, "at_the_end": 0.0}
    return {
        "buyers": 1_000,
        "curves": [{"curve": 1.0, "capacity_reached": capacity_reached(), "sale_start": wave()}],
        "farms": [
            {"accounts": size, "campus": CAMPUS, "obeys": GAIN | {"seats": 1.0}, **ways}
            for size in FARMS
        ],
        "estimate": {
            "accounts": 9,
            "estimate": 8.0,
            "requests": 7,
            "counted_more": {"in the sample": moved, "not in the sample": moved},
            "estimate_moves_in_the_mean": 1.0,
            "estimate_moved_before": 700.0,
        },
        "admitted": {"one more": 1.0, "x 100": 0.2},
    }


def test_the_tables_name_every_robot_and_every_farm_and_that_they_are_modelled():
    text = "\n".join(defences.defence_lines(document()))
    assert text.startswith("Modelled")
    assert all(text.count(f"| {title} |") == 2 for title in ROBOTS)
    assert all(f"| {size:,} | ask every second | on |" in text for size in FARMS)
    assert "| latecomers of the wave who overtake their twin | 0.00% |" in text


def test_the_whole_study_ends_with_them():
    found = {"buyers": 1, "adversaries": 1, "seed": 1, "crowd": 1, "sessions": [], "curves": []}
    text = "\n".join(command.lines(found | {"defences": document()}))
    assert "## The wave at the sale start, curve 1" in text


def test_every_table_is_as_wide_as_its_head():
    rows = [line for line in defences.defence_lines(document()) if line.startswith("|")]
    width = 0
    for row, line in enumerate(rows):
        if set(line) <= {"|", "-"}:
            width = line.count("|")
            assert rows[row - 1].count("|") == width
        elif row + 1 == len(rows) or not set(rows[row + 1]) <= {"|", "-"}:
            assert line.count("|") == width


@pytest.mark.parametrize("title", list(ROBOTS))
def test_the_page_shows_each_robot_by_both_rules_and_both_curves(title):
    for rule in ("by the threshold", "before"):
        assert len(re.findall(rf"^\| {rule} \| {re.escape(title)} \|", PAGE, re.MULTILINE)) == 2


def test_the_page_shows_each_farm_and_nobody_at_its_addresses_flagged_falsely():
    for size in FARMS:
        (row,) = re.findall(
            rf"^\| {size:,} \| ask every second \| on \|(.+)\|$", PAGE, re.MULTILINE
        )
        cells = [cell.strip() for cell in row.split("|")]
        assert cells[-3] == f"{CAMPUS:,}"
        assert cells[-1] == "0"


WIDTH_S = wave_width_s(10_000_000 * joined_by(LAST_WRITTEN_S), REQUESTS_PER_S)


def test_the_page_names_the_wave_that_the_controller_writes():
    assert f"a wave of {WIDTH_S} s" in PAGE


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_first_attempts_keep_their_budget_by_what_is_known_a_minute_before_sale_start(seed):
    """The simulated crowd, of whom a third come later, and a width left a twentieth too small."""
    crowd, budget = 1_000_000, REQUESTS_PER_S // 10
    width = wave_width_s(crowd * joined_by(LAST_WRITTEN_S), budget)
    assert peak_per_s(crowd, math.ceil(width * (1 - _WAVE_SAME)), seed) <= budget
    assert peak_per_s(crowd, math.ceil(width * 1.3 / COMING_SHARE), seed) > 1.3 * budget


@pytest.mark.parametrize("curve", [1.0, 3.0])
def test_the_latecomers_of_the_page_are_those_of_a_run(curve):
    for bound in (True, False):
        row = f"{latecomer(WIDTH_S, curve, 1, bound=bound).overtakes:.2%} |"
        assert row in PAGE


def test_the_command_shows_this_part_alone(monkeypatch, capsys):
    monkeypatch.setattr(command, "defences", lambda *_arguments: document())
    monkeypatch.setattr(sys, "argv", ["gate", "--part", "defences"])
    command.main()
    assert "## Farms" in capsys.readouterr().out
