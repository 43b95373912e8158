"""Sections are spread over a cluster's slots, and no call needs two: a real node refuses."""

from __future__ import annotations

import itertools
import re
from types import ModuleType
from typing import Any

import pytest
from valkey.exceptions import ResponseError

from fairgate.adapters.system import SystemClock
from fairgate.adapters.valkey import claims, keys, rates, scripts
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.adapters.valkey.lua import Script
from fairgate.domain.shared.rate_limit import RateLimit
from fairgate.ports.availability import Claim, Claimed, SeatStatus, ShardStatus
from fairgate.service.availability.read_availability import AvailabilityReader
from fairgate.service.catalog.read_catalog import CatalogReader
from tests.integration.test_cache_errors import QUESTIONS
from tests.support.availability import EVENT, NOW_MS, FakeTable, locked, seats

SECTIONS = [f"s{number}" for number in range(40)]
LONG_MS = 60_000
_numbers = itertools.count()


@pytest.fixture
def event() -> str:
    return f"slots-{next(_numbers)}"


def reader_of(cache: ValkeyAvailability, table: Any) -> AvailabilityReader:
    clock = SystemClock()
    return AvailabilityReader(cache, table, CatalogReader(table, clock), clock)


def of(*units: tuple[str, str]) -> Claim:
    return Claim(units)


def test_the_server_refuses_keys_of_two_slots(cache: ValkeyAvailability) -> None:
    client = cache._client().client
    with pytest.raises(ResponseError, match="same slot"):
        Script(client, "return 1")([keys.counts_key("e"), keys.section_key("e", "a")])


@pytest.mark.parametrize("module", [scripts, claims, rates])
def test_scripts_touch_only_keys_that_they_are_given(module: ModuleType) -> None:
    """What a script reaches beside its KEYS, a node would not refuse, and a cluster not find."""
    texts = [text for text in vars(module).values() if isinstance(text, str)]
    calls = re.findall(r"redis\.call\('([A-Z]+)'(?:, ([^,)]+))?", "\n".join(texts))
    assert calls
    assert {key for command, key in calls if command != "TIME"} <= {
        *(f"KEYS[{number}]" for number in range(1, 5)),
        *("key", "home"),  # of log(), which is given KEYS
    }


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_keeps_to_one_slot(cache: ValkeyAvailability, question: str) -> None:
    for _ in range(2):  # what is not there, and what is
        QUESTIONS[question](cache)
        cache.fill("show", "a", seats(3))


def test_questions_of_many_sections_keep_to_one_slot(cache: ValkeyAvailability, event: str) -> None:
    for section in SECTIONS:
        cache.fill(event, section, [locked(0, 1, until_ms=NOW_MS), *seats(3)[1:]])
    assert cache.codes(event, SECTIONS, NOW_MS) == [bytes(3)] * 40
    assert cache.counts(event, SECTIONS, NOW_MS - 1) == dict.fromkeys(SECTIONS, 2)
    assert cache.counts(event, SECTIONS, NOW_MS) == dict.fromkeys(SECTIONS, 3)
    claim = of(*((section, "x") for section in SECTIONS))
    assert cache.claim(event, [claim], "ann", LONG_MS) == Claimed(0)
    assert cache.claimed(event, SECTIONS) == {"x"}
    cache.unclaim(event, claim.units, "ann")
    assert cache.claimed(event, SECTIONS) == set()


def test_the_load_of_an_event_is_spread(cache: ValkeyAvailability, event: str) -> None:
    """What is done for each change of a seat and for each request; only counts share a slot."""
    for section in SECTIONS:
        cache.fill(event, section, [locked(0, 1)])
        cache.claim(event, [of((section, "x"))], "ann", LONG_MS)
        cache.take(event, [(f"holds:u#{section}", RateLimit(3, 3_600))])
    client = cache._client().client
    by_kind: dict[str, set[int]] = {}
    for key in client.keys("*"):
        slot = client.execute_command("CLUSTER", "KEYSLOT", key)
        by_kind.setdefault(key.decode().partition(":")[0], set()).add(slot)
    kinds = ("seatmap", "vector", "expiries", "claims", "claimants", "rate")
    assert {kind: len(by_kind[kind]) for kind in kinds} == dict.fromkeys(kinds, len(SECTIONS))
    assert by_kind["seatmap"] == by_kind["claims"]
    assert by_kind["counts"] == by_kind["news"]
    assert len(by_kind["counts"]) == 1


