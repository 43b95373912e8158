"""Best available: held in the same request, moving on when somebody was quicker."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.domain.orders.order import Unit
from fairgate.errors import (
    LimitExceededError,
    NoSeatsFoundError,
    NotFoundError,
    SeatsTakenError,
    SessionExpiredError,
)
from fairgate.ports.availability import Claim
from fairgate.service.holds.claim_seats import Claims
from fairgate.service.holds.hold_best import ATTEMPTS_MAX, BestHolder, BestRequest
from fairgate.service.holds.hold_seats import SeatHolder, SeatsHeld
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.keys import user_status_key
from fairgate.service.shared.records.sessions import UserStatus
from fairgate_lab.engine.cache import MemoryClaims, NoCache
from tests.support.two_rows import ROW_OF, draw_two_rows
from tests.support.world import EVENT, LAYOUT, World


@pytest.fixture
def hall(world: World) -> World:
    draw_two_rows(world)
    return world


def best(
    world: World, holder: SeatHolder | None = None, claims: MemoryClaims | None = None
) -> BestHolder:
    holder = holder or SeatHolder(world.table, world.clock, world.ids)
    kept = Claims(claims or NoCache(), world.clock)
    container = world.container
    return BestHolder(world.layouts, container.availability, holder, container.catalog, kept)


class Overtaken(SeatHolder, frozen=True):
    """Somebody holds the wished seats just before each of the first ``times`` attempts."""

    times = 1
    tried = 0

    def hold(self, credential: Any, units: Any, **options: Any) -> SeatsHeld:
        type(self).tried += 1
        if type(self).tried <= type(self).times:
            raise SeatsTakenError([unit.place for unit in units])
        return super().hold(credential, units, **options)


def test_seats_together_in_one_row_are_held(hall: World) -> None:
    held = best(hall).hold(hall.session(), BestRequest(3))
    places = sorted(unit.place for unit in held.units)
    numbers = [hall.seat_ids.index(place) for place in places]
    assert len({n // ROW_OF for n in numbers}) == 1
    assert max(numbers) - min(numbers) == 2
    assert all(hall.seat(place)["availability"] == "locked" for place in places)


def test_the_next_candidate_is_tried_when_somebody_was_quicker(hall: World) -> None:
    class Once(Overtaken, frozen=True):
        pass

    holder = Once(hall.table, hall.clock, hall.ids)
    assert len(best(hall, holder).hold(hall.session(), BestRequest(2)).units) == 2
    assert Once.tried == 2


def test_the_search_ends_when_everybody_is_quicker(hall: World) -> None:
    class Always(Overtaken, frozen=True):
        times = 99

    holder = Always(hall.table, hall.clock, hall.ids)
    with pytest.raises(NoSeatsFoundError):
        best(hall, holder).hold(hall.session(), BestRequest(1))
    assert Always.tried == ATTEMPTS_MAX


def take(hall: World, *seats: str) -> None:
    for seat in seats:
        other = hall.session("bob-" + seat)
        SeatHolder(hall.table, hall.clock, hall.ids).hold(other, [Unit("seat", seat, "s", "t", "")])


def test_a_refusal_names_alternatives(hall: World) -> None:
    take(hall, *hall.seat_ids[4:])
    with pytest.raises(NoSeatsFoundError) as refused:
        best(hall).hold(hall.session(), BestRequest(5, section="s"))
    assert refused.value.fields["possible"] == {"together": 4}
    assert "4" in refused.value.detail


def test_places_to_stand_are_held_only_for_who_takes_them_as_well(hall: World) -> None:
    take(hall, *hall.seat_ids[::2])
    with pytest.raises(NoSeatsFoundError) as refused:
        best(hall).hold(hall.session(), BestRequest(5))
    assert refused.value.fields["possible"] == {"together": 1, "area": "floor"}
    assert "Standing places are free in floor." in refused.value.detail
    held = best(hall).hold(hall.session(), BestRequest(5, standing=True))
    assert [(u.kind, u.place, u.quantity) for u in held.units] == [("area", "floor", 5)]
    assert hall.remaining() == 5


def test_an_area_is_not_offered_when_a_section_zone_or_accessible_seat_is_asked_for(
    hall: World,
) -> None:
    take(hall, *hall.seat_ids)
    for request in (
        BestRequest(2, section="s", standing=True),
        BestRequest(2, zone="z", standing=True),
        BestRequest(2, accessible=1, standing=True),
        BestRequest(2, tier="other", standing=True),
        BestRequest(10 + 1, standing=True),
    ):
        with pytest.raises(NoSeatsFoundError):
            best(hall).hold(hall.session(limit=40), request)


def test_a_tier_that_only_an_area_has_needs_no_further_wish(hall: World) -> None:
    venue = json.loads(hall.layouts.read(LAYOUT, "venue.json"))
    venue["sections"][0]["tiers"] = ["dear"]
    hall.layouts.write(LAYOUT, "venue.json", json.dumps(venue).encode())
    held = best(hall).hold(hall.session(), BestRequest(2, tier="t"))
    assert [(u.kind, u.place) for u in held.units] == [("area", "floor")]


def test_others_are_found_when_the_first_are_not_wanted(hall: World) -> None:
    unwanted = hall.seat_ids[2:4]  # the best of all
    held = best(hall).hold(hall.session(), BestRequest(2, without=unwanted))
    assert {unit.place for unit in held.units}.isdisjoint(unwanted)


def test_only_sections_of_the_zone_are_searched(hall: World) -> None:
    assert len(best(hall).hold(hall.session(), BestRequest(2, zone="z")).units) == 2
    with pytest.raises(NoSeatsFoundError) as refused:
        best(hall).hold(hall.session("bob"), BestRequest(2, zone="far"))
    assert refused.value.fields["possible"] == {"section": "s"}
    with pytest.raises(NotFoundError):
        best(hall).hold(hall.session("cid"), BestRequest(2, zone="nowhere"))


def test_seats_that_another_has_claimed_are_left_to_them(hall: World) -> None:
    claims = MemoryClaims(hall.clock)
    wished = best(hall).hold(hall.session(), BestRequest(2))
    SeatReleaser(hall.table, hall.clock).release_hold(wished_session(hall), "ann", wished.hold)
    claims.claim(EVENT, [Claim(tuple(("s", u.place) for u in wished.units))], "bob", 3_000)
    held = best(hall, claims=claims).hold(hall.session("cid"), BestRequest(2))
    assert {u.place for u in held.units}.isdisjoint(u.place for u in wished.units)


def wished_session(hall: World) -> str:
    status = hall.table.find(UserStatus, user_status_key("ann", EVENT))
    assert status is not None
    return status.live_session


def test_claimed_seats_are_no_part_of_the_search(hall: World) -> None:
    # Four together would be found only across them; two and two behind each other are free.
    claims = MemoryClaims(hall.clock)
    middle = [hall.seat_ids[n] for n in (2, 3, 8, 9)]
    claims.claim(EVENT, [Claim(tuple(("s", seat) for seat in middle))], "bob", 3_000)
    held = best(hall, claims=claims).hold(hall.session(), BestRequest(4))
    assert {unit.place for unit in held.units}.isdisjoint(middle)


def test_seats_that_are_gone_are_not_asked_for_again(hall: World) -> None:
    class Picky(SeatHolder, frozen=True):
        def hold(self, credential: Any, units: Any, **options: Any) -> SeatsHeld:
            (seat,) = units
            asked.append(seat.place)
            if seat.place != hall.seat_ids[4]:
                raise SeatsTakenError([seat.place])
            return super().hold(credential, units, **options)

    take(hall, *hall.seat_ids[5:])
    holder = Picky(hall.table, hall.clock, hall.ids)
    for number in range(8):
        asked: list[str] = []
        mine = hall.session(f"user-{number}")
        held = best(hall, holder).hold(mine, BestRequest(1, section="s"))
        SeatReleaser(hall.table, hall.clock).release_hold(mine.session, f"user-{number}", held.hold)
        assert len(asked) == len(set(asked))


def test_a_crowd_that_reads_the_same_map_does_not_collide(hall: World) -> None:
    # The map stays as it was before all of them, as a cache a second old would.
    class Counted(SeatHolder, frozen=True):
        tried = 0

        def hold(self, *args: Any, **options: Any) -> SeatsHeld:
            type(self).tried += 1
            return super().hold(*args, **options)

    stale = hall.container.availability.sections(EVENT, ["s"])
    availability = hall.container.availability
    availability.sections = lambda *_: stale  # type: ignore[method-assign]
    claims = MemoryClaims(hall.clock)
    holder = Counted(hall.table, hall.clock, hall.ids)
    for number in range(6):
        best(hall, holder, claims).hold(hall.session(f"user-{number}"), BestRequest(2))
    assert Counted.tried == 6
    assert {hall.seat(seat)["availability"] for seat in hall.seat_ids} == {"locked"}


def test_claims_are_given_up_when_the_hold_fails(hall: World) -> None:
    claims = MemoryClaims(hall.clock)
    mine = hall.session(seconds=1)
    hall.clock.tick(2)
    with pytest.raises(SessionExpiredError):
        best(hall, claims=claims).hold(mine, BestRequest(2))
    assert claims.claimed(EVENT, ["s"]) == set()


def test_claims_on_seats_that_are_gone_keep_others_off(hall: World) -> None:
    class Once(Overtaken, frozen=True):
        def hold(self, credential: Any, units: Any, **options: Any) -> SeatsHeld:
            tried_first.append([unit.place for unit in units])
            return super().hold(credential, units, **options)

    tried_first: list[list[str]] = []
    claims = MemoryClaims(hall.clock)
    best(hall, Once(hall.table, hall.clock, hall.ids), claims).hold(hall.session(), BestRequest(2))
    lost, held = tried_first
    assert claims.claimed(EVENT, ["s"]) == {*lost, *held}


def test_claimed_seats_are_tried_when_nothing_else_is_left(hall: World) -> None:
    claims = MemoryClaims(hall.clock)
    everything = Claim(tuple(("s", seat) for seat in hall.seat_ids))
    claims.claim(EVENT, [everything], "somebody", 3_000)
    held = best(hall, claims=claims).hold(hall.session(), BestRequest(2, section="s"))
    assert len(held.units) == 2


def test_callers_spread_when_the_cache_is_gone(hall: World) -> None:
    wishes = set()
    for number in range(12):
        session = hall.session(f"user-{number}")
        held = best(hall).hold(session, BestRequest(1))
        wishes |= {unit.place for unit in held.units}
        SeatReleaser(hall.table, hall.clock).release_hold(
            session.session, f"user-{number}", held.hold
        )
    assert len(wishes) > 3


def test_no_request_waits_for_a_cache_that_is_gone(hall: World) -> None:
    cache = MemoryClaims(hall.clock)
    cache.gone = True
    claims = Claims(cache, hall.clock)
    for _ in range(5):
        assert claims.claim(EVENT, [Claim((("s", "s-1-1"),))], "ann") is None
    assert cache.calls == ["claim"]
    hall.clock.tick(1.1)
    cache.gone = False
    assert claims.claim(EVENT, [Claim((("s", "s-1-1"),))], "ann") is not None


def test_refused_when_the_section_is_unknown_or_the_limit_broken(hall: World) -> None:
    with pytest.raises(NotFoundError):
        best(hall).hold(hall.session(), BestRequest(2, section="nowhere"))
    with pytest.raises(LimitExceededError):
        best(hall).hold(hall.session("bob", limit=2), BestRequest(3))


def test_the_same_key_makes_one_hold_when_sent_twice(hall: World) -> None:
    mine = hall.session()
    first = best(hall).hold(mine, BestRequest(2), idempotency_key="abc")
    again = best(hall).hold(mine, BestRequest(2), idempotency_key="abc")
    assert (first.hold, {u.place for u in first.units}) == (
        again.hold,
        {u.place for u in again.units},
    )
