"""The capacity limit is never exceeded, however many ask at once, and no slot is lost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from fairgate.domain.gate.capacity_shards import (
    SHARDS_FIRST,
    SHARDS_MAX,
    CapacityShard,
    new_deal,
    shard_count,
)
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.shared.ids import UserId
from fairgate.domain.shared.session import LIVE_COUNTERS, live_bucket
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotAdmittedError
from fairgate.ports.table import Put, Update
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.sessions.capacity_shards import CapacityShards
from fairgate.service.sessions.judge_admission import AdmissionRequest
from fairgate.service.sessions.open_session import SessionOpener
from fairgate.service.sessions.sign_session import OpenedSession
from fairgate.service.shared.keys import capacity_shard_key, live_key, session_key
from fairgate.service.shared.records.sessions import CapacityShardRecord, Session
from tests.support.waiting import patience_s
from tests.support.world import EVENT, START_MS, World, gate

pytestmark = pytest.mark.table_in_memory

AT_ONCE = 12


class Together:
    """A table at which the openings of several threads wait for each other, each once."""

    def __init__(self, world: World) -> None:
        self._table, self._lock = world.table, threading.RLock()
        self._barrier, self._mine = threading.Barrier(AT_ONCE), threading.local()

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **named: Any) -> Any:
            opens = name == "transact" and any(
                isinstance(action, Put) and str(action.item["SK"]).startswith("S#")
                for action in args[0]
            )
            if opens and not hasattr(self._mine, "met"):
                self._mine.met = True
                self._barrier.wait(timeout=patience_s(60))
            with self._lock:
                return getattr(self._table, name)(*args, **named)

        return call


def ask(world: World, user: str, table: Any = None) -> OpenedSession:
    rules, joined_ms = gate(), START_MS - 3_000_000
    token = issue_waiting_token(rules, EVENT, user, request_id=user, ip="-", now_ms=joined_ms)
    start_s = START_MS // 1000
    token = structs.replace(token, boff=start_s - 60, exp=start_s + 600)
    asked = AdmissionRequest(UserId(user), encode_waiting_token(token, rules), "0")
    opener = SessionOpener(table or world.table, world.clock, world.ids, world.reminders)
    return opener.open(world.event, rules, asked, world.secrets.sign_in())


def admitted(world: World, *names: str) -> list[OpenedSession]:
    inside = []
    for name in names:
        try:
            inside.append(ask(world, name))
        except NotAdmittedError:
            continue
    return inside


def capped(world: World, cap: int) -> None:
    version = world.event.version + 1
    world.event = msgspec.structs.replace(world.event, live_max=cap, version=version)


def shards(world: World) -> Sequence[CapacityShard]:
    return CapacityShards(world.table).dealt(world.event, world.clock.ms)


def fill(world: World, count: int) -> None:
    """Let so many be inside, as the rooms and the live counters say, without their sessions."""
    bucket = live_bucket(rfc3339(world.clock.ms + 600_000), "ses_0")
    world.table.update(Update("reservations", *live_key(EVENT, bucket), add={"live": count}))
    for number, shard in enumerate(shards(world)):
        taken = min(count, shard.left)
        count -= taken
        if taken:
            key = capacity_shard_key(EVENT, number)
            world.table.update(Update("reservations", *key, add={"left": -taken}))


def end(world: World, opened: OpenedSession) -> None:
    assert SeatReleaser(world.table, world.clock).end_session(opened.session, "cancelled")


@pytest.mark.parametrize("cap", [1, 10, 100, 1000])
def test_capacity_is_used_up_and_never_exceeded_by_many_at_once(world: World, cap: int) -> None:
    capped(world, cap)
    before = max(0, cap - AT_ONCE // 2)
    fill(world, before)
    inside: list[OpenedSession] = []
    table = Together(world)

    def comes(name: str) -> None:
        try:
            inside.append(ask(world, name, table))
        except NotAdmittedError:
            return

    threads = [threading.Thread(target=comes, args=(f"late{n}",)) for n in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert before + len(inside) <= cap
    inside += admitted(world, *(f"last{n}" for n in range(AT_ONCE)))
    assert before + len(inside) == cap
    assert [shard.left for shard in shards(world) if shard.left] == []


def test_a_place_comes_back_once_with_the_end_of_its_session(world: World) -> None:
    capped(world, 1)
    first = ask(world, "ann")
    assert admitted(world, "bob") == []
    end(world, first)
    assert not SeatReleaser(world.table, world.clock).end_session(first.session, "cancelled")
    assert sum(shard.left for shard in shards(world)) == 1
    assert len(admitted(world, "bob", "cid")) == 1


@pytest.mark.parametrize("cap", [40, 2])
def test_a_limit_below_the_live_sessions_admits_nobody_until_they_fit(
    world: World, cap: int
) -> None:
    capped(world, 40)
    inside = admitted(world, *(f"u{n}" for n in range(20)))
    assert len(inside) == 20
    capped(world, cap)
    world.clock.tick(2)  # the next look
    for count in range(20, 0, -1):
        came = admitted(world, f"late{count}")
        assert len(came) == (count < cap)
        for opened in (*came, inside[count - 1]):
            end(world, opened)
    assert (
        sum(shard.left for shard in shards(world))
        == sum(shard.dealt for shard in shards(world))
        == cap
    )


def test_a_raised_limit_is_allocated_and_can_be_used(world: World) -> None:
    capped(world, 3)
    assert len(admitted(world, *(f"u{n}" for n in range(5)))) == 3
    capped(world, 30)
    assert len(admitted(world, *(f"v{n}" for n in range(30)))) == 27


def test_an_older_reading_of_the_event_does_not_restore_the_former_limit(world: World) -> None:
    capped(world, 5)
    older = world.event
    capped(world, 2)
    assert sum(shard.dealt for shard in shards(world)) == 2
    dealt = CapacityShards(world.table).dealt(older, world.clock.ms)
    assert sum(shard.dealt for shard in dealt) == 2


def test_sessions_without_a_slot_are_counted_while_they_last(world: World) -> None:
    for user in ("old1", "old2"):
        world.session(user, seconds=120)
    capped(world, 3)
    assert len(admitted(world, "ann", "bob")) == 1
    world.clock.tick(181)
    assert len(admitted(world, "bob", "cid", "dot")) == 2


def test_a_first_limit_during_a_sale_is_exceeded_by_stale_readers(
    world: World,
) -> None:
    """Events have a cap from their creation; one of an older version may get its first here."""
    unheard = world.event
    assert unheard.live_max == 0
    capped(world, 1)
    heard = world.event
    assert len(admitted(world, "ann", "bob")) == 1
    world.event = unheard  # as an environment reads it for CATALOG_CACHE_MS at most
    assert len(admitted(world, "cid", "dot")) == 2
    world.event = heard
    assert admitted(world, "eve") == []
    assert sum(shard.dealt for shard in shards(world)) == 1


def test_an_allocation_seen_in_part_is_not_repeated(world: World) -> None:
    capped(world, 3)
    assert sum(shard.left for shard in shards(world)) == 3
    half_seen = CapacityShardRecord(*capacity_shard_key(EVENT, 0), left=0, dealt=0)

    class Torn:
        reads = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(world.table, name)

        def find_many(self, *wanted: Any) -> Any:
            self.reads += 1
            return [half_seen] if self.reads == 1 else world.table.find_many(*wanted)

    table: Any = Torn()
    CapacityShards(table).dealt(world.event, world.clock.ms)
    assert sum(shard.left for shard in shards(world)) == 3


class SlowShards:
    """A table whose reading of rooms takes a minute, once."""

    def __init__(self, world: World) -> None:
        self._world, self._slow = world, True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world.table, name)

    def find_many(self, record: type[Any], keys: Any) -> Any:
        if record is CapacityShardRecord and self._slow:
            self._slow = False
            self._world.clock.tick(60)
        return self._world.table.find_many(record, keys)


def test_a_sessions_time_begins_when_it_is_written(world: World) -> None:
    capped(world, 1)
    opened = ask(world, "ann", SlowShards(world))
    assert world.clock.now_ms() == START_MS + 60_000
    written = world.table.find(Session, session_key(opened.session))
    assert written is not None
    assert written.expires_at == rfc3339(world.clock.now_ms() + world.event.session_s * 1000)


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=SHARDS_MAX))
def test_no_allocation_allows_more_sessions_than_the_limit(few: list[tuple[int, bool]]) -> None:
    """No step of an allocation allows more than the limit, unless as many were live before."""
    some = [
        CapacityShard(0 if shut else inside + 2, -inside if shut else 2) for inside, shut in few
    ]
    found = some + [CapacityShard()] * (SHARDS_MAX - len(some))
    for cap in (1, 10, 100, 1000):
        dealt = list(found)
        for _ in range(2):
            for number, places in new_deal(cap, dealt).items():
                shard = dealt[number]
                dealt[number] = CapacityShard(places, shard.left + places - shard.dealt)
                bound = sum(shard.bound for shard in dealt)
                assert bound <= max(cap, sum(shard.bound for shard in found))
        inside = sum(shard.inside for shard in found)
        assert inside == sum(shard.inside for shard in dealt)
        assert sum(shard.bound for shard in dealt) == max(cap, inside)
        assert inside <= cap or not any(shard.left > 0 for shard in dealt)
        assert new_deal(cap, dealt) == {}


def test_shards_grow_with_the_limit() -> None:
    assert [shard_count(cap) for cap in (1, 10, 16, 100, 1000, 32_767)] == [1, 1, 2, 8, 32, 32]
    assert [shard_count(cap) for cap in (32_768, 65_536, 10**7)] == [64, 128, 128]


def test_a_limit_raised_for_a_crowd_gets_more_shards_and_keeps_all_when_lowered(
    world: World,
) -> None:
    world.event = structs.replace(world.event, live_counters=LIVE_COUNTERS)
    capped(world, 100)
    inside = admitted(world, "ann")
    assert len(shards(world)) == SHARDS_FIRST
    capped(world, 100_000)
    inside += admitted(world, *(f"u{n}" for n in range(20)))
    assert len(shards(world)) == SHARDS_MAX
    assert all(shard.dealt for shard in shards(world))
    assert sum(shard.dealt for shard in shards(world)) == 100_000
    capped(world, 30)
    assert sum(shard.inside for shard in shards(world)) == len(inside) == 21
    for opened in inside:
        end(world, opened)
    assert sum(shard.dealt for shard in shards(world)) == 30
    assert len(admitted(world, *(f"v{n}" for n in range(31)))) == 30


def test_an_event_of_an_earlier_version_keeps_its_shards(world: World) -> None:
    """Each admission asks a shard that was dealt something, though a new event had more."""
    capped(world, 100_000)
    assert len(admitted(world, *(f"u{n}" for n in range(20)))) == 20
    assert len(shards(world)) == SHARDS_FIRST
    assert sum(shard.inside for shard in shards(world)) == 20
    asked = {
        next(iter(CapacityShards(world.table).to_ask(world.event, f"ses_{n:02x}", None, 0)))
        for n in range(256)
    }
    assert asked == set(range(SHARDS_FIRST))
