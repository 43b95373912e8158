"""Passing a ticket on, in a real browser: the link on the order's page, and what it opens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.e2e.stub.answers import ORDER
from tests.e2e.stub.event import EVENT
from tests.e2e.stub.passing import TOKEN, ticket, transfer
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import arrive, fits, sign_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

PASS_ON = "Pass a ticket on to somebody else"
ZONE = r"(CES?T|GMT\+[12])"  # the event's
OFFERED_LOOK_MS = 13_000  # while a ticket is offered, however the pause is drawn
FIRST, SECOND = "Block 101 · Row A · Seat 1", "Block 101 · Row A · Seat 2"


def passable(stub: Stub, *states: str) -> None:
    labels = (FIRST, SECOND)
    stub.world.transfer = transfer(*(ticket(n, labels[n], state) for n, state in enumerate(states)))


def order_page(page: Page, stub: Stub, *states: str) -> None:
    """Open an order of two tickets that are in these states."""
    stub.inside()
    stub.hold({"seats": ["101-A-1", "101-A-2"]})
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    passable(stub, *states)
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


def test_a_ticket_is_offered_by_a_link_and_the_offer_withdrawn(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "good", "good")
    phone.get_by_text(PASS_ON).click()
    phone.get_by_role("button", name=f"Pass on: {FIRST}").click()
    link = phone.get_by_label("Link of the offer")
    link.wait_for()
    assert link.input_value() == f"{stub.base_url}/#/a/{TOKEN}"
    assert fits(phone)
    phone.get_by_role("button", name=f"Withdraw the offer: {FIRST}").click()
    phone.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
    assert phone.get_by_label("Link of the offer").count() == 0
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


def test_an_order_names_what_is_offered_and_what_was_passed_on(stub: Stub, page: Page) -> None:
    order_page(page, stub, "offered", "good")
    page.get_by_role("button", name=f"Show the link: {FIRST}").click()
    assert page.get_by_label("Link of the offer").input_value().endswith(TOKEN)
    page.get_by_role("button", name=f"Pass on: {SECOND}").wait_for()
    passable(stub, "good", "passed-on")
    place = {"tickets": ["tkt_" + "0" * 16], "seat": "101-A-1", "label": FIRST, "places": 1}
    stub.world.cancellation = {
        "until": transfer()["until"],
        "refund_minor": None,
        "fee_minor": None,
        "places": [place | {"refund_minor": 4_000, "fee_minor": 0}],
    }
    page.reload()
    page.get_by_text(f"Passed on: {SECOND}").wait_for()
    page.get_by_text(PASS_ON).click()
    page.get_by_role("button", name=f"Pass on: {FIRST}").wait_for()
    assert page.get_by_role("button", name=f"Pass on: {SECOND}").count() == 0
    page.get_by_text("Cancel a place of this order").click()  # the whole is not the buyer's
    page.get_by_role("button", name=f"back: {FIRST}").wait_for()
    assert page.get_by_role("button", name="back: All").count() == 0
    passable(stub, "passed-on", "passed-on")
    page.reload()
    page.get_by_role("heading", name="You have passed your tickets on").wait_for()
    assert "0 place" not in page.locator("main").inner_text()


def later(phone: Page, happens: Callable[[], bool]) -> bool:
    """Let one pause after another pass: the page may begin its own only after the clock moved."""

    def passed() -> bool:
        phone.clock.fast_forward(OFFERED_LOOK_MS)
        return happens()

    return eventually(passed)


def test_a_ticket_that_is_taken_is_shown_as_gone_within_seconds(stub: Stub, phone: Page) -> None:
    phone.clock.install()
    order_page(phone, stub, "good", "good")
    phone.get_by_text(PASS_ON).click()
    phone.get_by_role("button", name=f"Pass on: {FIRST}").click()
    first = phone.locator("ol.tickets > li").first
    first.get_by_text(re.compile(r"^Offered until .* Yours until it is taken\.$")).wait_for()
    looks = stub.world.asked.count("order")
    assert later(phone, lambda: stub.world.asked.count("order") > looks)
    assert phone.get_by_label("Link of the offer").is_visible()  # news of the same leaves it there
    passable(stub, "passed-on", "good")
    assert later(phone, phone.get_by_text(f"Passed on: {FIRST}").is_visible)
    assert eventually(lambda: phone.locator("img.ticket").count() == 1)
    held(stub, "offered", "good")
    phone.goto(f"{stub.base_url}/#/t/{ORDER}")
    phone.locator("img.ticket").nth(1).wait_for()
    held(stub, "passed-on", "good")
    assert later(phone, phone.get_by_text("Somebody else has this ticket now.").is_visible)
    assert eventually(lambda: phone.locator("img.ticket").count() == 1)


def test_a_link_says_what_it_is_and_gives_its_ticket_once(stub: Stub, phone: Page) -> None:
    phone.goto(f"{stub.base_url}/#/orders")
    phone.get_by_text("shown to whom they belong alone").wait_for()
    phone.goto(f"{stub.base_url}/#/a/{TOKEN}")
    words = phone.locator("main")
    words.get_by_text("Somebody passes a ticket on to you.").wait_for()
    assert "waiting room" not in words.inner_text()
    sign_in(phone, stub, f"/a/{TOKEN}")
    phone.get_by_role("heading", name="A ticket for you").wait_for()
    phone.get_by_text(FIRST).wait_for()
    phone.get_by_text(re.compile(rf"good until .* {ZONE}\.")).wait_for()
    assert fits(phone)
    assert stub.world.held == []
    phone.get_by_role("button", name="Take this ticket").click()
    phone.get_by_role("heading", name="Your ticket").wait_for()
    phone.locator("img.ticket").wait_for()
    assert fits(phone)
    assert eventually(lambda: TOKEN not in phone.url)


def test_a_ticket_of_another_is_listed_and_says_why_it_admits_nobody(
    stub: Stub, phone: Page
) -> None:
    held(stub, "good")
    arrive(phone, stub, "/orders")
    phone.get_by_role("heading", name="Passed on to you").wait_for()
    phone.get_by_role("link", name="The Demonstration").click()
    phone.locator("img.ticket").wait_for()
    phone.get_by_text(PASS_ON).click()
    phone.get_by_text(re.compile(rf"You can until .* {ZONE}\.")).wait_for()
    for state, good, cancelled, words in (
        ("good", False, True, "The organiser has cancelled this event"),
        ("good", False, False, "The ticket is not valid now."),
        ("void", True, False, f"Void: {FIRST}."),
        ("passed-on", True, False, "You have passed your ticket on."),
    ):
        held(stub, state, good=good, cancelled=cancelled)
        phone.reload()
        phone.get_by_text(words).wait_for()
        assert phone.locator("img.ticket").count() == 0
    stub.world.too_late = "This offer was withdrawn. Please ask whoever sent you the link."
    phone.goto(f"{stub.base_url}/#/a/{TOKEN}")
    phone.get_by_role("heading", name="No ticket by this link").wait_for()
    phone.get_by_text("This offer was withdrawn").wait_for()
    assert phone.get_by_role("button", name="Take this ticket").count() == 0
