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


def test_a_cache_that_fails_is_left_alone_for_longer_each_time() -> None:
    server, clock = _Server(), MemoryClock()
    breaker = CacheBreaker(clock)
    assert [breaker.ask(server.answer) for _ in range(3)] == [7, 7, 7]
    assert server.asked == 3
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
    assert breaker.defects() == 0
    server.gone = False
    clock.ms += CACHE_RETRY_MS_MAX
    assert breaker.ask(server.answer) == 7
    server.gone = True
    with pytest.raises(CacheUnavailableError):
        breaker.ask(server.answer)
    server.gone = False
    clock.ms += CACHE_RETRY_MS
    assert breaker.ask(server.answer) == 7


@pytest.mark.parametrize(("error", "defects"), [(CacheScriptError, 2), (ValueError, 0)])
def test_another_error_keeps_nobody_from_asking(error: type[Exception], defects: int) -> None:
    server, breaker = _Server(), CacheBreaker(MemoryClock())

    def wrong() -> None:
        raise error("WRONGTYPE")

    for _ in range(2):
        with pytest.raises(error, match="WRONGTYPE"):
            breaker.ask(wrong)
    assert breaker.ask(server.answer) == 7
    assert [breaker.defects(), breaker.defects()] == [defects, 0]
