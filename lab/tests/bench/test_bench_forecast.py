"""The benchmark of the forecast shows each sale, and fails above its goals."""

from __future__ import annotations

import pytest

from fairgate_lab.bench import forecast as bench


@pytest.mark.parametrize(("goal_mb", "ends"), [("100000", 0), ("1", 1)])
def test_each_sale_is_shown_and_the_goal_is_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], goal_mb: str, ends: int
) -> None:
    (name, *_others) = bench.SALES
    monkeypatch.setattr(bench, "SALES", {name: bench.SALES[name]})
    words = ["--buyers", "1000", "--goal-s", "6000", "--goal-mb", goal_mb]
    assert bench.BENCHMARK.run(words) == ends
    said = capsys.readouterr().out
    assert f"| {name} |" in said
    assert ("BROKEN" in said) == bool(ends)
