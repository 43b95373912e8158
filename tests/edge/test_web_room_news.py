"""Those who wait are told when little is left, when nothing is free, and when the sale is over."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.stub import venue as hall
from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.test_web_room import WAITING
from tests.edge.web_tools import Open, arrive, fits
from tests.support.lengths import at_length
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
LOOK_MS = 31_000  # the state is read every 15 to 30 s
SHOTS = os.environ.get("FAIRGATE_SHOTS", "")  # a folder: pictures of each state are kept there


def waits(page: Page, stub: Stub) -> None:
    """Bring a buyer into the room; the device's clock is the test's to move."""
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, 300
    page.clock.install()
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name=WAITING).wait_for()


def until_shown(page: Page, there: Callable[[], bool]) -> None:
    """Move the page's clock on until it shows something: one that is late looks the next time."""
    for _ in range(5):
        page.clock.fast_forward(LOOK_MS)
        if eventually(there, within_s=4):
            return
    raise AssertionError(page.locator("main").inner_text())


def sell(stub: Stub, places: int) -> None:
    """Leave so many places, all of them standing ones."""
    stub.world.taken = {
        seat for section in stub.sections.values() for seat in hall.seat_ids(section)
    }
    stub.world.floor_left = places


def shot(page: Page, name: str) -> None:
    if SHOTS:
        Path(SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


@pytest.mark.parametrize("phone", at_length([True], [True, False]))
def test_those_who_wait_hear_of_it_as_the_sale_runs_out(
    stub: Stub, window: Open, *, phone: bool
) -> None:
    size = "phone" if phone else "desktop"
    with window(phone=phone) as page:
        waits(page, stub)
        page.clock.fast_forward(LOOK_MS)
        assert eventually(lambda: stub.world.reads.get("availability", 0) > 0)
        assert page.get_by_text("Few are left").count() == 0
        asked = len(stub.world.admissions)
        for places, text in ((12, "Few are left: 12 places."), (0, "Nothing is free")):
            sell(stub, places)
            until_shown(page, page.locator(".wait").get_by_text(text).is_visible)
            assert fits(page)
            shot(page, f"room-{places}-left-{size}")
        sell(stub, 60)
        nothing = page.locator(".wait").get_by_text("Nothing is free")
        until_shown(page, lambda: nothing.count() == 0)
        stub.world.state = "soldout"
        until_shown(page, page.get_by_role("heading", name="Sold out").is_visible)
        assert fits(page)
        shot(page, f"room-sold-out-{size}")
        page.clock.fast_forward(20 * LOOK_MS)
        assert len(stub.world.admissions) == asked  # nobody asks on for nothing
        assert page.evaluate("localStorage.getItem('fairgate:place:demo:guest-7')") is not None


def test_the_room_goes_on_when_the_state_cannot_be_read(stub: Stub, page: Page) -> None:
    waits(page, stub)
    stub.world.refuse["event"] = Refused(503, "dependency-unavailable", retry_after=1)
    stub.world.refuse_times = 1
    read = stub.world.reads["event"]
    page.clock.fast_forward(LOOK_MS)
    assert eventually(lambda: stub.world.reads["event"] > read)
    page.get_by_role("heading", name=WAITING).wait_for()
    stub.world.state = "closed"
    until_shown(page, page.get_by_role("heading", name="The sale is over").is_visible)
