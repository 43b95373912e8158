"""Read a venue from its document, and say everything that is wrong with it."""

from __future__ import annotations

import base64
import binascii
import re
from typing import cast

from fairgate.domain.seating.venue import (
    SEAT_KINDS,
    SEAT_UNITS,
    SHAPE_KINDS,
    Area,
    Block,
    Picture,
    Row,
    Seat,
    SeatKind,
    SeatUnit,
    Section,
    Shape,
    ShapeKind,
    Tier,
    Venue,
    Zone,
)
from fairgate.domain.seating.venue_checks import check_venue
from fairgate.domain.shared.ids import PLACE_ID
from fairgate.domain.shared.reading import Problems, Reader

FORMAT = "fairgate-venue/1"
SECTION_SEATS_MAX = 2_500  # one cache read and one page of the index (docs/data.md)
UNITS_MAX = 120_000
CAPACITY_MAX = 120_000
UNIT_CAPACITY_MAX = 40  # of a table or box: what one order may hold at most (event_request)
OUTLINE_POINTS_MAX = 400
EXTENT_MAX = 1_000_000
PICTURE_BYTES_MAX = 400_000

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
# '#' separates the parts of the index key with a seat's number.
_PRINTED = r"[^\s#\x00-\x1f\x7f-\x9f\ud800-\udfff]"
SEAT_NUMBER = re.compile(rf"{_PRINTED}(?:(?:{_PRINTED}| ){{0,14}}{_PRINTED})?")

_VENUE = frozenset(
    {
        *("format", "name", "bounds", "focalPoint", "tiers", "zones", "sections", "areas"),
        *("shapes", "picture"),
    }
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
_PICTURE = frozenset({"webp", "x", "y", "width", "height", "opacity"})


def parse_venue(document: object, notes: list[str] | None = None) -> Venue:
    """Return the venue that a ``fairgate-venue/1`` document describes, rounded to 0.01.

    Args:
        notes: gets what is read in another way than it is written, and what looks wrong.

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
        picture=parse_picture(top.child("picture")) if "picture" in top else None,
    )
    check_venue(venue, problems, section_seats_max=SECTION_SEATS_MAX, units_max=UNITS_MAX)
    problems.raise_if_any("The venue")
    if notes is not None:
        notes += problems.notes
    return venue


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
    """Read what is sold together, and for how many people."""
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


def parse_picture(reader: Reader) -> Picture:
    """Read the picture below a chart; what is wrong with it is noted in the reader's problems."""
    reader.only(_PICTURE)
    return Picture(
        _webp(reader),
        reader.number("x"),
        reader.number("y"),
        reader.number("width", 0.01, EXTENT_MAX),
        reader.number("height", 0.01, EXTENT_MAX),
        reader.number("opacity", 0, 1) if "opacity" in reader else 1.0,
    )


def _webp(reader: Reader) -> bytes:
    """Read a WebP file in base64: one that ends where its head says, so nothing is behind it."""
    text = reader.raw("webp")
    try:
        file = base64.b64decode(text if isinstance(text, str) else "", validate=True)
    except (binascii.Error, ValueError):
        file = b""
    size = int.from_bytes(file[4:8], "little") + 8
    if file[:4] != b"RIFF" or file[8:12] != b"WEBP" or size != len(file):
        reader.wrong("webp", "must be a WebP file in base64; `fairgate venue import` makes it")
    elif len(file) > PICTURE_BYTES_MAX:
        what = f"is {len(file):,} bytes large; at most {PICTURE_BYTES_MAX:,} fit"
        reader.wrong("webp", what)
    return file
