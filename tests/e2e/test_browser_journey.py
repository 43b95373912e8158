"""A buyer with a phone, in a real browser, on the real system: from the queue to the ticket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e import browser
from tests.e2e.shopper import Shopper
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ADMITTED_S = 90
SETTLED_S = 45
# Where to put the finger, in parts of the map's size: somewhere there is a free seat.
FINGER = [(x / 8, y / 8) for y in (4, 2, 6, 3, 5) for x in (4, 3, 5, 2, 6, 1, 7)]


def enter(page: Page, system) -> None:
    """Sign in as a guest, wait, and be let in."""
    page.goto(f"{system.base_url}/#/e/{system.event}")
    page.locator(".way").get_by_role("button").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    page.locator(".turn .primary").click(timeout=1_000 * patience_s(ADMITTED_S))
    page.locator(".sale-head").wait_for()


def choose_on_the_map(page: Page) -> None:
    """Tap until a free seat is found: the first taps may only look closer."""
    page.locator(".grip").tap()
    page.get_by_text("Sections as a list").tap()
    page.locator(".place-button[data-kind=section]:enabled").first.tap()
    page.locator(".map-holder[aria-busy=false]").wait_for()
    seats = page.locator(".map-front")
    add = page.locator(".seat-card").get_by_role("button", name="Add this seat")
    for x, y in FINGER:
        box = seats.bounding_box()
        assert box is not None
        seats.tap(position={"x": x * box["width"], "y": y * box["height"]})
        page.wait_for_timeout(400)  # two taps at once would be a double one
        if add.is_visible():
            break
    add.tap()
    page.locator(".bar").get_by_role("button", name="Hold 1 seat").tap()
    page.get_by_text("Held for you:").wait_for()


def best_available(page: Page, seats: int) -> None:
    page.locator(".grip").tap()
    page.get_by_label("Seats", exact=True).select_option(str(seats))
    page.get_by_label("Where").select_option("")
    page.get_by_role("button", name="Find and hold seats").tap()
    page.get_by_text("Held for you:").wait_for()


def check_out(page: Page) -> None:
    page.locator(".bar").get_by_role("link", name="Checkout").tap()
    page.get_by_label("E-mail").fill("guest@example.org")
    page.locator("form").get_by_role("button", name="Pay").tap()


def pay(page: Page, button: str) -> None:
    page.get_by_role("button", name=button, exact=True).tap()


def see_tickets(page: Page, count: int) -> None:
    page.get_by_role("heading", name="Your tickets").wait_for(timeout=1_000 * patience_s(SETTLED_S))
    tickets = page.locator("img.ticket")
    tickets.nth(count - 1).wait_for()
    assert tickets.count() == count
    for n in range(count):
        assert tickets.nth(n).evaluate("image => image.decode().then(() => image.naturalWidth)") > 0


def test_a_guest_holds_qr_tickets_when_a_card_is_declined_and_the_next_one_pays(
    system, phone: Page
) -> None:
    """Seats come from the map and from the best available."""
    enter(phone, system)
    choose_on_the_map(phone)
    phone.locator(".words .notice").evaluate("note => note.remove()")
    best_available(phone, 2)
    check_out(phone)
    pay(phone, "Decline the card")
    declined = phone.get_by_role("heading", name="Your card was declined")
    declined.wait_for(timeout=1_000 * patience_s(SETTLED_S))
    phone.get_by_role("button", name="Go to the payment page").tap()
    pay(phone, "Pay")
    see_tickets(phone, 3)
    phone.reload()
    see_tickets(phone, 3)


def test_a_guest_sees_a_chosen_seat_go_when_another_buyer_holds_it(
    system, chromium: Browser
) -> None:
    other = Shopper(system.base_url, system.event).sign_in().walk_in()
    with browser.window(chromium) as page:
        enter(page, system)
        page.locator(".place-button[data-kind=section]:enabled").last.click()
        page.get_by_role("button", name="Show as a list").click()
        page.locator("details:not([open]) > summary", has_text="free").last.click()
        seat = page.locator("[data-seat][aria-pressed=false]").last
        name = seat.get_attribute("data-seat")
        seat.click()
        page.get_by_text("Chosen: 1 seat").wait_for()
        assert other.hold([name]).status == 201
        page.get_by_text("Just taken by somebody else").wait_for()
