"""Draw a chart that has faults: as much of it as can be read, for a page that shows where they are.

The drawing has the form of a layout's ``venue.json`` and ``seats.json``, in the chart's own
coordinates, so that the map of a good chart draws it, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fairgate.domain.seating.dump_venue import dump_place, dump_webp
from fairgate.domain.seating.layout import in_steps
from fairgate.domain.seating.parse_venue import OUTLINE_POINTS_MAX, UNITS_MAX
from fairgate.domain.seating.venue import Picture
from fairgate.domain.shared.reading import Point
from fairgate_ops.operate.importers import geometry
from fairgate_ops.operate.importers.chart_places import (
    PLACES_MAX,
    moved,
    name_of,
    number_of,
    points_in,
    shown,
)

SECTIONS_MAX = 1_000
SHAPES_MAX = 1_000
_FLOOR_GAP = 200.0  # as between the floors of a seats.io chart
_TIER = {"id": "all", "name": "", "color": "#888888"}
_ENTRY = re.compile(r"^(.*\])[^\]]*$")
_SECTIONS = ("sections", "zones")
_ROWS = ("rows", "tables")
_SHAPES = ("areas", "generalAdmissionAreas", "shapes")
_STAGES = ("kind", "smartType", "icon")
_CORNERS = 3  # of an outline, at least


@dataclass
class _Section:
    name: str
    outline: list[Point]
    seats: list[Point] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    rows: list[str | int] = field(default_factory=list)  # a name and how many seats, in turn


class Sketch:
    """What can be drawn of a chart's document, of any format."""

    def __init__(self, document: object) -> None:
        self._sections: list[_Section] = []
        self._shapes: list[dict[str, Any]] = []
        self._spans: dict[str, tuple[_Section, int, int]] = {}
        self._read(document, "", (0.0, 0.0), None)
        self._sections = [one for one in self._sections if one.seats]
        self._firsts: dict[int, int] = {}
        self.seats = 0
        for one in self._sections:
            self._firsts[id(one)] = self.seats
            self.seats += len(one.seats)

    def span(self, where: str) -> list[int] | None:
        """Return the first seat of a place in the chart and the one after its last, or None."""
        while (entry := _ENTRY.match(where)) is not None:
            section, begin, end = self._spans.get(entry[1], (None, 0, 0))
            first = self._firsts.get(id(section))
            if first is not None and end > begin:
                return [first + begin, first + end]
            where = entry[1][: entry[1].rindex("[")]
        return None

    def drawn(self) -> dict[str, Any] | None:
        """Return ``venue`` and ``seats`` as files of a layout; None where nothing can be drawn."""
        if not self._sections or self.seats > UNITS_MAX or len(self._sections) > SECTIONS_MAX:
            return None
        sections = [
            {
                "id": f"s{n}",
                "name": one.name,
                "outline": _outline_of(one),
                "seats": len(one.seats),
                "tiers": [_TIER["id"]],
            }
            for n, one in enumerate(self._sections)
        ]
        pictures = [
            {
                "id": f"s{n}",
                "x": in_steps(x for x, _ in one.seats),
                "y": in_steps(y for _, y in one.seats),
                "rows": one.rows,
                "tiers": [0, len(one.seats)],
                "marks": {},
                "numbers": one.numbers,
            }
            for n, one in enumerate(self._sections)
        ]
        venue = {"name": "", "tiers": [_TIER], "shapes": self._shapes, "areas": []}
        return {"venue": venue | {"sections": sections}, "seats": {"sections": pictures}}

    def _read(self, node: object, path: str, origin: Point, section: _Section | None) -> None:
        if not isinstance(node, Mapping):
            return
        for key in _SECTIONS:
            for entry, where in _entries(node, key, path):
                inner = _Section(name_of(entry), _given_outline(entry, origin))
                self._sections.append(inner)
                self._read(entry, where, moved(entry, origin), inner)
                self._spans[where] = inner, 0, len(inner.seats)
        for entry, where in _entries(node, "blocks", path):
            begin = len(section.seats) if section else 0
            self._read(entry, where, origin, section)
            if section:
                self._spans[where] = section, begin, len(section.seats)
        self._read(node.get("subChart"), _below(path, "subChart"), origin, section)
        down = 0.0
        for entry, where in _entries(node, "subChartFloors", path):
            self._read(entry, where, (origin[0], origin[1] + down), section)
            down += max(0.0, number_of(entry.get("height")) or 0.0) + _FLOOR_GAP
        self._read_rows(node, path, origin, section)
        for key in _SHAPES:
            for entry, _ in _entries(node, key, path):
                self._read_shape(entry, origin)

    def _read_rows(
        self, node: Mapping[str, Any], path: str, origin: Point, section: _Section | None
    ) -> None:
        """Read the rows of a section; those outside of all are a section without a name."""
        for key in (*_ROWS, "booths"):
            for entry, where in _entries(node, key, path):
                if section is None:
                    section = _Section("", [])
                    self._sections.append(section)
                self._read_row(entry, where, key, origin, section)

    def _read_row(
        self, row: Mapping[str, Any], path: str, key: str, origin: Point, section: _Section
    ) -> None:
        begin = len(section.seats)
        seats = [(row, path)] if key == "booths" else list(_entries(row, "seats", path))
        for entry, where in seats:
            point = next(points_in(entry, moved(row, origin)), None)
            if point is not None:
                at = len(section.seats)
                section.seats.append(point)
                section.numbers.append(name_of(entry)[:16])
                self._spans[where] = section, at, at + 1
        end = len(section.seats)
        if end > begin:
            section.rows += [name_of(row) if key != "booths" else "", end - begin]
        self._spans[path] = section, begin, end

    def _read_shape(self, entry: Mapping[str, Any], origin: Point) -> None:
        outline = _given_outline(entry, origin)
        if len(outline) < _CORNERS or len(self._shapes) >= SHAPES_MAX:
            return
        name = _shape_name(entry)
        stage = "stage" in name.casefold() or any(entry.get(key) == "stage" for key in _STAGES)
        kind = {"kind": "stage" if stage else "other", "name": name}
        self._shapes.append(kind | {"outline": [list(point) for point in outline]})


