"""Passing a ticket on, in a real browser: the link on the order's page, and what it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.stub.event import EVENT
from tests.e2e.stub.passing import TOKEN, ticket, transfer
from tests.e2e.stub.server import ORDER, Stub
from tests.edge.web_tools import arrive, fits, sign_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
PASS_ON = "Pass a ticket on to somebody else"
FIRST, SECOND = "Block 101, row A, seat 1", "Block 101, row A, seat 2"


def order_page(page: Page, stub: Stub, *states: str) -> None:
    """An order of two tickets, with what has become of each."""
    stub.inside()
    stub.hold({"seats": ["101-A-1", "101-A-2"]})
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    labels = (FIRST, SECOND)
    stub.world.transfer = transfer(
        *(ticket(n, labels[n], state) for n, state in enumerate(states)),
    )
    arrive(page, stub, f"/order/{ORDER}")


def held(stub: Stub, *states: str, good: bool = True, cancelled: bool = False) -> None:
    stub.world.held = [
        {
            "order": ORDER,
            "event": EVENT,
            "event_name": "The Demonstration",
            "good": good,
            "event_cancelled": cancelled,
            "transfer": transfer(*(ticket(n, FIRST, state) for n, state in enumerate(states))),
        }
    ]


def test_a_ticket_is_offered_by_a_link_and_the_offer_withdrawn(stub: Stub, either: Page) -> None:
    order_page(either, stub, "good", "good")
    either.get_by_text(PASS_ON).click()
    either.get_by_role("button", name=f"Pass on: {FIRST}").click()
    link = either.get_by_label("Link of the offer")
    link.wait_for()
    assert link.input_value() == f"{stub.base_url}/#/a/{TOKEN}"
    assert fits(either)
    either.get_by_role("button", name=f"Withdraw the offer: {FIRST}").click()
    either.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
    assert either.get_by_label("Link of the offer").count() == 0
    assert [name for name, _ in stub.world.keys if name == "offer"] == ["offer"]


def test_an_offer_is_made_copied_and_withdrawn_by_the_keyboard_alone(
    stub: Stub, page: Page
) -> None:
    order_page(page, stub, "good", "good")
    page.get_by_text(PASS_ON).click()
    focused = "document.activeElement.textContent"
    page.get_by_role("button", name=f"Pass on: {FIRST}").press("Enter")
    page.get_by_label("Link of the offer").wait_for()
    assert eventually(lambda: page.evaluate(focused) == "Copy the link")
    page.get_by_role("button", name=f"Withdraw the offer: {FIRST}").press("Enter")
    page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
    assert eventually(lambda: page.evaluate(focused) == "Pass on")


def test_an_offer_in_force_shows_its_link_again(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "offered", "good")
    phone.get_by_role("button", name=f"Show the link: {FIRST}").click()
    assert phone.get_by_label("Link of the offer").input_value().endswith(TOKEN)
    phone.get_by_role("button", name=f"Pass on: {SECOND}").wait_for()


def test_a_ticket_that_was_passed_on_is_named(stub: Stub, page: Page) -> None:
    order_page(page, stub, "good", "passed-on")
    page.get_by_text(f"Passed on: {SECOND}").wait_for()
    page.get_by_text(PASS_ON).click()
    page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
    assert page.get_by_role("button", name=f"Pass on: {SECOND}").count() == 0


def test_of_an_order_with_a_ticket_of_somebody_else_places_are_cancelled_alone(
    stub: Stub, page: Page
) -> None:
    place = {"tickets": ["tkt_" + "0" * 16], "seat": "101-A-1", "label": FIRST, "places": 1}
    place |= {"refund_minor": 4_000, "fee_minor": 0}
    stub.world.cancellation = {
        "until": transfer()["until"],
        "refund_minor": None,
        "fee_minor": None,
        "places": [place],
    }
    order_page(page, stub, "good", "passed-on")
    page.get_by_text("Cancel a place of this order").click()
    page.get_by_role("button", name=f"Cancel: {FIRST}").wait_for()
    assert page.get_by_role("button", name="Cancel: All").count() == 0


def test_who_opens_the_link_sees_what_it_is_and_takes_it_once(stub: Stub, either: Page) -> None:
    sign_in(either, stub, f"/a/{TOKEN}")
    either.get_by_role("heading", name="A ticket for you").wait_for()
    either.get_by_text(FIRST).wait_for()
    assert fits(either)
    assert stub.world.held == []
    either.get_by_role("button", name="Take this ticket").click()
    either.get_by_role("heading", name="Your ticket").wait_for()
    either.locator("img.ticket").wait_for()
    assert fits(either)
    assert eventually(lambda: TOKEN not in either.url)


def test_who_is_sent_a_link_is_told_why_to_sign_in(stub: Stub, phone: Page) -> None:
    phone.goto(f"{stub.base_url}/#/a/{TOKEN}")
    phone.locator("main").get_by_role("button", name="Sign in").wait_for()
    words = phone.locator("main").inner_text()
    assert "Somebody passes a ticket on to you." in words
    assert "waiting room" not in words
    phone.goto(f"{stub.base_url}/#/orders")
    phone.get_by_text("shown to whom they belong alone").wait_for()


def test_an_order_of_which_all_was_passed_on_counts_no_places(stub: Stub, page: Page) -> None:
    order_page(page, stub, "passed-on", "passed-on")
    page.get_by_role("heading", name="You have passed your tickets on").wait_for()
    assert "0 place" not in page.locator("main").inner_text()


def test_a_link_that_is_good_for_nothing_says_why(stub: Stub, phone: Page) -> None:
    stub.world.too_late = "This offer was withdrawn. Please ask whoever sent you the link."
    arrive(phone, stub, f"/a/{TOKEN}")
    phone.get_by_role("heading", name="No ticket by this link").wait_for()
    phone.get_by_text("This offer was withdrawn").wait_for()
    assert phone.get_by_role("button", name="Take this ticket").count() == 0


def test_what_was_passed_on_stands_among_the_orders(stub: Stub, phone: Page) -> None:
    held(stub, "good")
    arrive(phone, stub, "/orders")
    phone.get_by_role("heading", name="Passed on to you").wait_for()
    phone.get_by_role("link", name="The Demonstration").click()
    phone.locator("img.ticket").wait_for()
    phone.get_by_text(PASS_ON).wait_for()


@pytest.mark.parametrize(
    ("state", "good", "cancelled", "words"),
    [
        ("good", False, True, "The organiser has cancelled this event"),
        ("good", False, False, "The ticket is not valid now."),
        ("void", True, False, f"Void: {FIRST}."),
        ("passed-on", True, False, "You have passed your ticket on."),
    ],
)
def test_a_ticket_that_admits_nobody_says_so_and_is_not_shown(
    stub: Stub, page: Page, state: str, good: bool, cancelled: bool, words: str
) -> None:
    held(stub, state, good=good, cancelled=cancelled)
    arrive(page, stub, f"/t/{ORDER}")
    page.get_by_text(words).wait_for()
    assert page.locator("img.ticket").count() == 0
