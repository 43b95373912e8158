"""The benchmark of the command's help judges what it measured, and measures what ends well."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fairgate_lab.bench import help as bench


@pytest.mark.parametrize(("took_ms", "ends"), [(99.0, 0), (101.0, 1)])
def test_help_that_takes_longer_than_its_goal_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], took_ms: float, ends: int
) -> None:
    monkeypatch.setattr(bench, "took_ms", lambda *_: took_ms)
    assert bench.BENCHMARK.run(["--runs", "1"]) == ends
    said = capsys.readouterr().out
    assert ("BROKEN" in said) == bool(ends)
    assert [name for name in bench.COMMANDS if f"| {name} |" not in said] == []


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        bench.took_ms([sys.executable, "-c", "raise SystemExit(3)"])
    assert bench.took_ms([sys.executable, "-c", "pass"]) > 0


def test_each_command_is_run_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.BENCHMARK.run(["--runs", "1", "--goal-ms", "60000"]) == 0
    text = capsys.readouterr().out
    assert all(name in text for name in bench.COMMANDS)
