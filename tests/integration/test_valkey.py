"""The cache's promises, on a real Valkey."""

from __future__ import annotations

import itertools
import random
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import get_args

import pytest

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.seating.status_vector import (
    AVAILABLE,
    BLOCKED,
    LOCKED,
    RESERVED,
    Availability,
)
from fairgate.ports.availability import CacheUnavailableError, SeatStatus, ShardStatus
from tests.support.availability import NOW_MS, locked, seats, started_valkey

_numbers = itertools.count()


@pytest.fixture
def event():
    return f"show-{next(_numbers)}"


def codes(cache, event, section="a", now_ms=NOW_MS):
    (found,) = cache.codes(event, [section], now_ms)
    return found


def test_a_section_is_unknown_when_only_changes_came(cache, event):
    assert cache.apply(event, "a", [locked(1, 4)]) == 1
    assert codes(cache, event) is None
    assert cache.section(event, "a") is None
    assert cache.counts(event, ["a"], NOW_MS) == {}


def test_an_older_change_is_dropped_when_a_newer_one_is_known(cache, event):
    cache.fill(event, "a", seats(3))
    assert cache.apply(event, "a", [SeatStatus(1, "reserved", 0, 9)]) == 1
    assert cache.apply(event, "a", [locked(1, 8)]) == 0
    assert cache.apply(event, "a", [SeatStatus(1, "available", 0, 9)]) == 0
    assert codes(cache, event) == bytes([AVAILABLE, RESERVED, AVAILABLE])


def test_versions_compare_as_numbers_when_their_length_differs(cache, event):
    cache.fill(event, "a", seats(1, version=9))
    assert cache.apply(event, "a", [SeatStatus(0, "reserved", 0, 10)]) == 1


def test_shuffled_and_repeated_changes_converge(cache, event):
    chance = random.Random(7)  # noqa: S311 a seed that repeats the test exactly
    history = [
        SeatStatus(index, kind, NOW_MS + 60_000 if kind == "locked" else 0, version)
        for index in range(12)
        for version, kind in enumerate(chance.choices(get_args(Availability), k=9), start=1)
    ]
    newest = [max((s for s in history if s.index == i), key=lambda s: s.version) for i in range(12)]
    deliveries = history * 3
    chance.shuffle(deliveries)
    cache.fill(event, "a", seats(12))
    batches = [deliveries[start : start + 7] for start in range(0, len(deliveries), 7)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda batch: cache.apply(event, "a", batch), batches))
    assert cache.section(event, "a") == newest
    available = sum(s.availability == "available" for s in newest)
    assert cache.counts(event, ["a"], NOW_MS) == {"a": available}


@pytest.mark.parametrize("change_first", [True, False])
def test_the_newer_change_stays_when_a_slow_fill_races_it(cache, event, change_first):
    steps = [
        lambda: cache.apply(event, "a", [SeatStatus(0, "reserved", 0, 5)]),
        lambda: cache.fill(event, "a", [*seats(2, version=1)]),
    ]
    for step in steps if change_first else reversed(steps):
        step()
    assert codes(cache, event) == bytes([RESERVED, AVAILABLE])
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 1}


def test_fills_and_changes_converge_when_they_run_at_once(cache, event):
    rounds = [[SeatStatus(i, "reserved", 0, 2 + i % 3)] for i in range(0, 60, 2)]
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda n: (
                    cache.fill(event, "a", seats(60, 1))
                    if n % 2
                    else cache.apply(event, "a", rounds[n // 2])
                ),
                range(60),
            )
        )
    assert codes(cache, event) == bytes([RESERVED, AVAILABLE]) * 30
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 30}


def test_an_expired_lock_reads_available_in_statuses_and_counts(cache, event):
    cache.fill(event, "a", [locked(0, 1, until_ms=NOW_MS), *seats(3)[1:]])
    cache.apply(event, "a", [locked(1, 1, until_ms=NOW_MS + 1)])
    assert codes(cache, event, now_ms=NOW_MS - 1) == bytes([LOCKED, LOCKED, AVAILABLE])
    assert cache.counts(event, ["a"], NOW_MS - 1) == {"a": 1}
    assert codes(cache, event) == bytes([AVAILABLE, LOCKED, AVAILABLE])
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 2}
    assert cache.counts(event, ["a"], NOW_MS + 1) == {"a": 3}


def test_an_expired_lock_is_counted_once_when_it_is_released_and_sold(cache, event):
    cache.fill(event, "a", [locked(0, 1, until_ms=NOW_MS), *seats(2)[1:]])
    cache.apply(event, "a", [SeatStatus(0, "available", 0, 2)])
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 2}
    cache.apply(event, "a", [SeatStatus(0, "reserved", 0, 3)])
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 1}


