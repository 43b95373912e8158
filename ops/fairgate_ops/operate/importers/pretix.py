"""pretix seating plan JSON: zones of rows of seats, whose positions add up.

Zones become sections. Areas are drawn and never sold: a plan gives them no capacity.
"""

from __future__ import annotations

from fairgate.domain.seating.parse_venue import OUTLINE_POINTS_MAX
from fairgate.domain.seating.venue import Venue
from fairgate.domain.shared.labels import trimmed
from fairgate.domain.shared.reading import Point, Problems, Reader, quoted
from fairgate_ops.operate.importers import geometry
from fairgate_ops.operate.importers.assembly import (
    Chart,
    ChartRow,
    ChartSeat,
    ChartSection,
    ChartShape,
    ChartTier,
    Reading,
    assemble,
    color_or,
    seat_number,
)

_STAGE_WORDS = ("stage", "bühne", "scène", "scene", "podium")


def import_pretix(document: object, how: Reading | None = None) -> Venue:
    """The venue of a pretix seating plan.

    Raises:
        MalformedInputError: with every defect and its place in the plan.
    """
    problems = Problems()
    top = Reader(document, "", problems)
    chart = Chart(top.text("name"), [])
    names: set[str] = set()
    for position, reader in enumerate(top.children("categories", high=100)):
        name = reader.text("name")
        if name in names:
            reader.wrong("name", f"the category {quoted(name)} is defined twice")
        names.add(name)
        chart.tiers.append(ChartTier(name, name, color_or(reader.raw("color"), position)))
    for number, zone in enumerate(top.children("zones", high=1_000), 1):
        _read_zone(zone, chart, names, number, problems)
    return assemble(chart, problems, how or Reading())


def _read_zone(
    reader: Reader, chart: Chart, categories: set[str], number: int, problems: Problems
) -> None:
    origin = _position(reader)
    named = next((key for key in ("name", "zone_id") if _is_named(reader.raw(key))), "")
    name = reader.text(named) if named else f"Zone {number}"
    if named != "name":
        problems.note(reader.where, f"it has no name and is called {name}")
    rows = []
    for row in reader.children("rows", high=20_000, optional=True):
        if row.raw("seats") == []:
            problems.note(row.where, "it has no seat and is left out")
        else:
            rows.append(_read_row(row, origin, categories))
    if rows:
        chart.sections.append(ChartSection(name, reader.where, rows))
    for area in reader.children("areas", high=5_000, optional=True):
        if (shape := _read_area(area, origin)) is not None:
            chart.shapes.append(shape)


def _is_named(name: object) -> bool:
    return bool(trimmed(name)) if isinstance(name, str) else name is not None


def _read_row(reader: Reader, origin: Point, categories: set[str]) -> ChartRow:
    corner = _plus(origin, _position(reader))
    seats = [
        _read_seat(seat, corner, categories)
        for seat in reader.children("seats", low=1, high=100_000)
    ]
    return ChartRow(reader.text("row_number"), reader.where, seats)


def _read_seat(reader: Reader, origin: Point, categories: set[str]) -> ChartSeat:
    x, y = _plus(origin, reader.xy("position"))
    category = reader.text("category")
    if category and category not in categories:
        reader.wrong("category", f"there is no category {quoted(category)}")
    return ChartSeat(
        number=seat_number(reader, "seat_number"),
        x=x,
        y=y,
        tier=category,
        where=reader.where,
        id=reader.text("seat_guid", chars_max=200),
    )


def _read_area(reader: Reader, origin: Point) -> ChartShape | None:
    """Circles and ellipses lie around their position, rectangles and polygons start at it."""
    at = _plus(origin, _position(reader))
    degrees = reader.number("rotation") if "rotation" in reader else 0.0
    shape = reader.raw("shape") or "rectangle"
    if shape == "circle":
        radius = reader.child("circle").number("radius", 0)
        outline = geometry.ellipse(at, radius, radius)
    elif shape == "ellipse":
        radius_x, radius_y = reader.child("ellipse").xy("radius")
        outline = geometry.ellipse(at, abs(radius_x), abs(radius_y), degrees)
    elif shape == "polygon":
        inner = reader.child("polygon")
        points = inner.children("points", low=3, high=OUTLINE_POINTS_MAX)
        corners = [_plus(at, (point.number("x"), point.number("y"))) for point in points]
        outline = geometry.rotated(corners, at, degrees)
    elif shape == "rectangle":
        size = reader.child("rectangle") if "rectangle" in reader else reader
        width, height = size.number("width", 0), size.number("height", 0)
        center = (at[0] + width / 2, at[1] + height / 2)
        outline = geometry.rotated(geometry.rectangle(center, width, height), at, degrees)
    else:
        return None  # a text or something newer: decoration without an outline
    text = reader.raw("text")
    label = text.get("text") if isinstance(text, dict) else text
    name = label.strip() if isinstance(label, str) else ""
    stage = any(word in name.casefold() for word in _STAGE_WORDS)
    printable = name.isprintable() and len(name) <= 120  # noqa: PLR2004 the format's limit
    return ChartShape("stage" if stage else "other", name if printable else "", outline)


def _position(reader: Reader) -> Point:
    return reader.xy("position") if "position" in reader else (0.0, 0.0)


def _plus(a: Point, b: Point) -> Point:
    return (a[0] + b[0], a[1] + b[1])
