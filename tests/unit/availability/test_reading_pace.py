"""How soon readers come back, and for how long caches keep what they read."""

from __future__ import annotations

import re

import pytest

from fairgate.ports.availability import WINDOW_MS, Window
from fairgate.service.availability.reading_pace import (
    GONE_S,
    ON_SALE,
    RESTING_S,
    SETTLING_MS,
    Keeping,
    SaleTimes,
    keeping_of_changes,
    keeping_of_read,
    look_again_s,
    reach_ms,
)
from functions.catalog.handler import CACHED
from functions.seatmap.handler import TAG_MS
from infra.routes import CACHING

SALE_START_MS = 1_800_000_000_000
SALE = SaleTimes(SALE_START_MS, over=False)
OVER = SaleTimes(SALE_START_MS, over=True)
QUIET_MS = range(0, WINDOW_MS + 1, 500)
# Seconds from the sale start, each moment around every threshold.
MOMENTS_S = [-86_400, -91, -90, *range(-61, 181), 3_600]
SPREAD_MAX = 1.25  # of the page, and of ``retry:``
LEAST_S = 15  # of a landing page: LEAST_MS in view-landing.js
TRAVEL_S = 2


def at(seconds: float) -> int:
    return SALE_START_MS + round(seconds * 1000)


@pytest.mark.parametrize(
    ("quiet_s", "section_s", "event_s"),
    [(0, 1, 3), (3, 1, 3), (6, 2, 3), (12, 4, 4), (27, 9, 9), (30, 10, 10), (90, 10, 10)],
)
def test_readers_come_back_as_often_as_there_is_news(
    quiet_s: int, section_s: int, event_s: int
) -> None:
    now_ms = at(3_600)
    assert look_again_s(SALE, now_ms, quiet_s * 1000) == section_s
    assert look_again_s(SALE, now_ms, quiet_s * 1000, section=False) == event_s
    assert keeping_of_read(SALE, now_ms, quiet_s * 1000) == Keeping(section_s, 15)


@pytest.mark.parametrize("quiet_ms", [0, 1_000, WINDOW_MS, None])
@pytest.mark.parametrize("section", [True, False])
def test_readers_rest_before_the_start_and_after_the_end(
    quiet_ms: int | None, *, section: bool
) -> None:
    for seconds, pause_s in ((-86_400, 30), (-30, 30), (-20, 20), (-10, 10), (-1, 10)):
        assert look_again_s(SALE, at(seconds), quiet_ms, section=section) == pause_s
    assert look_again_s(OVER, at(3_600), quiet_ms, section=section) == RESTING_S


def test_no_read_before_the_start_is_kept_beyond_it() -> None:
    for seconds in (86_400, 31, 30, 12, 2, 1):
        kept = keeping_of_read(SALE, at(-seconds), 0)
        assert kept.keep_s == min(RESTING_S, seconds)
        assert 15 <= kept.stale_s <= 30
    assert keeping_of_read(OVER, at(3_600), 0) == Keeping(30, 30)


def test_viewers_are_spared_when_the_cache_is_gone() -> None:
    assert look_again_s(SALE, at(60), None) == GONE_S
    assert look_again_s(SALE, at(-60), None) == RESTING_S


@pytest.mark.parametrize("again_s", range(1, RESTING_S + 1))
def test_a_stream_is_new_to_a_reader_who_is_alone(again_s: int) -> None:
    kept = keeping_of_changes(again_s)
    assert 1 <= kept.keep_s <= 10
    if again_s > 2:
        assert kept.keep_s + kept.stale_s <= 0.75 * again_s


def test_a_hot_section_is_seen_within_about_a_second() -> None:
    """The reader's pause on average, and the cache's: what a reader is behind is half of it."""
    again_s = look_again_s(ON_SALE, at(60), 0)
    kept = keeping_of_changes(again_s)
    assert (again_s, kept) == (1, Keeping(1, 1))


def test_the_log_reaches_back_to_every_read_that_a_cache_may_show() -> None:
    """Otherwise a reader of an old read would be sent to read again, and get the same one."""
    for sale in (SALE, OVER):
        for made_s in MOMENTS_S:
            for quiet_ms in QUIET_MS[::10]:
                kept = keeping_of_read(sale, at(made_s), quiet_ms)
                # A cache that revalidates may keep the body, and its id, until the tag is new.
                age_s = kept.keep_s + kept.stale_s + TAG_MS / 1000
                reach_s = reach_ms(sale, at(made_s + age_s)) / 1000
                assert age_s + TRAVEL_S <= reach_s, (sale, made_s, quiet_ms)


def test_cloudfront_may_show_an_answer_as_long_as_it_says_itself() -> None:
    """It shows nothing older than the policy's longest time, whatever the answer says."""
    live, catalog = CACHING["live"], CACHING["catalog"]
    assert live is not None
    assert catalog is not None
    for sale in (SALE, OVER):
        for made_s in MOMENTS_S:
            for quiet_ms in QUIET_MS[::10]:
                kept = keeping_of_read(sale, at(made_s), quiet_ms)
                assert kept.keep_s + kept.stale_s <= live.ttl_max_s
    seconds = re.findall(r"(?:s-maxage|stale-while-revalidate)=(\d+)", CACHED["cache-control"])
    assert sum(map(int, seconds)) <= catalog.ttl_max_s


def test_the_log_reaches_back_to_every_readers_last_look() -> None:
    for sale in (SALE, OVER):
        for made_s in MOMENTS_S:
            for quiet_ms in QUIET_MS[::10]:
                again_s = look_again_s(sale, at(made_s), quiet_ms)
                kept = keeping_of_changes(again_s)
                pause_s = SPREAD_MAX * max(again_s, LEAST_S)
                gap_s = kept.keep_s + kept.stale_s + pause_s + TRAVEL_S
                reach_s = reach_ms(sale, at(made_s + gap_s)) / 1000
                assert gap_s <= reach_s, (sale, made_s, quiet_ms)


def test_the_reach_is_shorter_once_the_sale_has_settled() -> None:
    assert reach_ms(SALE, SALE_START_MS + SETTLING_MS - 1) == WINDOW_MS
    assert reach_ms(SALE, SALE_START_MS + SETTLING_MS) < WINDOW_MS


def test_a_window_knows_how_long_nothing_happened() -> None:
    window = Window(since=1_000_000, until=9_000_000)
    assert window.quiet_ms([]) == 8_000
    assert window.quiet_ms([2_000_000, 8_500_000]) == 500
    assert window.quiet_ms([9_000_500]) == 0
