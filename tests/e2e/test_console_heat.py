"""How much of each section is sold, on the console in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.shopper import Shopper
from tests.e2e.test_console import enter
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.running import Running

# The service makes figures and keeps an answer ten seconds each, and the page asks as often.
SHOWN_WITHIN_S = 60


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def test_heat_shows_what_each_section_has_sold(system: Running, desk: Page) -> None:
    buyer = Shopper(system.base_url, system.event).sign_in().walk_in()
    section = buyer.hold_best(8).body["units"][0]["section"]
    enter(desk, system, "Viewer", f"#/e/{system.event}/live")
    desk.locator(".heat .map-front").wait_for()
    assert desk.get_by_role("list", name="Scale").get_by_role("listitem").count() == 6
    shown = desk.get_by_role("region", name="Sections as a list")
    row = shown.get_by_role("row").filter(has=desk.get_by_role("rowheader", name=section))
    gone = row.get_by_role("cell").first
    gone.wait_for()
    assert eventually(lambda: int(gone.inner_text()) >= 8, SHOWN_WITHIN_S), gone.inner_text()
    assert row.locator("i[class^=heat-]").count() == 1
    buyer.leave()
