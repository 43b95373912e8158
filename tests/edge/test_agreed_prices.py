"""Who is inside sees the prices that their session began with, whatever the event says by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.edge.web_tools import sale

if TYPE_CHECKING:
    from tests.e2e.stub.server import Stub

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")


def test_the_shop_goes_by_the_prices_of_the_session(stub: Stub, page: Page) -> None:
    sale(page, stub)
    page.locator("#best-tier").wait_for()
    before = page.locator("#best-tier option").all_inner_texts()
    stub.world.raised_minor = 100_000
    page.reload()
    page.locator("#best-tier").wait_for()
    assert page.locator("#best-tier option").all_inner_texts() == before
    page.get_by_role("button", name="Find and hold seats").click()
    page.get_by_text("Held for you").first.wait_for()
    shown = page.locator(".card .total b").first.inner_text()
    page.goto(f"{stub.base_url}/#/e/demo/checkout")
    page.get_by_role("button", name=f"Pay {shown}").wait_for()
