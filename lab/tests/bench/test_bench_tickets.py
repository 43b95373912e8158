"""The tickets' benchmark measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from pathlib import Path

from fairgate_lab.bench import tickets


def test_every_part_is_drawn_and_shown() -> None:
    (part,) = tickets.BENCHMARK.measure(tickets.BENCHMARK.read(["--rounds", "1"]), Path())
    assert {row[0]: row[2] != "" for row in part.rows} == {
        "code made and signed": False,
        tickets.CHOSEN: False,
        tickets.GIVEN: False,
        "SVG": True,
        "PNG": True,
        tickets.PDF: True,
        **{f"first PDF of a process, {script}": True for script in tickets.LABELS},
    }
