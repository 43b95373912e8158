"""Cut a venue into the files that browsers and functions read, named by their content."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from itertools import groupby, pairwise
from typing import Any

from msgspec import Struct

from fairgate.domain.seating.dump_venue import (
    dump_area,
    dump_place,
    dump_points,
    dump_shape,
    dump_unit,
    dump_venue,
    dump_webp,
)
from fairgate.domain.seating.venue import Section, Venue

OVERVIEW = "venue.json"
INDEX = "index.json"
SEATS = "seats.json"
PICTURE = "picture.json"
HASH_CHARS = 32


class Layout(Struct, frozen=True):
    """``hash`` names the content of the files: the same venue always makes the same ones.

    It leaves out ``seats.json``, which says nothing that the others do not say: layouts that were
    published before there was such a file keep their names.
    """

    hash: str
    files: Mapping[str, bytes]


def section_file(section: str) -> str:
    return f"sections/{section}.json"


def split_layout(venue: Venue) -> Layout:
    """Make the overview, one file a section, the origin's index, and the picture of all seats.

    Returns:
        Files ``venue.json``, ``index.json``, ``sections/<id>.json``, ``seats.json``, and
        ``picture.json`` where there is a picture, in compact JSON.
    """
    files = {OVERVIEW: compact(_overview(venue)), INDEX: compact(_index(venue))}
    for section in venue.sections:
        files[section_file(section.id)] = compact(_section(section))
    if venue.picture is not None:
        files[PICTURE] = compact(dump_webp(venue.picture))
    content = hashlib.sha256()
    for name in sorted(files):
        content.update(f"{name} {len(files[name])}\n".encode() + files[name])
    files[SEATS] = compact(_seats(venue))
    return Layout(content.hexdigest()[:HASH_CHARS], files)


def drawn_layout(venue: Venue) -> dict[str, Any]:
    """Return what a page needs to draw a venue of which no layout is published yet.

    Returns:
        ``venue`` and ``seats`` as ``venue.json`` and ``seats.json`` have them, each section of the
        latter with the ``numbers`` of its seats, too; and ``picture`` as ``picture.json``, where
        there is one.
    """
    seats = [
        {**picture, "numbers": [seat.number for seat in section.seats()]}
        for section, picture in zip(venue.sections, _seats(venue)["sections"], strict=True)
    ]
    below = {} if venue.picture is None else {"picture": dump_webp(venue.picture)}
    return {"venue": _overview(venue), "seats": {"sections": seats}} | below


def compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def _overview(venue: Venue) -> dict[str, Any]:
    document = dump_venue(venue)
    picture = venue.picture
    drawn = {} if picture is None else {"picture": dump_place(picture)}
    return {
        "name": venue.name,
        "bounds": document["bounds"],
        "focalPoint": document["focalPoint"],
        "tiers": document["tiers"],
        "zones": document["zones"],
        "shapes": [dump_shape(shape) for shape in venue.shapes],
        "areas": [dump_area(area) for area in venue.areas],
        "sections": [_overview_section(venue, section) for section in venue.sections],
    } | drawn


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


def _seats(venue: Venue) -> dict[str, Any]:
    """Say where all seats are, and what they cost, in an eighth of the sections' bytes.

    Sections and seats are in layout order. ``x`` and ``y`` are hundredths of a unit: the first,
    then the step from each seat to the next. ``rows`` and ``tiers`` are pairs: a row's name, or the
    number of a tier, and for how many seats. ``marks`` lists the seats that are not plain.
    """
    tier_number = {tier.id: number for number, tier in enumerate(venue.tiers)}
    return {"sections": [_picture(section, tier_number) for section in venue.sections]}


def _picture(section: Section, tier_number: Mapping[str, int]) -> dict[str, Any]:
    seats = list(section.seats())
    marks = {
        "accessible": [seat.kind == "accessible" for seat in seats],
        "companion": [seat.kind == "companion" for seat in seats],
        "restricted": [seat.restricted_view for seat in seats],
        "whole": [seat.unit != "seat" for seat in seats],
    }
    return {
        "id": section.id,
        "x": in_steps(seat.x for seat in seats),
        "y": in_steps(seat.y for seat in seats),
        "rows": [part for _, row in section.rows() for part in (row.name, len(row.seats))],
        "tiers": [
            part
            for number, same in groupby(tier_number[seat.tier] for seat in seats)
            for part in (number, len(list(same)))
        ],
        "marks": {
            mark: [at for at, marked in enumerate(flags) if marked]
            for mark, flags in marks.items()
            if any(flags)
        },
    }


def in_steps(values: Iterable[float]) -> list[int]:
    """Return coordinates in hundredths: the first, then the step from each to the next."""
    whole = [round(value * 100) for value in values]
    return [*whole[:1], *(after - before for before, after in pairwise(whole))]
