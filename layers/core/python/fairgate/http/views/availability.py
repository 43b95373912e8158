"""What is free, as of a moment."""

from __future__ import annotations

from msgspec import Struct


class SeatCount(Struct, frozen=True):
    total: int
    available: int


class AreaCount(Struct, frozen=True):
    capacity: int
    available: int


class CountsView(Struct, frozen=True):
    """Of an event."""

    event: str
    sections: dict[str, SeatCount]
    areas: dict[str, AreaCount]
    as_of: str
    id: int


class BlocksView(Struct, frozen=True):
    """Of one section."""

    event: str
    section: str
    blocks: dict[str, SeatCount]
    as_of: str
    id: int


class SeatsView(Struct, frozen=True):
    """One digit a seat in layout order."""

    event: str
    section: str
    statuses: str
    as_of: str
    id: int
