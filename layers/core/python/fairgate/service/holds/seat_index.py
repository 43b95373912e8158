"""Look up section, tier and name of a place in the immutable layout, without a read per hold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fairgate.domain.orders.order import Unit
from fairgate.errors import NotFoundError
from fairgate.ports.outside import Layouts


class SeatIndex:
    """Every seat and area of one layout by id."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def seats(self, ids: Sequence[str]) -> list[Unit]:
        """Make units of these seats. Raises NotFoundError: names every unknown seat."""
        known = self._document["seats"]
        unknown = [seat for seat in ids if seat not in known]
        if unknown:
            raise NotFoundError("Some of these seats do not exist.", seats=unknown)
        return [self._seat(seat) for seat in ids]

    def area(self, area: str, quantity: int, shard: int) -> Unit:
        facts = self._document["areas"].get(area)
        if facts is None:
            raise NotFoundError("There is no such area.", area=area)
        return Unit("area", area, "", facts["tier"], facts["name"], quantity, shard)

    def _seat(self, seat: str) -> Unit:
        """Make a unit of a seat, or of all places of a table or box."""
        section, tier, row, number, *whole = self._document["seats"][seat]
        place = self._document["sections"][section]
        unit, capacity = whole or ("seat", 1)
        where = f"Row {row} · Seat" if unit == "seat" else f"{row} · {unit.capitalize()}"
        label = f"{place['name']} · {where} {number}"
        tier_id = self._document["tiers"][tier]
        return Unit("seat", seat, place["id"], tier_id, label, quantity=capacity)


@lru_cache(maxsize=4)
def seat_index(layouts: Layouts, layout: str) -> SeatIndex:
    """Load a layout's index. Cost: one read of the store for each process and layout."""
    return SeatIndex(json.loads(layouts.read(layout, "index.json")))
