"""A buyer who lost tickets asks for a link; the page that it opens shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.tickets.ask_for_link import NO_MAIL
from tests.e2e.stub.answers import Refused
from tests.e2e.stub.found import TOKEN, found_order
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import fits, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

ANN = "ann@example.org"
UNSENDABLE = "No mail can be sent to this address. It cannot have two periods in a row."
TWO = ["Row A · Seat 1", "Row A · Seat 2"]


def asked(page: Page, email: str) -> None:
    page.get_by_label("E-mail of the order").fill(email)
    page.get_by_role("button", name="Send me the link").click()


def opened(page: Page, stub: Stub, token: str = TOKEN) -> None:
    page.goto(f"{stub.base_url}/#/found/{token}")
    page.locator("main h1").wait_for()


def test_a_link_is_asked_for_without_a_sign_in_and_the_answer_tells_nothing(
    stub: Stub, either: Page
) -> None:
    either.goto(f"{stub.base_url}/#/")
    either.locator("main h1").wait_for()  # the page draws the link again while it begins
    either.get_by_role("link", name="Find my tickets").click()
    asked(either, f" {ANN} ")
    either.get_by_role("heading", name="Look into your mailbox").wait_for()
    assert stub.world.mailed == [ANN]
    assert f"If anything was bought with {ANN}" in either.locator("main").inner_text()
    assert "works for 24 hours" in either.locator("main").inner_text()
    assert fits(either)
    either.get_by_role("button", name="Try another address").click()
    asked(either, "ann@home.example")
    either.get_by_role("heading", name="Look into your mailbox").wait_for()
    assert stub.world.mailed == [ANN, "ann@home.example"]


def test_the_link_shows_each_order_as_what_it_is(stub: Stub, either: Page) -> None:
    stub.world.found = [
        found_order(tickets=2, places=TWO, passed=["Row A · Seat 3"]),
        found_order(event_name="Old Night", state="refunded", tickets=0),
        found_order(event_name="No Night", event_cancelled=True, state="cancelled", tickets=0),
        found_order(event_name="Void Night", tickets=0, void=["Row A · Seat 1"]),
        found_order(tickets=0, places=["Row A · Seat 3"], passed=["Row A · Seat 3"]),
    ]
    opened(either, stub)
    assert either.locator("ul.found > li .badge").all_inner_texts() == [
        *("Tickets", "Refunded", "Event cancelled", "No ticket left", "No ticket left")
    ]
    either.get_by_alt_text("Ticket 2 of 2, with its QR code").wait_for()  # the only ones
    cards = either.locator("ul.found > li")
    assert "Passed on to others: Row A · Seat 3." in cards.nth(0).inner_text()
    assert "The organiser has made them void" in cards.nth(3).inner_text()
    assert "Others have them now" in cards.nth(4).inner_text()
    assert "The organiser has cancelled this event" in cards.nth(2).inner_text()
    assert either.get_by_alt_text("Ticket", exact=False).count() == 2
    assert fits(either)
    with either.expect_download() as saved:
        either.get_by_role("button", name="Tickets (PDF)").click()
    assert saved.value.suggested_filename.endswith(".pdf")


def test_the_token_stands_in_no_address_and_in_no_request_but_a_body(
    stub: Stub, page: Page
) -> None:
    stub.world.found = [found_order()]
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + str(request.headers)))
    opened(page, stub)
    page.get_by_alt_text("Ticket 1 of 1, with its QR code").wait_for()
    assert page.url.endswith("#/found")
    assert not any(TOKEN in what for what in sent if "/api/" in what)
    page.reload()
    page.get_by_role("heading", name="Your orders and tickets").wait_for()
    page.go_back()
    assert TOKEN not in page.url


def test_my_orders_and_the_sign_in_lead_there(stub: Stub, phone: Page) -> None:
    phone.goto(f"{stub.base_url}/#/orders")
    phone.locator("main").get_by_role("link", name="Find them by e-mail").wait_for()
    sign_in(phone, stub, "/orders")
    phone.get_by_role("link", name="Find them by e-mail").click()
    phone.get_by_role("heading", name="Find my tickets").wait_for()


def test_a_refusal_is_shown_at_the_form_which_can_be_sent_again(stub: Stub, phone: Page) -> None:
    stub.world.refuse["mail_link"] = Refused(503, "dependency-unavailable", retry_after=1)
    phone.goto(f"{stub.base_url}/#/find")
    asked(phone, "no address")
    assert stub.world.mailed == []  # the browser itself refuses it
    asked(phone, ANN)
    phone.get_by_role("alert").get_by_text("very busy").wait_for()
    stub.world.refuse["mail_link"] = Refused(409, "wrong-state", NO_MAIL, reason="no-mail")
    stub.world.refuse_times = 1
    phone.get_by_role("button", name="Send me the link").click()
    phone.get_by_role("alert").get_by_text(NO_MAIL).wait_for()
    assert fits(phone)
    phone.get_by_role("button", name="Send me the link").click()
    phone.get_by_role("heading", name="Look into your mailbox").wait_for()
    assert stub.world.mailed == [ANN]


def test_an_address_that_cannot_be_mailed_is_explained_at_its_field(
    stub: Stub, phone: Page
) -> None:
    stub.world.refuse["mail_link"] = Refused(400, "malformed-input", UNSENDABLE, field="email")
    stub.world.refuse_times = 1
    phone.goto(f"{stub.base_url}/#/find")
    asked(phone, "jo..ann@example.com")
    field = phone.get_by_label("E-mail of the order")
    phone.locator("#email-problem").get_by_text(UNSENDABLE).wait_for()
    assert field.get_attribute("aria-describedby") == "email-problem"
    assert field.evaluate("field => field === document.activeElement")
    assert fits(phone)
    asked(phone, ANN)
    phone.get_by_role("heading", name="Look into your mailbox").wait_for()


def test_tickets_of_several_orders_load_when_they_are_asked_for(stub: Stub, page: Page) -> None:
    stub.world.found = [found_order(), found_order(order="ord_" + "2" * 32 + "_00000002")]
    opened(page, stub)
    assert "found_svg" not in stub.world.asked
    page.get_by_role("button", name="Show 1 ticket").last.press("Enter")
    page.get_by_alt_text("Ticket 1 of 1, with its QR code").wait_for()
    assert stub.world.asked.count("found_svg") == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Save picture"
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    assert saved.value.suggested_filename == "ticket-1.png"


def test_a_link_that_ended_or_was_forged_leads_to_a_new_one(stub: Stub, phone: Page) -> None:
    for token in ("another.link.mac", "x"):
        opened(phone, stub, token)
        phone.get_by_role("heading", name="This link opens nothing").wait_for()
        phone.get_by_role("link", name="Ask for a new link").click()
        phone.get_by_role("heading", name="Find my tickets").wait_for()
    phone.goto(f"{stub.base_url}/#/found")
    phone.get_by_role("heading", name="Find my tickets").wait_for()
