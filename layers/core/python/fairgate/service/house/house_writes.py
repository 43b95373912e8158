"""Make the writes of house seats, each with its condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.table import Update
from fairgate.service.shared.conditions import (
    AREA_HAS_BLOCKED,
    AREA_HAS_CAPACITY,
    BLOCK_AS_READ,
    SEAT_IS_AVAILABLE,
    SEAT_IS_BLOCKED_BY,
)
from fairgate.service.shared.keys import area_key, seat_key

if TYPE_CHECKING:
    from fairgate.service.shared.records.house import HouseBlock


def block_changed(seen: HouseBlock, **attributes: object) -> Update:
    """Return the write of a block, refused if it has changed since it was read."""
    return Update(
        "catalog",
        *seen.key,
        condition=BLOCK_AS_READ,
        values={"version": seen.version},
        set=attributes,
        add={"version": 1},
    )


def seat_blocked(event: str, block: str, now: str, seat: str) -> Update:
    return Update(
        "seats",
        *seat_key(event, seat),
        condition=SEAT_IS_AVAILABLE,
        values={"available": "available"},
        set={"availability": "blocked", "sessionId": block, "expiresAt": "", "updatedAt": now},
        add={"version": 1},
    )


def seat_freed(event: str, block: str, now: str, seat: str) -> Update:
    return Update(
        "seats",
        *seat_key(event, seat),
        condition=SEAT_IS_BLOCKED_BY,
        values={"blocked": "blocked", "block": block},
        set={"availability": "available", "sessionId": "", "expiresAt": "", "updatedAt": now},
        add={"version": 1},
    )


def places_blocked(event: str, area: str, shard: int, places: int, now: str) -> Update:
    return Update(
        "seats",
        *area_key(event, area, shard),
        condition=AREA_HAS_CAPACITY,
        values={"quantity": places, "number": "N"},
        set={"updatedAt": now},
        add={"remaining": -places, "blocked": places, "version": 1},
    )


def places_freed(event: str, area: str, shard: int, places: int, now: str) -> Update:
    return Update(
        "seats",
        *area_key(event, area, shard),
        condition=AREA_HAS_BLOCKED,
        values={"quantity": places},
        set={"updatedAt": now},
        add={"remaining": places, "blocked": -places, "version": 1},
    )
