"""A generated arena: a stage, a standing floor before it, a lower and an upper bowl around them.

The same arguments always make the same venue. Rows are arcs around the floor's centre; sections
are wedges with a stair in the middle, so each has a left and a right block.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairgate.domain.seating.parse_venue import FORMAT, UNITS_MAX, parse_venue
from fairgate.domain.seating.venue import Venue

Point = tuple[float, float]

NAME = "Lindenhall Arena"
SEATS_DEFAULT = 12_000
SEATS_MIN = 80

_SEAT = 20.0  # from seat to seat
_ROW = 26.0  # from row to row
_STAIR = 30.0  # between the blocks of a section
_AISLE = 34.0  # between sections
_CONCOURSE = 95.0  # between the bowls
_SPAN = math.radians(248)  # of the bowl; the stage closes the rest
_MARGIN = 60.0
_SMALL = 8  # with so few sections, those beside the stage reach round to its front
_STANDING_SHARE = 15  # seats for each standing place

_TIERS = (
    ("front", "Front rows", "#c2410c"),
    ("lower", "Lower bowl", "#b7791f"),
    ("upper", "Upper bowl", "#2b6cb0"),
    ("balcony", "Balcony", "#6b46c1"),
    ("standing", "Standing", "#2f855a"),
)


@dataclass(frozen=True)
class _Bowl:
    """A ring of sections of equal angle."""

    zone: str
    name: str
    hundred: int
    radius: float  # of the first row
    rows: int
    sections: int
    tiers: tuple[str, str]  # of the front third, of the rest

    @property
    def outer(self) -> float:
        return self.radius + (self.rows - 1) * _ROW

    def block_seats(self, row: int) -> int:
        """How many seats a row of one block has room for."""
        arc = _SPAN / self.sections * (self.radius + row * _ROW)
        return max(2, int((arc - _AISLE - _STAIR) / 2 / _SEAT + 0.4))

    @property
    def capacity(self) -> int:
        return 2 * self.sections * sum(self.block_seats(row) for row in range(self.rows))


def demo_venue(seats: int = SEATS_DEFAULT, seed: int = 1) -> Venue:
    """An arena of exactly ``seats`` seats and one standing area of a fifteenth as many places.

    Args:
        seats: from 80; with general admission at most what a venue may have.
        seed: where the few seats with a restricted view are.

    Raises:
        ValueError: ``seats`` is out of range.
    """
    general_admission = max(10, seats // _STANDING_SHARE)
    if not SEATS_MIN <= seats <= UNITS_MAX - general_admission:
        raise ValueError(f"a demonstration venue has {SEATS_MIN} seats or more, not {seats}")
    bowls = _bowls(seats)
    sections = [section for bowl in bowls for section in _sections(bowl)]
    _trim(sections, sum(map(_size, sections)) - seats)
    _restrict(sections, random.Random(seed))  # noqa: S311 a drawing, not a secret
    return parse_venue(_document(bowls, sections, general_admission))


def _bowls(seats: int) -> tuple[_Bowl, _Bowl]:
    """The smallest pair of bowls of the arena's proportions that has room for so many seats."""
    scale = math.sqrt(seats / SEATS_DEFAULT)
    lower_rows, upper_rows = max(3, round(20 * scale)), max(3, round(24 * scale))
    lower_sections, upper_sections = _odd(11 * scale), _odd(15 * scale)
    concourse = max(60.0, _CONCOURSE * min(1.0, scale))
    radius = max(100.0, 480 * scale)
    while True:
        above = radius + (lower_rows - 1) * _ROW + concourse
        lower = _Bowl(
            "lower", "Lower bowl", 100, radius, lower_rows, lower_sections, ("front", "lower")
        )
        upper = _Bowl(
            "upper", "Upper bowl", 200, above, upper_rows, upper_sections, ("upper", "balcony")
        )
        if lower.capacity + upper.capacity >= seats:
            return lower, upper
        radius *= 1.004


def _odd(count: float) -> int:
    """An odd number of sections, so that one faces the stage."""
    return max(3, 2 * round((count - 1) / 2) + 1)


