"""The benchmark of ``--help`` runs the real command, and fails where it is too slow."""

from __future__ import annotations

import subprocess

import pytest

from fairgate_ops.prove.bench import help as bench


def test_each_command_is_run_and_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "GOAL_MS", 60_000.0)
    assert bench.main(["--runs", "1"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in bench.COMMANDS)


@pytest.mark.parametrize(("took_ms", "status"), [(99.0, 0), (101.0, 1)])
def test_it_fails_above_the_goal(
    monkeypatch: pytest.MonkeyPatch, took_ms: float, status: int
) -> None:
    monkeypatch.setattr(bench, "took_ms", lambda *_: took_ms)
    assert bench.main(["--runs", "1"]) == status


def test_a_command_that_fails_is_no_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [*bench.COMMANDS["fairgate --help"][:-1], "--no-such-thing"]
    monkeypatch.setitem(bench.COMMANDS, "fairgate --help", broken)
    with pytest.raises(subprocess.CalledProcessError):
        bench.main(["--runs", "1"])
