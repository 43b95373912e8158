"""Say of each thing that is wrong with a chart which section, row or seat it is, and where.

The coordinates are the chart's own, so that a page can show it on a picture of the chart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fairgate.domain.shared.reading import Point, coordinate, pair

PLACES_MAX = 50  # of one problem
_PARTS = re.compile(r"([A-Za-z_]\w*)|\[(\d{1,9})\]")
# What a list's entries are, in any of the formats, and the keys that may name them.
_KINDS = {
    "sections": "section",
    "zones": "section",  # of pretix; others have no rows in them
    "rows": "row",
    "tables": "row",
    "seats": "seat",
    "booths": "seat",
    "areas": "area",
    "generalAdmissionAreas": "area",
    "tiers": "tier",
    "categories": "tier",
    "list": "tier",  # categories.list
}
_NAMES = ("label", "name", "row_number", "seat_number", "number", "zone_id", "id", "key")
_ORIGINS = ("topLeft", "position")
_COORDINATE = 1_000_000.0

# Of parts of one document, each with where its own coordinates begin: faults of a large section
# would read all of its seats anew.
_Middles = dict[tuple[int, Point], dict[str, float]]


def with_places(errors: object, document: object) -> list[dict[str, Any]]:
    """Return the errors of a chart, each with ``places``: what it concerns."""
    placed: list[dict[str, Any]] = []
    middles: _Middles = {}
    for entry in errors if isinstance(errors, list) else []:
        also = list(entry.get("also", ()))
        wheres = [entry["where"], *also][:PLACES_MAX]
        found = [_place(document, where, middles) for where in wheres]
        distinct = [place for i, place in enumerate(found) if place and place not in found[:i]]
        placed.append({**entry, "places": distinct})
    return placed


def _place(document: object, where: str, middles: _Middles) -> dict[str, Any]:
    """Return the names on the way there, and the middle of the last part that lies somewhere."""
    place: dict[str, Any] = {}
    node, origin, kind = document, (0.0, 0.0), ""
    for key, index in _PARTS.findall(where):
        if key:
            if not isinstance(node, Mapping) or key not in node:
                break
            kind = _KINDS.get(key, "") if isinstance(node[key], list) else ""
            node = node[key]
            continue
        if not isinstance(node, list) or int(index) >= len(node):
            break
        node = node[int(index)]
        if not isinstance(node, Mapping):
            break
        if kind and (name := name_of(node)):
            place[kind] = name
        if kind not in ("", "tier"):
            if (of := (id(node), origin)) not in middles:
                middles[of] = _middle(node, origin)
            place |= middles[of]
        origin = moved(node, origin)
    return place


def _middle(node: Mapping[str, Any], origin: Point) -> dict[str, float]:
    """Return the middle of what lies somewhere in a part; {}: nothing does."""
    found = list(points_in(node, origin))
    if not found:
        return {}
    xs, ys = zip(*found, strict=True)
    return {
        "x": round((min(xs) + max(xs)) / 2, 2),
        "y": round((min(ys) + max(ys)) / 2, 2),
    }


def name_of(node: Mapping[str, Any]) -> str:
    """Return what a part of a chart is called, "" where it has no name."""
    named = (node.get(key) for key in _NAMES)
    found = next((one for one in named if isinstance(one, str | int) and str(one)), "")
    return shown(str(found)[:120])


def shown(name: str) -> str:
    """Return a name with ? for each character that cannot be shown, such as half of a pair."""
    return "".join(one if one.isprintable() else "?" for one in name)


def points_in(node: object, origin: Point) -> Iterator[Point]:
    """Yield what lies somewhere, in it and below."""
    if isinstance(node, Mapping):
        x, y = number_of(node.get("x")), number_of(node.get("y"))
        if x is not None and y is not None:
            yield origin[0] + x, origin[1] + y
            return
        if isinstance(node.get("seat_number"), str | int) and "position" in node:
            yield moved(node, origin)  # a seat of pretix
            return
        inner = moved(node, origin)
        for key in ("subChart", "rows", "tables", "seats", "blocks"):
            yield from points_in(node.get(key), inner)
        for key in ("outline", "points", "center"):
            yield from points_in(node.get(key), origin)
    elif isinstance(node, list):
        for one in node:
            point = pair(one)
            if point is not None:
                yield origin[0] + point[0], origin[1] + point[1]
            elif isinstance(one, Mapping):
                yield from points_in(one, origin)


def moved(node: Mapping[str, Any], origin: Point) -> Point:
    """Return the origin of what lies in a part of a chart."""
    for key in _ORIGINS:
        at = node.get(key)
        if isinstance(at, Mapping):
            x, y = number_of(at.get("x")), number_of(at.get("y"))
            if x is not None and y is not None:
                return origin[0] + x, origin[1] + y
    return origin


def number_of(value: object) -> float | None:
    """Return a coordinate of a chart, None where it is none."""
    found = coordinate(value, -_COORDINATE, _COORDINATE)
    return found if found is not None and math.isfinite(found) else None
