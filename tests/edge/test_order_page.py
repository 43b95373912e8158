"""The order's page in a real browser: it goes on to say what becomes of tickets and money."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e import browser
from tests.e2e.stub.answers import CALENDAR, Refused, stamp
from tests.e2e.stub.event import EVENT
from tests.e2e.stub.server import ORDER, Stub
from tests.edge.web_tools import Open, arrive
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
STEP_S, SELDOM_S = 5, 40
LOOK_MS = 76_000  # a page that is shown looks within this, however its pause is drawn
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
HIDDEN = "Object.defineProperty(document, 'visibilityState', {value: %r, configurable: true})"


def order_page(page: Page, stub: Stub, state: str, refund: str = "") -> None:
    """An order with one ticket; its page's clock can be moved."""
    page.clock.install()
    stub.inside()
    stub.hold({"seats": ["101-A-1"]})
    stub.world.session_state, stub.world.order_state = "finalised", state
    becomes(stub, state, refund)
    arrive(page, stub, f"/order/{ORDER}")


def becomes(stub: Stub, state: str, refund: str = "", *, second_payment: bool = False) -> None:
    standing = {"state": refund, "amount_minor": 8_850, "second_payment": second_payment}
    stub.world.refund = standing if refund else None
    stub.world.order_state = state


def pending(page: Page, stub: Stub) -> None:
    stub.inside()
    stub.hold({"seats": ["101-A-1"]})
    stub.world.session_state, stub.world.order_state = "checkout", "pending"
    arrive(page, stub, f"/order/{ORDER}")


def give_back(page: Page) -> None:
    page.get_by_role("button", name="Give the seats back").click()
    page.get_by_role("button", name="Really give the seats back?").click()


def looks(stub: Stub) -> int:
    return stub.world.asked.count("order")


def until_looks(page: Page, stub: Stub, count: int) -> int:
    """Moves the page's clock on until it has asked so often; seconds. A page that is late counts
    as patient, so that only one that asks too soon is blamed."""
    for waited_s in range(STEP_S, 600, STEP_S):
        page.clock.fast_forward(STEP_S * 1_000)
        if eventually(lambda: looks(stub) == count, within_s=0.2):
            return waited_s
    raise AssertionError(f"the page asked {looks(stub)} times, not {count}")


def test_a_dispute_and_its_end_are_shown_while_the_ticket_is(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "ticketed")
    phone.locator("img.ticket").wait_for()
    becomes(stub, "disputed")
    phone.clock.fast_forward(LOOK_MS)
    phone.get_by_role("heading", name="Your tickets are on hold").wait_for()
    assert phone.locator("img.ticket").count() == 0
    assert phone.locator("#main").get_by_text("Show this code at the door").count() == 0
    becomes(stub, "ticketed")
    phone.clock.fast_forward(LOOK_MS)
    phone.locator("img.ticket").wait_for()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("cancelled", "The tickets are no longer valid."),
        ("refunded", "Your money was sent back"),
        ("charged_back", "This order is over"),
    ],
)
def test_a_ticket_that_became_void_is_shown_no_more(
    stub: Stub, page: Page, state: str, words: str
) -> None:
    order_page(page, stub, "ticketed")
    page.locator("img.ticket").wait_for()
    becomes(stub, state)
    page.clock.fast_forward(LOOK_MS)
    page.locator("#main").get_by_text(words).first.wait_for()
    assert page.locator("img.ticket").count() == 0


def test_tickets_that_the_organiser_made_void_are_named_and_not_shown(
    stub: Stub, either: Page
) -> None:
    either.clock.install()
    stub.inside()
    stub.hold({"seats": ["101-A-1", "101-A-2"]})
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    stub.world.void = ["Row A, seat 1"]
    arrive(either, stub, f"/order/{ORDER}")
    said = either.locator("#main").get_by_text("These tickets are void: Row A, seat 1.")
    said.first.wait_for()
    either.locator("img.ticket").wait_for()
    assert either.locator("ol.tickets li").count() == 1
    stub.world.void = ["Row A, seat 1", "Row A, seat 2"]
    either.clock.fast_forward(LOOK_MS)
    either.get_by_role("heading", name="Your tickets are void").wait_for()
    assert either.locator("ol.tickets").count() == 0


