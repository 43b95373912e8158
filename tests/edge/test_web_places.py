"""Nobody loses a place: the pages under clocks that jump, kept answers and what others do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import Open

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
HOUR_S = 3_600


def landing(page: Page, stub: Stub) -> None:
    page.goto(f"{stub.base_url}/#/e/demo")
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()


def test_the_way_in_is_there_when_a_cache_made_the_layout_hours_ago(
    stub: Stub, window: Open
) -> None:
    stub.world.opens_at = stub.world.now() + 1_200  # the waiting room is open
    stub.world.kept_s["venue"] = 2 * HOUR_S
    with window() as page:
        landing(page, stub)
        page.get_by_role("button", name="Enter the waiting room").wait_for()
