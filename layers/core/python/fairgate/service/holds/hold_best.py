"""Hold the best available seats: find them on the cached map, claim them, hold them.

The map may be a second old, and hundreds of callers want the same seats at the same moment. Claims
separate them: one call claims the first block of a list that nobody else has claimed. While the
cache is gone they draw among blocks of nearly equal quality. If seats are lost to others all the
same, the search goes on without them in the same request.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field  # noqa: TID251 _Search has fields that are no arguments
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from fairgate.domain.orders.order import Unit
from fairgate.domain.seating.adjacent_seats import Wish
from fairgate.domain.seating.best_available import most_together, propose, whole_capacities
from fairgate.domain.seating.section_search import Proposal
from fairgate.domain.shared.credential import Credential
from fairgate.errors import FairgateError, NoSeatsFoundError, SeatsTakenError
from fairgate.ports.availability import Claim
from fairgate.ports.outside import Layouts
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.read_catalog import CatalogReader
from fairgate.service.holds.claim_seats import Claims, give_up_failed
from fairgate.service.holds.hold_seats import SeatHolder, SeatsHeld, over_limit
from fairgate.service.holds.seat_index import SeatIndex, seat_index
from fairgate.service.holds.section_search import VenueSearch, away, chosen_sections

ATTEMPTS_MAX = 8  # transactions, each of other seats: this is no ``change`` of one item
CLAIM_ROUNDS = (16, 32, 64, 128, 256)  # blocks in each list, one after the other
DRAWN_MAX = 128  # blocks to draw among without claims, doubled after each lost attempt …
NEAR_SHARE = 0.15  # … of which none is worse than the best by more, quadrupled after each,
NEAR_MIN = 8  # but at least these: close to the stage 15 % is very little


class BestRequest(Struct, frozen=True):
    """What the buyer asks for; None: no preference.

    Attributes:
        standing: whether places of an area will do where seats are sold as well.
        without: seats that are not wanted, for a buyer who asks for others.
    """

    quantity: int
    section: str | None = None
    tier: str | None = None
    accessible: int = 0  # how many of the seats; the others are next to them
    zone: str | None = None
    standing: bool = False
    without: Sequence[str] = ()

    def wish(self) -> Wish:
        return Wish(self.quantity, self.tier, int(self.accessible))


class BestHolder(Struct, frozen=True):
    """Holds best available.

    Cost: three calls of the cache and one transaction if the nearest sections have enough seats;
    another call for each further section, list of claimed blocks, and lost transaction.
    """

    layouts: Layouts
    availability: AvailabilityReader
    holder: SeatHolder
    catalog: CatalogReader
    claims: Claims

    def hold(
        self, credential: Credential, request: BestRequest, *, idempotency_key: str = ""
    ) -> SeatsHeld:
        """Hold the best free seats together, or places in one area where there are none of them.

        Places stand for seats only where the request says so, or nothing else is sold for it.

        Raises:
            NoSeatsFoundError (``possible`` says what there would be), LimitExceededError,
            NotFoundError (no such section or zone) and what SeatHolder.hold raises.
        """
        if request.quantity > credential.hold_limit:
            raise over_limit(credential.hold_limit, asked=request.quantity)
        asked = asdict(request)
        before = self.holder.made_before(credential, idempotency_key, payload=asked)
        if before is not None:
            return before
        search = _Search(self, credential, request)
        for _ in range(ATTEMPTS_MAX):
            units, shards = search.next_units()
            try:
                return self.holder.hold(
                    credential,
                    units,
                    shards=shards,
                    idempotency_key=idempotency_key,
                    route="best-available",
                    payload=asked,
                )
            except FairgateError as error:
                search.lose(units, error)
                if not isinstance(error, SeatsTakenError):
                    raise
        raise NoSeatsFoundError(
            "Many people are choosing here right now. Please try again or pick another section."
        )


@dataclass
class _Search:
    """The search of one request, over all of its attempts."""

    world: BestHolder
    credential: Credential
    request: BestRequest
    lost: set[str] = field(default_factory=set)  # units and areas that are gone
    attempts: int = 0

    def __post_init__(self) -> None:
        world, credential, request = self.world, self.credential, self.request
        self.index: SeatIndex = seat_index(world.layouts, credential.layout)
        self.map = VenueSearch(
            world.layouts,
            world.availability,
            world.claims,
            credential.event,
            credential.layout,
        )
        self.sections = chosen_sections(
            self.map.overview, section=request.section, zone=request.zone, tier=request.tier
        )
        self.lost.update(request.without)

    def next_units(self) -> tuple[list[Unit], dict[str, int]]:
        """Return the units to hold next, and the shards of an area. Raises NoSeatsFoundError."""
        self.attempts += 1
        if self.attempts > 1:
            self.map.forget()
        proposal = self._claimed() or self._drawn(claims=False)
        if proposal is not None:
            return self.index.seats(proposal.ids()), {}
        area = self._area()
        if area is not None and (self.request.standing or not self.sections):
            return self._places(area)
        raise self._refusal()

    def lose(self, units: Sequence[Unit], error: FairgateError) -> None:
        """Note a failed hold: give up its claims, leave out seats that are gone."""
        seats = [(unit.section, unit.place) for unit in units if unit.kind == "seat"]
        give_up_failed(self.world.claims, self.credential, seats, error)
        if isinstance(error, SeatsTakenError):
            self.lost.update(error.seats)

    def _claimed(self) -> Proposal | None:
        """Claim and return the best block that nobody else has claimed."""
        event, session = self.credential.event, self.credential.session
        for count in CLAIM_ROUNDS:
            proposals = self._propose(count)
            if not proposals:
                return None
            choices = [Claim(proposal.units, proposal.beside) for proposal in proposals]
            claimed = self.world.claims.claim(event, choices, session)
            if claimed is None:
                return self._drawn(claims=True)
            if claimed.choice is not None:
                return proposals[claimed.choice]
            self.map.read_claims_again()
        return None

    def _drawn(self, *, claims: bool) -> Proposal | None:
        """Draw one of the blocks of nearly equal quality, by the session."""
        proposals = self._propose(DRAWN_MAX << min(self.attempts - 1, 2), claims=claims)
        worse = NEAR_SHARE * 4 ** (self.attempts - 1)
        worst = proposals[0].cost * (1 + worse) if proposals else 0.0
        near = [
            proposal
            for position, proposal in enumerate(proposals)
            if position < NEAR_MIN or proposal.cost <= worst
        ]
        return near[_draw(self.credential.session, self.attempts) % len(near)] if near else None

    def _propose(self, count: int, *, claims: bool = True) -> list[Proposal]:
        search = self.map.search(self.sections, self.lost, claims=claims)
        return propose(search, self.request.wish(), count)

    def _area(self) -> str | None:
        """Choose the nearest area that has enough places."""
        request = self.request
        if request.accessible or request.section is not None or request.zone is not None:
            return None
        if not (areas := self.map.overview.get("areas", ())):
            return None
        free = self.map.counts().areas
        focal = self.map.overview["focalPoint"]
        for area in sorted(areas, key=lambda area: away(focal, area["outline"])):
            name = area["id"]
            if name in self.lost or free[name][1] < request.quantity:
                continue
            if request.tier in (None, area["tier"]):
                return str(name)
        return None

    def _places(self, area: str) -> tuple[list[Unit], dict[str, int]]:
        shards = self.world.catalog.event(self.credential.event).areas[area].shards
        return [self.index.area(area, self.request.quantity, shard=0)], {area: shards}

    def _refusal(self) -> NoSeatsFoundError:
        """Return a refusal that says what is possible: fewer together, a table, another section."""
        wish = self.request.wish()
        here = self.map.search(self.sections, self.lost, claims=False)
        possible: dict[str, Any] = {}
        if together := most_together(here, wish):
            possible["together"] = together
        if capacities := whole_capacities(here, wish):
            possible["whole"] = capacities[0]
        if len(self.sections) < len(self.map.overview["sections"]):
            everywhere = self.map.search(self.map.overview["sections"], self.lost, claims=False)
            elsewhere = propose(everywhere, Wish(wish.quantity, None, wish.accessible))
            if elsewhere:
                possible["section"] = elsewhere[0].units[0][0]
        if (area := self._area()) is not None:
            possible["area"] = area
        return NoSeatsFoundError(
            _refusal_text(self.request, possible), quantity=wish.quantity, possible=possible
        )


def _refusal_text(request: BestRequest, possible: dict[str, Any]) -> str:
    if request.quantity == 1:
        text = f"There is no {'accessible ' if request.accessible else ''}seat left here."
    else:
        accessible = ", as accessible as you need them," if request.accessible else ""
        text = f"There are not {request.quantity} seats together{accessible} left here."
    if "together" in possible:
        text += f" There would be {possible['together']}."
    if "whole" in possible:
        text += f" There is a table or box for {possible['whole']}."
    if "section" in possible:
        text += f" Section {possible['section']} has some."
    if "area" in possible:
        text += f" Standing places are free in {possible['area']}."
    return text


def _draw(session: str, attempt: int) -> int:
    """Draw a number that differs for each session and attempt."""
    digest = hashlib.sha256(f"{session}|{attempt}".encode()).digest()
    return int.from_bytes(digest[:4], "big")
