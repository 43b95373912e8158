"""The order's page in a real browser: it shows what becomes of tickets and money."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from tests.e2e.stub.answers import CALENDAR, ORDER, Refused, stamp
from tests.e2e.stub.event import EVENT
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import arrive, fits
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

STEP_S, SELDOM_S = 5, 40
LOOK_MS = 76_000  # a page that is shown looks within this, however its pause is drawn
SHOWN_AGAIN = "document.dispatchEvent(new Event('visibilitychange'))"
HIDDEN = "Object.defineProperty(document, 'visibilityState', {value: %r, configurable: true})"
CANCEL = "Cancel this order or one of its places"
UNTIL = time.time() + 1_700


def order_page(page: Page, stub: Stub, state: str = "ticketed", seats: int = 1) -> None:
    """Open an order of these seats; the test moves the page's clock."""
    page.clock.install()
    stub.inside()
    stub.hold({"seats": [f"101-A-{number}" for number in range(1, seats + 1)]})
    stub.world.session_state = "checkout" if state == "pending" else "finalised"
    stub.world.order_state = state
    arrive(page, stub, f"/order/{ORDER}")
    if state == "ticketed":
        page.locator("img.ticket").first.wait_for()


def becomes(stub: Stub, state: str, refund: str = "", *, second_payment: bool = False) -> None:
    shown = {"state": refund, "amount_minor": 8_850, "second_payment": second_payment}
    stub.world.refund = shown if refund else None
    stub.world.order_state = state


def text(page: Page, words: str) -> Locator:
    return page.locator("#main").get_by_text(words).first


def looks(stub: Stub) -> int:
    return stub.world.asked.count("order")


def until_looks(page: Page, stub: Stub, count: int) -> int:
    """Move the page's clock until it has asked so often; return the seconds.

    A page that answers late counts as patient, so that only one that asks too soon fails.
    """
    for waited_s in range(STEP_S, 600, STEP_S):
        page.clock.fast_forward(STEP_S * 1_000)
        if eventually(lambda: looks(stub) == count, within_s=0.2):
            return waited_s
    raise AssertionError(f"the page asked {looks(stub)} times, not {count}")


def test_the_address_is_shown_and_can_be_changed_until_it_is_paid(stub: Stub, either: Page) -> None:
    order_page(either, stub, "pending")
    control = either.get_by_label("E-mail for your tickets")
    change = either.get_by_role("button", name="Change the address")
    either.get_by_text("Tickets go to guest@example.org").click()
    assert control.input_value() == "guest@example.org"
    assert change.is_disabled()
    control.fill("jo..ann@example.com")
    said = "No mail can be sent to this address. It cannot have two periods in a row."
    stub.world.refuse["checkout"] = Refused(400, "malformed-input", said, field="email")
    stub.world.refuse_times = 1
    change.click()
    either.locator("#email-problem").get_by_text(said).wait_for()
    assert stub.world.email == "guest@example.org"
    control.fill("joann@example.com")
    assert fits(either)
    change.click()
    eventually(lambda: stub.world.email == "joann@example.com")
    either.locator("#email-problem").wait_for(state="detached")
    either.get_by_text("Tickets go to joann@example.com").press("Enter")  # folded, and focused
    control.fill("jo.ann@example.com")
    either.get_by_role("button", name="Go to the payment page").click()
    either.get_by_role("button", name="Pay", exact=True).wait_for()
    assert stub.world.email == "jo.ann@example.com"


def test_tickets_are_mailed_to_another_address_when_it_is_paid(stub: Stub, phone: Page) -> None:
    order_page(phone, stub)
    text(phone, "Mails go to guest@example.org.").wait_for()
    stub.world.mailed_at = stamp(time.time())
    phone.clock.fast_forward(LOOK_MS)
    text(phone, "Sent to guest@example.org. It may take some minutes.").wait_for()
    text(phone, "Payment pi_3QdemoReference").wait_for()
    phone.get_by_text("Change it, or send them again").click()
    assert fits(phone)
    send = phone.get_by_role("button", name="Send the tickets there")
    for refused, words in (
        (Refused(400, "malformed-input", "No mail goes there.", field="email"), "goes there."),
        (Refused(429, "too-many-requests", retry_after=17_280), "Please try again tomorrow."),
    ):
        stub.world.refuse["email"], stub.world.refuse_times = refused, 1
        phone.get_by_label("E-mail for your tickets").fill("ann@example.com")
        send.click()
        text(phone, words).wait_for()
    send.click()
    text(phone, "Sent to ann@example.com. It may take some minutes.").wait_for()
    assert stub.world.email == "ann@example.com"


