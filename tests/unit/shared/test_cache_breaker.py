"""The cache's circuit breaker: asked once, then left alone for a second."""

from __future__ import annotations

import itertools

import pytest

from fairgate.ports.availability import CacheScriptError, CacheUnavailableError
from fairgate.service.shared.cache_breaker import CACHE_RETRY_MS, CACHE_RETRY_MS_MAX, CacheBreaker
from fairgate_lab.engine.clock import MemoryClock


class _Server:
    def __init__(self) -> None:
        self.gone = False
        self.asked = 0

    def answer(self) -> int:
        self.asked += 1
        if self.gone:
            raise CacheUnavailableError("gone")
        return 7


def test_every_question_is_asked_while_the_cache_answers() -> None:
    server, breaker = _Server(), CacheBreaker(MemoryClock())
    assert [breaker.ask(server.answer) for _ in range(3)] == [7, 7, 7]
    assert server.asked == 3


def test_nobody_asks_again_for_a_while_when_the_cache_has_failed() -> None:
    server, clock = _Server(), MemoryClock()
    breaker = CacheBreaker(clock)
    server.gone = True
    for _ in range(3):
        with pytest.raises(CacheUnavailableError):
            breaker.ask(server.answer)
    assert server.asked == 1
    clock.ms += CACHE_RETRY_MS - 1
    with pytest.raises(CacheUnavailableError):
        breaker.ask(server.answer)
    assert server.asked == 1


def test_the_cache_is_asked_again_when_the_while_is_over() -> None:
    server, clock = _Server(), MemoryClock()
    breaker = CacheBreaker(clock)
    server.gone = True
    with pytest.raises(CacheUnavailableError):
        breaker.ask(server.answer)
    server.gone = False
    clock.ms += CACHE_RETRY_MS
    assert breaker.ask(server.answer) == 7


def test_it_is_left_alone_for_longer_each_time_that_it_fails_again() -> None:
    server, clock = _Server(), MemoryClock()
    breaker = CacheBreaker(clock)
    server.gone = True
    asked_at: list[int] = []
    for _ in range(200):
        before = server.asked
        with pytest.raises(CacheUnavailableError):
            breaker.ask(server.answer)
        if server.asked > before:
            asked_at.append(clock.ms)
        clock.ms += 100
    pauses = [later - sooner for sooner, later in itertools.pairwise(asked_at)]
    assert pauses[:5] == [1_000, 2_000, 4_000, CACHE_RETRY_MS_MAX, CACHE_RETRY_MS_MAX]
    server.gone = False
    clock.ms += CACHE_RETRY_MS_MAX
    assert breaker.ask(server.answer) == 7
    server.gone = True
    with pytest.raises(CacheUnavailableError):
        breaker.ask(server.answer)
    server.gone = False
    clock.ms += CACHE_RETRY_MS
    assert breaker.ask(server.answer) == 7


def test_a_defect_of_a_script_is_counted_and_keeps_nobody_from_asking() -> None:
    server, breaker = _Server(), CacheBreaker(MemoryClock())

    def wrong() -> None:
        raise CacheScriptError("WRONGTYPE")

    for _ in range(2):
        with pytest.raises(CacheScriptError):
            breaker.ask(wrong)
    assert breaker.ask(server.answer) == 7
    assert [breaker.defects(), breaker.defects()] == [2, 0]


def test_a_cache_that_is_gone_is_no_defect() -> None:
    server, breaker = _Server(), CacheBreaker(MemoryClock())
    server.gone = True
    with pytest.raises(CacheUnavailableError):
        breaker.ask(server.answer)
    assert breaker.defects() == 0


def test_another_failure_does_not_open_the_breaker() -> None:
    server, breaker = _Server(), CacheBreaker(MemoryClock())

    def defect() -> None:
        raise ValueError("a defect")

    with pytest.raises(ValueError, match="a defect"):
        breaker.ask(defect)
    assert breaker.ask(server.answer) == 7
