"""The form for name and postal address in a real browser, where the organiser asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.test_order_page import order_page
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.web_tools import fits, sale
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

ANN = {
    "name": "Ann Buyer",
    "street": "Quay 1\nFlat 2",
    "postcode": "20457",
    "city": "Hamburg",
    "country": "Germany",
}
FILLED_IN = ["name", "street-address", "postal-code", "address-level2", "country-name"]
SAID = "The city may have at most 60 characters."


def test_it_is_filled_in_by_keyboard_and_what_is_wrong_stands_at_its_field(
    stub: Stub, either: Page
) -> None:
    stub.world.ask_address = True
    sale(either, stub)
    find_and_hold(either)
    check_out(either)
    controls = either.locator(".postal input, .postal textarea")
    assert [one.get_attribute("autocomplete") for one in controls.all()] == FILLED_IN
    for text in ANN.values():
        either.keyboard.press("Tab")
        either.keyboard.type(text)
    stub.world.refuse["checkout"] = Refused(
        400, "malformed-input", SAID, field="postal_address.city"
    )
    either.keyboard.press("Enter")
    either.locator("#postal-city-problem").get_by_text(SAID).wait_for()
    assert either.get_by_label("City").evaluate("one => one === document.activeElement")
    assert fits(either)
    either.keyboard.press("Enter")
    either.get_by_role("button", name="Pay", exact=True).wait_for()
    assert stub.world.postal_address == ANN


def test_a_page_that_was_open_before_the_organiser_asked_shows_the_fields(
    stub: Stub, phone: Page
) -> None:
    sale(phone, stub)
    find_and_hold(phone)
    check_out(phone)
    said = "The organiser asks for your name and postal address."
    stub.world.refuse["checkout"] = Refused(400, "malformed-input", said, field="postal_address")
    phone.get_by_role("button", name="Pay €").click()
    phone.get_by_text(said).wait_for()
    for name, text in ANN.items():
        phone.locator(f"#postal-{name}").fill(text)
    phone.get_by_role("button", name="Pay €").click()
    phone.get_by_role("button", name="Pay", exact=True).wait_for()
    assert stub.world.postal_address == ANN


def test_the_order_shows_it_and_takes_another_until_it_is_paid(stub: Stub, either: Page) -> None:
    stub.world.postal_address = dict(ANN)
    order_page(either, stub, "pending")
    change = either.get_by_role("button", name="Change the address")
    either.get_by_text("Tickets go to guest@example.org").click()
    either.get_by_text("Ann Buyer, Quay 1, Flat 2, 20457 Hamburg, Germany").wait_for()
    assert either.get_by_label("Street and number").input_value() == ANN["street"]
    assert change.is_disabled()
    either.get_by_label("City").fill("Kiel")
    stub.world.refuse["checkout"] = Refused(
        400, "malformed-input", SAID, field="postal_address.city"
    )
    change.click()
    either.locator("#postal-city-problem").get_by_text(SAID).wait_for()
    assert fits(either)
    change.click()
    wait_until(lambda: stub.world.postal_address == ANN | {"city": "Kiel"}, "the address changed")
    either.locator("#postal-city-problem").wait_for(state="detached")
    stub.world.order_state, stub.world.session_state = "ticketed", "finalised"
    either.clock.fast_forward(20_000)
    either.get_by_text("Ann Buyer, Quay 1, Flat 2, 20457 Kiel, Germany").wait_for()
    assert fits(either)