def test_a_declined_card_is_said_once_with_the_time_that_is_left(stub: Stub, either: Page) -> None:
    stub.world.last_attempt = "declined"
    order_page(either, stub, "pending")
    either.get_by_role("heading", name="Your card was declined").wait_for()
    until = either.evaluate(
        "t => new Date(t).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})",
        stamp(stub.world.session_ends),
    )
    assert either.locator("main .notice").all_inner_texts() == [
        f"Your bank declined the card. Nothing was charged. Your seats are yours until {until}."
    ]
    assert either.locator("main .primary").all_inner_texts() == ["Go to the payment page"]
    assert not either.get_by_label("E-mail for your tickets").is_visible()
    assert fits(either)
    stub.world.last_attempt = "card-limit"
    either.clock.fast_forward(STEP_S * 1_000)
    either.get_by_role("heading", name="This card has reached its limit").wait_for()


def test_each_ticket_is_told_apart_and_saved_alone_or_with_the_others(
    stub: Stub, either: Page
) -> None:
    order_page(either, stub, seats=2)
    heads = either.locator(".ticket-head")
    assert heads.nth(0).inner_text().split("\n")[0] == "Ticket 1 of 2"
    assert "Row A · Seat 1" in heads.nth(0).inner_text()
    assert "Row A · Seat 2" in heads.nth(1).inner_text()
    either.locator("img.ticket").nth(1).wait_for()
    for button, name in (
        ("Save picture: Ticket 2 of 2", "ticket-2.png"),
        ("Tickets (PDF)", f"tickets-{ORDER}.pdf"),
    ):
        with either.expect_download() as saved:
            either.get_by_role("button", name=button).click()
        assert saved.value.suggested_filename == name
    assert fits(either)


def test_a_ticket_is_saved_to_a_wallet_where_the_stage_offers_it(stub: Stub, phone: Page) -> None:
    stub.world.passes = ["apple", "google"]
    order_page(phone, stub, seats=2)
    phone.locator("img.ticket").nth(1).wait_for()
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Apple Wallet: Ticket 2 of 2").click()
    assert saved.value.suggested_filename == "ticket-2.pkpass"
    google = phone.get_by_role("button", name="Google Wallet: Ticket 1 of 2")
    with phone.expect_popup() as opened:
        google.click()
    opened.value.wait_for_url("**/#/e/demo")
    assert opened.value.evaluate("window.opener") is None
    stub.world.refuse["google"], stub.world.refuse_times = Refused(404, "not-found"), 1
    with phone.expect_popup() as opened:
        google.click()
    phone.locator("main .notice-warn").wait_for()
    assert eventually(opened.value.is_closed)
    phone.evaluate("window.open = () => null")  # as a browser that allows no tabs
    google.click()
    phone.wait_for_url("**/#/e/demo")


def test_a_ticket_goes_to_no_address_that_is_none_of_the_web(stub: Stub, phone: Page) -> None:
    stub.world.passes = ["google"]
    phone.route("**/google-pass?*", lambda route: route.fulfill(json={"url": "javascript:close()"}))
    order_page(phone, stub)
    with phone.expect_popup() as opened:
        phone.get_by_role("button", name="Google Wallet").click()
    phone.locator("main .notice-warn").wait_for()
    assert eventually(opened.value.is_closed)
    assert phone.url.endswith(ORDER)


def test_a_ticket_is_shown_before_its_wallets_are_known(stub: Stub, phone: Page) -> None:
    phone.route("**/config.json", lambda _: None)  # which never comes
    order_page(phone, stub)
    phone.get_by_role("button", name="Save picture").wait_for()


def test_no_wallet_is_named_where_none_is_offered(stub: Stub, phone: Page) -> None:
    order_page(phone, stub)
    phone.get_by_role("button", name="Save picture").wait_for()
    assert not phone.get_by_role("button", name="Wallet").count()


def test_the_page_follows_tickets_and_money_until_the_last_state(stub: Stub, phone: Page) -> None:
    order_page(phone, stub)
    second = "You paid a second time for this order."
    steps = [
        ("ticketed", "sent", False, "€88.50 is on its way back to you"),
        ("ticketed", "sent", True, second),
        ("disputed", "", False, "Your tickets are on hold"),
        ("ticketed", "", False, "Show this code at the door"),
        ("cancelled", "", False, "The tickets are no longer valid."),
        ("cancelled", "sent", False, "€88.50 is on its way back to you."),
        ("cancelled", "attention", False, "did not reach your bank. The organiser has been told"),
        ("cancelled", "handled", False, "the organiser has dealt with it"),
        ("refunded", "", False, "Your money was sent back"),
        ("charged_back", "", False, "This order is over"),
    ]
    for state, refund, second_payment, words in steps:
        becomes(stub, state, refund, second_payment=second_payment)
        phone.clock.fast_forward(LOOK_MS)
        text(phone, words).wait_for()
        if state == "ticketed":
            phone.locator("img.ticket").wait_for()
        else:
            assert phone.locator("img.ticket").count() == 0
        assert second_payment or text(phone, second).count() == 0  # staff gave a part back
        assert refund == "sent" or text(phone, "on its way back").count() == 0


