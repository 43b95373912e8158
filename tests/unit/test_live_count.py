"""Live sessions are counted in the minute of their expiry, whatever becomes of them."""

from __future__ import annotations

from fairgate.domain.session import live_sessions
from fairgate.domain.times import rfc3339
from fairgate.service.release_seats import SeatReleaser
from tests.support.world import EVENT, World
from tests.unit.test_checkout_and_settle import begin, expire, held, settle


def live(world: World) -> int:
    buckets = world.table.query("reservations", f"{EVENT}#LIVE")
    return live_sessions({b["SK"]: b["live"] for b in buckets}, rfc3339(world.clock.ms))


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
    assert expire(world, left.session) == "ended"
    assert live(world) == 0


def test_a_checkout_counts_until_its_later_end(world: World) -> None:
    mine = held(world, seconds=60)
    begin(world, mine)
    world.clock.tick(300)
    assert live(world) == 1
    world.clock.tick(240)
    assert live(world) == 0
    assert expire(world, mine.session) == "expired"
    assert live(world) == 0


def test_nobody_needs_to_act_when_a_session_expires(world: World) -> None:
    held(world, seconds=60)
    world.clock.tick(120)
    assert live(world) == 0
