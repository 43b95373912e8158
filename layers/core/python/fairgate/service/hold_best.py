"""Best available: found on the cached map, proved by the hold's transaction.

The map may be a second old and others ask at the same moment, so a conflict moves on to the next
candidate within the same request, and callers draw among candidates of nearly equal quality.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from fairgate.domain.best_available import Point, find_best
from fairgate.domain.credential import Credential
from fairgate.domain.layout import OVERVIEW, section_file
from fairgate.domain.section_seats import SectionSeats
from fairgate.domain.status_vector import digits
from fairgate.errors import NoSeatsFoundError, NotFoundError, SeatsTakenError
from fairgate.ports import Layouts
from fairgate.service.hold_seats import SeatHolder, SeatsHeld, over_limit
from fairgate.service.read_availability import AvailabilityReader
from fairgate.service.seat_index import seat_index

ATTEMPTS_MAX = 6
_GROUP = 4  # sections searched together, nearest the focal point first
_CHOICES = 1 << 16


@dataclass(frozen=True)
class BestRequest:
    """What the buyer asks for; None means no preference."""

    quantity: int
    section: str | None = None
    tier: str | None = None
    accessible: bool = False


@dataclass(frozen=True)
class BestHolder:
    """Cost: one read of the counts, one of each section searched, one transaction an attempt."""

    layouts: Layouts
    availability: AvailabilityReader
    holder: SeatHolder

    def hold(
        self, credential: Credential, request: BestRequest, *, idempotency_key: str = ""
    ) -> SeatsHeld:
        """The best free seats together, held.

        Raises:
            NoSeatsFoundError, LimitExceededError, NotFoundError (no such section) and what
            SeatHolder.hold raises for the session.
        """
        if request.quantity > credential.hold_limit:
            raise over_limit(credential.hold_limit, asked=request.quantity)
        asked = asdict(request)
        before = self.holder.made_before(credential, idempotency_key, payload=asked)
        if before is not None:
            return before
        index = seat_index(self.layouts, credential.layout)
        lost: set[str] = set()
        for attempt in range(ATTEMPTS_MAX):
            seats = self._find(credential, request, lost, _draw(credential.session, attempt))
            try:
                return self.holder.hold(
                    credential,
                    index.seats(seats),
                    idempotency_key=idempotency_key,
                    route="best-available",
                    payload=asked,
                )
            except SeatsTakenError as conflict:
                lost.update(conflict.seats)
        raise NoSeatsFoundError(
            "Many people are choosing here right now. Please try again or pick another section."
        )

    def _find(
        self, credential: Credential, request: BestRequest, lost: set[str], choose: int
    ) -> list[str]:
        for sections in self._groups(credential, request):
            prepared = [_prepared(self.layouts, credential.layout, s["id"]) for s in sections]
            statuses = {
                s["id"]: digits(self.availability.section(credential.event, s["id"]).codes)
                for s in sections
            }
            try:
                found = find_best(
                    prepared,
                    statuses,
                    quantity=request.quantity,
                    tier=request.tier,
                    accessible=request.accessible,
                    focal_point=_point(sections[0]["focalPoint"]),
                    choose=choose,
                    exclude=lost,
                )
            except NoSeatsFoundError:
                continue
            return list(found)
        raise NoSeatsFoundError("There are not that many seats together. Try fewer, or elsewhere.")

    def _groups(
        self, credential: Credential, request: BestRequest
    ) -> Iterator[Sequence[dict[str, Any]]]:
        """Sections worth searching, a few at a time, nearest the stage first."""
        overview = _overview(self.layouts, credential.layout)
        sections = overview["sections"]
        if request.section is not None:
            sections = [s for s in sections if s["id"] == request.section]
            if not sections:
                raise NotFoundError("There is no such section.", section=request.section)
        free = self.availability.counts(credential.event).sections
        worth = [
            s
            for s in sections
            if free[s["id"]][1] >= request.quantity and request.tier in (None, *s["tiers"])
        ]
        focal = _point(overview["focalPoint"])
        worth.sort(key=lambda s: math.dist(_middle(s), focal))
        iterator = iter(worth)
        while group := list(itertools.islice(iterator, _GROUP)):
            yield group


def _draw(session: str, attempt: int) -> int:
    """A caller's own choice among equals: different for each session and attempt."""
    digest = hashlib.sha256(f"{session}|{attempt}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % _CHOICES


@lru_cache(maxsize=4)
def _overview(layouts: Layouts, layout: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(layouts.read(layout, OVERVIEW))
    return document


@lru_cache(maxsize=256)
def _prepared(layouts: Layouts, layout: str, section: str) -> SectionSeats:
    return SectionSeats.from_layout(json.loads(layouts.read(layout, section_file(section))))


def _middle(section: dict[str, Any]) -> Point:
    corners = section["outline"]
    return (
        sum(x for x, _ in corners) / len(corners),
        sum(y for _, y in corners) / len(corners),
    )


def _point(pair: Any) -> Point:
    """From ``[x, y]`` or ``{"x": …, "y": …}``."""
    return (pair["x"], pair["y"]) if isinstance(pair, dict) else (pair[0], pair[1])
