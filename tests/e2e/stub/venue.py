"""A small hall for the pages' own tests: four sections around a stage, and a standing area.

A test may sell another one, of any chart.
"""

from __future__ import annotations

import json
from typing import Any

from fairgate.domain.seating.layout import OVERVIEW, SEATS, section_file, split_layout
from fairgate.domain.seating.venue import Venue
from tests.e2e.stub.answers import Refused

TIERS: list[dict[str, Any]] = [
    {"id": "gold", "name": "Gold", "color": "#b8860b", "price_minor": 12000},
    {"id": "blue", "name": "Blue", "color": "#2b6cb0", "price_minor": 7550},
    {"id": "floor", "name": "Standing", "color": "#7b3fa0", "price_minor": 4900},
]
LAYOUT = "0123456789abcdef0123456789abcdef"

# id, name, left, top, rows, seats a row, tier
_SECTIONS = (
    ("L", "Left", 20, 150, 8, 10, "blue"),
    ("101", "101", 250, 430, 10, 14, "gold"),
    ("102", "102", 510, 430, 10, 14, "gold"),
    ("R", "Right", 800, 150, 8, 10, "blue"),
)
_PITCH = 17.0


def sections() -> dict[str, dict[str, Any]]:
    return {row[0]: _section(*row) for row in _SECTIONS}


def _section(
    section: str, name: str, left: float, top: float, rows: int, seats: int, tier: str
) -> dict[str, Any]:
    made = [
        {
            "id": f"{section}-{chr(65 + row)}",
            "name": chr(65 + row),
            "seats": [
                _seat(section, row, n, left, top, tier if row < rows - 2 else "blue")
                for n in range(seats)
            ],
        }
        for row in range(rows)
    ]
    return {
        "section": section,
        "name": name,
        "blocks": [{"id": f"{section}-1", "name": "", "rows": made}],
    }


def _seat(section: str, row: int, n: int, left: float, top: float, tier: str) -> dict[str, Any]:
    seat = {
        "id": f"{section}-{chr(65 + row)}-{n + 1}",
        "number": str(n + 1),
        "x": left + 15 + n * _PITCH,
        "y": top + 15 + row * _PITCH,
        "tier": tier,
    }
    if row == 0 and n < 2:
        seat["kind"] = "accessible" if n == 0 else "companion"
    return seat


def venue() -> dict[str, Any]:
    return {
        "name": "Harbour Hall",
        "bounds": {"width": 1020, "height": 640},
        "focalPoint": [510, 70],
        "tiers": [{k: tier[k] for k in ("id", "name", "color")} for tier in TIERS],
        "zones": [],
        "shapes": [{"kind": "stage", "name": "Stage", "outline": _box(330, 20, 360, 90)}],
        "areas": [
            {
                "id": "FLOOR",
                "name": "Floor",
                "outline": _box(300, 150, 420, 240),
                "capacity": 200,
                "tier": "floor",
            }
        ],
        "sections": [
            {
                "id": section,
                "name": name,
                "zone": None,
                "outline": _box(left, top, 30 + (seats - 1) * _PITCH, 30 + (rows - 1) * _PITCH),
                "focalPoint": [510, 70],
                "seats": rows * seats,
                "tiers": sorted({tier, "blue"}),
                "blocks": [{"id": f"{section}-1", "name": ""}],
            }
            for section, name, left, top, rows, seats, tier in _SECTIONS
        ],
    }


def _box(left: float, top: float, width: float, height: float) -> list[list[float]]:
    return [[left, top], [left + width, top], [left + width, top + height], [left, top + height]]


def seat_ids(section: dict[str, Any]) -> list[str]:
    return [
        seat["id"] for block in section["blocks"] for row in block["rows"] for seat in row["seats"]
    ]


class Hall:
    """What is sold: the small hall, or a chart."""

    def __init__(self, chart: Venue | None = None) -> None:
        files = split_layout(chart).files if chart else {}
        self._files = {name: json.loads(body) for name, body in files.items()}
        self.overview: dict[str, Any] = self._files.get(OVERVIEW) or venue()
        names = [section["id"] for section in self.overview["sections"]]
        small = {} if chart else sections()
        self.sections = {name: small.get(name) or self._files[section_file(name)] for name in names}
        prices = range(10_000, 0, -500)
        self.tiers = TIERS
        if chart:
            self.tiers = [
                tier | {"price_minor": prices[at % len(prices)]}
                for at, tier in enumerate(self.overview["tiers"])
            ]
        self.seats = {
            seat["id"]: (name, row, seat)
            for name, section in self.sections.items()
            for block in section["blocks"]
            for row in block["rows"]
            for seat in row["seats"]
        }

    def all_seats(self) -> tuple[int, Any]:
        return self._file(SEATS)

    def background(self) -> tuple[int, Any]:
        return self._file("picture.json")

    def _file(self, name: str) -> tuple[int, Any]:
        if name not in self._files:  # as in a layout of a former release
            raise Refused(404, "not-found")
        return 200, self._files[name]
