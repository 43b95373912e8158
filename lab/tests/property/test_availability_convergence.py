"""The cache ends as the table, and viewers with it, however changes, refills and losses race."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairgate.adapters.valkey import availability as adapter
from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.ports.availability import CacheScriptError
from tests.support.availability import started_valkey
from tests.support.convergence import Race, Step

EXAMPLES = int(os.environ.get("FAIRGATE_CONVERGENCE_EXAMPLES", "60"))

_small = st.integers(0, 5)
_steps: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("change"), _small, st.integers(0, 3)),
    st.tuples(st.just("change"), st.just(0), st.integers(0, 3)),
    st.tuples(st.just("sell"), st.integers(0, 1)),
    st.tuples(st.just("feed"), _small),
    st.tuples(st.just("crash"), st.integers(0, 1)),
    st.lists(st.integers(0, 40), min_size=1, max_size=4).map(lambda n: ("deliver", *n)),
    st.tuples(st.just("evict"), st.integers(0, 8)),
    st.just(("forget",)),
    st.just(("counts_first",)),
    st.just(("read",)),
    st.just(("count",)),
    st.just(("rebuild",)),
    st.tuples(st.just("poll"), st.integers(0, 1)),
    st.tuples(st.just("step"), st.integers(0, 3), st.integers(1, 12)),
    st.tuples(st.just("step"), st.integers(0, 3), st.integers(1, 40)),
)
PLAY = st.lists(_steps, max_size=45)


WHOLE = ("step", -1, 60)  # the newest task, to its end
READ, COUNT = [("read",), WHOLE], [("count",), WHOLE]
POLL, COUNTS_POLL = [("poll", 0), WHOLE], [("poll", 1), WHOLE]
SELLS, RETURNS, OTHER_SELLS = ("change", 0, 2), ("change", 0, 0), ("change", 1, 2)
# An invalidator that has changed the section and has not told the event yet.
HALF = [("feed", 0), ("step", -1, 2)]

# For each guard of the scripts: how to take it away, and a play that then goes wrong.
GUARDS: dict[str, tuple[str, str, str, list[Step]]] = {
    "an older seat never replaces a newer one": (
        "APPLY",
        "if tonumber(version) > tonumber(old_version) then",
        "if true then",
        [("change", 0, 1), SELLS],  # delivered at the end, the newest first
    ),
    "the count follows each seat": (
        "APPLY",
        "if old_code == '0' then delta = delta - 1 end",
        "",
        [*READ, SELLS, ("deliver", 0), RETURNS, ("deliver", 1)],
    ),
    "a lost vector makes a section a miss": (
        "APPLY",
        "local lost = filled and not is_whole()",
        "local lost = false",
        [*READ, ("lose", "vector"), SELLS, ("deliver", 0)],
    ),
    "a reading is refused when the section was lost meanwhile": (
        "FINISH",
        "if ARGV[3] ~= '' and redis.call('HGET', KEYS[1], ':life') ~= ARGV[3] then",
        "if false then",
        [("read",), ("step", -1, 10), SELLS, ("deliver", 0), ("lose", "seatmap"), WHOLE],
    ),
    "viewers read again what has been lost and filled": (
        "FINISH",
        "redis.call('HSET', KEYS[1], ':since', up_to_now, ':last', up_to_now)",
        "",
        [
            *(*READ, OTHER_SELLS, ("deliver", 0), *POLL),
            *(SELLS, ("lose", "seatmap"), ("deliver", 1), *READ),
        ],
    ),
    "viewers of counts hear of every count": (
        "RECORD",
        "log(KEYS[2], KEYS[1], 's', section)",
        "",
        [*COUNT, *COUNTS_POLL, SELLS, ("deliver", 0)],
    ),
    "an older count never replaces a newer one": (
        "RECORD",
        "if rev > tonumber(old and string.match(old, '^(%d+)|') or '0') then",
        "if true then",
        [*COUNT, SELLS, *HALF, OTHER_SELLS, ("deliver", 1), WHOLE],
    ),
    "a count is told again with its message": (
        "APPLY",
        "return {applied, unpack(count(filled))}",
        "return {applied, unpack(applied > 0 and count(filled) or {'0', '-1', '0'})}",
        [*COUNT, SELLS, *HALF, ("crash", 0)],
    ),
    "a count's revisions go on when the section was lost": (
        "APPLY",
        "math.max(kept + 1, micros)",
        "kept + 1",
        [*COUNT, SELLS, ("lose", "seatmap"), ("counts_first",)],
    ),
    "a count from before the event's counts were lost is not kept": (
        "RECORD",
        "if rev >= tonumber(born) then",
        "if true then",
        [
            *(*COUNT, SELLS, *HALF, ("lose", "seatmap"), OTHER_SELLS, ("deliver", 1)),
            *(("lose", "counts"), WHOLE, ("counts_first",)),
        ],
    ),
    "viewers read what is not whole": (
        "CHANGES",
        "if ARGV[2] ~= '' and not whole then since = up_to_now\nelseif",
        "if",
        [*READ, OTHER_SELLS, ("deliver", 0), *POLL, SELLS, ("lose", "seatmap"), ("deliver", 1)],
    ),
    "viewers read again when the log was lost": (
        "CHANGES",
        "elseif redis.call('EXISTS', KEYS[1]) == 0 then",
        "elseif false then",
        [*READ, *POLL, SELLS, ("deliver", 0), ("lose", "changes")],
    ),
    "viewers read again when the log was lost and has begun anew": (
        "APPLY",
        "if not kept then",
        "if false then",
        [*READ, *POLL, SELLS, ("deliver", 0), ("lose", "changes"), OTHER_SELLS, ("deliver", 1)],
    ),
    "an older counter never replaces a newer one": (
        "SHARDS",
        "if tonumber(ARGV[i + 2]) > old_version then",
        "if true then",
        [*COUNT, ("sell", 0), ("sell", 0)],
    ),
    "a reading is refused when the counters were lost meanwhile": (
        "SHARDS",
        "if ARGV[2] ~= '' and redis.call('HGET', KEYS[1], ':life') ~= ARGV[2] then return -1 end",
        "",
        [
            *(*READ, ("count",), ("step", -1, 9)),
            *(("sell", 0), ("deliver", 0), ("lose", "counts"), WHOLE),
        ],
    ),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = started_valkey(tmp_path_factory.mktemp("valkey"))
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def a_fill_takes_several_commands(monkeypatch) -> None:
    monkeypatch.setattr(adapter, "SEATS_A_CALL", 2)


@pytest.fixture
def cache(server) -> Iterator[ValkeyAvailability]:
    cache = ValkeyAvailability(server.url, timeout_s=5)
    yield cache
    cache.close()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=PLAY)
def test_the_cache_and_its_viewers_end_as_the_table(cache, steps) -> None:
    Race(cache).play(steps)


@pytest.mark.parametrize("guard", GUARDS)
def test_a_play_goes_wrong_when_its_guard_is_taken_away(server, cache, monkeypatch, guard) -> None:
    script, clause, without, play = GUARDS[guard]
    Race(cache).play(play)
    text = getattr(adapter, script)
    assert clause in text
    monkeypatch.setattr(adapter, script, text.replace(clause, without))
    blind = ValkeyAvailability(server.url, timeout_s=5)
    try:
        with pytest.raises((AssertionError, CacheScriptError)):
            Race(blind).play(play)
    finally:
        blind.close()
