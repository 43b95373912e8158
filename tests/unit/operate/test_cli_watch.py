"""What is watched, as operators see it: each figure, its age, and what nobody knows."""

from __future__ import annotations

import argparse
import errno
import io
import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from fairgate.errors import DependencyUnavailableError
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.watch.figures import PARTS
from fairgate.service.watch.make_figures import FigureMaker
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main, streams, watch, watch_live
from fairgate_ops.operate.cli.watch_lines import UNKNOWN, text_lines
from fairgate_ops.operate.doctor.site import Answer, UnreachableError
from fairgate_ops.operate.watch import screen, source, sources
from fairgate_ops.operate.watch.alarm_book import PAGE, step_of, steps
from tests.support.waiting import patience_s
from tests.unit.operate.test_cli import chart, create, secret_file, system
from tests.unit.watch.test_figures import ask

__all__ = ["chart", "secret_file", "system"]  # fixtures


CREATION = ["--price-all", "45", "--sale-starts-in", "60", "--tau", "600", "--name", "Silent"]


@pytest.fixture(autouse=True)
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is: what can be known ends the wait at once."""
    monkeypatch.setattr(watch, "ONCE_S", 30.0)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up after a second, where nothing will ever be known."""
    monkeypatch.setattr(watch, "ONCE_S", 1.0)


