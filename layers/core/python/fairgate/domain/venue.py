"""A venue: sections of blocks, rows and seats, areas without seats, and what to draw around them.

The format ``fairgate-venue/1`` is described in docs/venue-format.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

from fairgate.domain.ids import PLACE_ID
from fairgate.domain.reading import Point, Problems, Reader
from fairgate.domain.venue_checks import check_venue

FORMAT = "fairgate-venue/1"
SECTION_SEATS_MAX = 2_500  # one cache read and one page of the index (docs/data.md)
UNITS_MAX = 120_000
CAPACITY_MAX = 120_000
UNIT_CAPACITY_MAX = 40  # of a table or box: what one order may hold at most (publish_event)
OUTLINE_POINTS_MAX = 400
EXTENT_MAX = 1_000_000

SeatKind = Literal["standard", "accessible", "companion"]
SeatUnit = Literal["seat", "table", "box"]
ShapeKind = Literal["stage", "field", "other"]
SEAT_KINDS = ("standard", "accessible", "companion")
SEAT_UNITS = ("seat", "table", "box")
SHAPE_KINDS = ("stage", "field", "other")

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# '#' separates the parts of the index key that a seat's number stands in.
_PRINTED = r"[^\s#\x00-\x1f\x7f-\x9f\ud800-\udfff]"
SEAT_NUMBER = re.compile(rf"{_PRINTED}(?:(?:{_PRINTED}| ){{0,14}}{_PRINTED})?")

_VENUE = frozenset(
    {"format", "name", "bounds", "focalPoint", "tiers", "zones", "sections", "areas", "shapes"}
)
_BOUNDS = frozenset({"width", "height"})
_TIER = frozenset({"id", "name", "color"})
_ZONE = frozenset({"id", "name", "focalPoint"})
_SECTION = frozenset({"id", "name", "zone", "outline", "focalPoint", "blocks"})
_BLOCK = frozenset({"id", "name", "rows"})
_ROW = frozenset({"id", "name", "seats"})
_SEAT = frozenset({"id", "number", "x", "y", "tier", "kind", "restrictedView", "unit", "capacity"})
_AREA = frozenset({"id", "name", "outline", "capacity", "tier"})
_SHAPE = frozenset({"kind", "name", "outline"})


@dataclass(frozen=True, slots=True)
class Tier:
    id: str
    name: str
    color: str  # #rrggbb


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the venue with its own point that its best seats are near."""

    id: str
    name: str
    focal_point: Point


@dataclass(frozen=True, slots=True)
class Seat:
    """One place, or a table or box of several that are sold together to one party."""

    id: str
    number: str
    x: float
    y: float
    tier: str
    kind: SeatKind = "standard"
    restricted_view: bool = False
    unit: SeatUnit = "seat"
    capacity: int = 1  # people


@dataclass(frozen=True, slots=True)
class Row:
    """Seats in the order in which they stand beside each other."""

    id: str
    name: str
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Rows in the order in which they stand behind each other."""

    id: str
    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    name: str
    outline: tuple[Point, ...]
    blocks: tuple[Block, ...]
    zone: str | None = None
    focal_point: Point | None = None

    def rows(self) -> Iterator[tuple[Block, Row]]:
        return ((block, row) for block in self.blocks for row in block.rows)

    def seats(self) -> Iterator[Seat]:
        """In layout order: a seat's position here is its index in the status vector."""
        return (seat for _, row in self.rows() for seat in row.seats)


@dataclass(frozen=True, slots=True)
class Area:
    """General admission: a capacity without seats."""

    id: str
    name: str
    outline: tuple[Point, ...]
    capacity: int
    tier: str


