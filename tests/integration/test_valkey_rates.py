"""Token buckets on a real Valkey: atomic over accounts and addresses, by the server's own clock."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from fairgate.adapters.valkey.availability import ValkeyAvailability
from fairgate.domain.shared.rate_limit import RateLimit
from fairgate.errors import TooManyRequestsError
from fairgate.service.shared.rate_limits import RateLimiter
from fairgate_lab.engine.clock import MemoryClock

_numbers = itertools.count()
SLOW = RateLimit(3, 3_600)  # no token comes back while a test runs
WIDE = RateLimit(1_000, 3_600)


@pytest.fixture(scope="module")
def valkey(server: Any) -> Iterator[ValkeyAvailability]:
    cache = ValkeyAvailability(server.url, timeout_s=5)
    yield cache
    cache.close()


@pytest.fixture
def event() -> str:
    return f"show-{next(_numbers)}"


def test_a_quota_may_be_used_at_once_and_no_more(valkey: ValkeyAvailability, event: str) -> None:
    states = [valkey.take(event, [("holds:u#ann", SLOW)])[0] for _ in range(5)]
    assert [state.taken for state in states] == [True, True, True, False, False]
    assert [state.remaining for state in states] == [2, 1, 0, 0, 0]
    assert states[3].wait_s == pytest.approx(1_200, abs=5)


def test_all_buckets_give_a_token_or_none_does(valkey: ValkeyAvailability, event: str) -> None:
    ann, campus = ("holds:u#ann", SLOW), ("holds:a#campus", RateLimit(4, 3_600))
    for _ in range(3):
        assert all(state.taken for state in valkey.take(event, [ann, campus]))
    refused = valkey.take(event, [ann, campus])
    assert [state.taken for state in refused] == [False, True]
    bob = valkey.take(event, [("holds:u#bob", SLOW), campus])
    assert all(state.taken for state in bob), "the refused one took the campus' last token"
    assert not valkey.take(event, [("holds:u#cid", SLOW), campus])[1].taken


def test_a_crowd_at_once_takes_each_token_once(valkey: ValkeyAvailability, event: str) -> None:
    def take(_: int) -> bool:
        return valkey.take(event, [("holds:u#ann", WIDE)])[0].taken

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(1_100))) == WIDE.quota


def test_a_token_comes_back_and_a_full_bucket_is_gone(
    valkey: ValkeyAvailability, event: str
) -> None:
    quick = RateLimit(2, 1)
    for _ in range(2):
        assert valkey.take(event, [("holds:u#ann", quick)])[0].taken
    with valkey._connected() as connected:
        assert 0 < connected.client.pttl(f"rate:{{{event}:holds:u#ann}}") <= 1_000
        while connected.client.exists(f"rate:{{{event}:holds:u#ann}}"):
            pass  # the server forgets it within the second that it needs to be full
    assert valkey.take(event, [("holds:u#ann", quick)])[0].remaining == 1


def test_an_event_that_takes_its_share_leaves_the_others_theirs(
    valkey: ValkeyAvailability, event: str
) -> None:
    table: Any = None  # nobody asks it while there is a cache

    def made(limiter: RateLimiter, crowd: str) -> int:
        count = 0
        for number in range(300):
            with suppress(TooManyRequestsError):
                limiter.take("holds", event + crowd, f"u#{number}")
                count += 1
        return count

    share = RateLimiter(valkey, table, MemoryClock(), event_holds_per_s=10)
    assert 10 <= made(share, "-large") < 150
    assert share.take("holds", f"{event}-small", "u#ann") is not None
    assert made(RateLimiter(valkey, table, MemoryClock()), "-unbounded") == 300
