"""Passing a ticket on, in a real browser: the link on the order's page, and what it opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.stub.event import EVENT
from tests.e2e.stub.passing import TOKEN, ticket, transfer
from tests.e2e.stub.server import ORDER, Stub
from tests.edge.web_tools import Open, arrive, fits, sign_in
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


@pytest.mark.parametrize("phone", [True, False])
def test_a_ticket_is_offered_by_a_link_and_the_offer_withdrawn(
    stub: Stub, window: Open, *, phone: bool
) -> None:
    with window(phone=phone) as page:
        order_page(page, stub, "good", "good")
        page.get_by_text(PASS_ON).click()
        page.get_by_role("button", name=f"Pass on: {FIRST}").click()
        link = page.get_by_label("Link of the offer")
        link.wait_for()
        assert link.input_value() == f"{stub.base_url}/#/a/{TOKEN}"
        assert fits(page)
        page.get_by_role("button", name=f"Withdraw the offer: {FIRST}").click()
        page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
        assert page.get_by_label("Link of the offer").count() == 0
        assert [name for name, _ in stub.world.keys if name == "offer"] == ["offer"]


def test_an_offer_is_made_copied_and_withdrawn_by_the_keyboard_alone(
    stub: Stub, window: Open
) -> None:
    with window() as page:
        order_page(page, stub, "good", "good")
        page.get_by_text(PASS_ON).click()
        focused = "document.activeElement.textContent"
        page.get_by_role("button", name=f"Pass on: {FIRST}").press("Enter")
        page.get_by_label("Link of the offer").wait_for()
        assert eventually(lambda: page.evaluate(focused) == "Copy the link")
        page.get_by_role("button", name=f"Withdraw the offer: {FIRST}").press("Enter")
        page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
        assert eventually(lambda: page.evaluate(focused) == "Pass on")


def test_an_offer_in_force_shows_its_link_again(stub: Stub, window: Open) -> None:
    with window(phone=True) as page:
        order_page(page, stub, "offered", "good")
        page.get_by_role("button", name=f"Show the link: {FIRST}").click()
        assert page.get_by_label("Link of the offer").input_value().endswith(TOKEN)
        page.get_by_role("button", name=f"Pass on: {SECOND}").wait_for()


def test_a_ticket_that_was_passed_on_is_named(stub: Stub, window: Open) -> None:
    with window() as page:
        order_page(page, stub, "good", "passed-on")
        page.get_by_text(f"Passed on: {SECOND}").wait_for()
        page.get_by_text(PASS_ON).click()
        page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
        assert page.get_by_role("button", name=f"Pass on: {SECOND}").count() == 0


def test_of_an_order_with_a_ticket_of_somebody_else_places_are_cancelled_alone(
    stub: Stub, window: Open
) -> None:
    with window() as page:
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


@pytest.mark.parametrize("phone", [True, False])
def test_who_opens_the_link_sees_what_it_is_and_takes_it_once(
    stub: Stub, window: Open, *, phone: bool
) -> None:
    with window(phone=phone) as page:
        sign_in(page, stub, f"/a/{TOKEN}")
        page.get_by_role("heading", name="A ticket for you").wait_for()
        page.get_by_text(FIRST).wait_for()
        assert fits(page)
        assert stub.world.held == []
        page.get_by_role("button", name="Take this ticket").click()
        page.get_by_role("heading", name="Your ticket").wait_for()
        page.locator("img.ticket").wait_for()
        assert fits(page)
        assert eventually(lambda: TOKEN not in page.url)


def test_who_is_sent_a_link_is_told_why_to_sign_in(stub: Stub, window: Open) -> None:
    with window(phone=True) as page:
        page.goto(f"{stub.base_url}/#/a/{TOKEN}")
        page.locator("main").get_by_role("button", name="Sign in").wait_for()
        words = page.locator("main").inner_text()
        assert "Somebody passes a ticket on to you." in words
        assert "waiting room" not in words
        page.goto(f"{stub.base_url}/#/orders")
        page.get_by_text("shown to whom they belong alone").wait_for()


def test_an_order_of_which_all_was_passed_on_counts_no_places(stub: Stub, window: Open) -> None:
    with window() as page:
        order_page(page, stub, "passed-on", "passed-on")
        page.get_by_role("heading", name="You have passed your tickets on").wait_for()
        assert "0 place" not in page.locator("main").inner_text()


def test_a_link_that_is_good_for_nothing_says_why(stub: Stub, window: Open) -> None:
    with window(phone=True) as page:
        stub.world.too_late = "This offer was withdrawn. Please ask whoever sent you the link."
        arrive(page, stub, f"/a/{TOKEN}")
        page.get_by_role("heading", name="No ticket by this link").wait_for()
        page.get_by_text("This offer was withdrawn").wait_for()
        assert page.get_by_role("button", name="Take this ticket").count() == 0


def test_what_was_passed_on_stands_among_the_orders(stub: Stub, window: Open) -> None:
    with window(phone=True) as page:
        held(stub, "good")
        arrive(page, stub, "/orders")
        page.get_by_role("heading", name="Passed on to you").wait_for()
        page.get_by_role("link", name="The Demonstration").click()
        page.locator("img.ticket").wait_for()
        page.get_by_text(PASS_ON).wait_for()


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
    stub: Stub, window: Open, state: str, good: bool, cancelled: bool, words: str
) -> None:
    with window() as page:
        held(stub, state, good=good, cancelled=cancelled)
        arrive(page, stub, f"/t/{ORDER}")
        page.get_by_text(words).wait_for()
        assert page.locator("img.ticket").count() == 0
