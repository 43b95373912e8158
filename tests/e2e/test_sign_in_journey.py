"""Signing in on the real system, in a real browser: page, provider and function together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.http import paths
from tests.e2e import browser
from tests.e2e.shopper import call

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
FAILED = "You are not signed in"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser.started() as running:
        yield running


def leave(page: Page, system) -> None:
    page.goto(f"{system.base_url}/#/o/ord_0")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Who is coming?").wait_for()


def as_guest(page: Page) -> None:
    page.get_by_role("button", name="Continue as a new guest").click()


def test_a_guest_signs_in_and_comes_back_to_the_page(system, chromium: Browser) -> None:
    with browser.window(chromium, phone=True) as page:
        leave(page, system)
        assert "code_challenge_method=S256" in page.url
        as_guest(page)
        page.get_by_role("button", name="Sign out").wait_for()
        assert page.url == f"{system.base_url}/#/o/ord_0"
        page.go_back()  # the provider's page again, whose answer has been used
        as_guest(page)
        page.get_by_role("button", name="Sign out").wait_for()
        assert page.url == f"{system.base_url}/#/o/ord_0"


def test_a_guest_who_does_not_want_to_is_told_so(system, chromium: Browser) -> None:
    with browser.window(chromium, phone=True) as page:
        leave(page, system)
        page.get_by_role("button", name="Do not sign in").click()
        page.get_by_role("heading", name=FAILED).wait_for()
        page.get_by_text("The sign-in was cancelled").wait_for()
        page.get_by_role("button", name="Sign in again").click()
        as_guest(page)
        page.get_by_role("button", name="Sign out").wait_for()


def test_an_answer_with_a_wrong_state_is_not_sent_on(system, chromium: Browser) -> None:
    with browser.window(chromium) as page:
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        leave(page, system)
        page.goto(f"{system.base_url}/?code=stolen&state=wrong")
        page.get_by_role("heading", name=FAILED).wait_for()
        assert not [url for url in sent if url.endswith(paths.AUTH_EXCHANGE)]


def test_a_guest_is_asked_again_when_the_code_has_been_used(system, chromium: Browser) -> None:
    """Another has redeemed it first, as its end would have it, too."""

    def redeem_before(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        first = call(system.base_url, "POST", paths.AUTH_EXCHANGE, body)
        assert first.status == 200
        answers.append(first.body)
        route.continue_()

    answers: list[Any] = []
    with browser.window(chromium, phone=True) as page:
        page.route(f"**{paths.AUTH_EXCHANGE}", redeem_before, times=1)
        leave(page, system)
        as_guest(page)
        page.get_by_role("heading", name=FAILED).wait_for()
        assert len(answers) == 1
        page.get_by_role("button", name="Sign in again").click()
        as_guest(page)
        page.get_by_role("button", name="Sign out").wait_for()
