"""An event is rehearsed on the console in a real browser, without a command."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.test_console import enter
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.support.running import Running

BUYERS = 12
SALE_STARTS_IN_S = 30


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def test_an_event_is_rehearsed_watched_and_ended(system: Running, desk: Page) -> None:
    system.system.follow_rehearsals()
    enter(desk, system, "Organiser", f"#/e/{system.event}/prepare")
    desk.get_by_label("Simulated buyers").fill(str(BUYERS))
    desk.get_by_label("Sale starts after").fill(str(SALE_STARTS_IN_S))
    desk.get_by_label("Script").select_option("let-all-in")
    desk.get_by_text("every buyer who waits is let in for one minute").wait_for()
    desk.get_by_role("button", name="Rehearse it").click()
    desk.get_by_role("heading", name="Demo (rehearsal 1)").wait_for()
    desk.locator(".badge", has_text="Rehearsal").wait_for()
    bought = re.compile(rf"{BUYERS} of {BUYERS} simulated buyers have arrived, [1-9]\d* have")
    within_ms = 1000 * patience_s(SALE_STARTS_IN_S + 90)
    desk.get_by_text(bought).wait_for(timeout=within_ms)
    desk.get_by_role("button", name="End the rehearsal").click()
    desk.get_by_role("dialog").get_by_role("button", name="Do it").click()
    desk.get_by_text("All have gone.").wait_for(timeout=within_ms)
    desk.get_by_role("button", name="End the rehearsal").wait_for(state="detached")
    desk.get_by_role("link", name="Events").click()
    card = desk.locator(".event", has_text="Demo (rehearsal 1)")
    card.locator(".badge", has_text="Rehearsal").wait_for()
    assert "rehearsal" not in system.fairgate("event", "show", system.event)


def test_where_nothing_is_rehearsed_it_says_where_instead(system: Running, desk: Page) -> None:
    why = {"code": "wrong-state", "detail": "Rehearse elsewhere.", "reason": "rehearsals-off"}

    def refuse(route: Route) -> None:
        if '"event rehearse"' in (route.request.post_data or ""):
            route.fulfill(status=409, body=json.dumps(why))
        else:
            route.continue_()

    desk.route("**/api/operator/acts", refuse)
    enter(desk, system, "Organiser", f"#/e/{system.event}/prepare")
    desk.get_by_text("Rehearse elsewhere.").wait_for()
    assert desk.get_by_role("button", name="Rehearse it").count() == 0
