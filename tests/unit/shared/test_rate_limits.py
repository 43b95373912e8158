"""Requests that come too often are refused for a moment, by account and by address."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairgate import metrics
from fairgate.domain.shared import rate_limit
from fairgate.domain.shared.rate_limit import EVENT_BUCKETS, RateLimit, RateState, event_limit
from fairgate.errors import DependencyUnavailableError, TooManyRequestsError
from fairgate.ports.table import Update
from fairgate.service.shared import table_buckets
from fairgate.service.shared.keys import rate_key
from fairgate.service.shared.rate_limits import RateLimiter
from fairgate_lab.engine.cache import NoCache
from tests.support.world import EVENT, World

HOLDS = rate_limit.USER_LIMITS["holds"]


def limiter(world: World) -> RateLimiter:
    """Without a cache: every bucket is in the table."""
    return RateLimiter(NoCache(), world.table, world.clock)


def take(world: World, user: str = "u#ann", address: str = "") -> RateState | None:
    return limiter(world).take("holds", EVENT, user, address)


def wait_s(world: World, user: str = "u#ann", address: str = "") -> int:
    with pytest.raises(TooManyRequestsError) as refused:
        take(world, user, address)
    return refused.value.retry_after_s or 0


def test_a_quota_may_be_used_at_once_and_then_one_token_at_a_time(world: World) -> None:
    states = [take(world) for _ in range(HOLDS.quota)]
    assert [state and state.remaining for state in states] == [2, 1, 0]
    assert wait_s(world) == 4
    world.clock.tick(HOLDS.token_ms / 1000 - 0.001)
    assert wait_s(world) == 1
    world.clock.tick(0.001)
    state = take(world)
    assert state is not None
    assert (state.taken, state.remaining) == (True, 0)
    assert wait_s(world) == 4


def test_a_bucket_is_full_again_after_its_window(world: World) -> None:
    for _ in range(HOLDS.quota):
        take(world)
    world.clock.tick(HOLDS.window_s)
    for _ in range(HOLDS.quota):
        take(world)
    assert wait_s(world) > 0


def test_accounts_events_and_limits_have_buckets_of_their_own(world: World) -> None:
    for _ in range(HOLDS.quota):
        take(world)
    assert take(world, "u#bob") is not None
    assert limiter(world).take("releases", EVENT, "u#ann") is not None
    assert limiter(world).take("holds", "other-event", "u#ann") is not None


def test_an_event_has_a_share_of_holds_and_of_nothing_else(world: World) -> None:
    buckets = Buckets(0, 2_001)
    here = RateLimiter(buckets, world.table, world.clock, event_holds_per_s=900)
    with pytest.raises(TooManyRequestsError):
        here.take("holds", EVENT, "u#ann")
    assert re.fullmatch(rf"{EVENT} holds:event-\d", buckets.asked[1])
    assert EVENT_BUCKETS * event_limit(900).quota / event_limit(900).window_s == 900
    buckets.ahead_ms = (0,)
    assert here.take("releases", EVENT, "u#ann") is not None


class Buckets:
    """A cache that answers as it is told, and remembers what it was asked for."""

    def __init__(self, *ahead_ms: int) -> None:
        self.ahead_ms = ahead_ms
        self.asked: list[str] = []

    def take(self, event: str, buckets: Sequence[tuple[str, RateLimit]]) -> list[RateState]:
        self.asked += [f"{event} {name}" for name, _ in buckets]
        return [
            RateState(limit, ms <= limit.burst_ms, ms)
            for (_, limit), ms in zip(buckets, self.ahead_ms, strict=True)
        ]


def test_the_cache_counts_account_and_address_and_the_worse_of_them_refuses(world: World) -> None:
    buckets = Buckets(0, 12_000)
    here = RateLimiter(buckets, world.table, world.clock)
    with pytest.raises(TooManyRequestsError) as refused:
        here.take("holds", EVENT, "u#ann", "a#campus")
    assert refused.value.retry_after_s == 3
    assert buckets.asked == [f"{EVENT} holds:u#ann", f"{EVENT} holds:a#campus"]
    buckets.ahead_ms = (0, 0)
    assert here.take("holds", EVENT, "u#bob", "a#campus") is not None


def test_the_table_counts_no_address(world: World) -> None:
    for user in ("u#ann", "u#bob", "u#cid"):
        for _ in range(HOLDS.quota):
            take(world, user, "a#campus")
    assert world.items("reservations", f"L#{EVENT}#a#campus") == []


@pytest.mark.parametrize("left", [1, 2])
def test_twins_never_take_one_token_twice(world: World, left: int) -> None:
    twins_at_the_last(world, left)


def twins_at_the_last(world: World, left: int) -> None:
    """Between a refused write and the next, somebody else of the account takes a token."""
    for _ in range(HOLDS.quota - left):
        take(world)
    write = world.table.update
    others = [None]

    def update(action: Update) -> None:
        if "room" in action.values and others:
            others.pop()
            take(world)
        write(action)

    with patch.object(world.table, "update", update):
        if left > 1:
            assert take(world) is not None
        assert wait_s(world) == 4


def test_a_request_that_cannot_be_counted_goes_on_and_is_reported(world: World) -> None:
    here = limiter(world)
    with patch.object(world.table, "update", side_effect=DependencyUnavailableError("away")):
        assert here.take("holds", EVENT, "u#ann") is None
    assert here.figures() == {metrics.LIMITS_SKIPPED: 1}
    assert here.figures() == {}


def test_refusals_are_counted(world: World) -> None:
    here = limiter(world)
    for _ in range(HOLDS.quota):
        here.take("holds", EVENT, "u#ann")
    for _ in range(2):
        with pytest.raises(TooManyRequestsError):
            here.take("holds", EVENT, "u#ann")
    assert here.figures() == {metrics.REQUESTS_LIMITED: 2}


def test_a_table_bucket_goes_when_it_is_long_full(world: World) -> None:
    take(world)
    item = world.item("reservations", rate_key(EVENT, "u#ann", "holds"))
    assert item is not None
    assert item["fullAtMs"] == world.clock.ms + HOLDS.token_ms
    assert item["ttl"] > world.clock.ms // 1000 + HOLDS.window_s


@pytest.mark.parametrize(
    ("condition", "clause", "scenario"),
    [
        (
            "BUCKET_IS_FULL",
            "#fullAtMs <= :now",
            test_a_quota_may_be_used_at_once_and_then_one_token_at_a_time,
        ),
        ("BUCKET_HAS_CAPACITY", "#fullAtMs <= :room", lambda world: twins_at_the_last(world, 1)),
    ],
)
def test_without_a_clause_of_its_condition_a_limit_limits_less(
    world: World, condition: str, clause: str, scenario: Callable[[World], None]
) -> None:
    whole = getattr(table_buckets, condition)
    always = whole.replace(clause, f"({clause} OR NOT {clause})")
    assert always != whole
    with (
        patch.object(table_buckets, condition, always),
        pytest.raises((AssertionError, pytest.fail.Exception)),
    ):
        scenario(world)


@given(
    limit=st.builds(RateLimit, st.integers(1, 1000), st.integers(1, 60)),
    pauses=st.lists(st.integers(0, 5_000), max_size=60),
)
def test_no_window_sees_more_than_twice_the_quota(limit: RateLimit, pauses: Sequence[int]) -> None:
    """A full bucket and what comes back within the window: never more, whenever one asks."""
    now_ms = ahead_ms = 0
    taken: list[int] = []
    for pause in pauses:
        now_ms += pause
        ahead_ms = max(0, ahead_ms - pause)
        if ahead_ms <= limit.burst_ms:
            ahead_ms += limit.token_ms
            taken.append(now_ms)
        state = RateState(limit, taken=True, ahead_ms=ahead_ms)
        assert 0 <= state.remaining <= limit.quota - 1
        assert (state.wait_s == 0) == (state.remaining > 0)
    for first in taken:
        window = [at for at in taken if first <= at < first + limit.window_s * 1000]
        assert len(window) <= 2 * limit.quota + 1
