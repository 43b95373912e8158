"""Declare what is known of each section and area: how it is remembered, and how it is answered."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339

SECTIONS_MAX = 2_000  # that an answer has


class SectionCounts(Struct, array_like=True):
    """The seats of a section, as they were read at ``at_ms``."""

    at_ms: int
    sold: int
    held: int
    blocked: int
    free: int


class AreaCounts(Struct, array_like=True):
    """The places of an area's counters; those that are held or sold are ``taken``."""

    at_ms: int
    taken: int = 0
    blocked: int = 0
    free: int = 0


class SeatCounts(Struct):
    """The last counts of each section and area, by id."""

    sections: dict[str, SectionCounts] = {}
    areas: dict[str, AreaCounts] = {}


class SectionFigures(Struct, frozen=True, kw_only=True):
    """The seats of a section that could be read at ``at``."""

    id: str
    at: str
    total: int
    sold: int
    held: int
    free: int
    blocked: int


class AreaFigures(Struct, frozen=True, kw_only=True):
    """A counter has the number of free places, and not how many of the others are sold."""

    id: str
    at: str
    total: int
    taken: int
    free: int
    blocked: int


class Sections(Struct, frozen=True, kw_only=True):
    """Sections and areas of which the figures have counts, in the order of their ids."""

    event: str
    now: str = ""
    sections: Sequence[SectionFigures]
    areas: Sequence[AreaFigures]


def sections_of(event: str, counts: SeatCounts) -> Sections:
    sections = [
        SectionFigures(
            id=name,
            at=rfc3339(one.at_ms),
            total=one.sold + one.held + one.free + one.blocked,
            sold=one.sold,
            held=one.held,
            free=one.free,
            blocked=one.blocked,
        )
        for name, one in sorted(counts.sections.items())[:SECTIONS_MAX]
    ]
    areas = [
        AreaFigures(
            id=name,
            at=rfc3339(one.at_ms),
            total=one.taken + one.free + one.blocked,
            taken=one.taken,
            free=one.free,
            blocked=one.blocked,
        )
        for name, one in sorted(counts.areas.items())[:SECTIONS_MAX]
    ]
    return Sections(event=event, sections=sections, areas=areas)
