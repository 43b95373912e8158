"""The demonstration venue: exactly the seats asked for, of every kind, the same each time."""

from __future__ import annotations

import itertools
import math

import pytest

from fairgate.domain.seating.parse_venue import SECTION_SEATS_MAX
from fairgate_ops.operate.importers.demo import demo_venue


@pytest.mark.parametrize("seats", [80, 81, 200, 600, 5_000, 12_000])
def test_demo_venue_has_exactly_the_seats_asked_for(seats):
    venue = demo_venue(seats)
    assert venue.seat_count() == seats
    assert venue.areas[0].capacity == max(10, seats // 15)


def test_demo_venue_is_the_same_when_its_arguments_are():
    assert demo_venue(300, seed=4) == demo_venue(300, seed=4)
    assert demo_venue(3_000, seed=4) != demo_venue(3_000, seed=5)


def test_default_demo_venue_has_every_kind_of_place():
    venue = demo_venue()
    assert venue.unit_count() == 12_800
    seats = [seat for section in venue.sections for seat in section.seats()]
    assert {seat.kind for seat in seats} == {"standard", "accessible", "companion"}
    assert {seat.tier for seat in seats} | {venue.areas[0].tier} == {t.id for t in venue.tiers}
    assert any(seat.restricted_view for seat in seats)
    assert {section.zone for section in venue.sections} == {"lower", "upper"}
    assert max(sum(1 for _ in s.seats()) for s in venue.sections) <= SECTION_SEATS_MAX


def test_every_accessible_seat_has_a_companion_beside_it():
    for section in demo_venue(600).sections:
        for _, row in section.rows():
            kinds = [seat.kind for seat in row.seats]
            for position, kind in enumerate(kinds):
                if kind == "accessible":
                    assert "companion" in kinds[max(0, position - 1) : position + 2]


@pytest.mark.parametrize("seats", [200, 12_000])
def test_no_two_seats_of_the_demo_venue_overlap(seats):
    cells: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for section in demo_venue(seats).sections:
        for seat in section.seats():
            cells.setdefault((int(seat.x // 20), int(seat.y // 20)), []).append((seat.x, seat.y))
    for (column, row), points in cells.items():
        around = [
            point
            for dx, dy in itertools.product((-1, 0, 1), repeat=2)
            for point in cells.get((column + dx, row + dy), ())
        ]
        for point in points:
            assert sum(math.dist(point, other) < 16 for other in around) == 1


@pytest.mark.parametrize("seats", [0, 79, 120_000])
def test_demo_venue_is_refused_when_the_size_is_out_of_range(seats):
    with pytest.raises(ValueError, match="80 seats or more"):
        demo_venue(seats)
