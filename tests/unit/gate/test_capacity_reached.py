"""How the admission threshold moves, and when a refused buyer comes back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.gate.capacity_reached import (
    ALONE_S,
    FORGOTTEN_S,
    SPARE_SHARE,
    AdmissionThreshold,
    CapacityLook,
    admission_key,
    advanced,
    back_at,
    is_due,
    threshold_at,
    wait_s,
)

TOKEN = "0192f0c1-0000-7000-8000-000080000000"
STANDING = AdmissionThreshold(1000.0, 5.0, live=99, arrived=100.0, risen=0.1)


def look(**changes: float) -> CapacityLook:
    usual: dict[str, Any] = {"now_s": 1000.0, "h": 5.0, "h_next": 5.02, "live": 90, "live_max": 100}
    usual |= {"opened": 0, "session_s": 300.0, "back_s": 72.0}
    return CapacityLook(**(usual | changes))


def test_an_unknown_level_is_h() -> None:
    assert threshold_at(None, 3.5, 1000.0) == 3.5
    assert wait_s(None, 9.0, 3.5, 1000.0) == 0.0
    first = advanced(None, look(live=0))
    assert first.follows
    assert threshold_at(first, 7.0, 1100.0) == 7.0


def test_the_threshold_stands_when_capacity_is_reached_at_the_first_look() -> None:
    level = advanced(None, look(live=100))
    assert threshold_at(level, 7.0, 1100.0) == 5.0
    assert wait_s(level, 6.0, 7.0, 1001.0) == math.inf  # nobody has left yet
    assert 1061 <= back_at(math.inf, TOKEN, 1001.0, (2, 60)) <= 1073


def test_the_level_rises_evenly_between_looks_and_then_stands() -> None:
    level = AdmissionThreshold(1000.0, 5.0, rise=0.4, pace=0.1)
    assert [threshold_at(level, 9.0, at) for at in (999.0, 1000.0, 1001.0, 1002.0, 1010.0)] == [
        5.0,
        5.0,
        5.2,
        5.4,
        5.4,
    ]
    assert threshold_at(level, 5.1, 1001.0) == 5.1
    assert wait_s(level, 5.7, 9.0, 1001.0) == pytest.approx(5.0)
    assert wait_s(level, 5.2, 9.0, 1001.0) == 0.0


def test_a_clock_that_was_ahead_by_an_hour_freezes_nothing() -> None:
    ahead = AdmissionThreshold(4600.0, 5.0, arrived=10.0, risen=0.1)
    assert is_due(ahead, 1000.0)
    assert advanced(ahead, look(h=8.0, h_next=8.1, live=50)).at_s == 1000.0
    assert not is_due(AdmissionThreshold(1000.5, 5.0), 1000.0)  # by as much as clocks differ


def test_waiting_buyers_are_polled_for_after_a_silence() -> None:
    """They could not ask, perhaps. What is free is offered to the next, as ever."""
    listening = advanced(STANDING, look(now_s=1100.0, h=9.0, h_next=9.1, live=90))
    assert not listening.follows
    assert listening.alone_s == 1100.0
    assert 0.0 < listening.pending < 12.0
    assert wait_s(listening, 9.0, 9.0, 1100.0) <= ALONE_S
    early = advanced(listening, look(now_s=1105.0, h=9.2, h_next=9.3, live=90))
    assert not early.follows
    gone = advanced(early, look(now_s=1100.0 + ALONE_S, h=9.5, h_next=9.6, live=90))
    assert gone.follows
    assert gone.e == 9.5
    assert gone.alone_s == 0.0


def test_a_new_session_or_a_standing_gate_ends_the_polling() -> None:
    quiet = look(now_s=1100.0, h=9.0, h_next=9.1, live=90)
    assert advanced(STANDING, replace(quiet, stood=True)).alone_s == 0.0
    assert advanced(STANDING, replace(quiet, live=100)).alone_s == 0.0  # nothing could be offered
    listening = advanced(STANDING, quiet)
    later = look(now_s=1100.0 + ALONE_S, h=9.5, h_next=9.6, live=90)
    assert advanced(listening, later).follows
    for somebody in (replace(later, opened=1), replace(later, stood=True)):
        assert not advanced(listening, somebody).follows
        assert advanced(listening, somebody).alone_s == 0.0
    ancient = replace(listening, alone_s=later.now_s - FORGOTTEN_S - 1.0)  # left by somebody older
    assert not advanced(ancient, later).follows


def test_the_threshold_rises_faster_only_after_an_unused_offer() -> None:
    after_30_s = look(now_s=1030.0, h=9.0, h_next=9.1, live=50)
    rise_s = advanced(replace(STANDING, pending=5.0), after_30_s).rise
    untaken = advanced(replace(STANDING, pending=30.0), after_30_s)
    assert untaken.rise > 2.0 * rise_s
    taken = advanced(replace(STANDING, pending=30.0), replace(after_30_s, opened=20))
    assert taken.rise < untaken.rise / 2.0


def test_all_refused_in_one_second_get_the_same_moment() -> None:
    for early_s in (0.0, 0.3, 0.9):
        assert back_at(1.0 - early_s, TOKEN, 1000.0 + early_s, (2, 60)) == 1002
        assert back_at(5.0 - early_s, TOKEN, 1000.0 + early_s, (2, 60)) == 1005
    assert 1030 <= back_at(60.0, TOKEN, 1000.0, (2, 60)) <= 1036
    for digits in range(0, 2**32, 2**28):
        assert 1002 <= back_at(0.0, f"{digits:08x}", 1000.5, (2, 60)) <= 1005


def test_a_key_is_what_a_token_can_carry() -> None:
    assert admission_key(0.1, 0.2) == 0.3
    assert admission_key(1.0, math.inf) == math.inf


def test_the_spare_places_are_few() -> None:
    assert SPARE_SHARE <= 0.01
