"""The start page with many events: what is searched for is found, and "back" leads to it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.event import event_summary
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import fits

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

CITIES = ("1010 Vienna", "20457 Hamburg", "75001 Paris")
YEARS = (2031, 2021)
FOUND = "main ul.events .event-name"


def many(stub: Stub, count: int) -> str:
    """The answer of the API: the last three events are of the past."""
    base = event_summary(stub.world)
    return json.dumps(
        {
            "events": [
                base
                | {
                    "event": f"night-{n:02}",
                    "name": f"Night {n:02}",
                    "artist": "Ann Émile" if n % 10 == 0 else "The Band",
                    "category": "concert" if n % 2 else "theatre",
                    "venue": "The Hall",
                    "venue_address": f"1 Hall Street, {CITIES[n % 3]}",
                    "starts_at": f"{YEARS[n >= count - 3]}-06-{n % 28 + 1:02}T18:00:00.000Z",
                    "time_zone": "Europe/Vienna",
                }
                for n in range(count)
            ]
        }
    )


@pytest.fixture
def listed(stub: Stub, either: Page) -> Page:
    answer = many(stub, 40)
    either.route(
        "**/events.json", lambda route: route.fulfill(body=answer, content_type="application/json")
    )
    either.goto(f"{stub.base_url}/#/")
    either.locator(FOUND).first.wait_for()
    return either


def test_events_are_found_by_what_buyers_know(listed: Page) -> None:
    assert listed.get_by_text("37 events").is_visible()
    assert listed.locator(FOUND).count() == 24
    assert fits(listed)
    listed.get_by_role("button", name="Next").click()
    assert listed.locator(FOUND).count() == 13
    listed.get_by_label("Artist, event or place").fill("emile")
    assert listed.locator(FOUND).count() == 4
    listed.get_by_label("City").select_option("Hamburg")
    assert listed.locator(FOUND).all_inner_texts() == ["Night 10"]
    listed.get_by_label("City").select_option("")
    listed.get_by_label("Past events").check()
    assert listed.get_by_text("No event matches").is_visible()
    listed.get_by_label("Artist, event or place").fill("")
    assert listed.locator(FOUND).all_inner_texts() == ["Night 39", "Night 38", "Night 37"]
    assert fits(listed)


def test_back_leads_to_what_was_searched_for(stub: Stub, listed: Page) -> None:
    listed.get_by_label("Kind").select_option("theatre")
    listed.get_by_label("From").fill("2031-06-20")
    names = listed.locator(FOUND).all_inner_texts()
    assert len(names) < 24
    listed.locator("main ul.events a").first.click()
    listed.get_by_text("Night").first.wait_for(state="detached")
    listed.go_back()
    listed.locator(FOUND).first.wait_for()
    assert listed.locator(FOUND).all_inner_texts() == names
    assert listed.get_by_label("Kind").input_value() == "theatre"


def test_the_link_to_all_events_takes_the_search_away(listed: Page) -> None:
    listed.get_by_label("Artist, event or place").fill("nothing is called so")
    listed.get_by_text("No event matches").wait_for()
    listed.get_by_role("link", name="Fairgate").click()
    listed.get_by_text("37 events").wait_for()
    assert listed.get_by_label("Artist, event or place").input_value() == ""


def test_a_kind_that_is_not_among_the_choices_hides_nothing(listed: Page) -> None:
    listed.evaluate("location.hash = '#/?category=Konzert&text=ann'")  # of another language
    listed.reload()
    listed.get_by_text("4 events").wait_for()
    assert listed.get_by_label("Kind").input_value() == ""


def test_without_the_file_of_the_list_the_api_lists_events_page_by_page(
    stub: Stub, page: Page
) -> None:
    events = json.loads(many(stub, 40))["events"]
    asked = []

    def answer(route: Route) -> None:
        after = int(route.request.url.partition("after=")[2] or 0)
        asked.append(after)
        told = {
            "events": events[after : after + 25],
            "after": str(after + 25) if not after else None,
        }
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route("**/events.json", lambda route: route.fulfill(status=404, body="<Error/>"))
    page.route(re.compile(r"/api/events(\?|$)"), answer)
    page.goto(f"{stub.base_url}/")
    page.get_by_text("37 events").wait_for()
    assert asked[:2] == [0, 25]