@pytest.fixture
def site(system: Any, chart: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Any:
    """An event of which figures were made, and its routes at the real handler."""
    create(chart, "--live-max", "50")
    capsys.readouterr()
    sale = system.table.find(Event, event_key("final"))
    for one in (sale, system.event):
        FigureMaker(system.table, system.clock).make(one)

    def fetch(url: str, **how: Any) -> Answer:
        if "/api/operator/" not in url:
            body = {"as_of": "2027-01-15T07:59:57.000Z"}
            return Answer(200, json.dumps(body).encode(), {"x-fairgate-source": "table"})
        assert how["bearer"]
        status, body = ask(system, monkeypatch, ["operators"], url.rpartition("/")[2])
        return Answer(status, json.dumps(body).encode())

    monkeypatch.setattr("fairgate_ops.operate.cli.watch.fetch", fetch)
    return system


def nobody(url: str, **_: Any) -> Answer:
    raise UnreachableError(f"{url} does not answer")


def run(words: str) -> int:
    return main.main(words.split())


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_every_part_has_its_moment_age_and_error_when_watched_once(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("watch final --once --json") == 0
    document = said(capsys)
    assert set(document) == {
        *("at", "catalog", "events", "queues", "tasks", "alarms", "sign_in_keys"),
    }
    [event] = document["events"]
    assert set(event) == {"event", "name", "figures", *PARTS, "cache"}
    for name in (*PARTS, "cache", "figures"):
        assert {"at", "age_s", "error"} <= set(event[name]), name
        assert event[name]["error"] == ""
        assert 0 <= event[name]["age_s"] < 5
    assert event["figures"]["via"] == "route"
    assert event["gate"]["phase"] == "before the sale"
    assert event["room"]["live_max"] == 50
    assert event["cache"]["source"] == "table"
    assert document["sign_in_keys"]["signing"] == "1"
    assert document["tasks"]["open"] == 0


def test_all_that_is_not_closed_is_watched_when_nothing_is_named(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("watch --once --json") == 0
    assert sorted(e["event"] for e in said(capsys)["events"]) == ["final", "show"]


def test_the_table_is_read_when_the_route_is_away(
    site: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairgate_ops.operate.cli.watch.fetch", nobody)
    assert run("watch final --once --json") == 0
    [event] = said(capsys)["events"]
    assert event["figures"]["via"] == "table"
    assert "does not answer" in event["figures"]["route_error"]
    assert event["gate"]["phase"] == "before the sale"
    assert event["cache"]["at"] is None
    assert "does not answer" in event["cache"]["error"]


@pytest.mark.usefixtures("soon")
def test_figures_that_there_are_not_are_unknown_and_the_command_says_so(
    site: Any, chart: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main.main(["event", "create", "silent", *CREATION, "--publish", "--venue", chart])
    capsys.readouterr()
    assert run("watch silent --once --json") == 1
    document = said(capsys)
    [event] = document["events"]
    for name in PARTS:
        figures = {k: v for k, v in event[name].items() if k != "error"}
        assert set(figures.values()) == {None}, name
        assert "Nobody has made figures of this event yet" in event[name]["error"]
    assert run("watch silent --once") == 1
    text = capsys.readouterr().out
    assert "silent · ?" in text
    assert " 0 " not in text.partition("Around")[0]


def test_who_wrote_the_gate_last_is_not_said_to_have_set_the_pace(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rotation of its keys writes it as well."""
    run("keys rotate final --step add")
    FigureMaker(site.table, site.clock).make(site.table.find(Event, event_key("final")))
    capsys.readouterr()
    run("watch final --once")
    [line] = [one for one in capsys.readouterr().out.splitlines() if one.startswith("  Pace")]
    assert " · gate last written by " in line
    assert "keys add" in line


def test_an_act_says_of_a_text_that_it_was_empty(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run("event edit final --artist Ann --no-mail")
    FigureMaker(site.table, site.clock).make(site.table.find(Event, event_key("final")))
    capsys.readouterr()
    run("watch final --once")
    assert 'artist Ann, artist_was ""' in capsys.readouterr().out


def test_acts_that_are_old_say_so(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.clock.tick(60)
    run("watch final --once")
    [line] = [one for one in capsys.readouterr().out.splitlines() if one.startswith("  Acts")]
    assert "[1 min old]" in line


@pytest.mark.usefixtures("soon")
def test_a_name_that_is_no_events_is_refused(
    site: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("watch final nothing --once --json") == 1
    assert said(capsys)["error"]["detail"].startswith("There is no event nothing.")

    def away(*_: object) -> None:
        raise DependencyUnavailableError("The booking system is busy.", retry_after_s=2)

    monkeypatch.setattr(site.table, "find", away)  # then nobody knows, and that is shown
    assert run("watch nothing --once --json") == 1
    assert said(capsys)["events"][0]["figures"]["at"] is None


def test_a_source_that_stalls_holds_up_no_other(
    site: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    never = threading.Event()
    monkeypatch.setattr(sources, "read_tasks", lambda _target: never.wait(30))
    monkeypatch.setattr(watch, "ONCE_S", 0.5)
    assert run("watch final --once --json") == 0
    document = said(capsys)
    never.set()
    assert document["tasks"]["open"] is None
    assert document["tasks"]["error"] == "no answer yet"
    assert document["events"][0]["gate"]["error"] == ""


def test_a_source_keeps_what_it_read_with_its_age_when_it_fails() -> None:
    now, answers = [0.0], [{"open": 3}]

    def read() -> dict[str, int]:
        if not answers:
            raise UnreachableError("gone")
        return answers.pop()

    one = source.Source(read, {"open": None}, 10.0, lambda: 0, lambda: now[0])
    assert one.shown() == {"at": None, "age_s": None, "error": "", "open": None}
    for at_s in (0.0, 5.0, 15.0):  # the second is too soon
        now[0] = at_s
        one.ask()
        one.wait(at_s + 5)
    assert one.shown()["open"] == 3
    assert one.shown()["age_s"] == 15.0
    assert one.shown()["error"] == "no answer: gone"


def test_figures_of_a_part_that_is_old_are_shown_with_their_age(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    site.clock.tick(90)
    assert run("watch final --once") == 0
    text = capsys.readouterr().out
    assert "[1 min 30 s old]" in next(line for line in text.splitlines() if "Waiting" in line)
    assert "AWAY: maps come from the table" in text


@pytest.mark.parametrize("width", [80, 200])
def test_no_line_is_cut_at_a_terminal(
    site: Any, capsys: pytest.CaptureFixture[str], width: int
) -> None:
    options = main.parser(("watch",)).parse_args(["watch", "final", "--once"])
    reached = target.target_of(options)
    watched = screen.Watched(reached, nobody, "prod", ["final"])
    watched.wait(patience_s(1.0))
    document = watched.document()
    two = {**document, "events": [*document["events"], {**document["events"][0], "name": "Two"}]}
    console = Console(width=width, record=True, force_terminal=True, file=io.StringIO())
    console.print(watch_live.drawn(two, options, width))
    drawn = console.export_text()
    assert max(map(len, drawn.splitlines())) <= width
    words = "".join(drawn.split()).replace("│", "")
    for word in " ".join(text_lines(document, options)).split():
        assert word in words or word == "Around"


def test_an_alarm_that_is_up_is_shown_with_its_step(
    site: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import datetime as dt

    class CloudWatch:
        def get_paginator(self, name: str) -> Any:
            assert name == "describe_alarms"
            return self

        def paginate(self, **how: Any) -> Any:
            assert how["AlarmNamePrefix"] == "fairgate-prod-"
            moment = dt.datetime(2027, 1, 15, 8, tzinfo=dt.UTC)
            name = "fairgate-prod-ErrorsSweeper"
            return [{"MetricAlarms": [{"AlarmName": name, "StateUpdatedTimestamp": moment}]}]

    reached = target.target_of(argparse.Namespace())  # the fixture's
    in_aws = replace(reached, aws=lambda _service, _region: CloudWatch())
    monkeypatch.setattr(target, "target_of", lambda _options: in_aws)
    assert run("watch final --once") == 0
    assert "ErrorsSweeper: its log group" in capsys.readouterr().out


def test_the_runbook_has_a_step_for_every_alarm_that_its_page_names() -> None:
    assert step_of("DoubleBooking").startswith("`fairgate event pause EVENT`")
    assert step_of("QueueWaitingCritical") == step_of("QueueWaitingWarning")
    assert step_of("ThrottlesHolds") == steps()["Throttles…"]
    assert step_of("GateErrors-e1abcdefghijkl") == steps()["GateErrors"]
    assert step_of("NeverHeardOf") == "docs/alarms.md"
    assert len(steps()) > 30
    assert all(step for step in steps().values()), PAGE


def test_rich_is_imported_only_for_a_terminal(
    site: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("watch final --once") == 0
    assert UNKNOWN in capsys.readouterr().out  # alarms, which AWS alone has


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("event", ["a/b", "../x", "X y", ""])
def test_what_is_no_events_name_is_asked_for_nowhere(
    site: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, event: str
) -> None:
    asked: list[str] = []

    def fetch(url: str, **_: Any) -> Answer:
        asked.append(url)
        raise UnreachableError("nobody")

    monkeypatch.setattr("fairgate_ops.operate.cli.watch.fetch", fetch)
    assert main.main(["watch", event, "--once", "--json"]) == 1
    assert asked == []
    assert said(capsys)["error"]["code"] == "not-found"


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (BrokenPipeError(), 0, ""),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            1,
            "The answer could not be written: No space left on device.\n",
        ),
    ],
)
def test_it_ends_quietly_when_whoever_reads_has_seen_enough_and_says_when_a_disk_is_full(
    site: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: OSError,
    code: int,
    says: str,
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(streams, "_say_to_nobody", lambda: ended.append(1))

    def closed(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(watch, "print", closed, raising=False)
    assert run("watch final") == code
    assert capsys.readouterr().err == says
    assert ended == [1]
