"""Cut a venue into the files that browsers and functions read, named by their content."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from fairgate.domain.seating.dump_venue import (
    dump_area,
    dump_points,
    dump_shape,
    dump_unit,
    dump_venue,
)
from fairgate.domain.seating.venue import Section, Venue

OVERVIEW = "venue.json"
INDEX = "index.json"
HASH_CHARS = 32


class Layout(Struct, frozen=True):
    """``hash`` names the content of the files: the same venue always makes the same ones."""

    hash: str
    files: Mapping[str, bytes]


def section_file(section: str) -> str:
    return f"sections/{section}.json"


def split_layout(venue: Venue) -> Layout:
    """Make the overview without seats, one file a section, and the origin's index of all places.

    Returns:
        Files ``venue.json``, ``index.json`` and ``sections/<id>.json``, in compact JSON.
    """
    files = {OVERVIEW: compact(_overview(venue)), INDEX: compact(_index(venue))}
    for section in venue.sections:
        files[section_file(section.id)] = compact(_section(section))
    content = hashlib.sha256()
    for name in sorted(files):
        content.update(f"{name} {len(files[name])}\n".encode() + files[name])
    return Layout(content.hexdigest()[:HASH_CHARS], files)


def compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def _overview(venue: Venue) -> dict[str, Any]:
    document = dump_venue(venue)
    return {
        "name": venue.name,
        "bounds": document["bounds"],
        "focalPoint": document["focalPoint"],
        "tiers": document["tiers"],
        "zones": document["zones"],
        "shapes": [dump_shape(shape) for shape in venue.shapes],
        "areas": [dump_area(area) for area in venue.areas],
        "sections": [_overview_section(venue, section) for section in venue.sections],
    }


def _overview_section(venue: Venue, section: Section) -> dict[str, Any]:
    tiers = {seat.tier for seat in section.seats()}
    focal_point = venue.focal_point_of(section)
    nearest = min((math.dist(focal_point, (seat.x, seat.y)) for seat in section.seats()), default=0)
    return {
        "id": section.id,
        "name": section.name,
        "zone": section.zone,
        "outline": dump_points(section.outline),
        "focalPoint": list(focal_point),
        "nearest": math.floor(nearest * 100) / 100,  # no seat is nearer to the focal point
        "seats": sum(1 for _ in section.seats()),
        "tiers": [tier.id for tier in venue.tiers if tier.id in tiers],
        "blocks": [{"id": block.id, "name": block.name} for block in section.blocks],
    }


def _section(section: Section) -> dict[str, Any]:
    """List rows and seats in layout order: a seat's position here is its ``seatIndex``."""
    return {
        "section": section.id,
        "name": section.name,
        "blocks": [
            {
                "id": block.id,
                "name": block.name,
                "rows": [
                    {
                        "id": row.id,
                        "name": row.name,
                        "seats": [
                            {
                                "id": seat.id,
                                "number": seat.number,
                                "x": seat.x,
                                "y": seat.y,
                                "tier": seat.tier,
                                "kind": seat.kind,
                                **({"restrictedView": True} if seat.restricted_view else {}),
                                **dump_unit(seat),
                            }
                            for seat in row.seats
                        ],
                    }
                    for row in block.rows
                ],
            }
            for block in section.blocks
        ],
    }


def _index(venue: Venue) -> dict[str, Any]:
    """List every place by id, so that a hold needs no read: ``[section, tier, row, number]``.

    A table or box has two entries more: ``unit`` and ``capacity``.
    """
    tier_number = {tier.id: number for number, tier in enumerate(venue.tiers)}
    return {
        "tiers": [tier.id for tier in venue.tiers],
        "sections": [{"id": section.id, "name": section.name} for section in venue.sections],
        "areas": {area.id: {"tier": area.tier, "name": area.name} for area in venue.areas},
        "seats": {
            seat.id: [
                number,
                tier_number[seat.tier],
                row.name,
                seat.number,
                *dump_unit(seat).values(),
            ]
            for number, section in enumerate(venue.sections)
            for _, row in section.rows()
            for seat in row.seats
        },
    }