def test_void_tickets_are_named_and_not_shown(stub: Stub, phone: Page) -> None:
    stub.world.void = ["Row A · Seat 1"]
    order_page(phone, stub, seats=2)
    text(phone, "These tickets are void: Row A · Seat 1.").wait_for()
    assert phone.locator("ol.tickets li").count() == 1
    stub.world.void = ["Row A · Seat 1", "Row A · Seat 2"]
    phone.clock.fast_forward(LOOK_MS)
    phone.get_by_role("heading", name="Your tickets are void").wait_for()
    assert phone.locator("ol.tickets").count() == 0


def test_a_hidden_page_rests_and_looks_at_once_when_it_is_shown(stub: Stub, page: Page) -> None:
    order_page(page, stub)
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


def test_tickets_are_looked_at_once_a_minute_and_stay_when_the_sign_in_ends(
    stub: Stub, page: Page
) -> None:
    order_page(page, stub)
    before = looks(stub)
    for look in (1, 2):
        assert until_looks(page, stub, before + look) >= SELDOM_S
    stub.world.refuse["order"] = Refused(401, "unauthenticated")
    until_looks(page, stub, before + 3)
    text(page, "Your sign-in has ended").wait_for()
    page.get_by_role("button", name="Sign in again").wait_for()
    assert page.locator("img.ticket").is_visible()


def test_a_buyer_learns_why_seats_are_not_given_back_and_what_follows(
    stub: Stub, page: Page
) -> None:
    order_page(page, stub, "pending")
    stub.world.refuse["leave"] = Refused(409, "wrong-state", "Paid.", state="finalised")
    page.get_by_role("button", name="Give the seats back").click()
    sure = page.get_by_role("button", name="Really give the seats back?")
    sure.click()
    text(page, "You have just paid for these seats: they are yours.").wait_for()
    stub.world.refuse["leave"] = Refused(
        503, "dependency-unavailable", retry_after=60, settling_until=stamp(UNTIL)
    )
    stub.world.refuse_times = 1
    sure.click()
    local = page.evaluate(
        "t => new Date(t).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})",
        stamp(UNTIL),
    )
    text(page, f"Your seats stay yours until {local} at the latest.").wait_for()
    assert stub.world.asked.count("leave") == 2
    refund = {"state": "owed", "amount_minor": 8_850, "second_payment": False}
    stub.world.refund_on_leave = refund  # a payment had come; before the click no page may see it
    sure.click()
    text(page, "€88.50 is about to be sent back to you.").wait_for()
    becomes(stub, "ticketed")
    page.get_by_role("heading", name="Your tickets").wait_for()


def test_an_order_past_its_time_to_pay_is_being_settled(stub: Stub, phone: Page) -> None:
    stub.world.order_ends = time.time() + 20
    order_page(phone, stub, "pending")
    pay = phone.get_by_role("button", name="Go to the payment page")
    pay.wait_for()
    stub.world.ahead_s = 21  # the service's clock goes on, too
    phone.clock.fast_forward(21_000)
    finding_out = phone.get_by_role("heading", name="Finding out whether you have paid")
    finding_out.wait_for()
    assert pay.count() == 0
    assert text(phone, "Nothing was charged").count() == 0
    stub.world.order_ends = time.time() - 5
    phone.evaluate("sessionStorage.removeItem('fairgate:order:demo')")
    phone.goto(f"{stub.base_url}/#/e/{EVENT}")
    phone.get_by_role("heading", name="Lights over the Harbour").wait_for()
    phone.goto(f"{stub.base_url}/#/e/{EVENT}/sale")
    finding_out.wait_for()


def test_a_waiting_buyer_is_led_to_the_order_that_is_being_settled(stub: Stub, phone: Page) -> None:
    fields = {"settling_until": stamp(UNTIL), "order": ORDER}
    settling = phone.get_by_role("heading", name="Your last order is being settled")
    order = phone.get_by_role("link", name="See your order")
    stub.world.refuse["admission"] = Refused(403, "not-admitted", "All used.", **fields)
    arrive(phone, stub, f"/e/{EVENT}/wait")
    settling.wait_for()
    order.wait_for()
    stub.world.refuse["admission"] = Refused(403, "not-admitted", retry_after=3, **fields)
    stub.world.refuse_times = 1
    phone.reload()
    text(phone, "Your seats stay yours until").wait_for()
    assert settling.is_visible()
    assert order.get_attribute("href") == f"#/o/{ORDER}"
    phone.get_by_role("heading", name="You are in", exact=True).wait_for()  # admitted later


