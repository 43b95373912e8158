"""The law of the full hall: how the level moves, and when a refused buyer comes back."""

from __future__ import annotations

import math

import pytest

from fairgate.domain.gate.full_hall import (
    SPARE_SHARE,
    HallLevel,
    HallLook,
    advanced,
    back_at,
    is_due,
    key_of_turn,
    level_at,
    wait_s,
)

TOKEN = "0192f0c1-0000-7000-8000-000080000000"


def look(**changes: float) -> HallLook:
    usual = {"now_s": 1000.0, "h": 5.0, "h_next": 5.02, "live": 90, "live_max": 100}
    usual |= {"opened": 0, "session_s": 300.0, "back_s": 72.0}
    return HallLook(**(usual | changes))  # type: ignore[arg-type]


def test_an_unknown_level_is_h() -> None:
    assert level_at(None, 3.5, 1000.0) == 3.5
    assert wait_s(None, 9.0, 3.5, 1000.0) == 0.0
    first = advanced(None, look(live=0))
    assert first.follows
    assert level_at(first, 7.0, 1100.0) == 7.0


def test_a_hall_that_is_full_when_it_is_first_seen_stands() -> None:
    level = advanced(None, look(live=100))
    assert level_at(level, 7.0, 1100.0) == 5.0
    assert wait_s(level, 6.0, 7.0, 1001.0) == math.inf  # nobody has left yet
    assert 1061 <= back_at(math.inf, TOKEN, 1001.0, (2, 60)) <= 1073


def test_the_level_rises_evenly_between_looks_and_then_stands() -> None:
    level = HallLevel(1000.0, 5.0, rise=0.4, pace=0.1)
    assert [level_at(level, 9.0, at) for at in (999.0, 1000.0, 1001.0, 1002.0, 1010.0)] == [
        5.0,
        5.0,
        5.2,
        5.4,
        5.4,
    ]
    assert level_at(level, 5.1, 1001.0) == 5.1
    assert wait_s(level, 5.7, 9.0, 1001.0) == pytest.approx(5.0)
    assert wait_s(level, 5.2, 9.0, 1001.0) == 0.0


def test_a_clock_that_was_ahead_by_an_hour_freezes_nothing() -> None:
    ahead = HallLevel(4600.0, 5.0, arrived=10.0, risen=0.1)
    assert is_due(ahead, 1000.0)
    assert advanced(ahead, look(h=8.0, h_next=8.1, live=50)).at_s == 1000.0
    assert not is_due(HallLevel(1000.5, 5.0), 1000.0)  # by as much as clocks differ


def test_a_wait_without_questions_shows_that_nobody_waits_unless_the_gate_stood() -> None:
    standing = HallLevel(1000.0, 5.0, live=99, arrived=100.0, risen=0.1)
    later = look(now_s=1100.0, h=9.0, h_next=9.1, live=90)
    assert advanced(standing, later).follows
    stood = look(now_s=1100.0, h=9.0, h_next=9.1, live=90, stood=True)
    assert not advanced(standing, stood).follows


def test_all_who_are_refused_in_a_second_are_told_one_moment_for_one_turn() -> None:
    for early_s in (0.0, 0.3, 0.9):
        assert back_at(1.0 - early_s, TOKEN, 1000.0 + early_s, (2, 60)) == 1002
        assert back_at(5.0 - early_s, TOKEN, 1000.0 + early_s, (2, 60)) == 1005
    assert 1030 <= back_at(60.0, TOKEN, 1000.0, (2, 60)) <= 1036
    for digits in range(0, 2**32, 2**28):
        assert 1002 <= back_at(0.0, f"{digits:08x}", 1000.5, (2, 60)) <= 1005


def test_a_key_is_what_a_token_can_carry() -> None:
    assert key_of_turn(0.1, 0.2) == 0.3
    assert key_of_turn(1.0, math.inf) == math.inf


def test_the_spare_places_are_few() -> None:
    assert SPARE_SHARE <= 0.01
