"""The benchmark of the seat map measures each renderer, and says which goals are missed."""

from __future__ import annotations

import pytest

from fairgate_lab.bench.seat_map import benchmark as bench
from tests.e2e import browser

SMALL = ("--seats", "300", "--runs", "1", "--changes", "20")


@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
def test_both_renderers_are_measured_and_a_missed_goal_ends_with_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if reason := browser.driver_fault():
        pytest.skip(reason)
    assert bench.BENCHMARK.run([*SMALL, "--first-ms", "0"]) == 1
    said = capsys.readouterr().out
    assert "300 seats, checked and drawn for the console" in said
    for renderer in ("webgl2", "canvas"):
        assert f"300 seats, {renderer}: processor ms of the main thread" in said
    assert "BROKEN  first picture above 0 ms" in said
    assert "20 changes and the frame that shows them" in said