def test_counts_are_read_by_one_call_once_they_are_recorded(
    cache: ValkeyAvailability, event: str
) -> None:
    for section in SECTIONS:
        cache.fill(event, section, seats(3))
    cache.counts(event, SECTIONS, NOW_MS)
    calls = questions_of(cache)
    for _ in range(2):
        assert cache.counts(event, SECTIONS, NOW_MS) == dict.fromkeys(SECTIONS, 3)
    cache.apply(event, "s0", [SeatStatus(0, "reserved", 0, 2)])
    assert cache.counts(event, SECTIONS, NOW_MS)["s0"] == 2
    assert questions_of(cache) - calls == 2 + 2 + 1


def test_counts_that_were_lost_are_asked_of_the_sections_once(
    cache: ValkeyAvailability, event: str
) -> None:
    for section in SECTIONS:
        cache.fill(event, section, seats(3))
    cache._client().client.delete(keys.counts_key(event))
    for asked in (1 + len(SECTIONS) + 1, 1):
        calls = questions_of(cache)
        assert cache.counts(event, SECTIONS, NOW_MS) == dict.fromkeys(SECTIONS, 3)
        assert questions_of(cache) - calls == asked


def questions_of(cache: ValkeyAvailability) -> int:
    stats = cache._client().client.info("commandstats")
    return sum(int(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"]) for name in SCRIPTED)


SCRIPTED = ("evalsha", "eval")


# --- claims of several sections


@pytest.mark.parametrize("first", ["a", "b"])
def test_units_of_two_sections_are_claimed_all_or_none(
    cache: ValkeyAvailability, event: str, first: str
) -> None:
    cache.claim(event, [of((first, "1"))], "ann", LONG_MS)
    both = of(("b", "2"), ("b", "1"), ("a", "1"), ("a", "2"))
    assert cache.claim(event, [both], "bob", LONG_MS) == Claimed(None, ("1",))
    assert cache.claimed(event, ["a", "b"]) == {"1"}
    assert cache.claim(event, [both, of(("a", "3"), ("b", "3"))], "bob", LONG_MS) == Claimed(1)


def test_all_that_is_in_the_way_is_named(cache: ValkeyAvailability, event: str) -> None:
    cache.claim(event, [of(("a", "1"), ("c", "9"))], "ann", LONG_MS)
    three = of(("c", "9"), ("b", "4"), ("a", "1"))
    assert cache.claim(event, [three], "bob", LONG_MS) == Claimed(None, ("9", "1"))
    assert cache.claimed(event, ["b"]) == set()


# --- a deploy in mid-sale


def test_what_the_old_form_left_is_not_read_and_the_table_fills_the_new(
    cache: ValkeyAvailability,
) -> None:
    client: Any = cache._client().client
    client.hset(f"seatmap:{{{EVENT}}}:a", mapping={"0": "9|2|0", "n": "1"})
    client.set(f"vector:{{{EVENT}}}:a", b"\x02")
    client.hset(f"availability:{{{EVENT}}}", mapping={"a": "0", "ga:floor:0": "9|0", ":life": "1"})
    client.zadd(f"expiries:{{{EVENT}}}", {"a": float("inf")})
    client.xadd(f"changes:{{{EVENT}}}", {"s": "a"})
    table = FakeTable({"a": 3, "b": 2}, {"floor": [40, 60]})
    reader = reader_of(cache, table)
    for _ in range(2):
        counts = reader.counts(EVENT)
        assert counts.sections == {"a": (3, 3), "b": (2, 2)}
        assert counts.areas == {"floor": (200, 100)}
        assert counts.source == "cache"
    assert reader.section(EVENT, "a").codes == bytes(3)
    assert len(table.queries) == 2, "each section is read from the table once"
    assert cache.counts(EVENT, ["a", "b"], NOW_MS) == {"a": 3, "b": 2}
    changes = reader.place_changes(EVENT).changes
    assert changes is not None
    assert changes.window.since > 0, "a viewer from before reads everything again"


def test_a_section_that_the_index_has_not_whole_yet_is_not_kept(cache: ValkeyAvailability) -> None:
    """Of a seat's creation the feed says nothing: a gap would stand until the seat is sold."""
    table = FakeTable({"a": 3})
    late = table.seats["a"].pop()
    read = reader_of(cache, table).section(EVENT, "a")
    assert (read.codes, read.source) == (bytes([0, 0, 3]), "table")
    assert cache.section(EVENT, "a") is None
    table.seats["a"].append(late)
    read = reader_of(cache, table).section(EVENT, "a")
    assert (read.codes, read.source) == (bytes(3), "cache")


def test_areas_are_apart_from_what_their_names_are_sections_of(
    cache: ValkeyAvailability, event: str
) -> None:
    cache.fill(event, "floor", seats(2))
    cache.fill_area(event, "floor", [ShardStatus("floor", 0, 5, 1)])
    assert cache.counts(event, ["floor"], NOW_MS) == {"floor": 2}
    assert [shard.remaining for shard in cache.shards(event)] == [5]
