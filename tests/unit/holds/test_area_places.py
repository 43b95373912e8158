"""General admission: counters give each place once, and take each place back once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fairgate.domain.orders.order import Unit
from fairgate.errors import FairgateError, SeatsTakenError
from fairgate.ports.table import Refusal, Table, Update
from fairgate.service.holds.area_places import ATTEMPTS_MAX, AreaPlaces
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.shared.keys import area_key
from fairgate_lab.engine.table import InterleavedTable
from tests.support.availability import shard_item
from tests.support.memory_client import MemoryClient
from tests.support.moto_direct import dynamodb
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, order_of, settle
from tests.unit.holds.test_hold_seats import floor, holder, seats

SHARDS = {"floor": 4}


@pytest.fixture
def hall() -> Iterator[World]:
    """Ten places behind four counters: 3, 3, 2, 2."""
    with dynamodb() as client:
        yield World(client, capacity=10, shards=4)


def refusal(remaining: int) -> Refusal:
    return Refusal("ConditionalCheckFailed", shard_item("floor", 0, remaining))


def test_the_last_places_are_sold_when_no_counter_alone_has_enough(hall: World) -> None:
    mine = hall.session()
    held = holder(hall).hold(mine, [floor(9)], shards=SHARDS, idempotency_key="k")
    assert sum(unit.quantity for unit in held.units) == 9
    assert (hall.remaining(), min(hall.shards())) == (1, 0)
    assert holder(hall).hold(mine, [floor(9)], shards=SHARDS, idempotency_key="k").units


def test_a_full_area_refuses_and_keeps_what_it_has(hall: World) -> None:
    holder(hall).hold(hall.session("bob"), [floor(8)], shards=SHARDS)
    before = hall.shards()
    with pytest.raises(SeatsTakenError) as refused:
        holder(hall).hold(hall.session(), [floor(3), *seats(hall.seat_ids[0])], shards=SHARDS)
    assert refused.value.seats == ("floor",)
    assert hall.shards() == before
    assert hall.seat(hall.seat_ids[0])["availability"] == "available"


class CountingTable:
    """Counts the calls that a hold makes."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.calls.append(name)
        return getattr(self.table, name)


@pytest.mark.parametrize("capacity", [20, 200])
def test_a_full_area_costs_one_transaction_and_one_read(capacity: int) -> None:
    with dynamodb() as client:
        hall = World(client, capacity=capacity, shards=20)
        for shard in range(20):
            key = area_key(EVENT, "floor", shard)
            hall.table.update(Update("seats", *key, set={"remaining": int(shard == 0)}))
        counting = CountingTable(hall.table)
        with pytest.raises(SeatsTakenError):
            SeatHolder(counting, hall.clock, hall.ids).hold(
                hall.session(), [floor(2)], shards={"floor": 20}
            )
        assert counting.calls == ["transact", "find_many"]


def test_only_counters_with_room_are_tried_after_the_first_refusal() -> None:
    with dynamodb() as client:
        hall = World(client, capacity=20, shards=20)
        mine = hall.session()
        own = next(AreaPlaces([floor(1)], {"floor": 20}, mine.session).attempts())[0].shard
        for shard in {*range(20)} - {(own + 7) % 20}:
            key = area_key(EVENT, "floor", shard)
            hall.table.update(Update("seats", *key, set={"remaining": 0}))
        counting = CountingTable(hall.table)
        held = SeatHolder(counting, hall.clock, hall.ids).hold(
            mine, [floor(1)], shards={"floor": 20}
        )
        assert [unit.shard for unit in held.units] == [(own + 7) % 20]
        assert counting.calls == ["transact", "find_many", "transact"]


def test_counters_are_read_once_however_often_they_change(hall: World) -> None:
    counting = CountingTable(hall.table)
    places = AreaPlaces([floor(2)], SHARDS, "ses_x")
    for tried, placed in enumerate(places.attempts()):
        assert tried < ATTEMPTS_MAX
        places.learn(placed, [refusal(1)] * len(placed))
        places.read(counting, EVENT)
    assert counting.calls == ["find_many"]


def test_sessions_that_were_refused_still_spread_over_the_counters(hall: World) -> None:
    chosen = set()
    for number in range(40):
        places = AreaPlaces([floor(1)], SHARDS, f"ses_{number}")
        attempts = places.attempts()
        placed = next(attempts)
        places.learn(placed, [refusal(0)])
        places.read(hall.table, EVENT)
        chosen.add(next(attempts)[0].shard)
    assert chosen == set(range(4))


def test_a_seat_that_is_gone_is_named_and_not_the_area(hall: World) -> None:
    holder(hall).hold(hall.session("bob"), seats(hall.seat_ids[0]))
    with pytest.raises(SeatsTakenError) as refused:
        holder(hall).hold(hall.session(), [floor(9), *seats(hall.seat_ids[0])], shards=SHARDS)
    assert refused.value.seats == (hall.seat_ids[0],)
    assert hall.remaining() == 10