def test_a_page_that_is_shown_again_looks_at_once_and_a_hidden_one_rests(
    stub: Stub, page: Page
) -> None:
    order_page(page, stub, "ticketed")
    page.locator("img.ticket").wait_for()
    page.evaluate(HIDDEN % "hidden")
    before = looks(stub)
    for _ in range(3):
        page.clock.fast_forward(LOOK_MS)
        page.evaluate(SHOWN_AGAIN)
    becomes(stub, "disputed")
    assert looks(stub) == before
    page.evaluate(HIDDEN % "visible")
    page.evaluate(SHOWN_AGAIN)
    page.get_by_role("heading", name="Your tickets are on hold").wait_for()
    assert looks(stub) == before + 1


def test_a_ticket_page_asks_about_once_a_minute(stub: Stub, page: Page) -> None:
    order_page(page, stub, "ticketed")
    page.locator("img.ticket").wait_for()
    before = looks(stub)
    for look in (1, 2, 3):
        assert until_looks(page, stub, before + look) >= SELDOM_S


def test_a_refund_that_did_not_reach_the_bank_is_told_and_when_somebody_has_seen_to_it(
    stub: Stub, phone: Page
) -> None:
    order_page(phone, stub, "cancelled", "sent")
    phone.locator("#main").get_by_text("€88.50 is on its way back to you.").wait_for()
    becomes(stub, "cancelled", "attention")
    phone.clock.fast_forward(LOOK_MS)
    told = phone.locator("#main").get_by_text(
        "did not reach your bank. The organiser has been told"
    )
    told.wait_for()
    assert phone.locator("#main").get_by_text("on its way back").count() == 0
    becomes(stub, "cancelled", "handled")
    phone.clock.fast_forward(LOOK_MS)
    phone.locator("#main").get_by_text("the organiser has dealt with it").wait_for()


def test_a_second_payment_that_goes_back_is_told_beside_the_tickets(stub: Stub, page: Page) -> None:
    order_page(page, stub, "ticketed", "sent")
    page.locator("#main").get_by_text("€88.50 is on its way back to you").wait_for()
    assert page.get_by_text("You paid a second time").count() == 0  # staff gave a part back
    becomes(stub, "ticketed", "sent", second_payment=True)
    page.clock.fast_forward(LOOK_MS)
    page.locator("#main").get_by_text("You paid a second time for this order.").wait_for()
    page.locator("img.ticket").wait_for()


def test_the_tickets_stay_when_the_sign_in_has_ended(stub: Stub, page: Page) -> None:
    order_page(page, stub, "ticketed")
    page.locator("img.ticket").wait_for()
    stub.world.refuse["order"] = Refused(401, "unauthenticated")
    page.clock.fast_forward(LOOK_MS)
    page.locator("#main").get_by_text("Your sign-in has ended").wait_for()
    page.get_by_role("button", name="Sign in again").wait_for()
    assert page.locator("img.ticket").is_visible()


UNTIL = time.time() + 1_700


def kept(detail: str, **fields: Any) -> Refused:
    return Refused(503, "dependency-unavailable", detail, retry_after=60, **fields)


def test_who_cannot_give_seats_back_is_told_why_at_once_and_what_came_of_it(
    stub: Stub, page: Page
) -> None:
    text = f"They are given back by {stamp(UNTIL)[11:16]} UTC at the latest."
    pending(page, stub)
    stub.world.refuse["leave"] = kept(text, settling_until=stamp(UNTIL))
    give_back(page)
    local = page.evaluate(
        "t => new Date(t).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})",
        stamp(UNTIL),
    )
    page.locator("#main").get_by_text(f"They are given back by {local} at the latest.").wait_for()
    assert stub.world.asked.count("leave") == 1
    stub.world.order_state, stub.world.session_state = "ticketed", "finalised"
    page.get_by_role("heading", name="Your tickets").wait_for()


def test_who_paid_just_before_giving_back_is_told_that_the_seats_are_theirs(
    stub: Stub, page: Page
) -> None:
    pending(page, stub)
    stub.world.refuse["leave"] = Refused(409, "wrong-state", "Paid.", state="finalised")
    give_back(page)
    page.locator("#main").get_by_text(
        "You have just paid for these seats: they are yours."
    ).wait_for()


