"""The benchmark of imports compares two checkouts. Its times are for people, not for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairgate_lab.bench import imports
from fairgate_ops.shared.paths import ROOT


def figures(cpu_ms: float) -> dict[str, list[dict[str, float]]]:
    seen = [{"ms": 2 * cpu_ms, "cpu_ms": cpu_ms + n / 100, "mb": 30.0} for n in range(7)]
    return {"holds": seen, "gates": [{"ms": 5.0, "cpu_ms": 5.0 + n, "mb": 30.0} for n in range(7)]}


def test_a_slower_function_is_named_and_one_in_the_noise_is_not(tmp_path: Path) -> None:
    judged = imports.compared(figures(100.0), figures(150.0), tmp_path)
    assert "1.50x slower" in next(line for line in judged.splitlines() if "| holds" in line)
    assert "not significant" in judged


def test_each_checkout_is_measured_when_two_are_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "functions" / "catalog"
    other.mkdir(parents=True)
    (other / "handler.py").write_text("x = sum(range(100_000))\n")
    words = ["--runs", "2", "--against", str(tmp_path), "--function", "catalog"]
    assert imports.BENCHMARK.run(words) == 0
    shown = capsys.readouterr().out
    assert shown.count("| catalog |") >= 2
    assert "faster" in shown or "slower" in shown or "not significant" in shown
    assert imports.imported_by("catalog")["ms"] > imports.imported_by("catalog", tmp_path)["ms"]
    assert "catalog" in imports.functions(ROOT)


@pytest.mark.parametrize("words", [["--against", "nowhere"], ["--function", "nothing"]])
def test_where_nothing_can_be_measured_it_says_so(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert imports.BENCHMARK.run(words) == 1
    assert "no function to measure" in capsys.readouterr().err
