"""What cannot be taken back asks first, and says what it does; what is refused anyway asks not."""

from __future__ import annotations

import io
import shlex

import pytest

from fairgate_ops.operate.cli import main
from tests.unit.operate.test_cli import chart, create, gate_of, secret_file, system

__all__ = ["chart", "secret_file", "system"]  # fixtures

ANNOUNCE = 'draw announce final --source "drand 12" --at 2027-01-15T08:00:30Z'
ACTS = {
    ANNOUNCE: "Binds the draw of final to “drand 12” of 2027-01-15T08:00:30.000Z for good",
    "draw beacon final --value 9f86d081": "with “9f86d081” for good: compare it with “drand 12”",
    "draw reveal final": "Closes the sale for good: seats that come back are not sold again.",
    "event close final": "Closes final for good: 0 of 5,000 live, about 0 waiting.",
    "event open final": "Starts the sale of final in 1 s and not at 2027-01-15T08:01:00Z",
}


class Terminal(io.StringIO):
    """Somebody who types."""

    def isatty(self) -> bool:
        return True


def run(command: str) -> int:
    return main.main(shlex.split(command))


@pytest.mark.parametrize("command", ACTS)
def test_it_says_what_it_ends_and_asks_no_more_once_it_is_done(
    system, chart, capsys, monkeypatch, command
):
    create(chart)
    if command.startswith("draw beacon"):
        run(f"{ANNOUNCE} --yes")
        system.clock.tick(31)
    if command == "draw reveal final":
        run("event close final --sold-out")
    capsys.readouterr()
    assert run(command) == 1  # nobody sits there
    assert ACTS[command] in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert run(command) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(command) == (1 if command == "event open final" else 0)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ('draw announce final --source "drand 12" --at 2027-01-15T07:00:00Z', "moment is past"),
        ("draw beacon final --value 9f86d081", "No beacon is announced"),
        ("event open final", "started at"),
        ("event open nothing", "no event nothing"),
        ("draw reveal final", "event close"),
    ],
)
def test_what_is_refused_anyway_asks_not_and_stands_in_the_log(
    system, chart, capsys, monkeypatch, command, why
):
    create(chart)
    if command == "event open final":
        system.clock.tick(61)
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    capsys.readouterr()
    assert run(command) == 1
    said = capsys.readouterr().err
    assert why in said
    assert "Do it?" not in said
    run("event log final")
    assert ("refused" in capsys.readouterr().out) == ("final" in command)


@pytest.mark.parametrize("switches", ["", " --dry-run"])
def test_a_sale_start_that_ends_a_pause_says_so(system, chart, tmp_path, capsys, switches):
    create(chart)
    words = "event open final --at 2027-01-15T09:00:00Z"
    assert run(words + " --dry-run") == 0
    assert run("event pause final") == 0
    assert "no longer paused" not in capsys.readouterr().out
    assert run(words + switches) == 0
    says = "final: the sale starts at 2027-01-15T09:00:00Z. It is no longer paused.\n"
    assert says in capsys.readouterr().out
    assert gate_of(tmp_path, "final").state == ("paused" if switches else "open")


def test_a_sale_start_at_a_time_is_not_asked_about(system, chart, tmp_path):
    """As long as they are closed they can be moved again."""
    create(chart)
    assert run("event open final --at 2027-01-15T09:00:00Z") == 0
    assert gate_of(tmp_path, "final").sale_start_s % 3600 == 0
