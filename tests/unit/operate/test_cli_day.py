"""What a day's commands say: true states, what cannot be taken back, times, one page an event."""

from __future__ import annotations

import io

import pytest

from fairgate.domain.gate.gate_phase import GatePhase, phase_of
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.keys import live_key
from fairgate.service.shared.records.sessions import LiveCounter
from fairgate_ops.operate.cli import main
from tests.support.world import START_MS
from tests.unit.operate.test_cli import chart, create, gate_of, said, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures


class Terminal(io.StringIO):
    """Standard input at which somebody sits."""

    def isatty(self) -> bool:
        return True


def run(words: str) -> int:
    return main.main(words.split())


@pytest.mark.parametrize(
    ("state", "now_s", "full", "phase"),
    [
        ("open", 9, False, GatePhase("before the sale", 10)),
        ("draining", 9, True, GatePhase("before the sale", 10)),
        ("open", 10, False, GatePhase("draw suspended", 20)),
        ("open", 10, True, GatePhase("at capacity")),
        ("draining", 19, False, GatePhase("draw suspended", 20)),
        ("open", 20, False, GatePhase("admitting")),
        ("draining", 20, False, GatePhase("draining")),
        ("draining", 20, True, GatePhase("at capacity")),
        ("paused", 9, True, GatePhase("paused")),
        ("soldout", 15, True, GatePhase("sold out")),
        ("closed", 15, False, GatePhase("closed")),
    ],
)
def test_a_phase_is_what_decides_who_comes_in_next(state, now_s, full, phase):
    assert phase_of(state, 10, 20, now_s, is_full=full) == phase


def test_a_suspended_draw_is_shown_wherever_the_state_is(system, chart, capsys):
    create(chart)
    system.clock.tick(120)
    assert run("event open-until final --minutes 15") == 0
    capsys.readouterr()
    until = "2027-01-15T08:17:00Z"
    assert run("tau get final") == 0
    assert f"final: draw suspended, until {until} · τ 600 s" in capsys.readouterr().out
    assert run("event list") == 0
    assert f"draw suspended, until {until}" in capsys.readouterr().out
    assert run("event show final") == 0
    assert f"draw suspended, until {until}" in capsys.readouterr().out
    for command in ("tau get final", "event show final"):
        run(f"{command} --json")
        shown = said(capsys)
        assert (shown["phase"], shown["phase_until"]) == (
            "draw suspended",
            "2027-01-15T08:17:00.000Z",
        )


def test_reached_capacity_is_shown_wherever_the_state_is(system, chart, capsys):
    create(chart, "--live-max", "1")
    system.clock.tick(120)
    bucket = live_bucket(rfc3339(START_MS + 900_000), "a")
    system.put(LiveCounter(*live_key("final", bucket), live=1))
    capsys.readouterr()
    for command in ("tau get final", "event list", "event show final"):
        assert run(command) == 0
        assert "at capacity" in capsys.readouterr().out, command


def test_nobody_is_let_in_before_the_sale_start_by_a_suspended_draw(
    system, chart, tmp_path, capsys
):
    create(chart)
    assert run("event open-until final --minutes 15") == 1
    assert "before it" in capsys.readouterr().err
    assert gate_of(tmp_path, "final").open_until_s == 0
    assert run("event open-until final --off") == 0


def test_what_is_ended_is_counted_before_it_is(system, chart, capsys):
    create(chart)
    bucket = live_bucket(rfc3339(START_MS + 900_000), "a")
    system.put(LiveCounter(*live_key("final", bucket), live=412))
    capsys.readouterr()
    run("event close final --dry-run")
    assert "Closes final for good: 412 of 5,000 live, about 0 waiting." in capsys.readouterr().out


@pytest.mark.parametrize("when", ["--sale-starts-at 2027-01-15T07:59:59Z", "--sale-starts-in -1"])
def test_a_sale_start_in_the_past_is_refused(system, chart, tmp_path, capsys, when):
    words = f"event create past --venue {chart} --name Past --price-all 45 {when}"
    assert run(words) == 1
    assert "Give a time to come" in capsys.readouterr().err
    assert run(f"{words} --dry-run") == 1
    assert not (tmp_path / "kvs" / "e%3Apast").exists()


