"""What pages load early, what they load while the buyer waits, and what fails: no place is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.server import Stub
from tests.e2e.stub.world import SUB
from tests.edge.brand import branded
from tests.edge.web_tools import arrive, choose_seats
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

LATER = re.compile(r"/view-(\w+)-\w+\.js(\?.*)?$")
ORDERS = re.compile(r"/view-orders-")


def asked_for(page: Page) -> list[str]:
    """What the page asks for from now on, with what stands behind a question mark."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if found := LATER.search(request.url):
            asked.append(found[1] + ("?" if found[2] else ""))
        elif request.is_navigation_request():
            asked.append("page")

    page.on("request", note)
    return asked


def failing(page: Page, address: re.Pattern[str] | str, times: int = 99) -> Callable[[], None]:
    """Let requests of this address fail, the first ones or all; returns how to end that."""
    page.route(address, lambda route: route.abort(), times=times)
    return lambda: page.unroute(address)


def test_the_event_is_asked_for_before_the_page_s_script_is_there_and_once(
    stub: Stub, page: Page
) -> None:
    held: list[Route] = []
    page.route("**/assets/chunk-*.js", lambda route: held.append(route))  # noqa: PLW0108
    with page.expect_response("**/api/events/demo"):
        page.goto(f"{stub.base_url}/#/e/demo", wait_until="commit")
    for one in held:
        one.continue_()
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()
    page.locator(".map-stage").wait_for()
    assert stub.world.reads["event"] == len(held) == 1


def test_an_early_answer_that_hangs_is_given_up_in_an_old_browser_too(
    stub: Stub, page: Page
) -> None:
    page.clock.install()
    page.add_init_script("AbortSignal.timeout = undefined;")  # which the clock had replaced
    held: list[Route] = []
    page.route(
        "**/api/events/demo", lambda route: route.continue_() if held else held.append(route)
    )
    page.goto(f"{stub.base_url}/#/e/demo")
    assert eventually(lambda: page.evaluate("globalThis.early === null"))  # it is waited for
    for _ in range(3):
        page.clock.fast_forward(12_000)
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()
    assert len(held) == 1


def test_what_follows_is_loaded_while_the_buyer_waits(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 99
    asked = asked_for(page)
    with page.expect_response(re.compile("/view-checkout-")):
        arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    failing(page, "**/assets/**")
    stub.world.polls_before_admission = 0
    choose_seats(page)
    page.locator(".sale-head").wait_for()
    assert sorted(asked) == ["checkout", "in", "order", "page", "sale", "wait"]


def test_one_failed_load_is_repeated_by_another_address(stub: Stub, page: Page) -> None:
    asked = asked_for(page)
    failing(page, ORDERS, times=1)
    arrive(page, stub, "/orders")
    page.get_by_role("heading", name="My orders").wait_for()
    assert asked[-2:] == ["orders", "orders?"]


def test_what_cannot_be_loaded_is_had_with_the_page_anew(stub: Stub, page: Page) -> None:
    asked = asked_for(page)
    failing(page, ORDERS, times=2)
    arrive(page, stub, "/orders")
    page.get_by_role("heading", name="My orders").wait_for()
    assert asked[-4:] == ["orders", "orders?", "page", "orders"]


def test_the_page_loads_anew_once_and_a_place_is_kept(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 99
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    place = f"JSON.parse(localStorage.getItem('fairgate:place:demo:{SUB}')).joined_ms"
    joined = page.evaluate(place)
    asked, heal = asked_for(page), failing(page, ORDERS)
    page.get_by_role("link", name="My orders").click()
    page.get_by_text("The service cannot be reached just now").wait_for()
    assert asked == ["orders", "orders?", "page", "orders", "orders?"]
    assert page.evaluate(place) == joined
    heal()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="My orders").wait_for()


def test_nobody_who_is_offline_loses_the_page(stub: Stub, page: Page) -> None:
    arrive(page, stub, "/e/demo")
    page.get_by_role("heading", name="Seat map").wait_for()
    asked, heal = asked_for(page), failing(page, re.compile("127.0.0.1"))
    page.get_by_role("link", name="My orders").click()
    page.get_by_text("The service cannot be reached just now").wait_for()
    assert asked == ["orders", "orders?"]
    heal()
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="My orders").wait_for()


@pytest.mark.parametrize(("route", "late"), [("rules", "/rules-en-"), ("sale", "/venue.json")])
def test_a_page_that_comes_late_stays_away_from_who_has_left_it(
    stub: Stub, page: Page, route: str, late: str
) -> None:
    branded(stub)
    stub.inside(600)
    arrive(page, stub, "/")
    held: list[Route] = []
    page.route(lambda address: late in address, lambda one: held.append(one))  # noqa: PLW0108
    with (
        page.expect_request(lambda request: late in request.url),
        page.expect_request_finished(lambda request: request.url.endswith("/api/events/demo")),
    ):
        page.goto(f"{stub.base_url}/#/e/demo/{route}")
    page.goto(f"{stub.base_url}/#/")
    heading = page.get_by_role("heading", name="Events", exact=True)
    heading.wait_for()
    for one in held:
        with page.expect_request_finished(lambda request: late in request.url):
            one.continue_()
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")  # it would be shown by now
    assert heading.is_visible()
    assert page.locator("html.branded, .logo").count() == 0
    page.unroute_all()  # control: who stays sees it
    page.goto(f"{stub.base_url}/#/e/demo/{route}")
    page.locator("html.branded").wait_for()
    heading.wait_for(state="detached")
