"""The console on the real system, in a real browser: sign-in by role, live figures, steering."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.shopper import Shopper

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Route

    from tests.support.running import Running


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def enter(page: Page, system: Running, role: str, at: str = "#/") -> None:
    page.goto(f"{system.base_url}/console{at}")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=role, exact=True).click()
    page.get_by_role("button", name="Sign out").wait_for()


def test_an_organiser_watches_steers_and_speaks(system: Running, desk: Page) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/live")
    desk.get_by_role("heading", name="Demo").wait_for()
    desk.locator(".chart canvas").nth(5).wait_for()
    desk.get_by_role("link", name="Steer").click()
    desk.get_by_role("spinbutton", name="τ in seconds").fill("1.5")
    desk.get_by_role("button", name="Set τ to 1.5 s").click()
    desk.get_by_text("τ 1.5 s").first.wait_for()
    system.fairgate("tau", "set", system.event, "1")
    desk.get_by_role("button", name="Pause", exact=True).click()
    desk.get_by_role("button", name="Resume", exact=True).wait_for()
    shown = system.fairgate("event", "show", system.event, "--json")
    assert '"phase": "paused"' in shown
    desk.get_by_role("button", name="Resume", exact=True).click()
    desk.get_by_role("button", name="Pause", exact=True).wait_for()
    desk.get_by_role("link", name="Log").click()
    desk.get_by_text("Every entry is as it was signed.").wait_for()
    assert desk.get_by_role("cell", name="sign-in organiser|organiser").count() >= 6


def test_a_viewer_sees_and_changes_nothing(system: Running, desk: Page) -> None:
    enter(desk, system, "Viewer", f"#/e/{system.event}/live")
    desk.get_by_role("heading", name="Demo").wait_for()
    assert desk.get_by_role("link", name="Steer").count() == 0
    desk.get_by_role("link", name="All acts").click()
    desk.get_by_text("event show", exact=True).wait_for()
    assert desk.get_by_text("event pause").count() == 0


def test_an_organiser_forecasts_a_sale_and_watches_it(system: Running, desk: Page) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/forecast")
    desk.get_by_role("textbox", name="Buyers").fill("200")
    desk.get_by_text("What else is assumed").click()
    desk.get_by_role("textbox", name="Hours", exact=True).fill("0.5")
    desk.get_by_role("button", name="Make it").click()
    desk.get_by_role("heading", name="For 200 buyers").wait_for()
    desk.locator(".chart canvas").nth(3).wait_for()
    desk.get_by_role("link", name="Live").click()
    desk.get_by_text("Against the forecast for 200 buyers").wait_for()
    desk.locator(".chart .key", has_text="forecast").nth(2).wait_for()
    desk.get_by_label("Forecast behind the curves").uncheck()
    desk.locator(".chart .key", has_text="forecast").first.wait_for(state="detached")
    desk.get_by_text("This machine has no alarms").wait_for()
    desk.get_by_role("button", name="What is in it").click()
    made_of = desk.get_by_role("region", name="What the cost is made of")
    made_of.get_by_text("CloudFront, requests").wait_for()


def test_a_pause_whose_answer_is_lost_can_be_explained_and_ended(
    system: Running, desk: Page
) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/steer")
    desk.get_by_label("Words for the room").fill("Ten minutes more")

    def lose(route: Route) -> None:
        if '"event pause"' in (route.request.post_data or ""):
            route.fetch()
            route.abort()
        else:
            route.continue_()

    desk.route("**/api/operator/acts", lose)
    desk.get_by_role("button", name="Pause", exact=True).click()
    desk.get_by_role("button", name="Say it now").click()
    desk.get_by_role("button", name="Say it now").wait_for(state="detached")
    assert "Ten minutes more" in system.fairgate("event", "show", system.event)
    desk.get_by_role("button", name="Resume", exact=True).click()
    desk.get_by_role("button", name="Pause", exact=True).wait_for()


def test_who_may_not_use_a_screen_is_told_so(system: Running, desk: Page) -> None:
    enter(desk, system, "Viewer", f"#/e/{system.event}/steer")
    desk.get_by_role("heading", name="This screen is not for your role").wait_for()
    assert desk.get_by_role("button", name="Pause").count() == 0
    desk.get_by_role("button", name="Sign out").click()
    enter(desk, system, "Door")
    desk.get_by_role("link", name="Demo").click()
    desk.get_by_role("heading", name="All acts").wait_for()


def test_what_is_typed_outlives_the_sign_in(system: Running, desk: Page) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/word")
    desk.get_by_label("English").fill("Ten minutes more")
    body = '{"code": "unauthenticated", "detail": "Your sign-in has ended."}'
    desk.route("**/api/operator/**", lambda route: route.fulfill(status=401, body=body))
    desk.get_by_role("button", name="See it first").click()
    desk.get_by_text("Your sign-in has ended", exact=True).wait_for()
    assert desk.get_by_label("English").input_value() == "Ten minutes more"


def test_a_foreign_answer_of_the_provider_signs_nobody_in(system: Running, desk: Page) -> None:
    desk.goto(f"{system.base_url}/console?code=theirs&state=theirs")
    desk.get_by_text("does not belong to a sign-in that began in this window").wait_for()
    assert desk.evaluate("sessionStorage.length") == 0


def test_a_screen_that_cannot_be_shown_leaves_the_others(system: Running, desk: Page) -> None:
    broken = '{"at": "never", "gate": {}, "room": {}, "sale": {}, "seats": {}}'
    desk.route(f"**/events/{system.event}", lambda route: route.fulfill(body=broken))
    enter(desk, system, "Organiser", f"#/e/{system.event}/live")
    desk.get_by_text("This cannot be shown").wait_for()
    desk.get_by_role("link", name="Log").click()
    desk.get_by_text("Every entry is as it was signed.").wait_for()


def test_a_buyer_is_told_that_the_console_is_not_for_them(system: Running, desk: Page) -> None:
    buyer = Shopper(system.base_url, system.event).sign_in()
    desk.goto(f"{system.base_url}/console")
    token = buyer.auth["authorization"].removeprefix("Bearer ")
    kept = {"token": token, "expires_at": "2100-01-01T00:00:00Z", "sub": buyer.name}
    keep = "kept => sessionStorage.setItem('fairgate-console:signed-in', kept)"
    desk.evaluate(keep, json.dumps(kept))
    desk.reload()
    desk.get_by_text("You have no role here").wait_for()


def test_what_cannot_be_undone_is_asked_about(system: Running, desk: Page) -> None:
    enter(desk, system, "Owner", f"#/e/{system.event}/steer")
    desk.locator("summary", has_text="Close the sale").click()
    desk.get_by_role("button", name="Close the sale").click()
    asked = desk.get_by_role("dialog", name="This cannot be undone")
    asked.get_by_text("for good").wait_for()
    asked.press("Escape")
    asked.wait_for(state="detached")
    desk.get_by_role("link", name="Log").click()
    desk.get_by_text("Every entry is as it was signed.").wait_for()
    assert desk.get_by_role("cell", name="close").count() == 0
