"""Claims refuse hand-picked seats before the table is asked, and only for a short time."""

from __future__ import annotations

import pytest

from fairgate.domain.orders.order import Unit
from fairgate.errors import (
    LimitExceededError,
    SeatsTakenError,
    SessionExpiredError,
    SingleSeatError,
)
from fairgate.ports.availability import Claim
from fairgate.service.holds.claim_seats import CLAIM_MS, ClaimingHolder, Claims
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate_lab.engine.cache import MemoryClaims, NoCache
from fairgate_lab.engine.table import CountedTable
from tests.support.world import EVENT, World


@pytest.fixture
def table(world: World) -> CountedTable:
    return CountedTable(world.table)


@pytest.fixture
def cache(world: World) -> MemoryClaims:
    return MemoryClaims(world.clock)


@pytest.fixture
def holder(world: World, table: CountedTable, cache: MemoryClaims) -> ClaimingHolder:
    return ClaimingHolder(Claims(cache, world.clock), SeatHolder(table, world.clock, world.ids))


def seats(*numbers: int) -> list[Unit]:
    return [Unit("seat", f"s-1-{number}", "s", "t", "") for number in numbers]


def test_hundreds_click_one_seat_and_one_reaches_the_table(
    world: World, holder: ClaimingHolder, table: CountedTable
) -> None:
    holder.hold(world.session("first"), seats(1))
    for number in range(200):
        with pytest.raises(SeatsTakenError) as taken:
            holder.hold(world.session(f"user-{number}"), seats(1, 2))
        assert taken.value.seats == ("s-1-1",)
        assert taken.value.fields["for_now"] is True
    assert table.calls == {"transact": 1}
    assert world.seat("s-1-2")["availability"] == "available"


def test_a_choice_that_leaves_a_seat_alone_is_refused_and_a_hold_made_before_is_not(
    world: World, holder: ClaimingHolder
) -> None:
    session = world.session()
    first = holder.hold(session, seats(2, 3), idempotency_key="k")
    again = holder.hold(session, seats(2, 3), idempotency_key="k", alone=["s-1-1"])
    assert again == first
    with pytest.raises(SingleSeatError) as refused:
        holder.hold(session, seats(5), alone=["s-1-4"])
    assert refused.value.fields["seats"] == ["s-1-4"]
    assert world.seat("s-1-5")["availability"] == "available"


def test_others_get_the_seats_when_the_first_hold_fails(
    world: World, holder: ClaimingHolder
) -> None:
    late = world.session("late", seconds=1)
    world.clock.tick(2)
    with pytest.raises(SessionExpiredError):
        holder.hold(late, seats(1, 2))
    assert len(holder.hold(world.session(), seats(1, 2)).units) == 2


def test_seats_beside_a_taken_one_are_free_to_others_when_a_hold_fails(
    world: World, holder: ClaimingHolder
) -> None:
    SeatHolder(world.table, world.clock, world.ids).hold(world.session("owner"), seats(1))
    with pytest.raises(SeatsTakenError) as taken:
        holder.hold(world.session("bob"), seats(1, 2))
    assert taken.value.seats == ("s-1-1",)
    assert "for_now" not in taken.value.fields
    assert holder.hold(world.session("cid"), seats(2)).units


def test_a_claim_refuses_nobody_after_its_end(
    world: World, holder: ClaimingHolder, cache: MemoryClaims
) -> None:
    # Whoever claimed has crashed before the hold.
    cache.claim(EVENT, [Claim((("s", "s-1-1"),))], "crashed", CLAIM_MS)
    with pytest.raises(SeatsTakenError):
        holder.hold(world.session("bob"), seats(1))
    world.clock.tick(CLAIM_MS / 1000)
    assert holder.hold(world.session("cid"), seats(1)).units
    assert CLAIM_MS <= 3_000


def test_the_first_answer_counts_when_a_repeated_request_meets_another_s_claim(
    world: World, holder: ClaimingHolder, cache: MemoryClaims
) -> None:
    mine = world.session()
    first = holder.hold(mine, seats(1), idempotency_key="key")
    world.clock.tick(CLAIM_MS / 1000)
    cache.claim(EVENT, [Claim((("s", "s-1-1"),))], "somebody else", CLAIM_MS)
    assert holder.hold(mine, seats(1), idempotency_key="key") == first
    with pytest.raises(SeatsTakenError):
        holder.hold(mine, seats(1), idempotency_key="another")


def test_a_retry_is_not_refused_by_its_own_claims(world: World, holder: ClaimingHolder) -> None:
    mine = world.session()
    first = holder.hold(mine, seats(1), idempotency_key="key")
    assert holder.hold(mine, seats(1), idempotency_key="key") == first


def test_holding_costs_the_same_round_trips_when_the_cache_is_gone(
    world: World, table: CountedTable
) -> None:
    claims = Claims(NoCache(), world.clock)
    ClaimingHolder(claims, SeatHolder(table, world.clock, world.ids)).hold(
        world.session(), seats(1, 2)
    )
    assert table.calls == {"transact": 1}


def test_one_call_of_the_cache_is_all_that_a_hold_adds(
    world: World, holder: ClaimingHolder, cache: MemoryClaims
) -> None:
    holder.hold(world.session(), seats(1, 2))
    assert cache.calls == ["claim"]
    holder.hold(world.session("bob"), [Unit("area", "floor", "", "t", "", 2)], shards={"floor": 1})
    assert cache.calls == ["claim"]


def test_a_request_over_the_limit_claims_nothing(
    world: World, holder: ClaimingHolder, cache: MemoryClaims
) -> None:
    with pytest.raises(LimitExceededError):
        holder.hold(world.session(limit=2), seats(1, 2, 3))
    assert cache.calls == []


def test_a_table_is_held_whole_and_counts_for_its_places(
    world: World, holder: ClaimingHolder
) -> None:
    table = [Unit("seat", "s-1-3", "s", "t", "Table 3", quantity=8)]
    mine = world.session()
    holder.hold(mine, table)
    assert world.item("reservations", (mine.session, f"S#{mine.session}"))["resCount"] == 8  # type: ignore[index]
    with pytest.raises(LimitExceededError):
        holder.hold(mine, seats(4, 5, 6))
    with pytest.raises(SeatsTakenError):
        holder.hold(world.session("bob"), table)