def offered(stub: Stub, *, fee_minor: int = 500, until_s: int = 86_400) -> None:
    """Let either of two tickets be given back."""
    stub.world.cancellation = {
        "until": stamp(stub.world.now() + until_s),
        "refund_minor": 2 * (8_850 - fee_minor),
        "fee_minor": 2 * fee_minor,
        "places": [
            {
                "tickets": [f"tkt_{number:016x}"],
                "seat": f"101-A-{number}",
                "label": f"Section 101 · Row A · Seat {number}",
                "places": 1,
                "refund_minor": 8_850 - fee_minor,
                "fee_minor": fee_minor,
            }
            for number in (1, 2)
        ],
    }


def test_one_ticket_is_given_back_for_what_its_button_said(stub: Stub, either: Page) -> None:
    offered(stub)
    stub.world.dated = True
    order_page(either, stub, seats=2)
    either.get_by_text(CANCEL).click()
    # By the clocks of the event, whatever those of the reader are.
    either.get_by_text(re.compile(r"You can cancel until .* (CES?T|GMT\+[12])\.")).wait_for()
    button = either.get_by_role("button", name="Cancel, €83.50 back: Section 101 · Row A · Seat 1")
    button.click()
    assert stub.world.cancelled == []
    assert "Really cancel? €83.50 goes back to you; a fee of €5 is kept" in button.inner_text()
    button.click()
    either.get_by_text("Given back: Section 101 · Row A · Seat 1").wait_for()
    either.get_by_text("€83.50 was sent back to you").wait_for()
    either.locator("img.ticket").wait_for()  # of one: two would be refused
    assert either.get_by_text("You paid a second time").count() == 0
    assert stub.world.cancelled == [{"ticket": "tkt_0000000000000001"}]
    assert fits(either)


def test_an_order_is_given_back_in_time_by_a_second_click_that_is_no_double_click(
    stub: Stub, phone: Page
) -> None:
    offered(stub, until_s=-60)
    order_page(phone, stub, seats=2)
    phone.get_by_text("This order could be cancelled until").wait_for()
    assert phone.get_by_role("button", name="Cancel").count() == 0
    offered(stub, fee_minor=0)
    stub.world.too_late = "The time to cancel this order is over."
    phone.reload()
    phone.get_by_text(CANCEL).click()
    button = phone.get_by_role("button", name="Cancel, €177 back: All that is left, 2 tickets")
    button.click()
    phone.get_by_role("button", name="Really cancel?").click()
    phone.get_by_text("The time for this is over.").first.wait_for()
    assert phone.locator("img.ticket").count() == 2
    stub.world.too_late = ""
    stub.world.cancelled.clear()
    phone.reload()
    phone.get_by_text(CANCEL).click()
    button.dblclick()
    sure = phone.get_by_role("button", name="Really cancel? €177 goes back to you")
    sure.wait_for()
    assert "fee" not in sure.inner_text()
    assert stub.world.cancelled == []
    sure.press("Enter")
    phone.get_by_role("heading", name="Your money was sent back").wait_for()
    assert stub.world.cancelled == [{}]
    assert phone.locator(".cancel").count() == 0


def test_invoice_and_calendar_are_saved_or_the_page_says_why_not(stub: Stub, phone: Page) -> None:
    order_page(phone, stub)
    invoice = phone.get_by_role("button", name="Invoice (PDF)")
    with phone.expect_download() as saved:
        invoice.click()
    assert saved.value.suggested_filename == f"invoice-{ORDER}.pdf"
    why = "The invoice is made within minutes after the time to pay is over. Please try again then."
    stub.world.refuse["invoice"] = Refused(409, "wrong-state", why, reason="not-yet")
    invoice.click()
    phone.get_by_text(why).wait_for()
    calendar = phone.get_by_role("button", name="Add to calendar")
    with phone.expect_download() as saved:
        calendar.click()
    assert saved.value.suggested_filename == "event.ics"
    assert saved.value.path().read_bytes() == CALENDAR.encode()
    stub.world.refuse["calendar"], stub.world.refuse_times = Refused(404, "not-found"), 1
    calendar.click()
    phone.locator("main .notice-warn").wait_for()
    becomes(stub, "pending")
    phone.clock.fast_forward(LOOK_MS)
    invoice.wait_for(state="detached")
    stub.world.invoice = False
    for dated, state, words in (
        (False, "ticketed", "Show this code"),
        (True, "refunded", "Your money was sent back"),
    ):
        stub.world.dated, stub.world.order_state = dated, state
        phone.reload()
        text(phone, words).wait_for()
        assert calendar.count() == 0
        assert invoice.count() == 0
