"""Readers ask as often as there is news: pages under a clock of ours, counted at the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fairgate_lab.bench.availability.landing import Landing
from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import fits, sale, seat_map
from tests.support.waiting import eventually, patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Page

HOUR_S = 3_600
MINUTES_5_S = 300
BUSY = Refused(503, "dependency-unavailable")
HIDE = """hidden => {
  Object.defineProperty(document, 'visibilityState', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


class Asked:
    """The requests to the API, as the browser counts them: also those that found no network."""

    def __init__(self, page: Page) -> None:
        self.begun: list[str] = []
        self.open = 0
        page.on("request", lambda request: self._begin(request.url))
        page.on("requestfinished", lambda request: self._end(request.url))
        page.on("requestfailed", lambda request: self._end(request.url))

    def _begin(self, url: str) -> None:
        if "/api/" in url:
            self.begun.append(url.rpartition("/")[2])
            self.open += 1

    def _end(self, url: str) -> None:
        self.open -= "/api/" in url


def pass_slowly(page: Page, stub: Stub, seconds: int, asked: Asked | None = None) -> None:
    """Let time pass second by second, and await the open requests of ``asked`` after each.

    Without it, an answer that takes 60 ms of the machine's time is 12 s late for the page.
    """
    for _ in range(seconds):
        stub.world.ahead_s += 1
        page.clock.fast_forward(1_000)
        page.wait_for_timeout(5)
        for _ in range(100):
            if asked is None or asked.open <= 0:
                break
            page.wait_for_timeout(5)


def landing(page: Page, stub: Stub) -> Asked:
    page.clock.install()
    asked = Asked(page)
    page.goto(f"{stub.base_url}/#/e/demo")
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()
    assert eventually(lambda: bool(stub.world.reads.get("changes")))
    page.wait_for_timeout(200)
    asked.begun.clear()
    return asked


def test_a_landing_page_costs_less_than_a_tenth_of_a_request_a_second_before_the_sale(
    stub: Stub, phone: Page
) -> None:
    stub.world.sale_starts_at = stub.world.now() + 2 * HOUR_S
    stub.feed.again_ms = 30_000
    asked = landing(phone, stub)
    pass_slowly(phone, stub, MINUTES_5_S, asked)
    assert fits(phone)
    per_s = len(asked.begun) / MINUTES_5_S
    assert {"demo", "changes"} <= set(asked.begun)
    assert per_s < 0.1
    assert per_s == pytest.approx(Landing().per_s, rel=0.25)


def test_the_service_decides_how_often_a_landing_page_asks_within_its_bound(
    stub: Stub, page: Page
) -> None:
    stub.feed.again_ms = 1_000  # of a hot sale, which who only looks need not follow so closely
    asked = landing(page, stub)
    pass_slowly(page, stub, 60, asked)
    looks = asked.begun.count("changes")
    assert 60 / (15 * 1.25) - 1 <= looks <= 60 / (15 * 0.75) + 1


def test_a_taken_seat_is_seen_within_about_a_second_when_the_section_is_hot(
    stub: Stub, page: Page
) -> None:
    stub.feed.again_ms = 1_000
    page.clock.install()
    sale(page, stub, "102")
    page.get_by_role("button", name="Show as a list").click()
    row = page.locator("summary", has_text="Row C")
    for seat in range(1, 4):
        stub.world.taken.add(f"102-C-{seat}")
        page.clock.fast_forward(1_251)
        row.get_by_text(f"{14 - seat} seats free").wait_for()


def test_a_quiet_section_is_asked_for_as_seldom_as_the_service_says(stub: Stub, page: Page) -> None:
    stub.feed.again_ms = 10_000
    page.clock.install()
    sale(page, stub, "102")
    seat_map(page)
    page.wait_for_timeout(500)
    asked = Asked(page)
    pass_slowly(page, stub, 60, asked)
    # Two streams: the section's and the counts'.
    assert (
        2 * (60 // 12.5 - 1)
        <= asked.begun.count("changes") + sum("section=" in url for url in asked.begun)
        <= 2 * (60 // 7.5 + 1)
    )


def test_what_was_missed_is_read_as_it_is_now_when_the_browser_kept_the_last_answer(
    stub: Stub, page: Page
) -> None:
    stub.feed.again_ms = 1_000
    page.clock.install()
    sale(page, stub)
    page.wait_for_timeout(500)
    stub.world.taken.add("102-C-1")
    stub.feed.forget()
    stub.feed.again_ms = 60_000  # the next look is the last
    page.clock.fast_forward(1_251)
    page.locator("button[data-place='102']").get_by_text("139 seats left").wait_for(
        timeout=1_000 * patience_s(5)
    )


@pytest.mark.parametrize("what", ["availability", "changes"])
def test_a_failed_read_backs_off_and_comes_back(stub: Stub, page: Page, what: str) -> None:
    stub.feed.again_ms = 1_000
    page.clock.install()
    sale(page, stub)
    asked = Asked(page)
    stub.world.refuse[what], stub.world.refuse_times = BUSY, 1_000
    if what == "availability":  # only a page that missed something reads all of it again
        stub.feed.forget()
    stub.world.reads[what] = 0
    stub.world.taken.add("102-C-1")
    pass_slowly(page, stub, 60, asked)
    # After 2 to 3 s, then twice as long each time, up to a minute: 2, 4, 8, 16, 32 …
    assert 3 <= stub.world.reads[what] <= 6
    page.get_by_text("The map is not up to date at this moment.").wait_for()
    del stub.world.refuse[what]
    pass_slowly(page, stub, 49, asked)
    page.locator("button[data-place='102']").get_by_text("139 seats left").wait_for()


def test_a_cut_network_is_tried_ever_less_and_at_once_when_it_is_back(
    stub: Stub, page: Page
) -> None:
    stub.world.sale_starts_at = stub.world.now() + 2 * HOUR_S
    stub.feed.again_ms = 30_000
    asked = landing(page, stub)
    page.context.set_offline(True)
    pass_slowly(page, stub, 180)
    assert 0 < len(asked.begun) <= 18
    assert page.get_by_text("The waiting room opens half an hour").is_visible()
    asked.begun.clear()
    stub.world.reads.clear()
    page.context.set_offline(False)
    assert eventually(
        lambda: stub.world.reads.get("event", 0) + stub.world.reads.get("changes", 0) >= 2
    )


def test_a_hidden_page_asks_for_nothing(stub: Stub, page: Page) -> None:
    stub.world.sale_starts_at = stub.world.now() + 2 * HOUR_S
    asked = landing(page, stub)
    page.evaluate(HIDE, "hidden")
    asked.begun.clear()
    pass_slowly(page, stub, 90)
    assert asked.begun == []
    stub.world.reads.clear()
    page.evaluate(HIDE, "visible")
    assert eventually(lambda: bool(stub.world.reads.get("changes")))


def test_the_landing_page_shows_each_state_within_half_a_minute(stub: Stub, phone: Page) -> None:
    asked = landing(phone, stub)
    for state, text in (
        ("draining", "Nobody new may join the waiting room."),
        ("soldout", "Sold out. Every seat has a ticket."),
        ("closed", "The sale has ended."),
    ):
        stub.world.state = state
        pass_slowly(phone, stub, 31, asked)
        phone.locator(".hero").get_by_text(text).wait_for()
        assert fits(phone)


def test_the_sale_starts_on_the_page_when_the_network_is_cut(stub: Stub, phone: Page) -> None:
    stub.world.sale_starts_at = stub.world.now() + 1_810
    landing(phone, stub)
    phone.context.set_offline(True)
    pass_slowly(phone, stub, 12)
    phone.get_by_role("button", name="Enter the waiting room").wait_for()
    stub.world.ahead_s += 1_800
    phone.clock.fast_forward(1_800_000)
    phone.get_by_role("button", name="Get tickets").wait_for()
    assert fits(phone)


def test_the_list_of_events_is_read_seldom_and_ever_less_when_it_fails(
    stub: Stub, page: Page
) -> None:
    page.clock.install()
    page.goto(f"{stub.base_url}/#/")
    page.get_by_text("On sale", exact=True).wait_for()
    asked = Asked(page)
    stub.world.reads["events"] = 0
    stub.world.state = "soldout"
    pass_slowly(page, stub, 31, asked)
    page.get_by_text("Sold out").wait_for()
    assert 1 <= stub.world.reads["events"] <= 3
    stub.world.refuse["events"], stub.world.refuse_times = BUSY, 1_000
    stub.world.reads["events"] = 0
    pass_slowly(page, stub, 180, asked)
    assert 3 <= stub.world.reads["events"] <= 10
