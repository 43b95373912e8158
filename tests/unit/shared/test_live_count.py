"""Live sessions are counted in the minute of their expiry, whatever becomes of them."""

from __future__ import annotations

from collections import Counter

from fairgate.domain.orders.order import SETTLING_S
from fairgate.domain.shared.session import live_bucket, live_from
from fairgate.domain.shared.times import rfc3339
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.keys import live_key, live_partitions
from fairgate.service.shared.live_count import counters_from, live_now
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, expire, held, settle


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


def test_a_minutes_counters_lie_in_every_partition() -> None:
    digits = "0123456789abcdef"
    keys = [live_key(EVENT, live_bucket("2026-01-01T00:00:00.000Z", f"ses_{d}")) for d in digits]
    assert len(set(keys)) == 16
    assert Counter(key.pk for key in keys) == dict.fromkeys(live_partitions(EVENT), 4)


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
