"""Define a venue: sections of blocks, rows and seats, areas without seats, and shapes around.

The format ``fairgate-venue/1`` is described in docs/venue-format.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from fairgate.domain.shared.reading import Point

SeatKind = Literal["standard", "accessible", "companion"]
SeatUnit = Literal["seat", "table", "box"]
ShapeKind = Literal["stage", "field", "other"]
SEAT_KINDS = ("standard", "accessible", "companion")
SEAT_UNITS = ("seat", "table", "box")
SHAPE_KINDS = ("stage", "field", "other")


class Tier(Struct, frozen=True):
    id: str
    name: str
    color: str  # #rrggbb


class Zone(Struct, frozen=True):
    """A part of the venue with its own point that its best seats are near."""

    id: str
    name: str
    focal_point: Point


class Seat(Struct, frozen=True):
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


class Row(Struct, frozen=True):
    """A row: seats in the order in which they stand beside each other."""

    id: str
    name: str
    seats: tuple[Seat, ...]


class Block(Struct, frozen=True):
    """A block: rows in the order in which they stand behind each other."""

    id: str
    name: str
    rows: tuple[Row, ...]


class Section(Struct, frozen=True):
    id: str
    name: str
    outline: tuple[Point, ...]
    blocks: tuple[Block, ...]
    zone: str | None = None
    focal_point: Point | None = None

    def rows(self) -> Iterator[tuple[Block, Row]]:
        return ((block, row) for block in self.blocks for row in block.rows)

    def seats(self) -> Iterator[Seat]:
        """List seats in layout order: the position here is the index in the status vector."""
        return (seat for _, row in self.rows() for seat in row.seats)


class Area(Struct, frozen=True):
    """An area of general admission: a capacity without seats."""

    id: str
    name: str
    outline: tuple[Point, ...]
    capacity: int
    tier: str


class Shape(Struct, frozen=True):
    """A shape that is drawn, never sold."""

    kind: ShapeKind
    name: str  # may be empty
    outline: tuple[Point, ...]


class Picture(Struct, frozen=True):
    """A picture that lies under everything else: a WebP file, and its box in the drawing."""

    webp: bytes
    x: float
    y: float
    width: float
    height: float
    opacity: float = 1.0


class Venue(Struct, frozen=True):
    name: str
    width: float
    height: float
    focal_point: Point
    tiers: tuple[Tier, ...]
    zones: tuple[Zone, ...]
    sections: tuple[Section, ...]
    areas: tuple[Area, ...]
    shapes: tuple[Shape, ...]
    picture: Picture | None = None

    def seat_count(self) -> int:
        return sum(len(row.seats) for section in self.sections for _, row in section.rows())

    def unit_count(self) -> int:
        """Count everybody who can be sold a place: on seats, at tables, in boxes and areas."""
        seats = (seat for section in self.sections for seat in section.seats())
        return sum(seat.capacity for seat in seats) + sum(area.capacity for area in self.areas)

    def focal_point_of(self, section: Section) -> Point:
        """Return the section's own, else its zone's, else the venue's."""
        zone = next((z for z in self.zones if z.id == section.zone), None)
        return section.focal_point or (zone.focal_point if zone else self.focal_point)
