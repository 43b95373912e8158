"""Progress on the command line: silent when quick, honest when slow."""

from __future__ import annotations

import io

import pytest
from rich.text import Text

from fairgate_ops.shared.progress import Progress, plain_progress, progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Seconds:
    now = 0.0

    def __call__(self):
        return self.now


def test_nothing_is_said_when_it_is_done_within_two_seconds():
    out, seconds = Terminal(), Seconds()
    with progress("Loading seats", 100, out=out, monotonic=seconds) as step:
        for _ in range(19):
            seconds.now += 0.1
            step(5)
    assert out.getvalue() == ""


def test_count_share_and_time_left_are_said_when_it_takes_longer():
    out, seconds = io.StringIO(), Seconds()
    with progress("Loading seats", 12_000, out=out, monotonic=seconds) as step:
        seconds.now = 3.0
        step(3_000)
        seconds.now = 4.0
        step(1_000)
        seconds.now = 12.0
        step(8_000)
    assert out.getvalue().splitlines() == [
        "Loading seats: 3,000 of 12,000 (25 %), about 9 s left, 3 s",
        "Loading seats: 12,000 of 12,000 (100 %), 12 s",
        "Loading seats: 12,000 of 12,000 (100 %), 12 s",
    ]


def test_a_bar_is_drawn_and_ended_when_it_is_a_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    out, seconds = Terminal(), Seconds()
    with progress("Reading", 8, out=out, monotonic=seconds) as step:
        for _ in range(4):
            seconds.now += 1
            step(2)
    text = Text.from_ansi(out.getvalue()).plain
    assert "Reading" in text
    assert "8/8" in text
    assert "0:00:04" in text
    assert out.getvalue().endswith("\x1b[?25h")  # the cursor is back


def test_steps_alone_are_counted_when_their_number_is_not_known(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    out, seconds = Terminal(), Seconds()
    with progress("Reading", out=out, monotonic=seconds) as step:
        seconds.now = 3
        step(1_234)
    assert "Reading 1,234 0:00:03" in Text.from_ansi(out.getvalue()).plain


def test_a_terminal_gets_lines_when_they_are_asked_for():
    out, seconds = Terminal(), Seconds()
    with plain_progress(), progress("Reading", out=out, monotonic=seconds) as step:
        seconds.now = 3
        step()
    assert out.getvalue().splitlines() == ["Reading: 1, 3 s"] * 2


def test_the_error_passes_through_when_the_work_fails():
    seconds, out = Seconds(), io.StringIO()

    def work():
        with progress("Reading", out=out, monotonic=seconds) as step:
            seconds.now = 9
            step()
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        work()
    assert out.getvalue().startswith("Reading: 1, 9 s")


def test_a_way_to_show_progress_that_shows_nothing_cannot_be_made():
    class Silent(Progress):
        def finish(self):
            pass

    with pytest.raises(TypeError, match="_show"):
        Silent("Loading seats", 1, io.StringIO(), Seconds())  # type: ignore[abstract]
