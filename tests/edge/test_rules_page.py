"""The rules of a sale in plain words: before the sale, and in the waiting room."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.edge.page_states import early
from tests.edge.test_web_room import WAITING
from tests.edge.web_tools import arrive, fits
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

RULES = "How the sale works"
SECTIONS = [
    "How the draw works",
    "Have ready",
    "What is allowed",
    "What gains nothing",
    "How to check the draw",
]
KEY = "4b93a8f07fef9032a5b380b52dc29674"


def test_the_event_s_page_leads_to_the_rules_before_the_sale(stub: Stub, either: Page) -> None:
    early(stub)
    stub.world.requires = {"verified_phone": True, "card_limit": 4, "avoid_single_seats": True}
    asked: list[str] = []
    either.on("request", lambda request: asked.append(request.url))
    either.goto(f"{stub.base_url}/#/e/demo")
    either.get_by_role("heading", name="Seat map").wait_for()
    assert not [url for url in asked if "rules" in url]
    either.get_by_role("link", name=RULES).click()
    either.get_by_role("heading", name=RULES, level=1).wait_for()
    assert either.get_by_role("heading", level=2).all_inner_texts() == SECTIONS
    for text in (
        "All who are there when the sale starts have the same chance",
        "Places for one account: up to 6.",
        "Time to choose: 10 minutes. Time to pay after that: 5 minutes.",
        "Your account needs a verified phone number.",
        "One payment card may pay for at most 4 places",
        "A choice that leaves one seat alone is refused.",
        "All windows of a person share one place.",
        "0" * 64,
        "drand",
    ):
        either.locator(".rules").get_by_text(text).wait_for()
    assert fits(either)
    assert "queue" not in stub.world.asked
    data = either.get_by_role("link", name="The event's figures")
    assert data.get_attribute("href") == "/api/events/demo"
    either.get_by_role("link", name="Back to the event").click()
    either.get_by_role("heading", name="Seat map").wait_for()


def test_the_rules_show_the_key_once_it_is_public(stub: Stub, page: Page) -> None:
    def revealed(body: Any) -> Any:
        told = isinstance(body, dict) and "draw_commitment" in body
        return body | {"draw_key_revealed": KEY, "draw_beacon": None} if told else body

    page.goto(f"{stub.base_url}/#/e/demo/rules")
    page.get_by_text("After the sale the organiser can publish the key.").wait_for()
    stub.reshape = revealed
    page.reload()
    page.get_by_text(KEY).wait_for()
    assert page.get_by_text("After the sale the organiser").count() == 0
    assert page.get_by_text("A public value is mixed in").count() == 0


def test_the_rules_say_when_the_sale_starts_until_it_has(stub: Stub, page: Page) -> None:
    stub.world.sale_starts_at = stub.world.now() + 600
    page.clock.install()
    page.goto(f"{stub.base_url}/#/e/demo/rules")
    starts = page.get_by_text(re.compile("^The sale starts "))
    starts.wait_for()
    page.clock.fast_forward(601_000)
    page.get_by_text("On sale", exact=True).wait_for()
    assert starts.count() == 0
    for state, said in (("cancelled", "Cancelled"), ("paused", "Paused")):
        stub.world.state = state
        page.reload()
        page.get_by_text(said, exact=True).wait_for()
        assert starts.count() == 0


def test_an_event_that_is_cancelled_before_its_sale_counts_down_to_nothing(
    stub: Stub, page: Page
) -> None:
    early(stub)
    page.goto(f"{stub.base_url}/#/e/demo")
    countdown = page.locator(".countdown")
    countdown.wait_for()
    stub.world.state = "cancelled"
    page.reload()
    page.get_by_text("The organiser has cancelled this event.").wait_for()
    assert countdown.count() == 0
    page.goto(f"{stub.base_url}/#/e/demo/rules")
    page.get_by_text("Cancelled", exact=True).wait_for()
    assert page.get_by_text(re.compile("^The sale starts ")).count() == 0


def test_who_reads_the_rules_in_the_waiting_room_waits_on(stub: Stub, either: Page) -> None:
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, 2
    arrive(either, stub, "/e/demo/wait")
    either.get_by_role("heading", name=WAITING).wait_for()
    words = re.compile("/assets/rules-")
    either.route(words, lambda route: route.abort())
    fold = either.locator(".beside summary", has_text=RULES)
    fold.click()
    either.get_by_text("The service cannot be reached just now").wait_for()
    either.unroute(words)
    fold.click()
    fold.click()
    either.get_by_role("heading", name=SECTIONS[0], level=3).wait_for()
    shown = either.get_by_role("heading", level=3).all_inner_texts()
    assert shown == [one for one in SECTIONS if one != "Have ready"]  # which stands above
    assert fits(either)
    asked = len(stub.world.admissions)
    assert eventually(lambda: len(stub.world.admissions) > asked)
    assert stub.world.reads["queue"] == 1
    assert either.get_by_text("All windows of a person share one place.").is_visible()
