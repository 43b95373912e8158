"""Changes of the pace that are still to come: planned, replaced aloud, given up, foreseen."""

from __future__ import annotations

import argparse
import math

import pytest

from fairgate.domain.gate.pace import KEPT_FROM_S
from fairgate.service.gate.operator_acts import OperatorActs
from fairgate.service.shared.keys import sampled_key
from fairgate.service.shared.records.gate import SampledMinute
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from tests.support.world import START_MS
from tests.unit.operate.test_cli import chart, create, gate_of, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures
SALE_START_S = START_MS // 1000 + 60


def run(words: str) -> int:
    return main.main(words.split())


def paces(gate):
    return [(e.start_s, round(1 / e.slope) if e.slope else 0) for e in gate.epochs]


@pytest.fixture
def start_sale(system, chart, capsys):
    """``final`` a minute after the sale starts, with 10,000 who joined before it."""
    create(chart)
    minute = sampled_key("final", "2027-01-15T07:59", "a")
    system.put(SampledMinute(*minute, count=100, h=0.0, ttl=SALE_START_S + 86_400))
    system.clock.tick(120)
    capsys.readouterr()
    return system


def test_a_pace_is_planned_and_what_is_later_stays(start_sale, tmp_path, capsys):
    assert run("tau plan final 300 --at 2027-01-15T09:00:00Z") == 0
    assert run("tau plan final 400 --at 2027-01-15T08:30:00+00:00 --reason calm") == 0
    planned = [(SALE_START_S, 600), (SALE_START_S + 1740, 400), (SALE_START_S + 3540, 300)]
    assert paces(gate_of(tmp_path, "final"))[1:] == planned
    third, second = gate_of(tmp_path, "final").epochs[3], gate_of(tmp_path, "final").epochs[2]
    assert third.h == pytest.approx(second.h + 1800 / 400)
    capsys.readouterr()
    run("event log final")
    assert "tau_s 400.0, at 2027-01-15T08:30:00.000Z, reason calm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("plan final 300 --at 2027-01-15T08:02:00Z", "when every edge has it"),
        ("plan final 300 --at 2027-02-15T08:02:00Z", "up to 2027-01-22"),
        ("plan nothing 300 --at 2027-01-15T09:00:00Z", "no event nothing"),
        ("set final 300 --if-tau 700", "is τ 600 s, not τ 700 s"),
        ("preview nothing 300", "no event nothing"),
    ],
)
def test_what_cannot_be_planned_is_refused(start_sale, tmp_path, capsys, words, text):
    before = gate_of(tmp_path, "final")
    assert run(f"tau {words}") == 1
    assert text in capsys.readouterr().err
    assert gate_of(tmp_path, "final") == before


def test_a_plan_before_sale_start_is_refused(system, chart, capsys):
    run(
        f"event create later --venue {chart} --name x --price-all 1 --sale-starts-in 3600 --publish"
    )
    assert run("tau plan later 300 --at 2027-01-15T08:30:00Z") == 1
    assert "Before the sale starts nobody is admitted" in capsys.readouterr().err


def test_plans_that_a_change_replaces_are_named(start_sale, capsys):
    run("tau plan final 300 --at 2027-01-15T09:00:00Z")
    run("tau plan final 200 --at 2027-01-15T10:00:00Z")
    capsys.readouterr()
    assert run("tau set final 500 --json --dry-run") == 0
    starts = [entry["starts_at"][11:16] for entry in said(capsys)["replaced"]]
    assert starts == ["09:00", "10:00"]
    assert run("tau preview final 500") == 0
    assert "would replace what is planned: τ 300 s from 2027" in capsys.readouterr().out
    assert run("event pause final") == 0
    told = capsys.readouterr().out
    assert "This replaces what was planned: τ 300 s from 2027-01-15T09:00:00Z, τ 200 s" in told
    assert run("event resume final") == 0
    assert "replaces" not in capsys.readouterr().out