@dataclass(frozen=True, slots=True)
class Shape:
    """Drawn, never sold."""

    kind: ShapeKind
    name: str  # may be empty
    outline: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Venue:
    name: str
    width: float
    height: float
    focal_point: Point
    tiers: tuple[Tier, ...]
    zones: tuple[Zone, ...]
    sections: tuple[Section, ...]
    areas: tuple[Area, ...]
    shapes: tuple[Shape, ...]

    def seat_count(self) -> int:
        return sum(len(row.seats) for section in self.sections for _, row in section.rows())

    def unit_count(self) -> int:
        """Everybody who can be sold a place: on seats, at tables, in boxes and areas."""
        seats = (seat for section in self.sections for seat in section.seats())
        return sum(seat.capacity for seat in seats) + sum(area.capacity for area in self.areas)

    def focal_point_of(self, section: Section) -> Point:
        """The section's own, else its zone's, else the venue's."""
        zone = next((z for z in self.zones if z.id == section.zone), None)
        return section.focal_point or (zone.focal_point if zone else self.focal_point)


def parse_venue(document: object) -> Venue:
    """The venue that a ``fairgate-venue/1`` document describes, coordinates rounded to 0.01.

    Raises:
        MalformedInputError: ``errors`` lists everything that is wrong as ``{where, what}`` (the
            first 200), ``errors_total`` counts all of it.
    """
    problems = Problems()
    top = Reader(document, "", problems)
    top.only(_VENUE)
    if top.raw("format") != FORMAT:
        top.wrong("format", f"must be “{FORMAT}”")
    bounds = top.child("bounds")
    bounds.only(_BOUNDS)
    venue = Venue(
        name=top.text("name"),
        width=bounds.number("width", 1, EXTENT_MAX),
        height=bounds.number("height", 1, EXTENT_MAX),
        focal_point=top.point("focalPoint"),
        tiers=tuple(_tier(r) for r in top.children("tiers", low=1, high=100)),
        zones=tuple(_zone(r) for r in top.children("zones", high=200, optional=True)),
        sections=tuple(_section(r) for r in top.children("sections", high=1_000, optional=True)),
        areas=tuple(_area(r) for r in top.children("areas", high=500, optional=True)),
        shapes=tuple(_shape(r) for r in top.children("shapes", high=2_000, optional=True)),
    )
    check_venue(venue, problems, section_seats_max=SECTION_SEATS_MAX, units_max=UNITS_MAX)
    problems.raise_if_any("The venue")
    return venue


def dump_venue(venue: Venue) -> dict[str, Any]:
    """The document that parses to an equal venue; defaults are left out."""
    return {
        "format": FORMAT,
        "name": venue.name,
        "bounds": {"width": venue.width, "height": venue.height},
        "focalPoint": list(venue.focal_point),
        "tiers": [{"id": t.id, "name": t.name, "color": t.color} for t in venue.tiers],
        "zones": [
            {"id": z.id, "name": z.name, "focalPoint": list(z.focal_point)} for z in venue.zones
        ],
        "sections": [_dump_section(section) for section in venue.sections],
        "areas": [dump_area(area) for area in venue.areas],
        "shapes": [dump_shape(shape) for shape in venue.shapes],
    }


def dump_area(area: Area) -> dict[str, Any]:
    return {
        "id": area.id,
        "name": area.name,
        "outline": dump_points(area.outline),
        "capacity": area.capacity,
        "tier": area.tier,
    }


def dump_shape(shape: Shape) -> dict[str, Any]:
    named = {"name": shape.name} if shape.name else {}
    return {"kind": shape.kind, **named, "outline": dump_points(shape.outline)}


def dump_points(points: Iterable[Point]) -> list[list[float]]:
    return [list(point) for point in points]


def _dump_section(section: Section) -> dict[str, Any]:
    document: dict[str, Any] = {"id": section.id, "name": section.name}
    if section.zone is not None:
        document["zone"] = section.zone
    if section.focal_point is not None:
        document["focalPoint"] = list(section.focal_point)
    return document | {
        "outline": dump_points(section.outline),
        "blocks": [
            {
                "id": block.id,
                "name": block.name,
                "rows": [
                    {"id": row.id, "name": row.name, "seats": [_dump_seat(s) for s in row.seats]}
                    for row in block.rows
                ],
            }
            for block in section.blocks
        ],
    }


