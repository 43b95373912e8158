"""House seats on the console, in a real browser, by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fairgate.http import paths
from tests.e2e import browser
from tests.e2e.shopper import call
from tests.e2e.test_console import enter
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.running import Running

SHOWN_WITHIN_S = 60  # the edge keeps what buyers see for some seconds


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def _statuses(system: Running, section: str) -> str:
    path = paths.SECTION_SEATS.format(event=system.event, section=section)
    statuses: str = call(system.base_url, "GET", path).body["statuses"]
    return statuses


def test_who_only_looks_has_nothing_to_choose(system: Running, desk: Page) -> None:
    enter(desk, system, "Viewer", f"#/e/{system.event}/house")
    desk.get_by_text("Rows of 101").press("Enter")
    desk.get_by_text("Row A").first.wait_for()
    desk.locator(".map-front").focus()
    desk.keyboard.press("ArrowRight")
    said = desk.locator(".map-says").filter(has_text=": free")
    said.wait_for()
    desk.keyboard.press("Enter")
    assert desk.get_by_role("checkbox").count() == 0
    assert desk.get_by_role("button", name="A row", exact=True).count() == 0
    assert "chosen" not in desk.locator("main").inner_text()


def test_a_row_is_kept_and_freed_by_keyboard(system: Running, desk: Page) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/house")
    desk.get_by_text("Rows of 101").wait_for()
    desk.locator(".map-front").focus()
    said = desk.locator(".map-says")
    desk.keyboard.press("ArrowRight")
    said.filter(has_text=", row ").wait_for()
    desk.keyboard.press("Enter")
    said.filter(has_text="free, chosen").wait_for()
    section = said.inner_text().split(",")[0]
    desk.get_by_text(f"row {section}/").wait_for()
    before = _statuses(system, section).count("3")
    desk.get_by_role("textbox", name="Reason").fill("sound desk")
    desk.keyboard.press("Enter")  # it has no form: nothing is done
    desk.get_by_role("button", name="See what would be blocked").press("Enter")
    desk.get_by_text("Dry run, nothing written.").wait_for()
    assert _statuses(system, section).count("3") == before
    desk.get_by_role("button", name="Block it").press("Enter")
    kept = desk.get_by_role("listitem").filter(has=desk.get_by_role("heading", name="sound desk"))
    kept.wait_for()
    wait_until(lambda: _statuses(system, section).count("3") > before, "blocked", SHOWN_WITHIN_S)
    kept.locator("summary", has_text="Free it").press("Enter")
    kept.get_by_role("button", name="See what would be freed").press("Enter")
    kept.get_by_role("button", name="Free it now").press("Enter")
    kept.wait_for(state="detached")
    wait_until(lambda: _statuses(system, section).count("3") == before, "freed", SHOWN_WITHIN_S)
