"""The tickets' benchmark measures what it says. Its times are for people, not for tests."""

from __future__ import annotations

from fairgate_lab.bench import tickets as bench


def test_every_part_is_drawn_and_shown() -> None:
    parts = bench.measure(1)
    assert {part.name: part.size > 0 for part in parts} == {
        "code made and signed": False,
        bench.CHOSEN: False,
        bench.GIVEN: False,
        "SVG": True,
        "PNG": True,
        bench.PDF: True,
    }
    assert all(0 < part.cpu_ms.least <= part.cpu_ms.median for part in parts)
    table = bench.shown(parts)
    assert [part.name for part in parts if f"| {part.name} |" not in table] == []
