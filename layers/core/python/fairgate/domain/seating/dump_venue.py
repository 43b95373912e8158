"""Write a venue as the document that it is read from."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from fairgate.domain.seating.parse_venue import FORMAT
from fairgate.domain.seating.venue import Area, Picture, Seat, Section, Shape, Venue
from fairgate.domain.shared.reading import Point


def dump_venue(venue: Venue) -> dict[str, Any]:
    """Return the document that parses to an equal venue; defaults are left out."""
    picture = venue.picture
    drawn = {} if picture is None else {"picture": dump_webp(picture) | dump_place(picture)}
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
    } | drawn


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


def dump_webp(picture: Picture) -> dict[str, Any]:
    return {"webp": base64.b64encode(picture.webp).decode()}


def dump_place(picture: Picture) -> dict[str, Any]:
    """Return where a picture lies, and how much of it is seen."""
    return {
        "x": picture.x,
        "y": picture.y,
        "width": picture.width,
        "height": picture.height,
        "opacity": picture.opacity,
    }


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
    """Return what a table or box has beyond a seat."""
    return {} if seat.unit == "seat" else {"unit": seat.unit, "capacity": seat.capacity}
