"""The time that a request may still take: set once, shared out, and moved by no clock."""

from __future__ import annotations

import gc
import math
import time
from typing import Any

import pytest

from fairgate import deadline
from fairgate.deadline import (
    GATEWAY_S,
    MARGIN_S,
    SHARE_S_MIN,
    TRY_S_MIN,
    bounded,
    each,
    left_s,
    of_invocation,
    take,
    within,
)
from fairgate.errors import DependencyUnavailableError
from fairgate.settings import TIMEOUT_S, function_timeout_s


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


class Context:
    def __init__(self, remaining_s: float) -> None:
        self.remaining_s = remaining_s

    def get_remaining_time_in_millis(self) -> int:
        return round(self.remaining_s * 1000)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(deadline, "monotonic", made)
    return made


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> Any:
    function_timeout_s.cache_clear()
    yield lambda seconds: monkeypatch.setenv(TIMEOUT_S, str(seconds))
    function_timeout_s.cache_clear()


def test_nothing_bounds_a_command_that_no_request_waits_for() -> None:
    assert left_s() == math.inf
    assert take(2.0) == 2.0


def test_a_call_gets_its_time_out_and_then_what_is_left(clock: Clock) -> None:
    with within(3.0):
        assert take(2.0) == 2.0
        clock.now_s += 2.5
        assert take(2.0) == 0.5
        assert take(2.0, waits=2) == 0.25
        clock.now_s += 10
        assert left_s() == 0.0
    assert left_s() == math.inf


def test_no_call_begins_when_too_little_is_left(clock: Clock) -> None:
    with within(1.0):
        clock.now_s += 1.0 - TRY_S_MIN / 2
        with pytest.raises(DependencyUnavailableError) as refused:
            take(2.0)
    assert refused.value.retry_after_s == deadline.RETRY_AFTER_S


def test_the_sooner_of_two_deadlines_counts(clock: Clock) -> None:
    with within(2.0):
        with within(9.0):
            assert left_s() == 2.0
        with within(0.5):
            assert left_s() == 0.5
        assert left_s() == 2.0


def test_an_error_ends_a_deadline_as_an_answer_does() -> None:
    with pytest.raises(KeyError), within(1.0):
        raise KeyError
    assert left_s() == math.inf


def test_an_invocation_may_take_what_is_left_of_it_less_the_margin(configured: Any) -> None:
    assert of_invocation(Context(10.0)) == 10.0 - MARGIN_S
    assert of_invocation(Context(60.0), GATEWAY_S) == GATEWAY_S - MARGIN_S
    assert of_invocation(None, GATEWAY_S) == GATEWAY_S - MARGIN_S


def test_a_wall_clock_that_is_behind_gives_no_more_than_is_configured(configured: Any) -> None:
    configured(10)
    assert of_invocation(Context(3_600.0), GATEWAY_S) == 10 - MARGIN_S


def test_a_wall_clock_that_jumps_moves_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    with within(5.0):
        monkeypatch.setattr(time, "time", lambda: real() + 3_600)
        assert 4.0 < left_s() <= 5.0
        monkeypatch.setattr(time, "time", lambda: real() - 3_600)
        assert 4.0 < left_s() <= 5.0


def test_a_bounded_function_works_within_its_context() -> None:
    left = bounded(lambda _event, _context: left_s())({}, Context(7.0))
    assert 0 < left <= 7.0 - MARGIN_S
    assert bounded(lambda _event, _context: left_s())({}, None) == math.inf


def test_each_item_gets_its_share_and_what_the_others_left(clock: Clock) -> None:
    shares = []
    with within(12.0):
        for spent_s in each([0.0, 4.0, 1.0, 0.0]):
            shares.append(left_s())
            clock.now_s += spent_s
        assert left_s() == 7.0
    assert shares == [3.0, 4.0, 4.0, 7.0]


def test_one_item_that_takes_all_it_can_leaves_their_shares_to_the_rest(clock: Clock) -> None:
    shares = []
    with within(9.0):
        for _item in each("abc"):
            shares.append(left_s())
            clock.now_s += left_s()
    assert shares == [3.0, 3.0, 3.0]


def test_one_of_many_items_has_enough_to_work_in_and_never_more_than_is_left(clock: Clock) -> None:
    shares = []
    with within(5.0):
        for _item in each(range(100)):
            shares.append(left_s())
            clock.now_s += 1.5
    assert shares[:5] == [SHARE_S_MIN, SHARE_S_MIN, SHARE_S_MIN, 0.5, 0.0]


def test_items_have_all_the_time_when_nobody_waits() -> None:
    assert [left_s() for _item in each("ab")] == [math.inf, math.inf]


def test_a_loop_that_is_left_early_moves_no_later_deadline() -> None:
    def leaves(_event: Any, _context: Any) -> None:
        for item in each("ab"):
            raise KeyError(item)

    failures = []
    for _call in range(2):
        with pytest.raises(KeyError) as failure:
            bounded(leaves)({}, Context(MARGIN_S))
        failures.append(failure)
    del failures, failure
    gc.collect()
    assert left_s() == math.inf
