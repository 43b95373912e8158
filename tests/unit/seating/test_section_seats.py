"""Rows are split into benches at their aisles, short rows too."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairgate.domain.seating.layout import split_layout
from fairgate.domain.seating.section_seats import WIDE_ROW_GAPS, SectionSeats
from fairgate_ops.operate.importers.seatsio import import_seatsio
from tests.support.charts import chart, shared_chart

LONG = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


def section_of(*rows: Sequence[float]) -> SectionSeats:
    return SectionSeats.from_layout(document_of(*rows))


def document_of(*rows: Sequence[float]) -> dict[str, Any]:
    seats = [
        [{"id": f"{n}-{x:g}", "tier": "t", "x": x, "y": float(n)} for x in xs]
        for n, xs in enumerate(rows)
    ]
    return {"section": "S", "blocks": [{"rows": [{"seats": row} for row in seats]}]}


def lengths(section: SectionSeats, row: int = 0) -> list[int]:
    return [len(bench.ids) for bench in section.benches if bench.row == row]


@pytest.mark.parametrize(
    ("xs", "benches"),
    [([0, 1, 6], [2, 1]), ([0, 1, 7, 8, 14], [2, 2, 1]), ([0, 6], [1, 1])],
)
def test_an_aisle_is_seen_when_half_of_a_short_rows_gaps_are_aisles(
    xs: list[float], benches: list[int]
) -> None:
    section = section_of(xs, LONG)
    assert lengths(section) == benches
    assert lengths(section, 1) == [len(LONG)]


@pytest.mark.parametrize(
    ("xs", "benches"), [([0, 1, 6], [2, 1]), ([0, 1, 7, 8, 14], [2, 2, 1]), ([0, 6], [2])]
)
def test_a_row_tells_by_itself_where_its_section_has_no_other(
    xs: list[float], benches: list[int]
) -> None:
    assert lengths(section_of(xs)) == benches  # of two seats alone nobody can tell


@pytest.mark.parametrize("xs", [[0, 6, 7, 13], [0, 6, 12, 13, 19, 25], [0, 6, 12]])
def test_the_sections_spacing_tells_where_most_of_a_rows_gaps_are_aisles(xs: list[float]) -> None:
    benches = [bench for bench in section_of(xs, LONG).benches if bench.row == 0]
    assert all(b - a == 1 for bench in benches for a, b in itertools.pairwise(bench.xs))
    assert {bench.spacing for bench in benches} == {1.0}


def test_a_long_row_of_seats_set_wide_apart_is_one_bench() -> None:
    wide = [2.5 * seat for seat in range(WIDE_ROW_GAPS + 1)]
    section = section_of(wide, LONG, LONG)
    assert lengths(section) == [len(wide)]
    assert section.benches[0].spacing == 2.5


def test_a_single_seat_has_its_sections_spacing() -> None:
    assert section_of([3.0], [0.0, 2.0, 4.0]).benches[0].spacing == 2.0


ROWS = st.lists(
    st.lists(st.integers(1, 6), min_size=1, max_size=5),  # seats of each part, an aisle between
    min_size=1,
    max_size=4,
)


@given(parts=ROWS, spacing=st.sampled_from([0.5, 1.0, 20.0]), aisle=st.floats(2.0, 12.0))
def test_no_bench_lies_across_an_aisle_and_none_is_cut(
    parts: list[list[int]], spacing: float, aisle: float
) -> None:
    """Whatever the rows, where one row tells the spacing of its section."""
    rows = []
    for row in parts:
        x, xs = 0.0, []
        for part in row:
            xs += [x + spacing * seat for seat in range(part)]
            x = xs[-1] + spacing * aisle
        rows.append(xs)
    seats = sum(map(sum, parts))
    section = section_of([spacing * seat for seat in range(2 * seats + 2)], *rows)
    for number, row in enumerate(parts, start=1):
        if len(row) > WIDE_ROW_GAPS and set(row) == {1}:
            continue  # seats alone, as far apart as aisles: believed to be set wide apart
        assert lengths(section, number) == row


def test_a_chart_of_two_rooms_is_split_where_two_seats_of_a_row_are_apart() -> None:
    documents = {
        d["section"]: d for d in _sections(import_seatsio(chart("two-rooms.seatsio.json")))
    }
    assert lengths(SectionSeats.from_layout(documents["Two-rooms"]), 1) == [1, 1]


@pytest.mark.parametrize(
    ("name", "seats"), [("race-track.seatsio.json", 8_897), ("small-theatre.seatsio.json", 32)]
)
def test_no_bench_of_a_real_chart_has_a_gap_wider_than_its_neighbours(
    name: str, seats: int
) -> None:
    document = json.loads(shared_chart(name).read_text())
    sections = [SectionSeats.from_layout(d) for d in _sections(import_seatsio(document))]
    assert sum(section.seats for section in sections) == seats
    for bench in (bench for section in sections for bench in section.benches):
        places = list(zip(bench.xs, bench.ys, strict=True))
        gaps = [
            ((c - a) ** 2 + (d - b) ** 2) ** 0.5 for (a, b), (c, d) in itertools.pairwise(places)
        ]
        assert all(gap <= 2 * min(gaps) for gap in gaps)


def _sections(venue: Any) -> list[dict[str, Any]]:
    files = split_layout(venue).files
    return [json.loads(body) for name, body in files.items() if name.startswith("sections/")]
