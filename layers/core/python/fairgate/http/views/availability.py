"""What is free, as of a moment, and what of it has changed."""

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


class SectionChange(Struct, frozen=True):
    section: str
    total: int
    available: int


class AreaChange(Struct, frozen=True):
    area: str
    capacity: int
    available: int


class SeatChange(Struct, frozen=True, array_like=True):
    seat: int
    status: int


class ChangesWindow(Struct, frozen=True):
    """From which ``id`` to which the stream has every change, and how soon to look again."""

    since: int
    until: int
    again_ms: int


# What the stream of changes sends: the name of each message and the model of its data.
MESSAGES = {
    "section": SectionChange,
    "area": AreaChange,
    "seats": list[SeatChange],
    "window": ChangesWindow,
}
