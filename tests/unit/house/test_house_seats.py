"""House seats: kept from the sale for a reason, never one that somebody holds or has bought."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.seating.area_shards import spread
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import MalformedInputError, NotFoundError, SeatsTakenError, WrongStateError
from fairgate.ports.table import Update
from fairgate.service.audit import seats as laws
from fairgate.service.audit.law import Law, violations
from fairgate.service.expiry.sweep_blocks import BlockSweep
from fairgate.service.holds.hold_seats import SeatHolder
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.house import block_seats, free_seats
from fairgate.service.house.block_seats import Blocked, SeatBlocker, Terms, block_id
from fairgate.service.house.free_seats import Places, SeatFreer
from fairgate.service.shared.keys import area_key, house_block_key, seat_key
from fairgate.service.shared.records.house import HouseBlock
from fairgate_lab.engine.table import InterleavedTable
from fairgate_ops.operate.laws.read_tables import of_tables
from tests.support.world import EVENT, NAMES, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle
from tests.unit.holds.test_hold_seats import floor, seats

SOUND = Terms("sound desk", "olga")
LAWS = tuple(one for one in vars(laws).values() if isinstance(one, Law) and one.holds == "always")


def block(
    world: World, *wanted: str, table: Any = None, terms: Terms = SOUND, **areas: int
) -> Blocked:
    blocker = SeatBlocker(table or world.table, world.clock)
    return blocker.block(world.event, Places(wanted, areas), terms)


def freer(world: World, table: Any = None) -> SeatFreer:
    return SeatFreer(table or world.table, world.clock)


def holder(world: World) -> SeatHolder:
    return SeatHolder(world.table, world.clock, world.ids)


def states(world: World) -> list[tuple[str, str]]:
    found = [world.seat(seat) for seat in world.seat_ids]
    return [(seat["availability"], seat["sessionId"]) for seat in found]


def broken(world: World) -> list[str]:
    return list(
        map(str, violations(of_tables(world.client, {str(n): t for n, t in NAMES.items()}), LAWS))
    )


def test_blocked_seats_and_places_are_kept_by_their_record_and_nobody_can_hold_them(
    world: World,
) -> None:
    first, second, *_ = world.seat_ids
    made = block(world, first, second, floor=4)
    assert made.block is not None
    assert (list(made.block.seats), made.block.places) == ([first, second], {"floor": 4})
    assert (made.left, made.missing) == ({}, {})
    assert states(world)[:3] == [("blocked", made.id)] * 2 + [("available", "")]
    assert world.remaining() == 6
    with pytest.raises(SeatsTakenError) as refused:
        holder(world).hold(world.session(), seats(first))
    assert refused.value.seats == (first,)
    with pytest.raises(SeatsTakenError):
        holder(world).hold(world.session("bob"), [floor(7)], shards={"floor": 1})
    assert broken(world) == []


def test_held_and_sold_seats_are_left_and_named(world: World) -> None:
    sold, taken, free, *_ = world.seat_ids
    settle(world, begin(world, held(world, "ann", sold)).order)
    holder(world).hold(world.session("bob", seconds=60), seats(taken))
    world.clock.tick(61)  # its payment may still come
    made = block(world, sold, taken, free, "s-9-9")
    assert made.left == {sold: "sold", taken: "held", "s-9-9": "unknown"}
    assert made.block is not None
    assert list(made.block.seats) == [free]
    assert block(world, free, terms=Terms("promoter", "olga")).left == {free: "blocked"}
    assert broken(world) == []


def test_nothing_is_written_when_all_of_it_is_taken(world: World) -> None:
    seat = world.seat_ids[0]
    holder(world).hold(world.session(), seats(seat))
    assert block(world, seat).block is None
    assert freer(world).blocks(EVENT).records == []


def test_a_hold_in_between_wins_and_the_others_are_blocked(world: World) -> None:
    first, second, third, *_ = world.seat_ids
    mine = world.session()
    table = InterleavedTable(world.table, lambda: holder(world).hold(mine, seats(second)))
    made = block(world, first, second, third, table=table)
    assert made.left == {second: "held"}
    assert states(world)[1] == ("locked", mine.session)
    assert made.block is not None
    assert list(made.block.seats) == [first, third]
    assert broken(world) == []


def test_a_seat_that_is_damaged_in_between_stops_no_other(world: World) -> None:
    first, second, *_ = world.seat_ids
    damaged = {"availability": {"S": "gone"}}

    def spoil() -> None:
        world.spoil("seats", seat_key(EVENT, first), **damaged)

    made = block(world, first, second, table=InterleavedTable(world.table, spoil))
    assert made.left == {first: "damaged"}
    assert block(world, first, second).left == {first: "damaged"}


def test_places_that_are_sold_in_between_are_missing(world: World) -> None:
    mine = world.session()

    def meanwhile() -> None:
        holder(world).hold(mine, [floor(8)], shards={"floor": 1})

    made = block(world, table=InterleavedTable(world.table, meanwhile), floor=4)
    assert made.missing == {"floor": 2}
    assert world.remaining() == 0
    assert broken(world) == []


def test_two_commands_at_once_block_the_same_seats_once(world: World) -> None:
    wanted = world.seat_ids[:3]
    table = InterleavedTable(world.table, lambda: block(world, *wanted, floor=2))
    made = block(world, *wanted, table=table, floor=2)
    assert made.block is not None
    assert (list(made.block.seats), made.block.places) == (wanted, {"floor": 2})
    assert broken(world) == []


class CrashingTable:
    """Its process ends before the second transaction."""

    def __init__(self, table: Any) -> None:
        self._table, self._written = table, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, actions: Any, token: str | None = None) -> None:
        if self._written:
            raise SystemExit
        self._written += 1
        self._table.transact(actions, token)


def test_the_same_command_completes_what_a_crash_between_two_chunks_has_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (block_seats, free_seats):
        monkeypatch.setattr(module, "CHUNK", 4)
    with pytest.raises(SystemExit):
        block(world, *world.seat_ids, table=CrashingTable(world.table), floor=3)
    assert [state for state, _ in states(world)].count("blocked") == 4
    assert broken(world) == []
    made = block(world, *world.seat_ids, floor=3)
    assert made.left == {}
    assert states(world) == [("blocked", made.id)] * 12
    again = block(world, *world.seat_ids, floor=3)
    assert again.block == made.block
    with pytest.raises(SystemExit):
        freer(world, CrashingTable(world.table)).free(EVENT, made.id)
    assert broken(world) == []
    freer(world).free(EVENT, made.id)
    assert states(world) == [("available", "")] * 12
    assert (world.remaining(), broken(world)) == (10, [])


def test_a_freed_seat_is_for_sale_and_others_stay_blocked(world: World) -> None:
    first, second, *_ = world.seat_ids
    made = block(world, first, second, floor=4)
    freed = freer(world).free(EVENT, made.id, Places([first, "s-1-9"], {"floor": 3}))
    assert freed == Places([first], {"floor": 3})
    holder(world).hold(world.session(), seats(first))
    left = freer(world).find(EVENT, made.id)
    assert (list(left.seats), left.places) == ([second], {"floor": 1})
    assert freer(world).free(EVENT, made.id) == Places([second], {"floor": 1})
    assert freer(world).find(EVENT, made.id).is_empty
    assert freer(world).free(EVENT, made.id) == Places([], {})
    assert broken(world) == []


@pytest.mark.parametrize(
    "found",
    [
        {"availability": "reserved"},
        {"sessionId": "blk_other"},
    ],
)
def test_no_seat_is_freed_that_the_block_does_not_keep(
    world: World, found: Mapping[str, str]
) -> None:
    seat = world.seat_ids[0]
    made = block(world, seat)
    world.table.update(Update("seats", *seat_key(EVENT, seat), set=found))
    with pytest.raises(WrongStateError, match=made.id):
        freer(world).free(EVENT, made.id)
    assert world.seat(seat).items() >= found.items()
    assert broken(world) != []


def test_no_place_is_freed_that_its_counter_does_not_keep(world: World) -> None:
    made = block(world, floor=4)
    world.table.update(Update("seats", *area_key(EVENT, "floor", 0), set={"blocked": 3}))
    with pytest.raises(WrongStateError, match=made.id):
        freer(world).free(EVENT, made.id)
    assert world.remaining() == 6


def test_a_block_that_changes_in_between_is_freed_as_it_is_then(world: World) -> None:
    first, second, *_ = world.seat_ids
    made = block(world, first, second)
    seen = freer(world).find(EVENT, made.id)

    def meanwhile() -> None:
        freer(world).free(EVENT, made.id, Places([first]))
        holder(world).hold(world.session(), seats(first))

    freer(world, InterleavedTable(world.table, meanwhile)).free(EVENT, made.id)
    assert [state for state, _ in states(world)[:2]] == ["locked", "available"]
    assert freer(world).find(EVENT, made.id).version == seen.version + 2
    assert broken(world) == []


def test_a_late_release_leaves_a_block_alone(world: World) -> None:
    seat = world.seat_ids[0]
    mine = world.session(seconds=60)
    made_hold = holder(world).hold(mine, seats(seat)).hold
    world.clock.tick(61)
    gone = {"availability": "available", "sessionId": "", "expiresAt": ""}
    world.table.update(Update("seats", *seat_key(EVENT, seat), set=gone))
    made = block(world, seat)
    SeatReleaser(world.table, world.clock).release_hold(mine.session, mine.user, made_hold)
    assert states(world)[0] == ("blocked", made.id)


def test_an_area_gives_from_each_counter_in_proportion() -> None:
    assert spread(5, {0: 10, 1: 0, 2: 10}) == {0: 3, 2: 2}
    assert spread(99, {0: 3, 1: 4}) == {0: 3, 1: 4}
    assert spread(0, {0: 3}) == spread(-1, {0: 3}) == spread(1, {}) == {}
    for places in range(26):
        parts = spread(places, {0: 7, 1: 13, 2: 5})
        assert sum(parts.values()) == places
        assert all(parts.get(n, 0) <= most for n, most in {0: 7, 1: 13, 2: 5}.items())


def test_nothing_and_too_much_are_refused(world: World) -> None:
    with pytest.raises(MalformedInputError):
        block(world, floor=0)
    with pytest.raises(MalformedInputError, match="5,000"):
        block(world, *(f"s-{n}" for n in range(5_001)))
    with pytest.raises(NotFoundError, match="seats list"):
        freer(world).free(EVENT, "blk_none")


def test_a_block_is_named_by_what_is_asked_for_and_why() -> None:
    one = block_id(EVENT, "sponsor", Places(["a", "b"], {"x": 1}))
    assert one == block_id(EVENT, "sponsor", Places(["b", "a"], {"x": 1}))
    assert one != block_id(EVENT, "promoter", Places(["a", "b"], {"x": 1}))
    assert one != block_id(EVENT, "sponsor", Places(["a", "b"], {"x": 2}))


# --- at a time


def sweep(world: World, left_ms: int = 50_000) -> Any:
    return BlockSweep(world.table, world.clock, lambda: left_ms).sweep(world.event)


def test_a_block_is_freed_when_its_time_has_come_and_not_before(world: World) -> None:
    until = rfc3339(world.clock.ms + 60_000)
    made = block(world, *world.seat_ids[:2], terms=Terms("sponsor", "olga", until), floor=3)
    kept = block(world, world.seat_ids[2])
    world.clock.tick(59)
    assert not sweep(world).eventful
    world.clock.tick(1)
    assert sweep(world, left_ms=1_000).freed == 0  # no time is left: the next run does it
    assert sweep(world).freed == 5
    assert states(world)[:3] == [("available", "")] * 2 + [("blocked", kept.id)]
    assert not sweep(world).eventful
    assert freer(world).find(EVENT, made.id).is_empty
    assert (world.remaining(), broken(world)) == (10, [])


def test_a_later_time_that_is_set_in_between_counts(world: World) -> None:
    made = block(world, world.seat_ids[0], terms=Terms("sponsor", "olga", rfc3339(world.clock.ms)))

    def later() -> None:
        freer(world).set_until(EVENT, made.id, "")

    table = InterleavedTable(world.table, later)
    assert BlockSweep(table, world.clock, lambda: 50_000).sweep(world.event).freed == 0
    assert states(world)[0] == ("blocked", made.id)


def test_the_same_command_with_another_time_moves_it(world: World) -> None:
    until = rfc3339(world.clock.ms + 60_000)
    made = block(world, world.seat_ids[0], terms=Terms("sponsor", "olga", until))
    moved = block(world, world.seat_ids[0], terms=Terms("sponsor", "olga"))
    assert moved.block is not None
    assert (moved.id, moved.block.until) == (made.id, "")


def test_a_closed_sale_frees_nothing(world: World) -> None:
    block(world, world.seat_ids[0], terms=Terms("sponsor", "olga", rfc3339(world.clock.ms)))
    closed = BlockSweep(world.table, world.clock, lambda: 50_000)
    assert closed.sweep(replace(world.event, state="closed")).freed == 0


def test_one_block_that_cannot_be_freed_stops_no_other(world: World) -> None:
    due = Terms("sponsor", "olga", rfc3339(world.clock.ms))
    bad, good, *_ = (block(world, seat, terms=due) for seat in world.seat_ids[:3])
    world.table.update(Update("seats", *seat_key(EVENT, world.seat_ids[0]), set={"sessionId": "x"}))
    spoilt = block(world, floor=1, terms=due)
    world.spoil("catalog", house_block_key(EVENT, spoilt.id), version={"S": "x"})
    swept = sweep(world)
    assert (swept.freed, len(swept.failures)) == (2, 2)
    assert not freer(world).find(EVENT, bad.id).is_empty
    assert world.table.find(HouseBlock, house_block_key(EVENT, good.id)) is not None