def test_who_gave_back_what_had_been_paid_sees_the_money_go_back(stub: Stub, page: Page) -> None:
    pending(page, stub)
    stub.world.refund = {"state": "owed", "amount_minor": 8_850, "second_payment": False}
    page.get_by_role("button", name="Give the seats back").wait_for()
    give_back(page)
    page.locator("#main").get_by_text("€88.50 is about to be sent back to you.").wait_for()


def test_an_order_past_its_time_to_pay_says_what_is_being_found_out(
    stub: Stub, phone: Page
) -> None:
    stub.world.order_ends = time.time() - 5
    pending(phone, stub)
    phone.get_by_role("heading", name="Finding out whether you have paid").wait_for()
    assert phone.get_by_role("button", name="Go to the payment page").count() == 0
    assert phone.locator("#main").get_by_text("Nothing was charged").count() == 0
    phone.evaluate("sessionStorage.removeItem('fairgate:order:demo')")
    phone.goto(f"{stub.base_url}/#/e/{EVENT}/sale")
    phone.get_by_role("heading", name="Finding out whether you have paid").wait_for()


def test_an_order_whose_time_ends_while_it_is_shown_says_so(stub: Stub, page: Page) -> None:
    stub.world.order_ends = time.time() + 20
    page.clock.install()
    pending(page, stub)
    page.get_by_role("button", name="Go to the payment page").wait_for()
    page.clock.fast_forward(21_000)
    page.get_by_role("heading", name="Finding out whether you have paid").wait_for()


def test_a_waiting_buyer_is_told_that_their_last_order_is_being_settled(
    stub: Stub, phone: Page
) -> None:
    text = f"Its seats stay yours until {stamp(UNTIL)[11:16]} UTC at the latest."
    fields = {"settling_until": stamp(UNTIL), "order": ORDER}
    stub.world.refuse["admission"] = Refused(403, "not-admitted", text, retry_after=3, **fields)
    arrive(phone, stub, f"/e/{EVENT}/wait")
    phone.get_by_role("heading", name="Your last order is being settled").wait_for()
    phone.locator("#main").get_by_text("Its seats stay yours until").wait_for()
    assert phone.get_by_role("link", name="See your order").get_attribute("href") == (
        f"#/o/{ORDER}"
    )
    phone.get_by_role("heading", name="Lights over the Harbour").wait_for()  # let in later


def test_who_has_no_session_left_is_led_to_the_order_that_is_being_settled(
    stub: Stub, page: Page
) -> None:
    fields = {"settling_until": stamp(UNTIL), "order": ORDER}
    stub.world.refuse["admission"] = Refused(403, "not-admitted", "All used.", **fields)
    arrive(page, stub, f"/e/{EVENT}/wait")
    page.get_by_role("heading", name="Your last order is being settled").wait_for()
    page.get_by_role("link", name="See your order").wait_for()


def offered(stub: Stub, *, fee_minor: int = 500, until_s: int = 86_400) -> None:
    """An order of two tickets, either of which may be given back."""
    labels = ("Section 101, row A, seat 1", "Section 101, row A, seat 2")
    stub.world.cancellation = {
        "until": stamp(stub.world.now() + until_s),
        "refund_minor": 2 * (8_850 - fee_minor),
        "fee_minor": 2 * fee_minor,
        "places": [
            {
                "tickets": [f"tkt_{number:016x}"],
                "seat": f"101-A-{number}",
                "label": label,
                "places": 1,
                "refund_minor": 8_850 - fee_minor,
                "fee_minor": fee_minor,
            }
            for number, label in enumerate(labels, 1)
        ],
    }


def cancellable(page: Page, stub: Stub, **terms: int) -> None:
    stub.inside()
    stub.hold({"seats": ["101-A-1", "101-A-2"]})
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    offered(stub, **terms)
    arrive(page, stub, f"/order/{ORDER}")
    page.locator("img.ticket").nth(1).wait_for()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