def test_plans_are_given_up_but_not_what_edges_may_have(start_sale, tmp_path, capsys):
    run("tau set final 500 --starts-in 0.5")
    run("tau plan final 300 --at 2027-01-15T09:00:00Z")
    assert run("tau cancel final") == 0
    assert [tau for _, tau in paces(gate_of(tmp_path, "final"))] == [0, 600, 500]
    assert "The change that is marked" in capsys.readouterr().out
    start_sale.clock.tick(10)
    run("tau cancel final --json")
    assert said(capsys)["left"] == 0


def test_a_pause_before_sale_start_keeps_the_pace(system, chart, tmp_path, capsys):
    create(chart)
    assert run("event pause final") == 0
    assert "kept" in capsys.readouterr().out
    paused = gate_of(tmp_path, "final")
    assert paused.epochs[-1].start_s == KEPT_FROM_S
    system.clock.tick(3600)
    assert run("event resume final --json") == 0
    resumed = gate_of(tmp_path, "final")
    assert paces(resumed)[-1][1] == 600
    assert resumed.epochs[-1].h == 0.0
    assert resumed.epochs[-1].start_s < KEPT_FROM_S
    assert said(capsys)["replaced"] == []


def test_a_script_changes_only_the_pace_that_it_knows(start_sale, tmp_path):
    assert run("tau set final 500 --if-tau 600") == 0
    assert run("tau set final 400 --if-tau 600") == 1
    assert run("tau set final 400 --if-tau 500") == 0
    with pytest.raises(SystemExit) as caught:
        run("tau set final --session-mean-s 60 --if-tau 500")
    assert caught.value.code == 2


@pytest.mark.parametrize(("tau", "asks"), [(151, False), (150, True), (2400, True), (2399, False)])
def test_four_times_as_fast_or_slow_in_a_live_sale_is_asked(start_sale, capsys, tau, *, asks):
    assert start_sale is not None  # at τ 600 s
    capsys.readouterr()
    assert run(f"tau set final {tau}") == int(asks)
    if asks:
        said_so = capsys.readouterr().err
        assert f"final is on sale. τ 600 s → {tau} s: 4 times as" in said_so
        assert run(f"tau set final {tau} --yes") == 0


def test_an_operator_learns_of_another(start_sale, monkeypatch, capsys):
    mine = target.target_of(argparse.Namespace())
    acts = OperatorActs(mine.world.table, mine.world.clock, mine.control(), lambda: "anna@desk")
    acts.change_gate(
        "final", "tau set", {"tau_s": 22.0}, lambda: mine.control().set_tau("final", 22.0)
    )
    start_sale.clock.tick(4)
    capsys.readouterr()
    run("tau set final 300 --yes")
    told = capsys.readouterr().out
    assert "Somebody else has changed it: anna@desk, tau set (tau_s 22.0), 4 s ago." in told
    start_sale.clock.tick(901)
    run("tau set final 200 --yes --json")
    assert said(capsys)["other"] is None


def test_a_pace_is_foreseen_as_it_then_is(start_sale, capsys):
    """10,000 wait at τ 600 s: 16.7 a second at first, and half a person after τ · ln 20,000."""
    assert run("tau preview final 600") == 0
    foreseen = capsys.readouterr().out
    rate = 10_000 * (math.exp(-61 / 600) - math.exp(-62 / 600))
    assert f"{rate:,.1f} at once" in foreseen
    assert "the last of them is in after 1 h 38 min" in foreseen
    run("tau preview final 20 --json")
    before = said(capsys)["preview"]
    assert 5_000 < before["live"] == before["waiting"]  # nobody else is there to come
    run("tau set final 20 --yes --json")
    assert said(capsys)["preview"] == before
    run("tau preview final 20")
    assert "the target decides" in capsys.readouterr().out


def test_nobody_looks_ahead_where_nobody_waits_or_is_counted(system, chart, capsys):
    run(f"event create gala --venue {chart} --name x --price-all 1 --sale-starts-in 60 --publish")
    capsys.readouterr()
    assert run("tau preview gala 600") == 0
    assert "nothing to look ahead to" in capsys.readouterr().out
    create(chart, "--sample", "0")
    assert run("tau preview final 600") == 0
    assert "not counted" in capsys.readouterr().out