def _sections(bowl: _Bowl) -> Iterator[dict[str, Any]]:
    wedge = _SPAN / bowl.sections
    for number in range(bowl.sections):
        # Angles grow clockwise on a screen; 90° is straight down, opposite the stage.
        start = math.radians(90) + _SPAN / 2 - wedge * number
        name = str(bowl.hundred + number + 1)
        yield {
            "id": name,
            "name": name,
            "zone": bowl.zone,
            "outline": _wedge(
                bowl.radius - _ROW * 0.6, bowl.outer + _ROW * 0.6, start, start - wedge, _AISLE - 16
            ),
            "blocks": _blocks(bowl, name, start, wedge),
        }


def _blocks(bowl: _Bowl, name: str, start: float, wedge: float) -> list[dict[str, Any]]:
    left: list[dict[str, Any]] = []
    right: list[dict[str, Any]] = []
    for row in range(bowl.rows):
        radius = bowl.radius + row * _ROW
        count = bowl.block_seats(row)
        spacing = _SEAT / radius
        tier = bowl.tiers[0] if row < bowl.rows / 3 else bowl.tiers[1]
        letter = _letters(row)
        middle = start - wedge / 2
        inner = _STAIR / 2 / radius  # angle from the section's middle to its first seat
        for rows, block, side in ((left, "L", 1), (right, "R", -1)):
            offsets = [inner + spacing * (i + 0.5) for i in range(count)]
            angles = sorted((middle + side * offset for offset in offsets), reverse=True)
            first = 1 if block == "L" else count + 1
            kinds = _kinds(bowl, row, count, block)
            seats = []
            for position, (angle, kind) in enumerate(zip(angles, kinds, strict=True)):
                number = first + position
                seats.append(_seat(f"{name}-{letter}-{number}", number, radius, angle, tier, kind))
            rows.append({"id": f"{name}-{block}-{letter}", "name": letter, "seats": seats})
    return [
        {"id": f"{name}-L", "name": f"{name} left", "rows": left},
        {"id": f"{name}-R", "name": f"{name} right", "rows": right},
    ]


def _kinds(bowl: _Bowl, row: int, count: int, block: str) -> list[str]:
    """Wheelchair places with a companion's seat each, at the stair of the concourse row."""
    kinds = ["standard"] * count
    if bowl.zone == "lower" and row == bowl.rows - 1:
        pairs = ["accessible", "companion"] * min(2, count // 4)
        if block == "R":
            kinds[: len(pairs)] = pairs
        elif pairs:
            kinds[-len(pairs) :] = reversed(pairs)
    return kinds


def _seat(
    seat: str, number: int, radius: float, angle: float, tier: str, kind: str
) -> dict[str, Any]:
    x, y = _at(radius, angle)
    document: dict[str, Any] = {"id": seat, "number": str(number), "x": x, "y": y, "tier": tier}
    if kind != "standard":
        document["kind"] = kind
    return document


def _trim(sections: list[dict[str, Any]], surplus: int) -> None:
    """Takes seats away from the ends of the rearmost rows, evenly, the top of the bowl first."""
    rows = [block["rows"] for section in reversed(sections) for block in section["blocks"]]
    deepest = max(map(len, rows))
    for depth in range(1, deepest + 1):
        while surplus:
            before = surplus
            for block in rows:
                if surplus and depth <= len(block) and len(block[-depth]["seats"]) > 2:  # noqa: PLR2004 nobody alone
                    outer = 0 if block[-depth]["id"].split("-")[1] == "L" else -1
                    if block[-depth]["seats"][outer].get("kind"):
                        continue
                    block[-depth]["seats"].pop(outer)
                    surplus -= 1
            if surplus == before:
                break


def _restrict(sections: list[dict[str, Any]], chance: random.Random) -> None:
    """The wedges beside the stage see it from the side; a few seats stand behind a pillar."""
    ends = {section["zone"]: section["id"] for section in sections}
    begins = {section["zone"]: section["id"] for section in reversed(sections)}
    for section in sections:
        side = section["id"] in (begins[section["zone"]], ends[section["zone"]])
        edge = side and len(sections) > _SMALL
        for block in section["blocks"]:
            for row in block["rows"]:
                for seat in row["seats"]:
                    if edge or chance.random() < 0.002:  # noqa: PLR2004 about one in a section
                        seat["restrictedView"] = True


def _document(
    bowls: tuple[_Bowl, _Bowl], sections: list[dict[str, Any]], general_admission: int
) -> dict[str, Any]:
    lower, upper = bowls
    floor = lower.radius - _ROW * 1.8
    stage_y = -floor * 0.42  # the edge of the stage towards the floor
    stage = [(-floor * 0.6, -floor * 0.92), (floor * 0.6, -floor * 0.92)]
    stage += [(floor * 0.6, stage_y), (-floor * 0.6, stage_y)]
    runway = floor * 0.09
    stage[3:3] = [(runway, stage_y), (runway, stage_y * 0.15), (-runway, stage_y * 0.15)]
    stage.insert(6, (-runway, stage_y))
    area = _floor_area(floor, stage_y + floor * 0.1, runway + floor * 0.05, stage_y * 0.15)
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": NAME,
        "tiers": [{"id": i, "name": name, "color": color} for i, name, color in _TIERS],
        "zones": [{"id": bowl.zone, "name": bowl.name} for bowl in bowls],
        "sections": sections,
        "areas": [
            {
                "id": "floor",
                "name": "Standing floor",
                "outline": area,
                "capacity": general_admission,
                "tier": "standing",
            }
        ],
        "shapes": [{"kind": "stage", "name": "Stage", "outline": stage}],
    }
    return _moved(document, (0.0, stage_y * 0.15), upper)


