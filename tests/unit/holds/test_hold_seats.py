"""Hold: all or none, one round trip, and every refusal says which."""

from __future__ import annotations

import pytest
from msgspec import structs

from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.ids import SessionId, UserId
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    LimitExceededError,
    MalformedInputError,
    NotFoundError,
    SeatsTakenError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.table import Update
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.shared.keys import area_key, session_key
from tests.support.world import EVENT, World

pytestmark = pytest.mark.through_boto3


def seats(*ids: str) -> list[Unit]:
    return [Unit("seat", seat, "s", "t", seat) for seat in ids]


def floor(quantity: int) -> Unit:
    return Unit("area", "floor", "", "t", "Floor", quantity)


def holder(world: World) -> SeatHolder:
    return SeatHolder(world.table, world.clock, world.ids)


def test_seats_are_locked_for_the_session_when_free(world: World) -> None:
    mine = world.session()
    held = holder(world).hold(mine, seats(*world.seat_ids[:3]))
    seat = world.seat(world.seat_ids[0])
    assert (seat["availability"], seat["sessionId"]) == ("locked", mine.session)
    assert (seat["expiresAt"], seat["version"]) == (mine.expires_at, 1)
    head = world.item("reservations", session_key(mine.session))
    assert head is not None
    assert head["resCount"] == 3
    kept = world.items("reservations", mine.session, f"R#{held.hold}#")
    assert {r["place"] for r in kept} == set(world.seat_ids[:3])


def test_nothing_is_held_and_the_gone_ones_are_named_when_some_are_taken(world: World) -> None:
    first, second, third = world.seat_ids[:3]
    holder(world).hold(world.session("bob"), seats(second))
    mine = world.session()
    with pytest.raises(SeatsTakenError) as refused:
        holder(world).hold(mine, seats(first, second, third))
    assert refused.value.seats == (second,)
    assert world.seat(first)["availability"] == "available"
    assert world.items("reservations", mine.session, "R#") == []


def test_a_seat_is_free_when_its_lock_has_expired(world: World) -> None:
    seat = world.seat_ids[0]
    holder(world).hold(world.session("bob", seconds=60), seats(seat))
    world.clock.tick(60)
    mine = world.session()
    holder(world).hold(mine, seats(seat))
    assert world.seat(seat)["sessionId"] == mine.session


def test_a_seat_stays_its_holders_until_the_last_millisecond(world: World) -> None:
    seat = world.seat_ids[0]
    theirs = world.session("bob", seconds=60)
    holder(world).hold(theirs, seats(seat))
    world.clock.ms += 59_999
    with pytest.raises(SeatsTakenError):
        holder(world).hold(world.session(), seats(seat))


@pytest.mark.parametrize("state", ["checkout", "finalised", "cancelled"])
def test_hold_is_refused_when_the_session_is_past_choosing(world: World, state: str) -> None:
    mine = world.session()
    world.table.update(Update("reservations", *session_key(mine.session), set={"state": state}))
    with pytest.raises(WrongStateError):
        holder(world).hold(mine, seats(world.seat_ids[0]))


def test_hold_is_refused_when_the_session_has_expired(world: World) -> None:
    mine = world.session(seconds=60)
    world.clock.tick(60)
    with pytest.raises(SessionExpiredError):
        holder(world).hold(mine, seats(world.seat_ids[0]))


def test_hold_is_refused_when_the_session_is_somebody_elses(world: World) -> None:
    mine = world.session("ann")
    stolen = structs.replace(mine, user=UserId("eve"))
    with pytest.raises(NotFoundError):
        holder(world).hold(stolen, seats(world.seat_ids[0]))
    assert world.seat(world.seat_ids[0])["availability"] == "available"


def test_hold_is_refused_when_the_session_does_not_exist(world: World) -> None:
    mine = structs.replace(world.session(), session=SessionId("ses_" + "f" * 32))
    with pytest.raises(NotFoundError):
        holder(world).hold(mine, seats(world.seat_ids[0]))


def test_the_limit_holds_over_several_holds(world: World) -> None:
    mine = world.session(limit=4)
    holder(world).hold(mine, seats(*world.seat_ids[:3]))
    with pytest.raises(LimitExceededError) as refused:
        holder(world).hold(mine, seats(*world.seat_ids[3:5]))
    assert refused.value.fields == {"limit": 4, "held": 3, "asked": 2}
    assert world.seat(world.seat_ids[3])["availability"] == "available"


def test_hold_is_refused_when_it_asks_for_nothing_twice_or_too_much(world: World) -> None:
    mine = world.session(limit=2)
    with pytest.raises(MalformedInputError):
        holder(world).hold(mine, [])
    with pytest.raises(MalformedInputError):
        holder(world).hold(mine, seats(world.seat_ids[0], world.seat_ids[0]))
    with pytest.raises(LimitExceededError):
        holder(world).hold(mine, seats(*world.seat_ids[:3]))


def test_an_unknown_seat_is_not_called_taken(world: World) -> None:
    with pytest.raises(NotFoundError):
        holder(world).hold(world.session(), seats("s-9-9"))


def test_a_counter_without_a_version_gives_no_place(world: World) -> None:
    world.spoil("seats", area_key(EVENT, "floor", 0), version=None)
    with pytest.raises(SeatsTakenError) as refused:
        holder(world).hold(world.session(), [floor(1)], shards={"floor": 1})
    assert refused.value.seats == ("floor",)


def test_an_area_gives_places_until_it_is_full(world: World) -> None:
    mine = world.session()
    holder(world).hold(mine, [floor(6)], shards={"floor": 1})
    assert world.remaining() == 4
    with pytest.raises(SeatsTakenError):
        holder(world).hold(world.session("bob"), [floor(5)], shards={"floor": 1})
    assert world.remaining() == 4


def test_updated_at_is_the_clocks_time(world: World) -> None:
    holder(world).hold(world.session(), seats(world.seat_ids[0]))
    assert world.seat(world.seat_ids[0])["updatedAt"] == rfc3339(world.clock.ms)
