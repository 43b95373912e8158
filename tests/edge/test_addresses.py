"""The address of an event is its page; where nothing is, a page says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from infra.headers import EVERYWHERE
from infra.identity import PAGES_CONFIG
from infra.screen import pages_source
from tests.edge.test_screen import request, said, screened
from tests.edge.web_tools import signed_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

NOWHERE = ("/e/", "/e/Show", "/e/show/wait", "/e/" + "x" * 41, "/e/a%2f", "/wp-login.php", "/e")


def asked(*paths: str, exists: bool | None = True) -> list[dict[str, Any]]:
    return screened([request("GET", path) for path in paths], exists=exists, source=pages_source())


def test_the_address_of_an_event_is_the_page() -> None:
    assert [answer["uri"] for answer in asked("/e/show", "/e/2027-final")] == ["/index.html"] * 2
    assert asked("/e/show", exists=None)[0]["uri"] == "/index.html"


def test_the_files_beside_the_page_pass() -> None:
    files = ("/", "/index.html", f"/{PAGES_CONFIG}")
    assert [answer["uri"] for answer in asked(*files)] == list(files)


def test_where_nothing_is_a_page_says_so() -> None:
    for answer in (*asked(*NOWHERE), *asked("/e/gone", exists=False)):
        assert answer["statusCode"] == 404
        assert said(answer).items() >= EVERYWHERE.items()
        assert "There is nothing at this address" in answer["body"]
        assert "show" not in answer["body"]  # nothing of what was asked for


def test_robots_may_read_events_and_nothing_else_of_the_api() -> None:
    [robots] = asked("/robots.txt")
    assert said(robots).items() >= EVERYWHERE.items()
    assert robots["headers"]["content-type"]["value"] == "text/plain"
    assert robots["body"].splitlines()[1:] == ["Allow: /api/events", "Disallow: /api/"]


@pytest.mark.parametrize("address", ["/e/demo", "/#/e/demo"])
def test_an_event_opens_by_its_address_and_by_its_old_one(
    stub: Stub, page: Page, address: str
) -> None:
    page.goto(stub.base_url + address)
    page.get_by_role("heading", name="Prices").wait_for()


def test_other_pages_leave_the_address_of_the_event_and_back_leads_to_it(
    stub: Stub, page: Page
) -> None:
    page.goto(f"{stub.base_url}/")
    page.locator("main ul.events a").click()
    page.get_by_role("heading", name="Prices").wait_for()
    assert page.url == f"{stub.base_url}/e/demo"
    page.get_by_role("link", name="Find my tickets").click()
    page.get_by_role("button", name="Send me the link").wait_for()
    assert page.url == f"{stub.base_url}/#/find"
    page.go_back()
    page.get_by_role("heading", name="Prices").wait_for()
    assert page.url == f"{stub.base_url}/e/demo"


def test_who_signs_in_at_an_event_comes_back_to_it(stub: Stub, page: Page) -> None:
    page.goto(f"{stub.base_url}/e/demo")
    page.locator("header").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    signed_in(page)
    page.get_by_role("heading", name="Prices").wait_for()
