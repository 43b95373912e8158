"""The harness of every command that changes something: ask, do, log, report; or a dry run."""

from __future__ import annotations

import argparse
import io
from typing import Any

import pytest

from fairgate.errors import (
    DependencyUnavailableError,
    FairgateError,
    TooManyRequestsError,
    VersionConflictError,
    WrongStateError,
)
from fairgate_ops.operate import target
from fairgate_ops.operate.cli import main
from fairgate_ops.operate.cli.act import DRY_RUN, Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.report import Report
from tests.unit.operate.test_cli import chart, create, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

ENDS = "Ends it for good."


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


class Command:
    """A command with every step, which notes what happens in which order."""

    def __init__(self) -> None:
        self.events, self.steps = ["final"], list[str]()
        self.refused: Exception | None = None
        self.refused_once: Exception | None = None
        self.missing: dict[str, str] = {}

    def run(self, *switches: str, **options: Any) -> Report:
        given = {"dry_run": False, "json": False, "yes": False, "reason": "why"} | options
        given |= dict.fromkeys(switches, True)
        report = at_target(lambda _options, _target: self._act())(argparse.Namespace(**given))
        assert isinstance(report, Report)
        return report

    def _act(self) -> Act[str]:
        return Act(
            name="end",
            events=self.events,
            detail={"what": "it"},
            ends=[ENDS],
            do=lambda: self._step("did"),
            would=lambda: Report({"would": self._step("tried")}, ["would"]),
            report=lambda done: Report({"done": done}, [done]),
            not_done=lambda _done: self.missing,
        )

    def _step(self, name: str) -> str:
        self.steps.append(name)
        once, self.refused_once = self.refused_once, None
        if once:
            raise once
        if self.refused:
            raise self.refused
        return name


@pytest.fixture
def command(system: Any, chart: str) -> Command:
    create(chart)
    return Command()


def logged() -> list[tuple[str, str, dict[str, Any]]]:
    entries = target.target_of(argparse.Namespace()).acts().log_of("final").read()
    return [(e.act, e.phase, dict(e.detail)) for e in entries if e.act == "end"]


def test_a_dry_run_tries_and_says_so_and_neither_asks_nor_does_nor_logs(command: Command) -> None:
    report = command.run("dry_run")
    assert report == Report({"would": "tried", "dry_run": True}, [DRY_RUN, "would"])
    assert command.steps == ["tried"]
    assert logged() == []


@pytest.mark.parametrize("answer", ["n\n", "", "yess\n"])
def test_nothing_is_done_without_a_yes(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(WrongStateError, match="Nothing was changed"):
        command.run()
    assert f"{ENDS}\nDo it? [y/N] " in capsys.readouterr().err
    assert ("did" in command.steps, logged()) == (False, [])


@pytest.mark.parametrize("switches", [[], ["json"]])
def test_nobody_is_asked_who_is_not_there(
    command: Command, monkeypatch: pytest.MonkeyPatch, switches: list[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\n") if switches else io.StringIO("y\n"))
    with pytest.raises(WrongStateError, match=f"{ENDS} Confirm with --yes"):
        command.run(*switches)
    assert logged() == []


def test_it_is_logged_before_it_is_done_and_after(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert command.run() == Report({"done": "did", "dry_run": False}, ["did"])
    detail = {"what": "it", "reason": "why"}
    assert logged() == [("end", "asked", detail), ("end", "done", detail)]


def test_what_is_missing_stands_in_the_log(command: Command) -> None:
    command.missing = {"one step": "no quota"}
    command.run("yes")
    assert [(phase, detail.get("not_done")) for _, phase, detail in logged()] == [
        ("asked", None),
        ("incomplete", {"one step": "no quota"}),
    ]


def test_what_is_refused_anyway_is_not_asked_about_and_stands_in_the_log(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    command.refused = WrongStateError("over")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(WrongStateError, match="over"):
        command.run()
    assert [phase for _, phase, _ in logged()] == ["asked", "refused"]


@pytest.mark.parametrize(
    "busy", [DependencyUnavailableError, TooManyRequestsError, VersionConflictError]
)
def test_what_is_busy_for_a_moment_is_not_done_unasked(
    command: Command, busy: type[FairgateError], monkeypatch: pytest.MonkeyPatch
) -> None:
    command.refused_once = busy("gone for a moment")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(busy):
        command.run()
    assert (command.steps, logged()) == (["tried"], [])


def test_what_may_have_happened_stays_as_asked(command: Command) -> None:
    command.refused = DependencyUnavailableError("gone")
    with pytest.raises(DependencyUnavailableError):
        command.run("yes")
    assert [phase for _, phase, _ in logged()] == ["asked"]


def test_what_concerns_several_events_stands_in_the_log_of_each(
    command: Command, chart: str
) -> None:
    words = f"event create other --venue {chart} --price-all 45 --sale-starts-in 60 --name Other"
    assert main.main(words.split()) == 0
    command.events = ["final", "other"]
    command.run("yes")
    log = target.target_of(argparse.Namespace()).acts().log_of("other").read()
    assert [e.phase for e in log if e.act == "end"] == [p for _, p, _ in logged()]
    assert command.steps == ["did"]


def test_a_file_is_written_without_a_log(command: Command) -> None:
    command.events = []
    command.run("yes")
    assert (command.steps, logged()) == (["did"], [])
