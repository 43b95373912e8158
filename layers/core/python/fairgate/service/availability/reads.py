"""Declare the results of reads: statuses, counts and news, each at a position of the log."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from fairgate.ports.availability import PlaceChanges, Position, SeatChanges
from fairgate.service.availability.reading_pace import ON_SALE, SaleTimes

Source = Literal["cache", "table"]
NOWHERE = Position(0, 0)


class SectionStatuses(Struct, frozen=True):
    """One status code for each seat in layout order (``domain/seating/status_vector.py``)."""

    codes: bytes
    as_of_ms: int
    source: Source
    position: Position = NOWHERE
    sale: SaleTimes = ON_SALE


class VenueStatuses(Struct, frozen=True):
    sections: dict[str, bytes]  # in layout order
    as_of_ms: int
    source: Source
    position: Position
    sale: SaleTimes


class Counts(Struct, frozen=True):
    """Available units. Either the event's sections and areas, or one section's blocks."""

    sections: dict[str, tuple[int, int]]  # id → seats in all, available
    areas: dict[str, tuple[int, int]]  # id → capacity, available
    blocks: dict[str, tuple[int, int]]  # id → seats in all, available
    as_of_ms: int
    source: Source
    position: Position
    sale: SaleTimes


class SeatNews(Struct, frozen=True):
    """The changes of a section; no ``changes``: the cache is gone."""

    changes: SeatChanges | None
    again_s: int  # until the next look


class PlaceNews(Struct, frozen=True):
    """The sections and areas that changed, with all counts; neither: the cache is gone."""

    changes: PlaceChanges | None
    counts: Counts | None
    again_s: int
