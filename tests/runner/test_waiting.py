"""A wait ends when it comes true, and its deadline grows with the load of the machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support import waiting

CORES = os.cpu_count() or 1


def loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, average: float, running: int) -> None:
    (tmp_path / "loadavg").write_text(f"{average} 0 0 {running + 1}/90 7\n")
    monkeypatch.setattr(waiting, "_LOAD", tmp_path / "loadavg")
    monkeypatch.setattr(os, "getloadavg", lambda: (average, 0.0, 0.0))


@pytest.mark.parametrize(
    ("average", "running", "waited_s"),
    [(0.0, 1, 3.0), (4.0 * CORES, 1, 12.0), (0.0, 4 * CORES, 12.0), (99.0 * CORES, 1, 30.0)],
)
def test_a_busy_machine_gets_more_time_up_to_a_bound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, average: float, running: int, waited_s: float
) -> None:
    loaded(monkeypatch, tmp_path, average, running)
    assert waiting.patience_s(3.0) == waited_s


def test_a_deadline_moves_when_the_machine_becomes_busy_meanwhile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks: list[int] = []

    def at_the_fifth_look() -> bool:
        looks.append(1)
        loaded(monkeypatch, tmp_path, 99.0 * CORES, 1)
        return len(looks) == 5

    loaded(monkeypatch, tmp_path, 0.0, 1)
    assert waiting.eventually(at_the_fifth_look, within_s=0.03)


def test_what_never_comes_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loaded(monkeypatch, tmp_path, 0.0, 1)
    with pytest.raises(AssertionError, match="the second seat: not within"):
        waiting.wait_until(lambda: False, "the second seat", within_s=0.05)