@pytest.mark.parametrize("lost", ["seatmap:{{{}:a}}", "vector:{{{}:a}}", "expiries:{{{}:a}}"])
def test_a_count_is_a_miss_when_a_part_of_it_was_evicted(cache, event, lost):
    cache.fill(event, "a", [locked(0, 1, until_ms=NOW_MS), *seats(2)[1:]])
    cache._client().client.delete(lost.format(event))
    cache.apply(event, "a", [locked(1, 1)])
    assert cache.counts(event, ["a"], NOW_MS) == {}
    cache.fill(event, "a", [locked(0, 1, until_ms=NOW_MS), *seats(2)[1:]])
    assert cache.counts(event, ["a"], NOW_MS) == {"a": 1}


def test_seats_that_the_fill_did_not_know_are_blocked(cache, event):
    cache.fill(event, "a", [seats(4)[0], seats(4)[3]])
    assert codes(cache, event) == bytes([AVAILABLE, BLOCKED, BLOCKED, AVAILABLE])
    cache.apply(event, "a", [SeatStatus(4, "available", 0, 1)])  # beyond what was filled
    assert len(codes(cache, event)) == 4


def test_sections_and_events_are_kept_apart(cache, event):
    names = [f"s{n}" for n in range(20)]
    for number, name in enumerate(names):
        if number != 11:
            cache.fill(event, name, seats(number))
    found = cache.codes(event, names, NOW_MS)
    assert [None if c is None else len(c) for c in found] == [
        None if n == 11 else n for n in range(20)
    ]
    assert cache.counts("other-" + event, names, NOW_MS) == {}


def test_every_key_expires_as_a_last_resort(cache, event):
    cache.fill(event, "a", [locked(0, 1)])
    cache.apply(event, "a", [locked(0, 2)])
    cache.apply(event, "b", [locked(0, 1)])
    cache.apply_shards(event, [ShardStatus("floor", 0, 9, 1)])
    cache.life(event, "c")
    cache.place_changes(event)
    cache.keep_places(event, b"{}")
    assert cache.begin_refill(event, "a")
    client = cache._client().client
    tags = (f"{{{event}}}".encode(), f"{{{event}:".encode())
    keys = [key for key in client.keys("*") if any(tag in key for tag in tags)]
    assert len(keys) == 11
    assert all(0 < client.ttl(key) <= 7_200 for key in keys)


def test_a_change_keeps_the_expiry_when_the_section_is_filled(cache, event):
    cache.fill(event, "a", seats(1))
    client = cache._client().client
    client.expire(f"seatmap:{{{event}:a}}", 5)
    cache.apply(event, "a", [locked(0, 1)])
    assert client.ttl(f"seatmap:{{{event}:a}}") <= 5


def test_an_area_keeps_the_newest_of_each_shard(cache, event):
    assert cache.shards(event) == []
    assert cache.fill_area(event, "floor", [ShardStatus("floor", n, 9, 1) for n in range(2)])
    assert cache.apply_shards(event, [ShardStatus("floor", 0, 5, 10)]) == 1
    late = [ShardStatus("floor", 0, 7, 9), ShardStatus("floor", 1, 4, 2)]
    assert cache.apply_shards(event, late) == 1
    assert sorted(cache.shards(event), key=lambda s: s.shard) == [
        ShardStatus("floor", 0, 5, 10),
        ShardStatus("floor", 1, 4, 2),
    ]


def test_one_caller_refills_until_it_says_that_it_has_ended(cache, event):
    assert [cache.begin_refill(event, "a") for _ in range(3)] == [True, False, False]
    cache.end_refill(event, "a")
    assert cache.begin_refill(event, "a")


@pytest.mark.parametrize(
    "ask",
    [
        lambda cache: cache.apply("e", "a", seats(1)),
        lambda cache: cache.fill("e", "a", seats(1)),
        lambda cache: cache.section("e", "a"),
        lambda cache: cache.codes("e", ["a"], 0),
        lambda cache: cache.counts("e", ["a"], 0),
        lambda cache: cache.apply_shards("e", [ShardStatus("f", 0, 1, 1)]),
        lambda cache: cache.shards("e"),
        lambda cache: cache.places("e"),
        lambda cache: cache.keep_places("e", b""),
        lambda cache: cache.begin_refill("e", "a"),
        lambda cache: cache.end_refill("e", "a"),
    ],
)
def test_every_question_says_unavailable_when_nobody_answers(ask):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts and never speaks
        port = silent.getsockname()[1]
        for url in ("", f"valkey://127.0.0.1:{port}"):
            cache = ValkeyAvailability(url, timeout_s=0.05)
            with pytest.raises(CacheUnavailableError):
                ask(cache)
            cache.close()


def test_the_cache_answers_again_when_its_server_comes_back(tmp_path, event):
    server = started_valkey(tmp_path)
    cache = ValkeyAvailability(server.url, timeout_s=2)
    try:
        cache.fill(event, "a", seats(2))
        server.stop()
        with pytest.raises(CacheUnavailableError):
            cache.section(event, "a")
        server.start()
        assert cache.section(event, "a") is None
    finally:
        cache.close()
        server.stop()
