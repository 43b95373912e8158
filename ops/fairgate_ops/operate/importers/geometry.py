"""Outlines: ellipses and rectangles as polygons, and the hull around a set of seats."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

Point = tuple[float, float]

_ELLIPSE_POINTS = 48


def ellipse(center: Point, radius_x: float, radius_y: float, degrees: float = 0) -> list[Point]:
    turns = [2 * math.pi * step / _ELLIPSE_POINTS for step in range(_ELLIPSE_POINTS)]
    points = [
        (center[0] + radius_x * math.cos(t), center[1] + radius_y * math.sin(t)) for t in turns
    ]
    return rotated(points, center, degrees)


def rectangle(center: Point, width: float, height: float, degrees: float = 0) -> list[Point]:
    x, y = center
    corners = [
        (x - width / 2, y - height / 2),
        (x + width / 2, y - height / 2),
        (x + width / 2, y + height / 2),
        (x - width / 2, y + height / 2),
    ]
    return rotated(corners, center, degrees)


def rotated(points: Iterable[Point], center: Point, degrees: float) -> list[Point]:
    """Clockwise as seen on a screen, where y grows downwards."""
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    return [
        (
            center[0] + (x - center[0]) * cos - (y - center[1]) * sin,
            center[1] + (x - center[0]) * sin + (y - center[1]) * cos,
        )
        for x, y in points
    ]


def spacing(seats: Sequence[Point]) -> float:
    """The median distance from one seat to the next, 20 where there are no two."""
    gaps = sorted(math.dist(a, b) for a, b in itertools.pairwise(seats))
    return gaps[len(gaps) // 2] or 20.0 if gaps else 20.0


def hull_around(points: Sequence[Point], margin: float) -> list[Point]:
    """The convex hull of a square of ``margin`` around every point."""
    around = {
        (x + dx, y + dy) for x, y in points for dx in (-margin, margin) for dy in (-margin, margin)
    }
    ordered = sorted(around)
    return _half(ordered) + _half(ordered[::-1])


def _half(ordered: Iterable[Point]) -> list[Point]:
    """One chain of Andrew's monotone chain hull, without its last point."""
    chain: list[Point] = []
    for x, y in ordered:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], (x, y)) <= 0:
            chain.pop()
        chain.append((x, y))
    return chain[:-1]


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
