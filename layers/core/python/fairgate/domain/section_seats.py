"""The seats of a section as best available looks at them: rows with their geometry worked out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

AISLE_FACTOR = 1.8  # a gap wider than this many median spacings is an aisle, not a missing seat


@dataclass(frozen=True, slots=True)
class RowSeats:
    """A row with its geometry worked out once."""

    block: int  # rows behind each other are consecutive entries of one block
    start: int  # index of its first seat in the section's layout order
    ids: tuple[str, ...]
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    tiers: tuple[str, ...]
    kinds: tuple[str, ...]
    breaks: frozenset[int]  # positions that an aisle separates from the one before
    spacing: float


@dataclass(frozen=True, slots=True)
class SectionSeats:
    """A section's file of the layout, prepared; keep it as long as the layout."""

    section: str
    rows: tuple[RowSeats, ...]

    @classmethod
    def from_layout(cls, document: Mapping[str, Any]) -> SectionSeats:
        """``document`` is the parsed ``sections/<id>.json``."""
        rows: list[RowSeats] = []
        start = 0
        for number, block in enumerate(document["blocks"]):
            for row in block["rows"]:
                rows.append(_row_seats(number, start, row["seats"]))
                start += len(row["seats"])
        return cls(document["section"], tuple(rows))


def _row_seats(block: int, start: int, seats: Sequence[Mapping[str, Any]]) -> RowSeats:
    points = [(float(seat["x"]), float(seat["y"])) for seat in seats]
    gaps = [math.dist(a, b) for a, b in itertools.pairwise(points)]
    spacing = sorted(gaps)[len(gaps) // 2] if gaps else 0.0
    aisle = spacing * AISLE_FACTOR
    return RowSeats(
        block=block,
        start=start,
        ids=tuple(seat["id"] for seat in seats),
        xs=tuple(x for x, _ in points),
        ys=tuple(y for _, y in points),
        tiers=tuple(seat["tier"] for seat in seats),
        kinds=tuple(seat.get("kind", "standard") for seat in seats),
        breaks=frozenset(i for i, gap in enumerate(gaps, 1) if gap > aisle),
        spacing=spacing,
    )
