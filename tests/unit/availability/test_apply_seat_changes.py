"""Seat changes on their way to the cache: grouped by section, each failing alone."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.adapters.memory.cache import NoCache
from fairgate.adapters.memory.clock import MemoryClock
from fairgate.errors import MalformedInputError
from fairgate.ports.availability import CacheUnavailableError, SeatStatus, ShardStatus
from fairgate.service.availability.apply_seat_changes import apply_seat_changes, read_change
from tests.support.availability import EVENT, NOW_MS, seat_item, shard_item, stream_record


class RecordingCache(NoCache):
    def __init__(self, gone: tuple[str, ...] = ()):
        self.applied: dict[Any, list[Any]] = {}
        self.ended: list[tuple[str, str, str]] = []
        self.gone = gone

    def apply(self, event, section, changes):
        if section in self.gone:
            raise CacheUnavailableError(section)
        self.applied[event, section] = list(changes)
        return len(changes)

    def end_claims(self, event, section, units):
        assert (event, section) not in self.applied  # the map must not show them free before
        if section in self.gone:
            raise CacheUnavailableError(section)
        self.ended += [(event, section, unit) for unit in units]

    def apply_shards(self, event, shards):
        self.applied[event] = list(shards)
        return len(shards)


def batch(*items):
    return [(f"m{n}", stream_record(item)) for n, item in enumerate(items)]


def test_changes_are_grouped_when_they_concern_one_section():
    cache = RecordingCache()
    until = "2027-01-15T08:05:00.000Z"
    outcome = apply_seat_changes(
        cache,
        batch(
            seat_item("a", 0, availability="locked", expiresAt=until, version=2),
            seat_item("b", 1, availability="reserved", version=3),
            seat_item("a", 2),
            shard_item("floor", 1, 7, version=4),
        ),
        MemoryClock(),
    )
    assert cache.applied == {
        (EVENT, "a"): [
            SeatStatus(0, "locked", NOW_MS + 300_000, 2),
            SeatStatus(2, "available", 0, 0),
        ],
        (EVENT, "b"): [SeatStatus(1, "reserved", 0, 3)],
        EVENT: [ShardStatus("floor", 1, 7, 4)],
    }
    assert (outcome.applied, outcome.failed, outcome.ages_ms) == (4, [], [250] * 4)


def test_claims_end_on_seats_that_become_free():
    cache = RecordingCache()
    until = "2027-01-15T08:05:00.000Z"
    held = seat_item("a", 1, availability="locked", expiresAt=until)
    apply_seat_changes(cache, batch(seat_item("a", 0), held, seat_item("b", 5)), MemoryClock())
    assert cache.ended == [(EVENT, "a", "a-0"), (EVENT, "b", "b-5")]


def test_age_comes_from_the_stream_when_the_item_does_not_say():
    item = shard_item("floor", 0, 7)
    del item["updatedAt"]
    outcome = apply_seat_changes(RecordingCache(), batch(item), MemoryClock())
    assert outcome.ages_ms == [1_000]


def test_a_record_is_skipped_when_it_is_no_unit_or_was_deleted():
    deleted = stream_record(seat_item("a", 0))
    del deleted["dynamodb"]["NewImage"]
    other = stream_record({"PK": "x", "SK": "S#x"})
    cache = RecordingCache()
    outcome = apply_seat_changes(cache, [("m0", deleted), ("m1", other)], MemoryClock())
    assert (cache.applied, outcome.failed) == ({}, [])


@pytest.mark.parametrize(
    "changes",
    [
        {"availability": "gone"},
        {"availability": "locked", "expiresAt": "soon"},
        {"seatIndex": -1},
        {"seatIndex": 2_500},
        {"version": "many"},
        {"version": -1},
        {"eventId": "no{such}event"},
        {"sectionId": "a:b"},
        {"updatedAt": "yesterday"},
    ],
)
def test_a_record_fails_alone_when_it_cannot_be_understood(changes):
    cache = RecordingCache()
    items = [seat_item("a", 0), seat_item("a", 1) | changes, seat_item("a", 2)]
    outcome = apply_seat_changes(cache, batch(*items), MemoryClock())
    assert outcome.failed == outcome.malformed == ["m1"]
    assert [seat.index for seat in cache.applied[EVENT, "a"]] == [0, 2]


@pytest.mark.parametrize("record", [[], {}, {"dynamodb": {"NewImage": {"SK": "META"}}}, "text"])
def test_read_change_refuses_when_the_shape_is_not_a_stream_record(record):
    with pytest.raises(MalformedInputError):
        read_change(record)


def test_only_the_sections_that_failed_come_again_when_the_cache_goes():
    cache = RecordingCache(gone=("b",))
    items = [seat_item("a", 0), seat_item("b", 0), seat_item("b", 1)]
    outcome = apply_seat_changes(cache, batch(*items), MemoryClock())
    assert (outcome.failed, outcome.malformed, outcome.cache_gone) == (["m1", "m2"], [], True)
    assert outcome.ages_ms == [250]
