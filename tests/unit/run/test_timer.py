"""The clock of one machine calls as AWS does: each call knows its place in the minute."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fairgate_ops.run.local.worker import MINUTE_S, PERIODS_S, Timer

CALLS = 8


def called(name: str, period_s: float, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return what a function saw in its first calls, of which each fails, without waiting."""
    seen: list[dict[str, Any]] = []
    enough = threading.Event()

    def handler(event: dict[str, Any], _context: object) -> None:
        seen.append(event)
        if len(seen) >= CALLS:
            enough.set()
        raise ValueError

    timer = Timer(name, handler, period_s)
    monkeypatch.setattr(timer, "_stopping", enough)
    monkeypatch.setattr(enough, "wait", lambda _period_s: enough.is_set())
    timer.run()
    return seen


def test_the_controllers_calls_of_a_minute_are_numbered(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seen = called("controller", PERIODS_S["controller"], monkeypatch)
    assert [event["beat"] for event in seen] == [0, 1, 2, 3, 4, 5, 0, 1]
    assert capfd.readouterr().err.count("Traceback") == CALLS


def test_a_call_of_each_minute_is_the_first_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {event["beat"] for event in called("sweeper", MINUTE_S, monkeypatch)} == {0}
    assert {event["beat"] for event in called("reconcile", 3_600.0, monkeypatch)} == {0}
