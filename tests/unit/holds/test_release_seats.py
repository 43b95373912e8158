"""Release and expiry: what was taken returns exactly once, and only from its owner."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.domain.orders.order import Unit
from fairgate.domain.shared.credential import Credential
from fairgate.errors import NotFoundError
from fairgate.service.checkout.end_checkout import CheckoutEnder, expire_session
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.keys import session_key, user_status_key
from fairgate_lab.engine.table import CountedTable
from tests.support.world import EVENT, NAMES, World


def hold(world: World, mine: Credential, *seats: str, area: int = 0) -> str:
    units = [Unit("seat", seat, "s", "t", seat) for seat in seats]
    if area:
        units.append(Unit("area", "floor", "", "t", "Floor", area))
    shards = {"floor": 1} if area else {}
    return SeatHolder(world.table, world.clock, world.ids).hold(mine, units, shards=shards).hold


def releaser(world: World) -> SeatReleaser:
    return SeatReleaser(world.table, world.clock)


def expire(world: World, session: str) -> str:
    ender = CheckoutEnder.of(world.table, world.clock, world.payments)
    return expire_session(ender, world.reminders, session)


def test_one_hold_returns_and_the_other_stays(world: World) -> None:
    mine = world.session()
    first = hold(world, mine, world.seat_ids[0], area=2)
    hold(world, mine, world.seat_ids[1])
    releaser(world).release_hold(mine.session, mine.user, first)
    assert world.seat(world.seat_ids[0])["availability"] == "available"
    assert world.seat(world.seat_ids[0])["version"] == 2
    assert world.seat(world.seat_ids[1])["availability"] == "locked"
    assert world.remaining() == 10
    head = world.item("reservations", session_key(mine.session))
    assert head is not None
    assert head["resCount"] == 1


def test_a_second_release_returns_nothing_twice(world: World) -> None:
    mine = world.session()
    given = hold(world, mine, area=3)
    releaser(world).release_hold(mine.session, mine.user, given)
    with pytest.raises(NotFoundError):
        releaser(world).release_hold(mine.session, mine.user, given)
    assert world.remaining() == 10


def test_release_is_refused_when_the_session_is_somebody_elses(world: World) -> None:
    mine = world.session()
    given = hold(world, mine, world.seat_ids[0])
    with pytest.raises(NotFoundError):
        releaser(world).release_hold(mine.session, "eve", given)
    assert world.seat(world.seat_ids[0])["availability"] == "locked"


def test_a_seat_that_somebody_took_over_stays_theirs_when_the_old_hold_ends(world: World) -> None:
    mine = world.session(seconds=60)
    hold(world, mine, world.seat_ids[0], area=1)
    world.clock.tick(61)
    theirs = world.session("bob")
    hold(world, theirs, world.seat_ids[0])
    assert expire(world, mine.session) == "ended"
    assert world.seat(world.seat_ids[0])["sessionId"] == theirs.session
    assert world.remaining() == 10


def test_an_expired_session_returns_everything_and_frees_its_user(world: World) -> None:
    mine = world.session(seconds=60)
    hold(world, mine, world.seat_ids[0], area=4)
    world.clock.tick(61)
    assert expire(world, mine.session) == "ended"
    assert expire(world, mine.session) == "over"
    assert world.remaining() == 10
    assert world.seat(world.seat_ids[0])["availability"] == "available"
    standing = world.item("reservations", user_status_key("ann", EVENT))
    assert standing is not None
    assert standing["liveSession"] == ""


def test_an_early_message_asks_to_be_reminded_when_the_session_lives_on(world: World) -> None:
    mine = world.session(seconds=60)
    hold(world, mine, world.seat_ids[0])
    assert expire(world, mine.session) == "later"
    assert world.reminders.sent == [(mine.session, 61)]
    assert world.seat(world.seat_ids[0])["availability"] == "locked"


def test_ten_seats_are_released_with_one_query_and_one_transaction(world: World) -> None:
    mine = world.session()
    given = hold(world, mine, *world.seat_ids[:10])
    table: Any = CountedTable(world.table)
    SeatReleaser(table, world.clock).release_hold(mine.session, mine.user, given)
    assert table.calls == {"partition": 1, "transact": 1}
    assert {world.seat(seat)["availability"] for seat in world.seat_ids} == {"available"}


def test_ten_seats_whose_locks_ran_out_are_read_in_one_call(world: World) -> None:
    mine = world.session(seconds=60)
    hold(world, mine, *world.seat_ids[:10])
    world.clock.tick(61)
    table: Any = CountedTable(world.table)
    assert SeatReleaser(table, world.clock).end_session(mine.session, "expired")
    assert table.calls == {"partition": 1, "find": 1, "find_many": 1, "transact": 1}
    assert {world.seat(seat)["availability"] for seat in world.seat_ids} == {"available"}


def test_a_seat_stays_theirs_when_another_clock_let_them_take_it_before_its_time(
    world: World,
) -> None:
    """By our clock the lock still runs: the write is refused, and then the seats are read."""
    mine = world.session(seconds=60)
    given = hold(world, mine, *world.seat_ids[:2])
    world.clock.tick(61)
    theirs = world.session("bob")
    hold(world, theirs, world.seat_ids[0])
    world.clock.tick(-61)
    releaser(world).release_hold(mine.session, mine.user, given)
    assert world.seat(world.seat_ids[0])["sessionId"] == theirs.session
    assert world.seat(world.seat_ids[1])["availability"] == "available"


def test_a_hold_is_given_back_though_the_answer_was_lost(world: World) -> None:
    mine = world.session()
    hold = SeatHolder(world.table, world.clock, world.ids).hold(
        mine, [Unit("area", "floor", "", "t", "Floor", 2)], shards={"floor": 1}
    )
    lost: list[str] = []

    class Unheard:
        """Commits the first transaction, and lets nobody know."""

        def __getattr__(self, name: str) -> Any:
            return getattr(world.client, name)

        def transact_write_items(self, **request: Any) -> Any:
            answer = world.client.transact_write_items(**request)
            if not lost:
                lost.append("answer")
                raise ReadTimeoutError(endpoint_url="dynamodb")
            return answer

    table = DynamoTable(Unheard, NAMES, sleep=lambda _s: None)
    SeatReleaser(table, world.clock).release_hold(mine.session, mine.user, hold.hold)
    assert (lost, world.remaining()) == (["answer"], 10)


def test_a_hold_that_lands_after_its_session_is_given_back_with_it(world: World) -> None:
    mine, other, seat = world.session(), world.session("bob", seconds=3_600), world.seat_ids[0]
    hold(world, mine, seat)
    sent_ms = world.clock.ms
    world.clock.tick(601)
    given = hold(world, other, seat)
    releaser(world).release_hold(other.session, other.user, given)
    landed_ms, world.clock.ms = world.clock.ms, sent_ms
    hold(world, mine, seat)  # by the time at which it was sent
    world.clock.ms = landed_ms
    assert expire(world, mine.session) == "ended"
    assert world.seat(seat)["availability"] == "available"
    head = world.item("reservations", session_key(mine.session))
    assert head is not None
    assert (head["state"], head["resCount"]) == ("expired", 0)
