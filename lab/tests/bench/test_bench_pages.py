"""The benchmark of the first page opens sources and bundle, and says which goals are missed."""

from __future__ import annotations

import pytest

from fairgate_lab.bench import pages as bench
from tests.e2e import browser
from tests.support import pages_build


@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
@pytest.mark.skipif(bool(pages_build.missing()), reason=pages_build.missing() or "")
def test_both_pages_are_opened_and_a_missed_goal_ends_with_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if reason := browser.driver_fault():
        pytest.skip(reason)
    assert bench.BENCHMARK.run(["--rounds", "1", "--requests", "0", "--lcp-s", "60"]) == 1
    said = capsys.readouterr().out
    assert "BROKEN  at most 0 requests" in said
    assert bench.SOURCES in said
    assert bench.BUNDLE in said
