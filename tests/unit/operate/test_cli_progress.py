"""Progress on the command line: silent when quick, honest when slow."""

from __future__ import annotations

import io

import pytest

from fairgate_ops.shared.progress import progress


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


def test_one_line_is_redrawn_and_ended_when_it_is_a_terminal():
    out, seconds = Terminal(), Seconds()
    with progress("Reading", out=out, monotonic=seconds) as step:
        for _ in range(4):
            seconds.now += 1
            step()
    assert out.getvalue().count("\n") == 1
    assert out.getvalue().count("\r") == 4


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