def _dump_seat(seat: Seat) -> dict[str, Any]:
    document: dict[str, Any] = {"id": seat.id, "number": seat.number, "x": seat.x, "y": seat.y}
    document["tier"] = seat.tier
    if seat.kind != "standard":
        document["kind"] = seat.kind
    if seat.restricted_view:
        document["restrictedView"] = True
    return document | dump_unit(seat)


def dump_unit(seat: Seat) -> dict[str, Any]:
    """What a table or box has beyond a seat."""
    return {} if seat.unit == "seat" else {"unit": seat.unit, "capacity": seat.capacity}


def _id(reader: Reader, key: str = "id") -> str:
    return reader.matching(key, PLACE_ID, "“101-A-14” (letters, digits, . _ -; at most 64)")


def _tier(reader: Reader) -> Tier:
    reader.only(_TIER)
    return Tier(_id(reader), reader.text("name"), reader.matching("color", _COLOR, "“#1f6fb2”"))


def _zone(reader: Reader) -> Zone:
    reader.only(_ZONE)
    return Zone(_id(reader), reader.text("name"), reader.point("focalPoint"))


def _section(reader: Reader) -> Section:
    reader.only(_SECTION)
    return Section(
        id=_id(reader),
        name=reader.text("name"),
        outline=reader.outline("outline", OUTLINE_POINTS_MAX),
        blocks=tuple(_block(r) for r in reader.children("blocks", low=1, high=500)),
        zone=_id(reader, "zone") if "zone" in reader else None,
        focal_point=reader.point("focalPoint") if "focalPoint" in reader else None,
    )


def _block(reader: Reader) -> Block:
    reader.only(_BLOCK)
    rows = tuple(_row(r) for r in reader.children("rows", low=1, high=2_500))
    return Block(_id(reader), reader.text("name"), rows)


def _row(reader: Reader) -> Row:
    reader.only(_ROW)
    # Seats beyond a section's limit are counted by the checks, which know the section.
    seats = tuple(_seat(r) for r in reader.children("seats", low=1, high=UNITS_MAX))
    return Row(_id(reader), reader.text("name"), seats)


def _seat(reader: Reader) -> Seat:
    reader.only(_SEAT)
    kind = reader.raw("kind")
    if kind is None:
        kind = "standard"
    elif kind not in SEAT_KINDS:
        reader.wrong("kind", f"must be one of {', '.join(SEAT_KINDS)}")
        kind = "standard"
    return Seat(
        _id(reader),
        reader.matching("number", SEAT_NUMBER, "“14” (at most 16 characters, no #)"),
        reader.number("x"),
        reader.number("y"),
        _id(reader, "tier"),
        cast("SeatKind", kind),
        reader.flag("restrictedView"),
        *_unit(reader),
    )


def _unit(reader: Reader) -> tuple[SeatUnit, int]:
    """What is sold together, and for how many people."""
    unit = reader.raw("unit")
    if unit is None or unit == "seat":
        if "capacity" in reader:
            reader.wrong("capacity", "belongs to a table or box; a seat is for one")
        return "seat", 1
    if unit not in SEAT_UNITS:
        reader.wrong("unit", f"must be one of {', '.join(SEAT_UNITS)}")
        return "seat", 1
    return cast("SeatUnit", unit), reader.whole("capacity", 1, UNIT_CAPACITY_MAX)


def _area(reader: Reader) -> Area:
    reader.only(_AREA)
    return Area(
        _id(reader),
        reader.text("name"),
        reader.outline("outline", OUTLINE_POINTS_MAX),
        reader.whole("capacity", 1, CAPACITY_MAX),
        _id(reader, "tier"),
    )


def _shape(reader: Reader) -> Shape:
    reader.only(_SHAPE)
    kind = reader.raw("kind")
    if kind not in SHAPE_KINDS:
        reader.wrong("kind", f"must be one of {', '.join(SHAPE_KINDS)}")
        kind = "other"
    name = reader.text("name") if "name" in reader else ""
    return Shape(cast("ShapeKind", kind), name, reader.outline("outline", OUTLINE_POINTS_MAX))
