"""Find the seats that are meant by a seat, a row, a section, or a part of an area."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from fairgate.errors import MalformedInputError, NotFoundError
from fairgate.service.house.free_seats import Places

if TYPE_CHECKING:
    from fairgate.ports.outside import Layouts
    from fairgate.service.shared.records.catalog import Event


class Part(Struct, frozen=True):
    """A part of an area, by its id or name: so many places, or so many hundredths of all."""

    area: str
    number: int
    is_percent: bool = False


class Named(Struct, frozen=True):
    """What somebody named.

    Attributes:
        seats: ids, or ``SECTION/ROW/NUMBER``.
        rows: ``SECTION/ROW``. Sections and areas go by their id or name, rows by their name.
    """

    seats: Sequence[str] = ()
    rows: Sequence[str] = ()
    sections: Sequence[str] = ()
    areas: Sequence[Part] = ()


class Chart:
    """The places of an event by their names. Cost: one read of its layout."""

    def __init__(self, layouts: Layouts, event: Event) -> None:
        document: dict[str, Any] = json.loads(layouts.read(event.layout, "index.json"))
        sections = document["sections"]
        self._event = event
        self._section_ids = _by_name((one["id"], one["name"]) for one in sections)
        self._area_ids = _by_name((id_, one["name"]) for id_, one in document["areas"].items())
        self._where = {
            seat: (sections[section]["id"], row, number)
            for seat, (section, _tier, row, number, *_unit) in document["seats"].items()
        }
        self._names = {one["id"]: one["name"] for one in sections}

    def places(self, named: Named) -> Places:
        """Return all places that are meant, each seat once, in layout order.

        Raises NotFoundError: lists names that mean nothing here; MalformedInputError.
        """
        meant: set[str] = set()
        unknown: list[str] = []
        by_name = {"/".join(where): seat for seat, where in self._where.items()}
        for name in named.seats:
            section, _, rest = name.partition("/")
            seat = by_name.get(f"{self._section_ids.get(section, section)}/{rest}", name)
            unknown += [name] if seat not in self._where else []
            meant.add(seat)
        for name in (*named.rows, *named.sections):
            found = self._of_row(name) if name in named.rows else self._of_section(name)
            unknown += [] if found else [name]
            meant |= found
        if unknown:
            raise NotFoundError(
                f"{self._event.id} has no {', '.join(unknown[:5])}: a seat is named by its id or"
                " SECTION/ROW/NUMBER, a row by SECTION/ROW.",
                seats=unknown,
            )
        return Places([seat for seat in self._where if seat in meant], self._areas(named.areas))

    def rows(self, seats: Iterable[str]) -> Mapping[tuple[str, str], Sequence[str]]:
        """Group seats by the names of section and row, with their numbers, in layout order."""
        wanted, grouped = set(seats), dict[tuple[str, str], list[str]]()
        for seat, (section, row, number) in self._where.items():
            if seat in wanted:
                grouped.setdefault((self._names[section], row), []).append(number)
        return grouped

    def _of_row(self, name: str) -> set[str]:
        section, _, row = name.partition("/")
        wanted = (self._section_ids.get(section), row)
        return {seat for seat, (section, row, _) in self._where.items() if (section, row) == wanted}

    def _of_section(self, name: str) -> set[str]:
        wanted = self._section_ids.get(name)
        return {seat for seat, (section, _, _) in self._where.items() if section == wanted}

    def _areas(self, parts: Sequence[Part]) -> dict[str, int]:
        found: dict[str, int] = {}
        for part in parts:
            area = self._area_ids.get(part.area, "")
            if area not in self._event.areas:
                raise NotFoundError(f"{self._event.id} has no area {part.area}.")
            if area in found:
                raise MalformedInputError(f"The area {part.area} is named twice.")
            capacity = self._event.areas[area].capacity
            places = part.number * capacity // 100 if part.is_percent else part.number
            if places > capacity:
                raise MalformedInputError(f"{part.area} has {capacity:,} places.")
            found[area] = places
        return found


def _by_name(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return ids by id and by name; a name that several have means none."""
    known = list(pairs)
    names = [name for _, name in known]
    by_name = {name: id_ for id_, name in known if names.count(name) == 1}
    return by_name | {id_: id_ for id_, _ in known}
