"""Waiting buyers are told when little is left, when nothing is free, and when the sale is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.e2e.stub import venue as hall
from tests.e2e.stub.answers import Refused, stamp
from tests.e2e.stub.server import Stub
from tests.edge.test_screen_reader import LISTEN
from tests.edge.test_web_places import HOUR_S
from tests.edge.test_web_room import WAITING
from tests.edge.web_tools import arrive, fits
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOOK_MS = 31_000  # the state is read every 15 to 21 s, what is free at each second time


def waits(page: Page, stub: Stub) -> None:
    """Bring a buyer into the waiting room; the test moves the device's clock."""
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, 900
    page.clock.install()
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name=WAITING).wait_for()


def until_shown(page: Page, there: Callable[[], bool]) -> None:
    """Move the page's clock until it shows something; a page that answers late looks again."""
    for _ in range(5):
        page.clock.fast_forward(LOOK_MS)
        if eventually(there, within_s=4):
            return
    raise AssertionError(page.locator("main").inner_text())


def sell(stub: Stub, places: int) -> None:
    """Leave so many places, all of them of general admission."""
    stub.world.taken = {
        seat for section in stub.sections.values() for seat in hall.seat_ids(section)
    }
    stub.world.floor_left = places


def test_waiting_buyers_learn_of_it_when_the_sale_runs_out(stub: Stub, phone: Page) -> None:
    waits(phone, stub)
    stub.world.refuse["event"] = Refused(503, "dependency-unavailable", retry_after=1)
    read = stub.world.reads["event"]
    phone.clock.fast_forward(LOOK_MS)
    assert eventually(lambda: stub.world.reads["event"] > read)
    phone.get_by_role("heading", name=WAITING).wait_for()
    until_shown(phone, lambda: stub.world.reads.get("availability", 0) > 0)
    assert phone.get_by_text("Few are left").count() == 0
    asked = len(stub.world.admissions)
    for places, text in ((12, "Few are left: 12 places."), (0, "Nothing is free")):
        sell(stub, places)
        until_shown(phone, phone.locator(".wait").get_by_text(text).is_visible)
        assert fits(phone)
    sell(stub, 60)
    nothing = phone.locator(".wait").get_by_text("Nothing is free")
    until_shown(phone, lambda: nothing.count() == 0)
    stub.world.state = "soldout"
    until_shown(phone, phone.get_by_role("heading", name="Sold out").is_visible)
    assert fits(phone)
    phone.clock.fast_forward(20 * LOOK_MS)
    assert len(stub.world.admissions) == asked  # the page asks no more
    assert phone.evaluate("localStorage.getItem('fairgate:place:demo:guest-7')") is not None


PLACES = """() => [...document.querySelectorAll('.wait, .wait *, .beside > :first-child, h2')]
  .map((one) => one.getBoundingClientRect().top)"""


def test_waiting_buyers_see_what_to_have_ready_and_which_prices_are_gone(
    stub: Stub, either: Page
) -> None:
    stub.world.ask_address = True
    waits(either, stub)
    beside = either.locator(".beside")
    for text in (
        "A card or wallet to pay with",
        "Your postal address",
        "Places for one account: up to 6.",
        "Time to choose: 10 minutes. Time to pay after that: 5 minutes.",
    ):
        assert beside.get_by_text(text).is_visible()
    assert beside.locator(".prices li").all_inner_texts() == [
        "Gold\n€121",
        "Blue\n€76.50",
        "Standing\n€50",
    ]
    sell(stub, 60)
    before = either.evaluate(PLACES)
    gone = beside.locator(".gone")
    until_shown(either, lambda: gone.count() > 0)
    none = "None left at this moment"
    assert gone.all_inner_texts() == [f"Gold\n{none}\n€121", f"Blue\n{none}\n€76.50"]
    beside.get_by_text("Free places as of ").wait_for()
    assert either.evaluate(PLACES) == before
    assert fits(either)
    stub.world.taken = set()
    until_shown(either, lambda: gone.count() == 0)
    looked = stub.world.reads["availability"]
    either.clock.run_for(14_000)
    assert stub.world.reads["availability"] - looked <= 1  # never sooner than after 15 s


def test_the_organiser_s_word_is_spoken_once_whatever_else_changes(stub: Stub, page: Page) -> None:
    page.add_init_script(LISTEN)
    word = {
        "to": "all",
        "until": stamp(stub.world.now() + HOUR_S),
        "texts": {"en": "Bring a coat."},
    }
    stub.world.message = word
    waits(page, stub)
    until_shown(page, page.locator(".wait").get_by_text("Bring a coat.").is_visible)
    for places in (12, 11):
        sell(stub, places)
        left = page.locator(".wait").get_by_text(f"Bring a coat. Few are left: {places} places.")
        until_shown(page, left.is_visible)
    spoken = [one for one in page.evaluate("globalThis.spoken") if "room" not in one]
    assert [one for one in spoken if "coat" in one] == ["From the organiser: Bring a coat."]
    assert [one[:24] for one in spoken if "Few" in one] == [
        "Few are left: 12 places.",
        "Few are left: 11 places.",
    ]


def test_who_waits_for_a_cancelled_event_is_told_that_it_is(stub: Stub, page: Page) -> None:
    waits(page, stub)
    stub.world.state = "cancelled"
    until_shown(page, page.get_by_role("heading", name="Cancelled").is_visible)
    assert page.get_by_text("all payments go back by themselves").is_visible()
    stub.world.refuse["queue"] = Refused(410, "sale-over", state="closed")  # as the edge has it
    page.evaluate("localStorage.clear()")
    page.reload()
    page.get_by_role("heading", name="Cancelled").wait_for()
