"""Seat changes on their way to the cache: grouped by section, each failing alone."""

from __future__ import annotations

from typing import Any

import pytest

from fairgate.errors import MalformedInputError
from fairgate.ports.availability import CacheUnavailableError, SeatStatus, ShardStatus
from fairgate.service.availability.apply_patiently import apply_patiently
from fairgate.service.availability.apply_seat_changes import apply_seat_changes, read_change
from fairgate_lab.engine.cache import NoCache
from fairgate_lab.engine.clock import MemoryClock
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


@pytest.mark.parametrize(
    "change",
    [
        {"ApproximateCreationDateTime": float("inf"), "NewImage": ...},
        {"NewImage": []},
        {"NewImage": {"SK": {"S": "META"}, "eventId": {"S": ["a"]}}},
        {"NewImage": {"SK": {"S": "GA"}, "version": {}}},
    ],
    ids=["endless time", "list", "listed text", "no type"],
)
def test_no_record_that_parses_fails_another(change):
    first, last = batch(seat_item("a", 0)), batch(seat_item("a", 2))
    item = seat_item("a", 1)
    del item["updatedAt"]
    poison = stream_record(item)
    image = poison["dynamodb"]["NewImage"]
    poison["dynamodb"] |= {k: image if v is ... else v for k, v in change.items()}
    cache = RecordingCache()
    records = [("m0", first[0][1]), ("m1", poison), ("m2", last[0][1])]
    outcome = apply_seat_changes(cache, records, MemoryClock())
    assert outcome.failed == outcome.malformed == list(outcome.reasons) == ["m1"]
    assert [seat.index for seat in cache.applied[EVENT, "a"]] == [0, 2]


class PoisonedCache(RecordingCache):
    """Meets a defect at one seat, and at one area's counter."""

    def apply(self, event, section, changes):
        if any(seat.index == 1 for seat in changes):
            raise IndexError("a release that does not know this")
        self.applied.setdefault((event, section), [])
        self.applied[event, section] += changes
        return len(changes)

    def apply_shards(self, event, shards):
        if any(shard.area == "floor" for shard in shards):
            raise IndexError("nor this")
        return super().apply_shards(event, shards)

    def end_claims(self, _event, _section, units):
        if "b-4" in units:
            raise IndexError("nor this")


def test_a_change_that_meets_a_defect_fails_alone():
    cache = PoisonedCache()
    items = [*(seat_item("a", n) for n in range(3)), seat_item("b", 4), seat_item("b", 5)]
    areas = [shard_item("floor", 0, 7), shard_item("stand", 0, 3)]
    outcome = apply_seat_changes(cache, batch(*items, *areas), MemoryClock())
    assert outcome.failed == outcome.malformed == ["m1", "m3", "m5"]
    assert "does not know this" in outcome.reasons["m1"]
    assert [seat.index for seat in cache.applied[EVENT, "a"]] == [0, 2]
    assert [seat.index for seat in cache.applied[EVENT, "b"]] == [5]
    assert [shard.area for shard in cache.applied[EVENT]] == ["stand"]
    assert (outcome.applied, outcome.cache_gone) == (4, False)


def test_a_defect_that_shows_once_the_cache_is_back_fails_alone():
    class Returning(PoisonedCache):
        away = True

        def apply(self, event, section, changes):
            if self.away:
                self.away = False
                raise CacheUnavailableError("away")
            return super().apply(event, section, changes)

    cache, waited = Returning(), list[float]()
    records = batch(*(seat_item("a", n) for n in range(3)))
    outcome = apply_patiently(cache, records, MemoryClock(), wait=waited.append, patience_s=5)
    assert outcome.failed == outcome.malformed == list(outcome.reasons) == ["m1"]
    assert (outcome.applied, len(waited)) == (2, 1)