def _floor_area(floor: float, top: float, runway: float, tip: float) -> list[Point]:
    """The floor's lower part, with a notch for the runway."""
    angle = math.asin(top / floor)
    steps = 40
    arc = [
        (floor * math.cos(side), floor * math.sin(side))
        for side in (angle + (math.pi - 2 * angle) * step / steps for step in range(steps + 1))
    ]
    notch = tip + (runway - 0.09 * floor)
    return [(runway, top), *arc, (-runway, top), (-runway, notch), (runway, notch)]


def _moved(document: dict[str, Any], focal: Point, outermost: _Bowl) -> dict[str, Any]:
    """Everything moved into the positive quadrant, and the bounds around it."""
    reach = outermost.outer + _ROW
    points = [p for s in document["sections"] for p in s["outline"]]
    points += [
        p for part in ("shapes", "areas") for shape in document[part] for p in shape["outline"]
    ]
    left = _MARGIN - min(x for x, _ in points)
    top = _MARGIN - min(y for _, y in points)

    def move(point: Point) -> list[float]:
        return [round(point[0] + left, 2), round(point[1] + top, 2)]

    for part in ("sections", "shapes", "areas"):
        for shape in document[part]:
            shape["outline"] = [move(point) for point in shape["outline"]]
    for section in document["sections"]:
        for block in section["blocks"]:
            for row in block["rows"]:
                for seat in row["seats"]:
                    seat["x"], seat["y"] = move((seat["x"], seat["y"]))
    for zone in document["zones"]:
        zone["focalPoint"] = move(focal)
    height = reach + top + _MARGIN - _ROW * 0.4
    bounds = {"width": round(left * 2, 2), "height": round(height, 2)}
    return document | {"bounds": bounds, "focalPoint": move(focal)}


def _wedge(inner: float, outer: float, start: float, end: float, aisle: float) -> list[Point]:
    """A ring's part between two angles, with half an aisle taken off each side."""
    steps = max(2, math.ceil((start - end) / math.radians(3)))

    def arc(radius: float, first: float, last: float) -> list[Point]:
        return [_at(radius, first + (last - first) * i / steps) for i in range(steps + 1)]

    half_in, half_out = aisle / 2 / inner, aisle / 2 / outer
    return arc(inner, start - half_in, end + half_in) + arc(outer, end + half_out, start - half_out)


def _at(radius: float, angle: float) -> Point:
    return (radius * math.cos(angle), radius * math.sin(angle))


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    first, last = divmod(number, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def _size(section: dict[str, Any]) -> int:
    return sum(len(row["seats"]) for block in section["blocks"] for row in block["rows"])
