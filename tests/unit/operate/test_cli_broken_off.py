"""A creation that broke off is seen, and completed without leaving anything behind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairgate.errors import DependencyUnavailableError
from fairgate.service.catalog import create_event
from fairgate_ops.operate.cli import main
from tests.support.world import NAMES
from tests.unit.operate.test_cli import VENUE, chart, create, gate_of, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures


@pytest.fixture
def broken_off(system, chart, monkeypatch, capsys):
    """The creation of ``final`` has written its seats, and then nothing more."""

    def breaks(*_arguments):
        raise DependencyUnavailableError("gone")

    with monkeypatch.context() as broken:
        broken.setattr(create_event, "event_record", breaks)
        assert create(chart) == 1
    capsys.readouterr()
    return system


def seats_of(world, event="final"):
    """The names of the event's seats and counters in the table."""
    items = world.client.scan(TableName=NAMES["seats"])["Items"]
    return {item["PK"]["S"] for item in items if item["PK"]["S"].startswith(f"{event}#")}


def smaller(chart):
    """The same hall without its first row's first seat, and without its standing area."""
    venue = json.loads(json.dumps(VENUE))
    row = venue["sections"][0]["blocks"][0]["rows"][0]
    del row["seats"][0]
    venue["areas"] = []
    Path(chart).write_text(json.dumps(venue), encoding="utf-8")


def test_it_is_listed_until_it_is_completed(broken_off, chart, capsys):
    assert main.main(["event", "list"]) == 0
    assert "buyers do not see it. `fairgate event create final" in capsys.readouterr().out
    assert main.main(["event", "list", "--json"]) == 0
    assert said(capsys)["broken_off"] == ["final"]
    assert create(chart) == 0
    assert "with the same draw" in capsys.readouterr().out
    assert main.main(["event", "list", "--json"]) == 0
    told = said(capsys)
    assert (told["broken_off"], [e["event"] for e in told["events"]]) == ([], ["final", "show"])


def test_another_chart_leaves_nothing_of_the_one_before(broken_off, chart, capsys):
    before = seats_of(broken_off)
    assert len(before) > 8
    smaller(chart)
    assert create(chart, "--json") == 0
    told = said(capsys)
    left = seats_of(broken_off)
    assert len(left) == told["seats"] == 7
    assert left < before
    assert (told["completes"], told["removed"]) == (True, len(before) - 7)


def test_another_events_seats_stay(system, chart, capsys, monkeypatch):
    create(chart)
    seats = seats_of(system)
    smaller(chart)
    words = f"event create other --venue {chart} --price-all 45 --sale-starts-in 60 --name Other"
    with monkeypatch.context() as broken:

        def breaks(*_arguments):
            raise DependencyUnavailableError("gone")

        broken.setattr(create_event, "event_record", breaks)
        assert main.main(words.split()) == 1
    assert main.main(words.split()) == 0
    assert (seats_of(system), len(seats_of(system, "other"))) == (seats, 7)


def test_a_creation_stands_in_the_log_before_it_is_done(broken_off, chart, capsys):
    assert main.main(["event", "log", "final", "--json"]) == 0
    assert [(e["act"], e["phase"]) for e in said(capsys)["entries"]] == [("create", "asked")]
    assert create(chart) == 0
    capsys.readouterr()
    assert main.main(["event", "log", "final", "--json"]) == 0
    entries = said(capsys)["entries"]
    assert [e["phase"] for e in entries] == ["asked", "asked", "done"]
    assert entries[-1]["detail"]["seats"] == 8


def test_two_who_create_the_same_leave_each_others_seats_alone(
    broken_off, chart, capsys, monkeypatch, tmp_path
):
    """The first may still be writing them; nobody can tell that from one that broke off."""
    seats, gate = seats_of(broken_off), gate_of(tmp_path, "final")
    smaller(chart)
    monkeypatch.setenv("LOGNAME", "bob")
    broken_off.clock.tick(40)
    for switches in (["--dry-run"], []):
        assert create(chart, "--tau", "30", *switches) == 1
        told = capsys.readouterr().err
        assert "began to create or delete final 40 s ago, and may still be at it" in told
        assert "you in 260 s" in told
    assert (seats_of(broken_off), gate_of(tmp_path, "final")) == (seats, gate)
    broken_off.clock.tick(260)
    assert create(chart) == 0
    assert len(seats_of(broken_off)) == 7


GATE_ACTS = [
    "event pause final",
    "event resume final --tau 60",
    "event drain final",
    "event close final --yes",
    "event close final --sold-out",
    "event open final --yes",
    "event open final --at 2027-01-15T09:00:00Z",
    "event open-until final --minutes 5",
    "event upgrade final",
    "tau set final 30",
    "tau set final --sample-violations 0.5",
    "tau plan final 30 --at 2027-01-15T09:00:00Z",
    "tau cancel final",
]


@pytest.mark.parametrize("switches", [[], ["--dry-run"]])
@pytest.mark.parametrize("words", GATE_ACTS)
def test_its_gate_is_not_changed_until_it_is_completed(
    words, switches, broken_off, chart, capsys, tmp_path
):
    gate = gate_of(tmp_path, "final")
    assert main.main([*words.split(), *switches]) == 1
    told = capsys.readouterr().err
    assert "There is no event final. `event list` shows what there is." in told
    assert "broke off or is still under way: `fairgate event create final …` completes it" in told
    assert gate_of(tmp_path, "final") == gate
    assert main.main(["event", "log", "final", "--json"]) == 0
    assert [e["act"] for e in said(capsys)["entries"]] == ["create"]


def test_its_pace_is_not_shown_as_if_it_were_on_sale(broken_off, capsys):
    assert main.main(["tau", "get", "final"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "`fairgate event create final …` completes it" in told.err


def test_a_gate_of_no_event_at_all_is_refused_with_the_same_words(system, capsys):
    assert main.main(["event", "pause", "final"]) == 1
    told = capsys.readouterr().err
    assert "There is no event final. `event list` shows what there is." in told
    assert "creation" not in told


def test_what_was_done_once_it_is_completed_stays(broken_off, chart, capsys, tmp_path):
    assert create(chart) == 0
    assert main.main(["event", "pause", "final"]) == 0
    assert create(chart) == 1
    assert gate_of(tmp_path, "final").state == "paused"