def test_areas_overflow_each_on_its_own() -> None:
    units = [floor(2), Unit("area", "lawn", "", "t", "Lawn", 2)]
    places = AreaPlaces(units, {"floor": 2, "lawn": 2}, "ses_x")
    attempts = places.attempts()
    placed = next(attempts)
    places.learn(placed, [refusal(1), Refusal("None", None)])
    again = next(attempts)
    assert again[1] == placed[1]
    assert again[0].shard != placed[0].shard
    places.learn(again, [refusal(1), Refusal("None", None)])
    split = next(attempts)
    assert [(u.place, u.quantity) for u in split] == [("floor", 1), ("floor", 1), ("lawn", 2)]


@pytest.mark.parametrize("end", ["released", "cancelled", "expired"])
def test_a_split_hold_returns_to_its_counters_exactly_once(hall: World, end: str) -> None:
    before = hall.shards()
    mine = hall.session(seconds=60)
    held = holder(hall).hold(mine, [floor(7), *seats(hall.seat_ids[0])], shards=SHARDS)
    releaser = SeatReleaser(hall.table, hall.clock)
    if end == "released":
        releaser.release_hold(mine.session, mine.user, held.hold)
    elif end == "cancelled":
        assert releaser.end_session(mine.session, "cancelled", mine.user)
    else:
        hall.clock.tick(61)
        assert expire(hall, mine.session) == "ended"
    assert expire(hall, mine.session) in ("over", "later")
    assert not releaser.end_session(mine.session, "expired") or end == "released"
    assert hall.shards() == before


def test_two_expiries_at_once_return_the_places_once(hall: World) -> None:
    mine = hall.session(seconds=60)
    holder(hall).hold(mine, [floor(7)], shards=SHARDS)
    hall.clock.tick(61)
    table = InterleavedTable(hall.table, lambda: expire(hall, mine.session))
    assert not SeatReleaser(table, hall.clock).end_session(mine.session, "expired")
    assert hall.remaining() == 10


def test_a_mixed_order_is_priced_sold_and_given_back_whole(hall: World) -> None:
    mine = hall.session()
    holder(hall).hold(mine, [floor(7), *seats(*hall.seat_ids[:2])], shards=SHARDS)
    order = begin(hall, mine).order
    assert order.total_minor == 9 * 5_000
    assert settle(hall, order) == "paid"
    assert hall.remaining() == 3
    event = msgspec.structs.replace(hall.event, cancel_until="2099-01-01T00:00:00.000Z")
    OrderCanceller(hall.table, hall.clock, hall.payments).cancel(event, order_of(hall, order))
    assert hall.shards() == [3, 3, 2, 2]
    assert hall.seat(hall.seat_ids[1])["availability"] == "available"


DAMAGED = {
    "what remains is no number": {"remaining": {"S": "none"}},
    "what remains is of another type": {"remaining": {"SS": ["none"]}},
    "its version is no number": {"version": {"S": "x"}},
    "its version is missing": {"version": None},
}


@pytest.mark.parametrize("change", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_counter_refuses_nobody_while_others_have_places(
    change: dict[str, Any],
) -> None:
    hall = World(MemoryClient(), capacity=10, shards=4)  # moto cannot order unlike types
    hall.spoil("seats", area_key(EVENT, "floor", 0), **change)
    sold = Counter[int]()
    met = set()
    for number in range(7):
        mine = holder(hall)
        held = mine.hold(hall.session(f"u{number}"), [floor(1)], shards=SHARDS)
        sold.update(unit.shard for unit in held.units)
        met.update(mine.damaged)
    assert sold == {1: 3, 2: 2, 3: 2}
    assert met == {area_key(EVENT, "floor", 0)}
    with pytest.raises(SeatsTakenError) as refused:
        holder(hall).hold(hall.session(), [floor(1)], shards=SHARDS)
    assert refused.value.seats == ("floor",)


def test_a_damaged_counter_is_only_read_where_another_has_refused(hall: World) -> None:
    hall.spoil("seats", area_key(EVENT, "floor", 0), remaining={"S": "none"})
    mine = next(
        session
        for session in (hall.session(f"u{number}") for number in range(40))
        if next(AreaPlaces([floor(1)], SHARDS, session.session).attempts())[0].shard == 1
    )
    hold = holder(hall)
    hold.hold(mine, [floor(3)], shards=SHARDS)
    assert hold.damaged == []
    assert [unit.shard for unit in hold.hold(mine, [floor(2)], shards=SHARDS).units] == [2]
    assert hold.damaged == [area_key(EVENT, "floor", 0)]


def test_no_place_is_given_twice_when_many_ask_at_once(hall: World) -> None:
    """Threads over moto, whose transactions are serial here: what races is our retrying."""
    got: list[int] = []
    failed: list[Any] = []
    sessions = [hall.session(f"u{n}") for n in range(8)]
    ready = threading.Barrier(len(sessions))

    def buy(number: int) -> None:
        ready.wait()
        try:
            held = SeatHolder(hall.table, hall.clock, hall.ids).hold(
                sessions[number], [floor(2)], shards=SHARDS
            )
            got.append(sum(unit.quantity for unit in held.units))
        except FairgateError as error:
            failed.append(error)

    threads = [threading.Thread(target=buy, args=(n,)) for n in range(len(sessions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [2] * 5
    assert {error.code for error in failed} <= {"seats-taken", "dependency-unavailable"}
    assert (hall.remaining(), len(failed)) == (0, 3)