def sketched(
    errors: Sequence[dict[str, Any]], document: object, picture: Picture | None = None
) -> dict[str, Any]:
    """Return ``errors``, each with ``spans``: its seats in the drawing; and ``map``, the drawing.

    ``map`` is None where nothing of the chart can be drawn; else it has ``picture``, too, as the
    drawing of a good chart.
    """
    sketch = Sketch(document)
    drawn = sketch.drawn()
    if drawn is None:
        return {"errors": list(errors), "map": None}
    if picture is not None:
        drawn["picture"] = dump_webp(picture)
        drawn["venue"]["picture"] = dump_place(picture)
    marked = []
    for entry in errors:
        found = [sketch.span(where) for where in [entry["where"], *entry.get("also", ())]]
        spans = [span for i, span in enumerate(found) if span and span not in found[:i]]
        marked.append({**entry, "spans": spans[:PLACES_MAX]})
    return {"errors": marked, "map": drawn}


def _entries(
    node: Mapping[str, Any], key: str, path: str
) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield the objects of a list, each with its place as faults name it."""
    found = node.get(key)
    for at, entry in enumerate(found if isinstance(found, list) else ()):
        if isinstance(entry, Mapping):
            yield entry, f"{_below(path, key)}[{at}]"


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _shape_name(node: Mapping[str, Any]) -> str:
    text = node.get("text")
    inner = text.get("text") if isinstance(text, Mapping) else text
    named = (node.get("label"), node.get("name"), inner)
    return shown(next((one for one in named if isinstance(one, str)), "")[:120])


def _given_outline(node: Mapping[str, Any], origin: Point) -> list[Point]:
    """Return the outline that a part has itself; [] where it has none that can be read."""
    for key in ("outline", "points"):
        if isinstance(node.get(key), list):
            found = list(points_in({key: node[key]}, origin))
            step = math.ceil(len(found) / OUTLINE_POINTS_MAX)
            return found[::step] if len(found) >= _CORNERS else []
    centers = list(points_in({"center": [node["center"]]}, origin)) if "center" in node else []
    if centers and (radius := _size(node, "radius1", "radius2")):
        return geometry.ellipse(centers[0], *radius)
    if centers and (size := _size(node, "width", "height")):
        return geometry.rectangle(centers[0], *size)
    at, inner = moved(node, origin), node.get("rectangle")
    sized = inner if isinstance(inner, Mapping) else node
    if at != origin and (size := _size(sized, "width", "height")):
        return geometry.rectangle((at[0] + size[0] / 2, at[1] + size[1] / 2), *size)
    return []


def _size(node: Mapping[str, Any], one: str, other: str) -> tuple[float, float] | None:
    first, second = number_of(node.get(one)), number_of(node.get(other))
    return (abs(first), abs(second)) if first and second else None


def _outline_of(section: _Section) -> list[list[float]]:
    outline = section.outline
    if not outline:
        margin = geometry.spacing(section.seats) * 0.75
        outline = geometry.hull_around(section.seats, margin)
        outline = outline[:: math.ceil(len(outline) / OUTLINE_POINTS_MAX)]
    return [[round(x, 2), round(y, 2)] for x, y in outline]
