"""What is due in a minute lies in several partitions, and is read from all of them."""

from __future__ import annotations

from collections import Counter

from fairgate.domain.shared.ids import EventId, SessionId
from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.due import due_entries, minute_of, session_due
from fairgate.service.shared.keys import due_key, due_partitions
from tests.support.world import EVENT, World

MINUTE = "2026-01-01T00:00"
SESSIONS = [f"ses_{number:032x}" for number in range(400)]


def test_entries_of_a_minute_spread_over_its_partitions() -> None:
    counts = Counter(due_key(EVENT, MINUTE, session).pk for session in SESSIONS)
    assert set(counts) == set(due_partitions(EVENT, MINUTE))
    assert max(counts.values()) < 130


def test_the_same_entry_is_always_in_the_same_partition(world: World) -> None:
    at = rfc3339(world.clock.ms)
    for _ in range(2):
        due = session_due(EventId(EVENT), SessionId(SESSIONS[0]), at, world.clock.ms)
        world.table.transact([due])
    entries = due_entries(world.table, EVENT, minute_of(at)).records
    assert [entry.session_id for entry in entries] == [SESSIONS[0]]


def test_every_entry_of_a_minute_is_found_and_none_of_another(world: World) -> None:
    wanted, now_ms = SESSIONS[:40], world.clock.ms
    for session in wanted:
        later = rfc3339(now_ms + 60_000)
        world.table.transact(
            [session_due(EventId(EVENT), SessionId(session), rfc3339(now_ms), now_ms)]
        )
        world.table.transact([session_due(EventId(EVENT), SessionId(session[::-1]), later, now_ms)])
    entries = due_entries(world.table, EVENT, minute_of(rfc3339(now_ms))).records
    assert sorted(entry.session_id for entry in entries) == wanted
