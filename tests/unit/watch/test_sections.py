"""The counts of each section and area, for a map with heat."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.table import Update
from fairgate.service.shared.keys import area_key, figures_memory_key, seat_key
from fairgate.service.watch import count_seats, sections
from fairgate.service.watch.make_figures import FigureMaker, Memory
from fairgate.service.watch.read_figures import SECTIONS_MS, SectionReader
from fairgate.service.watch.sections import SECTIONS_MAX, SectionCounts
from tests.support.world import EVENT, START_MS, World


@pytest.fixture
def sale(world: World) -> World:
    world.event = msgspec.structs.replace(world.event, counted=True)
    world.put(world.event)
    return world


def make(world: World) -> Any:
    return FigureMaker(world.table, world.clock).make(world.event)


def read(world: World) -> Any:
    return SectionReader(world.table, world.clock).read(EVENT)


def set_seat(world: World, number: int, **what: str) -> None:
    world.table.update(Update("seats", *seat_key(EVENT, world.seat_ids[number]), set=what))


def test_sections_have_the_counts_of_which_the_figures_are_the_sum(sale: World) -> None:
    later, past = rfc3339(START_MS + 60_000), rfc3339(START_MS - 1)
    set_seat(sale, 0, availability="reserved")
    set_seat(sale, 1, availability="locked", expiresAt=later)
    set_seat(sale, 2, availability="locked", expiresAt=past)
    set_seat(sale, 3, availability="blocked")
    changes = {"remaining": 3, "blocked": 2}
    sale.table.update(Update("seats", *area_key(EVENT, "floor", 0), set=changes))
    figures, shown = make(sale).seats, read(sale)
    [section] = shown.sections
    [area] = shown.areas
    assert (section.sold, section.held, section.blocked) == (1, 1, 1)
    assert section.total == len(sale.seat_ids)
    assert section.free == section.total - 3
    assert (section.at, area.at) == (rfc3339(START_MS), rfc3339(START_MS))
    assert (area.blocked, area.taken + area.free + area.blocked) == (2, area.total)
    assert section.total + area.total == figures.total
    assert section.free + area.free == figures.free
    assert section.blocked + area.blocked == figures.blocked
    assert section.sold + section.held + area.taken == figures.sold + figures.held


def test_a_section_that_was_not_read_yet_is_absent(
    sale: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_seats, "SEATS_A_LOOK", 1)
    [facts] = sale.event.sections
    other = msgspec.structs.replace(facts, id="t", seats=0)
    sale.event = msgspec.structs.replace(sale.event, sections=[facts, other])
    make(sale)
    assert [section.id for section in read(sale).sections] == [facts.id]


def test_areas_that_are_gone_are_forgotten(sale: World) -> None:
    make(sale)
    assert [area.id for area in read(sale).areas] == ["floor"]
    sale.event = msgspec.structs.replace(sale.event, areas={})
    make(sale)
    assert read(sale).areas == []


def test_a_memory_of_the_last_version_is_understood() -> None:
    old = b'{"sections":{"s":[1,2,3,4,5]},"trail":[[1,2,3,4]]}'
    memory = msgspec.json.decode(old, type=Memory)
    assert (memory.sections["s"].free, memory.areas, memory.point_due_ms) == (5, {}, 0)


def test_an_answer_has_at_most_so_many_sections() -> None:
    many = {f"{n:05}": SectionCounts(1, 0, 0, 0, 1) for n in range(SECTIONS_MAX + 1)}
    shown = sections.sections_of(EVENT, sections.SeatCounts(sections=many))
    assert len(shown.sections) == SECTIONS_MAX


def test_counts_that_are_damaged_are_not_there(sale: World) -> None:
    make(sale)
    key = figures_memory_key(EVENT)
    sale.table.update(Update("reservations", *key, set={"document": '{"sections": 3'}))
    with pytest.raises(NotFoundError):
        read(sale)


def test_many_who_look_at_the_sections_cost_one_read_in_ten_seconds(sale: World) -> None:
    make(sale)
    asked = []

    class Counted:
        def find(self, *what: Any) -> Any:
            asked.append(what)
            return sale.table.find(*what)

    reader: Any = SectionReader(Counted(), sale.clock)  # type: ignore[arg-type]
    for _ in range(50):
        reader.read(EVENT)
        sale.clock.ms += SECTIONS_MS // 100
    assert len(asked) == 1
    sale.clock.ms += SECTIONS_MS
    reader.read(EVENT)
    assert len(asked) == 2
