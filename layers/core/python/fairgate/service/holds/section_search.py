"""Read the sections that a best-available request needs, with the claims on their seats."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from fairgate.domain.seating.layout import OVERVIEW, section_file
from fairgate.domain.seating.section_search import SectionSearch
from fairgate.domain.seating.section_seats import Point, SectionSeats
from fairgate.domain.seating.status_vector import digits
from fairgate.errors import NotFoundError
from fairgate.ports.outside import Layouts
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.availability.reads import Counts
from fairgate.service.holds.claim_seats import Claims

FIRST_SECTIONS = 2  # read before the counts are: most requests need no more
SECTIONS_A_READ = 4  # one call of the cache (adapters/valkey/availability.py)


class VenueSearch:
    """Reads sections, and keeps them until ``forget``."""

    def __init__(
        self,
        layouts: Layouts,
        availability: AvailabilityReader,
        claims: Claims,
        event: str,
        layout: str,
    ) -> None:
        self._layouts = layouts
        self._availability = availability
        self._claims = claims
        self._event = event
        self._layout = layout
        self.overview = overview(layouts, layout)
        self._statuses: dict[str, str] = {}
        self._claimed: set[str] = set()
        self._counts: Counts | None = None

    def search(
        self, sections: Sequence[Mapping[str, Any]], lost: set[str], *, claims: bool = True
    ) -> SectionSearch:
        """Return a search of these sections, without ``lost`` and claimed units."""
        nearest = {s["id"]: float(s.get("nearest", 0.0)) for s in sections}
        order = sorted(nearest, key=lambda section: nearest[section])
        focal = {s["id"]: _point(s["focalPoint"]) for s in sections}

        def read(section: str, at_least: int) -> tuple[SectionSeats, str] | None:
            if not self._has(section, order, at_least):
                return None
            seats = prepared(self._layouts, self._layout, section, focal[section])
            statuses = self._statuses[section]
            return seats, seats.without(statuses, self._claimed) if claims else statuses

        return SectionSearch(nearest, read, frozenset(lost))

    def counts(self) -> Counts:
        if self._counts is None:
            self._counts = self._availability.counts(self._event)
        return self._counts

    def read_claims_again(self) -> None:
        """Read the claims again in the sections read so far."""
        self._claimed = self._claims.claimed(self._event, list(self._statuses))

    def forget(self) -> None:
        """Read everything again: the map was too old."""
        self._statuses.clear()
        self._claimed.clear()
        self._counts = None

    def _has(self, section: str, order: Sequence[str], at_least: int) -> bool:
        """Read the section, with the next ones that have enough; False: it has too few."""
        if section in self._statuses:
            return True
        limit = FIRST_SECTIONS if not self._statuses else SECTIONS_A_READ
        free = self.counts().sections if self._statuses else {}
        if free and free[section][1] < at_least:
            return False
        ahead = (s for s in order[order.index(section) :] if s not in self._statuses)
        wanted = [s for s in ahead if not free or free[s][1] >= at_least][:limit]
        sections = self._availability.sections(self._event, wanted)
        self._statuses |= {s: digits(sections[s].codes) for s in wanted}
        self._claimed |= self._claims.claimed(self._event, wanted)
        return True


def chosen_sections(
    layout_overview: Mapping[str, Any], *, section: str | None, zone: str | None, tier: str | None
) -> list[dict[str, Any]]:
    """Return the overview's sections that a request allows. Raises NotFoundError."""
    sections: list[dict[str, Any]] = layout_overview["sections"]
    if section is not None:
        sections = [s for s in sections if s["id"] == section]
        if not sections:
            raise NotFoundError("There is no such section.", section=section)
    if zone is not None:
        if zone not in {z["id"] for z in layout_overview.get("zones", ())}:
            raise NotFoundError("There is no such zone.", zone=zone)
        sections = [s for s in sections if s.get("zone") == zone]
    return [s for s in sections if tier in (None, *s["tiers"])]


def middle(outline: Sequence[Any]) -> Point:
    points = [_point(corner) for corner in outline]
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def away(focal_point: Any, outline: Sequence[Any]) -> float:
    return math.dist(_point(focal_point), middle(outline))


@lru_cache(maxsize=4)
def overview(layouts: Layouts, layout: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(layouts.read(layout, OVERVIEW))
    return document


@lru_cache(maxsize=256)
def prepared(layouts: Layouts, layout: str, section: str, focal: Point) -> SectionSeats:
    """Prepare a section's seats. Cost: one layout read for each process and section."""
    document = json.loads(layouts.read(layout, section_file(section)))
    return SectionSeats.from_layout(document, focal)


def _point(pair: Any) -> Point:
    """Read a point from ``[x, y]`` or ``{"x": …, "y": …}``."""
    return (pair["x"], pair["y"]) if isinstance(pair, dict) else (pair[0], pair[1])
