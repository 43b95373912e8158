"""The cache ends as the table, and viewers with it, however changes, refills and losses race."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairgate.adapters import valkey as adapter
from fairgate.adapters.valkey import ValkeyAvailability
from tests.support.availability import started_valkey
from tests.support.convergence import Race, Step

EXAMPLES = int(os.environ.get("FAIRGATE_CONVERGENCE_EXAMPLES", "150"))

_small = st.integers(0, 5)
_steps: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("change"), _small, st.integers(0, 3)),
    st.tuples(st.just("change"), st.just(0), st.integers(0, 3)),
    st.tuples(st.just("sell"), st.integers(0, 1)),
    st.lists(st.integers(0, 40), min_size=1, max_size=4).map(lambda n: ("deliver", *n)),
    st.tuples(st.just("evict"), st.integers(0, 7)),
    st.just(("forget",)),
    st.just(("read",)),
    st.just(("count",)),
    st.just(("rebuild",)),
    st.tuples(st.just("poll"), st.integers(0, 1)),
    st.tuples(st.just("step"), st.integers(0, 3), st.integers(1, 12)),
    st.tuples(st.just("step"), st.integers(0, 3), st.integers(1, 40)),
)
PLAY = st.lists(_steps, max_size=45)


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
