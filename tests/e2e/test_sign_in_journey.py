"""Signing in on the real system, in a real browser: page, provider and function together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fairgate.http import paths
from tests.e2e.shopper import Answer, call

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

FAILED = "You are not signed in"


def leave(page: Page, system) -> None:
    page.goto(f"{system.base_url}/#/o/ord_0")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Who is coming?").wait_for()


def as_guest(page: Page) -> None:
    page.get_by_role("button", name="Continue as a new guest").click()


def test_a_guest_signs_in_after_all_and_comes_back_to_the_page(system, phone: Page) -> None:
    leave(phone, system)
    assert "code_challenge_method=S256" in phone.url
    phone.get_by_role("button", name="Do not sign in").click()
    phone.get_by_role("heading", name=FAILED).wait_for()
    phone.get_by_text("The sign-in was cancelled").wait_for()
    phone.get_by_role("button", name="Sign in again").click()
    for again in (False, True):
        as_guest(phone)
        phone.get_by_role("button", name="Sign out").wait_for()
        assert phone.url == f"{system.base_url}/#/o/ord_0"
        if not again:
            phone.go_back()  # to the provider's page, whose answer has been used


def test_a_guest_is_asked_again_when_the_code_has_been_used(system, phone: Page) -> None:
    """Another request redeems it first; a code that has expired is refused in the same way."""

    def redeem_before(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        answers.append(call(system.base_url, "POST", paths.AUTH_EXCHANGE, body))
        route.continue_()

    answers: list[Answer] = []
    phone.route(f"**{paths.AUTH_EXCHANGE}", redeem_before, times=1)
    leave(phone, system)
    as_guest(phone)
    phone.get_by_role("heading", name=FAILED).wait_for()
    assert [answer.status for answer in answers] == [200]
    phone.get_by_role("button", name="Sign in again").click()
    as_guest(phone)
    phone.get_by_role("button", name="Sign out").wait_for()