def test_one_ticket_is_given_back_for_what_its_button_said(
    stub: Stub, window: Open, phone: bool
) -> None:
    with window(phone=phone) as page:
        cancellable(page, stub)
        page.get_by_text("Cancel this order or one of its places").click()
        picture(page, f"cancel-{'phone' if phone else 'desktop'}")
        button = page.get_by_role("button", name="Cancel: Section 101, row A, seat 1, €83.50 back")
        button.click()
        assert stub.world.cancelled == []
        assert "Really cancel? €83.50 goes back to you; a fee of €5 is kept" in button.inner_text()
        picture(page, f"cancel-sure-{'phone' if phone else 'desktop'}")
        button.click()
        page.get_by_text("Given back: Section 101, row A, seat 1").wait_for()
        page.get_by_text("€83.50 was sent back to you").wait_for()
        page.locator("img.ticket").wait_for()  # of one: two would be refused
        assert page.get_by_text("You paid a second time").count() == 0
        assert stub.world.cancelled == [{"ticket": "tkt_0000000000000001"}]
        picture(page, f"cancelled-one-{'phone' if phone else 'desktop'}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_double_click_only_asks_and_what_it_asks_is_the_buttons_name(
    stub: Stub, phone: Page
) -> None:
    cancellable(phone, stub)
    phone.get_by_text("Cancel this order or one of its places").click()
    phone.get_by_role("button", name="Cancel: All that is left, 2 tickets").dblclick()
    asked = phone.get_by_role("button", name="Really cancel? €167 goes back to you")
    asked.wait_for()
    assert stub.world.cancelled == []
    asked.press("Enter")
    phone.get_by_role("heading", name="Your money was sent back").wait_for()
    assert stub.world.cancelled == [{}]


def test_the_whole_order_is_given_back(stub: Stub, phone: Page) -> None:
    cancellable(phone, stub, fee_minor=0)
    phone.get_by_text("Cancel this order or one of its places").click()
    button = phone.get_by_role("button", name="Cancel: All that is left, 2 tickets")
    button.click()
    assert button.inner_text() == "Really cancel? €177 goes back to you"
    button.click()
    phone.get_by_role("heading", name="Your money was sent back").wait_for()
    assert stub.world.cancelled == [{}]
    assert phone.locator(".cancel").count() == 0


def test_what_is_too_late_is_refused_in_words(stub: Stub, phone: Page) -> None:
    cancellable(phone, stub)
    stub.world.too_late = "The time to cancel this order is over."
    phone.get_by_text("Cancel this order or one of its places").click()
    button = phone.get_by_role("button", name="Cancel: All that is left, 2 tickets")
    button.click()
    button.click()
    phone.get_by_text("The time to cancel this order is over.").first.wait_for()
    assert phone.locator("img.ticket").count() == 2


def test_after_its_time_an_order_shows_no_button(stub: Stub, phone: Page) -> None:
    cancellable(phone, stub, until_s=-60)
    phone.get_by_text("This order could be cancelled until").wait_for()
    assert phone.get_by_role("button", name="Cancel").count() == 0


def picture(page: Page, name: str) -> None:
    """Keep a picture where FAIRGATE_PICTURES says, for people who look at the page."""
    if folder := os.environ.get("FAIRGATE_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_the_invoice_is_saved_or_the_page_says_why_there_is_none(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "ticketed")
    button = phone.get_by_role("button", name="Invoice (PDF)")
    with phone.expect_download() as saved:
        button.click()
    assert saved.value.suggested_filename == f"invoice-{ORDER}.pdf"
    why = "The organiser gives no invoices for this event."
    stub.world.refuse["invoice"] = Refused(409, "wrong-state", why, reason="no-seller")
    stub.world.refuse_times = 1
    button.click()
    phone.get_by_text(why).wait_for()
    becomes(stub, "pending")
    phone.clock.fast_forward(LOOK_MS)
    button.wait_for(state="detached")


def test_the_events_date_is_saved_for_a_calendar(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "ticketed")
    button = phone.get_by_role("button", name="Add to calendar")
    with phone.expect_download() as saved:
        button.click()
    assert saved.value.suggested_filename == "event.ics"
    assert saved.value.path().read_bytes() == CALENDAR.encode()
    stub.world.refuse["calendar"], stub.world.refuse_times = Refused(404, "not-found"), 1
    button.click()
    phone.locator(".notice-bad").wait_for()


@pytest.mark.parametrize(
    ("dated", "state", "words"),
    [(False, "ticketed", "Show this code"), (True, "refunded", "Your money was sent back")],
)
def test_there_is_nothing_to_save_without_a_date_or_a_ticket(
    stub: Stub, phone: Page, dated: bool, state: str, words: str
) -> None:
    stub.world.dated = dated
    order_page(phone, stub, state)
    phone.locator("#main").get_by_text(words).first.wait_for()
    assert phone.get_by_role("button", name="Add to calendar").count() == 0
