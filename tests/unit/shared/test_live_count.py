"""Live sessions are counted in the minute of their expiry, whatever becomes of them."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from fairgate.domain.orders.order import SETTLING_S
from fairgate.domain.shared.session import (
    LIVE_COUNTERS,
    LIVE_COUNTERS_FIRST,
    live_bucket,
    live_from,
)
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import Key
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.keys import live_key, live_partitions
from fairgate.service.shared.live_count import counters_from, live_now
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, settle
from tests.unit.sessions.test_capacity_shards import ask


def live(world: World) -> int:
    return live_now(world.table, EVENT, rfc3339(world.clock.ms))


def test_each_end_of_a_session_leaves_the_count_once(world: World) -> None:
    left, bought = held(world, "ann", world.seat_ids[0]), held(world, "bob", world.seat_ids[1])
    assert live(world) == 2
    assert SeatReleaser(world.table, world.clock).end_session(left.session, "cancelled")
    assert live(world) == 1
    order = begin(world, bought).order
    assert live(world) == 1
    settle(world, order)
    assert live(world) == 0
    settle(world, order)
    assert expire(world, left.session) == "over"
    assert live(world) == 0


def test_a_checkout_counts_until_its_later_end(world: World) -> None:
    mine = held(world, seconds=60)
    begin(world, mine)
    world.clock.tick(300 + SETTLING_S)
    assert live(world) == 1
    world.clock.tick(60)
    assert live(world) == 0
    assert expire(world, mine.session) == "ended"
    assert live(world) == 0


def test_a_checkout_that_is_ended_in_time_leaves_the_count_at_once(world: World) -> None:
    mine = held(world, seconds=60)
    begin(world, mine)
    world.clock.tick(301)
    assert expire(world, mine.session) == "ended"
    assert live(world) == 0


def test_a_hundred_sessions_of_one_minute_do_not_meet_in_one_counter(world: World) -> None:
    for n in range(100):
        world.session(f"user{n}")
    counters = counters_from(world.table, EVENT)
    assert sum(counter.live for counter in counters) == live(world) == 100
    assert max(counter.live for counter in counters) < 30


def counters_of(counters: int) -> list[Key]:
    ends = (f"ses_{number:02x}" for number in range(256))
    return [live_key(EVENT, live_bucket("2026-01-01T00:00:00.000Z", end, counters)) for end in ends]


def test_a_minutes_counters_lie_in_every_partition() -> None:
    keys = counters_of(LIVE_COUNTERS)
    assert len(set(keys)) == 256
    assert Counter(key.pk for key in keys) == dict.fromkeys(live_partitions(EVENT), 16)


def test_an_event_of_an_earlier_version_keeps_its_counters_where_they_are() -> None:
    """As they were spelt before there were two digits: a sale goes on over a deployment."""
    keys = set(counters_of(LIVE_COUNTERS_FIRST))
    spelt = {(f"{EVENT}#LIVE#{number % 4}", f"2026-01-01T00:00#{number:x}") for number in range(16)}
    assert keys == spelt


@pytest.mark.parametrize(("counters", "digits"), [(LIVE_COUNTERS_FIRST, 1), (LIVE_COUNTERS, 2)])
def test_a_sale_counts_in_the_counters_of_its_event(
    world: World, counters: int, digits: int
) -> None:
    """Opening, checkout, payment and end each find the counter of the one before."""
    world.event = replace(world.event, live_counters=counters)
    opened = [ask(world, f"u{number}") for number in range(2)]
    mine = held(world)
    order = begin(world, mine).order
    assert live(world) == 3
    settle(world, order)
    for one in opened:
        assert SeatReleaser(world.table, world.clock).end_session(one.session, "cancelled")
    counted = counters_from(world.table, EVENT)
    assert {counter.live for counter in counted} == {0}
    assert {len(counter.sk.partition("#")[2]) for counter in counted} == {digits}


def test_expired_counters_are_not_read(world: World) -> None:
    for _ in range(3):
        held(world, seconds=60)
        world.clock.tick(600)
    world.session("last")
    asked = counters_from(world.table, EVENT, live_from(rfc3339(world.clock.ms)))
    assert [counter.live for counter in asked] == [1]


def test_a_damaged_counter_refuses_nobody(world: World) -> None:
    held(world, "ann", world.seat_ids[0])
    damaged = live_key(EVENT, live_bucket(rfc3339(world.clock.ms + 600_000), "0"))
    assert live(world) == 1
    world.put_item("reservations", {"PK": damaged.pk, "SK": damaged.sk, "live": "many"})
    assert live(world) <= 1
