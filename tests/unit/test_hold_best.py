"""Best available: held in the same request, moving on when somebody was quicker."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.errors import LimitExceededError, NoSeatsFoundError, NotFoundError, SeatsTakenError
from fairgate.service.claim_seats import Claims
from fairgate.service.hold_best import ATTEMPTS_MAX, BestHolder, BestRequest
from fairgate.service.hold_seats import SeatHolder, SeatsHeld
from tests.support.claims import MemoryClaims
from tests.support.world import LAYOUT, NoCache, World

ROW_OF = 6


@pytest.fixture
def hall(world: World) -> World:
    """The world's twelve seats as two rows of six in front of a stage."""
    seats = [
        {"id": seat, "number": str(n % ROW_OF + 1), "x": float(n % ROW_OF), "y": float(n // ROW_OF)}
        | {"tier": "t", "kind": "standard"}
        for n, seat in enumerate(world.seat_ids)
    ]
    rows = [
        {"id": str(r), "name": str(r), "seats": seats[r * ROW_OF : (r + 1) * ROW_OF]}
        for r in (0, 1)
    ]
    section = {"section": "s", "name": "Stalls", "blocks": [{"id": "b", "name": "B", "rows": rows}]}
    overview = {
        "focalPoint": {"x": 2.5, "y": -3.0},
        "sections": [
            {
                "id": "s",
                "name": "Stalls",
                "outline": [[0, 0], [5, 0], [5, 1]],
                "focalPoint": [2.5, -3.0],
                "tiers": ["t"],
            }
        ],
    }
    world.layouts.write(LAYOUT, "sections/s.json", json.dumps(section).encode())
    world.layouts.write(LAYOUT, "venue.json", json.dumps(overview).encode())
    return world


def best(
    world: World, holder: SeatHolder | None = None, claims: MemoryClaims | None = None
) -> BestHolder:
    holder = holder or SeatHolder(world.table, world.clock, world.ids)
    kept = Claims(claims or NoCache(), world.clock)
    container = world.container
    return BestHolder(world.layouts, container.availability, holder, container.catalog, kept)


class Overtaken(SeatHolder):
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
    class Once(Overtaken):
        pass

    holder = Once(hall.table, hall.clock, hall.ids)
    assert len(best(hall, holder).hold(hall.session(), BestRequest(2)).units) == 2
    assert Once.tried == 2


def test_the_search_ends_when_everybody_is_quicker(hall: World) -> None:
    class Always(Overtaken):
        times = 99

    holder = Always(hall.table, hall.clock, hall.ids)
    with pytest.raises(NoSeatsFoundError):
        best(hall, holder).hold(hall.session(), BestRequest(1))
    assert Always.tried == ATTEMPTS_MAX


def test_refused_when_there_are_not_that_many_together(hall: World) -> None:
    for seat in hall.seat_ids[::2]:
        from fairgate.domain.order import Unit

        other = hall.session("bob-" + seat)
        SeatHolder(hall.table, hall.clock, hall.ids).hold(other, [Unit("seat", seat, "s", "t", "")])
    with pytest.raises(NoSeatsFoundError):
        best(hall).hold(hall.session(), BestRequest(5))


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