@pytest.mark.parametrize("when", ["nan", "inf", "-inf", "1e300", "200000000", "soon"])
def test_a_sale_start_in_no_time_is_wrong_usage(chart, capsys, when):
    with pytest.raises(SystemExit) as ended:
        run(f"event create x --venue {chart} --name X --price-all 45 --sale-starts-in={when}")
    assert ended.value.code == 2
    assert "is not up to 100,000,000 seconds" in capsys.readouterr().err


CREATE = "event create x --venue CHART --name X --price-all 45"


@pytest.mark.parametrize(
    "words",
    [
        f"{CREATE} --sale-starts-at TIME",
        f"{CREATE} --sale-starts-in 9 --cancel-until TIME",
        "event edit final --starts-at TIME --time-zone UTC",
        "event edit final --cancel-until TIME",
        "event open final --at TIME",
        "tau plan final 9 --at TIME",
        "draw announce final --source x --at TIME --yes",
    ],
)
@pytest.mark.parametrize("time", ["9999-12-31T23:59:59.9999Z", "0001-01-01T00:00:00+14:00"])
def test_a_year_that_there_is_not_is_refused(system, chart, capsys, words, time):
    create(chart)
    capsys.readouterr()
    assert run(words.replace("CHART", chart).replace("TIME", time)) == 1
    assert "date with a time" in capsys.readouterr().err


def test_the_last_day_is_shown_where_it_has_ended_already(system, chart, capsys):
    last = "9999-12-31T23:59:59Z"
    assert create(chart, "--cancel-until", last) == 0
    for zone in ("Asia/Tokyo", "America/New_York"):
        capsys.readouterr()
        assert run(f"event show final --tz {zone}") == 0
        assert f"until {last}" in capsys.readouterr().out


def test_a_dry_run_shows_the_whole_event_on_a_page(system, chart, capsys):
    assert create(chart, "--dry-run", "--fee-ticket", "1.50", "--tz", "Asia/Tokyo") == 0
    lines = capsys.readouterr().out
    for text in (
        "2027-01-15T08:01:00Z (17:01:00 JST), in 1 min",
        "half of the buyers who wait at the sale start are in after 6 min 56 s, 95% after",
        "45.00 EUR",
        "1.50 EUR a ticket",
        "5,000 shop at once",
        "10 places in a hold; an account 10 places and 1 session at once",
        "10 min to choose, 7 min to pay",
        "8 seats and 30 places of general admission",
        "sign-ins by 1",
        "commitment ",
    ):
        assert text in lines, text


def test_what_is_shown_of_an_event_is_what_its_dry_run_promised(system, chart, capsys):
    create(chart, "--dry-run")
    promised = capsys.readouterr().out.splitlines()
    create(chart)
    capsys.readouterr()
    run("event show final")
    shown = capsys.readouterr().out.splitlines()
    same = {line for line in promised if line.startswith("  ") and "commitment" not in line}
    keys = {line for line in same if line.strip().startswith("Keys")}
    assert len(same) > 10
    assert same - keys <= set(shown)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--price-all 45,00", "write 45 or 45.00"),
        ("--price floor=45EUR", "write 45 or 45.00"),
        ("--price-all 45 --currency EURO", "no currency in use"),
        ("--price-all 45 --currency DEM", "no currency in use"),
        ("--price-all 45 --currency XXX", "no currency in use"),
        ("--price-all 45 --tz Atlantis", "no time zone"),
    ],
)
def test_amounts_currencies_and_zones_are_checked_as_they_are_typed(capsys, words, text):
    with pytest.raises(SystemExit) as caught:
        run(f"event create final --venue x --name y --sale-starts-in 5 {words}")
    assert caught.value.code == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize("command", ["event show final", "tau get final"])
def test_an_event_is_shown_from_one_reading_of_its_gate(
    system, chart, capsys, monkeypatch, command
):
    create(chart, "--live-max", "5")
    read, find = [], type(system.table).find

    def counted(table, kind, key):
        read.append(kind.__name__)
        return find(table, kind, key)

    monkeypatch.setattr(type(system.table), "find", counted)
    assert run(command) == 0
    assert read.count("GateValueRecord") == 1


def test_a_pace_that_is_kept_is_said_in_words(system, chart, capsys):
    create(chart)
    capsys.readouterr()
    assert run("event pause final") == 0
    assert "\n  kept  for who resumes  τ 600 s\n" in capsys.readouterr().out
