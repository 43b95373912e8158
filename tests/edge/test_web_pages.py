"""The buyers' pages in a real browser, against a stub of the service."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.e2e.stub.answers import ORDER, Refused
from tests.e2e.stub.server import Stub
from tests.e2e.stub.world import SUB
from tests.edge.web_tools import arrive, choose_seats, fits, on_venue, sale, seat_map
from tests.support.api_shape import added, former, released, today, with_strange, without
from tests.support.waiting import eventually, patience_s, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page


def find_and_hold(page: Page) -> None:
    """Find the best seats: on a phone in the sheet, which is drawn up first."""
    page.locator(".grip").wait_for(state="attached")
    grip = page.locator(".grip[aria-expanded=false]")
    if grip.is_visible():
        grip.click()
    page.get_by_role("button", name="Find and hold seats").click()


def check_out(page: Page) -> None:
    # On a phone the way on is in the bar: the sheet goes down, and the map shows what is held.
    page.get_by_role("link", name=re.compile("^(Go to c|C)heckout$")).locator(
        "visible=true"
    ).click()
    page.get_by_label("E-mail").fill("guest@example.org")


def let_in(page: Page) -> None:
    choose_seats(page)
    heading = page.get_by_role("heading", name="Lights over the Harbour")
    heading.wait_for()


def as_today(body: Any) -> Any:
    return body


def as_before(body: Any) -> Any:
    """Without what the last release's answers did not have yet."""
    return without(body, added(former(released()), today()))


@pytest.mark.parametrize("answers", [as_today, as_before, with_strange])
def test_a_guest_gets_tickets_when_walking_through_on_a_phone(
    stub: Stub, phone: Page, answers: Callable[[Any], Any]
) -> None:
    stub.reshape = answers
    phone.goto(stub.base_url)
    card = phone.get_by_role("link", name="Lights over the Harbour")
    assert "Lights over the Harbour\nA summer evening\nThe Tides" in card.inner_text()
    card.click()
    phone.locator(".hero h1 + p", has_text="A summer evening").wait_for()
    phone.locator(".prices").get_by_text("€76.50").wait_for()  # the fee per ticket is in it
    assert fits(phone)
    phone.get_by_role("button", name="Get tickets").click()
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.get_by_text("about 10–20 minutes").first.wait_for()
    assert fits(phone)
    choose_seats(phone)
    seats = seat_map(phone)
    seats.tap(position=on_venue(phone, 375, 521))  # the middle of section 101
    phone.get_by_role("heading", name="Section 101").wait_for()
    assert fits(phone)
    seats.tap()
    card = phone.locator(".seat-card")
    card.get_by_text("€121").wait_for()
    card.get_by_text("Section 101, Gold").wait_for()
    card.get_by_role("button", name="Add this seat").tap()
    phone.get_by_text("1 seat chosen€121").wait_for()
    phone.locator(".bar").get_by_role("button", name="Hold 1 seat").tap()
    phone.get_by_text("Held for you: Section 101").wait_for()
    phone.locator(".bar").get_by_role("link", name="Checkout").tap()
    phone.get_by_label("E-mail").fill("guest@example.org")
    assert fits(phone)
    phone.get_by_role("button", name="Pay €").tap()
    phone.get_by_role("button", name="Pay", exact=True).tap()
    phone.get_by_alt_text("Ticket 1 of 1, with its QR code").wait_for()
    natural = phone.locator("img.ticket").evaluate("image => image.decode().then(() => 1)")
    assert natural == 1
    assert fits(phone)
    assert stub.world.admissions == ["wt-0", "wt-1"]


def test_the_place_is_kept_when_the_page_is_reloaded(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 2
    stub.world.backoff_s = 2
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    assert eventually(lambda: "wt-1" in page.evaluate("JSON.stringify(localStorage)"))
    stub.world.refuse["queue"] = Refused(500, "internal")  # a second place would be noticed
    page.reload()
    let_in(page)
    assert stub.world.admissions == ["wt-0", "wt-1", "wt-2"]


def test_places_without_numbers_are_held_and_given_back(stub: Stub, page: Page) -> None:
    sale(page, stub, "FLOOR")
    page.locator(".area").get_by_text("60 places left").wait_for()
    page.get_by_label("How many").select_option("3")
    page.get_by_role("button", name="Hold places").click()
    page.get_by_text("Held for you: 3 × Floor.").wait_for()
    page.get_by_role("button", name="Give back").click()
    page.get_by_text("Nothing is held yet.").wait_for()
    assert stub.world.holds == []


def test_the_buyer_is_told_when_the_time_to_choose_is_over(stub: Stub, page: Page) -> None:
    sale(page, stub, seconds=4)
    page.get_by_role("heading", name="Your session is over").wait_for()
    page.get_by_text("your seats were given back").wait_for()


def test_the_sale_says_so_when_there_is_no_session(stub: Stub, page: Page) -> None:
    arrive(page, stub, "/e/demo/sale")
    page.get_by_text("There is no open session for you here.").wait_for()
    stub.world.order_state = "ticketed"
    page.reload()
    page.get_by_role("link", name="See your order").click()
    page.get_by_role("heading", name="Your tickets").wait_for()


def test_the_waiting_room_counts_down_and_asks_nothing_before_the_sale_starts(
    stub: Stub, page: Page
) -> None:
    stub.world.sale_starts_at = time.time() + 12  # a busy machine takes seconds to sign in
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are early").wait_for()
    page.locator(".countdown").wait_for()
    assert stub.world.admissions == []
    page.get_by_role("heading", name="You are in the waiting room").wait_for(
        timeout=1_000 * patience_s(30)
    )


def test_waiting_goes_on_behind_a_harder_challenge_and_says_why(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 0
    stub.world.refuse["admission"] = Refused(
        429,
        "too-early",
        retry_after=1,
        token="wt-hard",
        challenge={"ch": "AAECAwQFBgcICQoLDA0ODw", "pow": 14},
        boff_in=6,  # seconds from the answer: the note is to be seen until then
        noticed="This account asked too early 6 times.",
        advice="Keep one window open.",
    )
    arrive(page, stub, "/e/demo/wait")
    page.get_by_text("asked too early 6 times. Please use one window").wait_for()
    let_in(page)
    assert stub.world.admissions == ["wt-hard"]


def test_waiting_goes_on_with_the_place_that_comes_back_when_capacity_is_reached(
    stub: Stub, page: Page
) -> None:
    stub.world.polls_before_admission = 0
    stub.world.refuse["admission"] = Refused(
        403,
        "not-admitted",
        "All capacity is taken at this moment.",
        retry_after=1,  # the moment that is signed holds
        token="wt-full",
        boff_in=6,
    )
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are nearly in").wait_for()
    page.get_by_text("They go in the order of the draw").wait_for()
    place = "JSON.parse(localStorage.getItem('fairgate:place:demo:guest-7'))"
    assert page.evaluate(f"{place}.token") == "wt-full"
    assert page.evaluate(f"{place}.nonce") is not None  # solved once, and for good
    boff = page.evaluate(f"{place}.boff")
    let_in(page)
    assert stub.world.now() >= boff
    assert stub.world.admissions == ["wt-full"]
    assert stub.world.reads["queue"] == 1


def test_an_address_that_cannot_be_mailed_is_explained_at_its_field_at_checkout(
    stub: Stub, phone: Page
) -> None:
    said = "No mail can be sent to this address. It cannot have two periods in a row."
    stub.world.refuse["checkout"] = Refused(400, "malformed-input", said, field="email")
    stub.world.refuse_times = 1
    sale(phone, stub)
    find_and_hold(phone)
    check_out(phone)
    phone.get_by_label("E-mail").fill("jo..ann@example.com")
    pay = phone.get_by_role("button", name="Pay €")
    pay.click()
    phone.locator("#email-problem").get_by_text(said).wait_for()
    assert phone.get_by_label("E-mail").get_attribute("aria-invalid") == "true"
    assert fits(phone)
    phone.get_by_label("E-mail").fill("jo.ann@example.com")
    pay.click()
    phone.get_by_role("button", name="Pay", exact=True).wait_for()


def test_seats_go_back_when_the_buyer_leaves_checkout(stub: Stub, page: Page) -> None:
    stub.inside(600)
    stub.world.order_state, stub.world.session_state = "pending", "checkout"
    # Not from the sale's page, which would go to the order by itself, between the two clicks.
    arrive(page, stub, f"/order/{ORDER}")
    page.get_by_role("button", name="Give the seats back").dblclick()  # which asks once
    stub.world.email = "other@example.org"  # the page is drawn again, and still asks
    expect(page.locator("input[type=email]")).to_have_value("other@example.org", timeout=30_000)
    page.get_by_role("button", name="Really give the seats back?").click()
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()
    assert stub.world.session_state == "cancelled"


def test_prices_and_holds_of_a_session_stay_when_the_page_is_reloaded(
    stub: Stub, page: Page
) -> None:
    sale(page, stub)
    page.locator("#best-tier").wait_for()
    before = page.locator("#best-tier option").all_inner_texts()
    stub.world.raised_minor = 100_000
    page.reload()
    page.locator("#best-tier").wait_for()
    assert page.locator("#best-tier option").all_inner_texts() == before
    find_and_hold(page)
    page.get_by_text("Held for you:").wait_for()
    page.reload()
    page.get_by_role("heading", name="Held for you").wait_for()
    page.locator(".panel").get_by_text("Left · Row A, seat 1").wait_for()
    shown = page.locator(".card .total b").first.inner_text()
    page.goto(f"{stub.base_url}/#/e/demo/checkout")
    page.get_by_role("button", name=f"Pay {shown}").wait_for()


def test_the_buyer_learns_which_seats_are_gone_on_a_map_that_loads_slowly(
    stub: Stub, page: Page
) -> None:
    def choose_the_next(count: str) -> None:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.get_by_text(f"Chosen: {count}").wait_for()

    stub.world.slow_s["seats"] = 1.0
    sale(page, stub, "101")
    seat_map(page).focus()
    choose_the_next("1 seat")
    stub.world.taken.add("101-A-1")
    page.get_by_text("Just taken by somebody else: Row A, seat 1.").wait_for()
    choose_the_next("1 seat")
    choose_the_next("2 seats")
    stub.world.refuse["holds"] = Refused(409, "seats-taken", seats=["101-A-3"])
    page.locator(".panel").get_by_role("button", name="Hold 2 seats").click()
    page.get_by_text("Somebody was faster: Row A, seat 3 is taken.").wait_for()
    page.get_by_text("Chosen: 1 seat").wait_for()


def test_a_seat_is_held_by_keyboard_from_the_list_when_another_buyer_gave_it_up(
    stub: Stub, page: Page
) -> None:
    sale(page, stub, "102")
    page.get_by_role("button", name="Show as a list").press("Enter")
    page.locator("summary", has_text="Row C").press("Enter")
    seat = page.get_by_role("button", name="Row C, seat 4, €121")
    seat.press("Enter")
    stub.world.refuse["holds"] = Refused(409, "seats-taken", seats=["102-C-4"], for_now=True)
    hold = page.locator(".panel").get_by_role("button", name="Hold 1 seat")
    hold.press("Enter")
    page.get_by_text("Somebody else is taking Row C, seat 4 at this moment.").wait_for()
    seat.press("Enter")
    page.get_by_text("Chosen: 1 seat").wait_for()
    hold.press("Enter")
    page.get_by_text("Held for you: Section 102 · Row C, seat 4.").wait_for()
    assert page.locator("[data-seat='102-C-4']").get_attribute("aria-pressed") == "true"


BUSY = [(503, "dependency-unavailable"), (429, "too-many-requests")]
REFUSALS = [
    ("no-seats-found", 409, "No seats match this wish."),
    ("limit-exceeded", 422, "The limit is 6."),
    ("too-many-requests", 429, "That was a bit fast."),
    ("internal", 500, "Something went wrong on our side."),
]


def test_a_hold_is_repeated_once_by_its_key_or_its_refusal_is_explained(
    stub: Stub, page: Page
) -> None:
    sale(page, stub)
    for number, (status, code) in enumerate(BUSY, 1):
        stub.world.keys.clear()
        stub.world.refuse["best"] = Refused(status, code, retry_after=0)
        stub.world.refuse_times = 1
        find_and_hold(page)
        wait_until(partial(holds, stub, number), "the hold")
        tried = [key for route, key in stub.world.keys if route == "best"]
        assert len(tried) == 2  # the refused attempt and the one that repeated it
        assert len(set(tried)) == 1
    for code, status, words in REFUSALS:
        stub.world.refuse["best"] = Refused(status, code, limit=6)
        stub.world.refuse_times = 4  # as often as the page asks again by itself
        find_and_hold(page)
        page.get_by_text(words).wait_for()
    wish = Refused(409, "no-seats-found", possible={"together": 3})
    ended = Refused(401, "sign-in-ended")
    for refused, shown in (
        (wish, page.get_by_text("Free together: 3.")),
        (ended, page.get_by_role("button", name="Sign in again")),
    ):
        stub.world.refuse["best"], stub.world.refuse_times = refused, 1
        find_and_hold(page)
        shown.wait_for()


def holds(stub: Stub, count: int) -> bool:
    return len(stub.world.holds) == count


def test_waiting_ends_when_nobody_new_is_taken_in_or_the_sale_is_over(
    stub: Stub, page: Page
) -> None:
    stub.world.refuse["queue"] = Refused(410, "sale-over", state="draining")
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="The waiting room is full").wait_for()
    del stub.world.refuse["queue"]
    for state, heading in (("soldout", "Sold out"), ("closed", "The sale is over")):
        stub.world.refuse["admission"] = Refused(410, "sale-over", state=state)
        stub.world.refuse_times = 1
        page.reload()
        page.get_by_role("heading", name=heading).wait_for()
    assert stub.world.admissions == []


def test_a_preview_shows_the_page_and_lets_nobody_join(stub: Stub, page: Page) -> None:
    arrive(page, stub, "/e/demo/preview/abc")
    page.get_by_text("This is a preview. Buyers do not see this event yet").wait_for()
    page.get_by_role("heading", name="Prices").wait_for()
    assert page.locator("main a.primary, main button.primary").count() == 0


def test_waiting_goes_on_after_a_pause_and_after_a_cut_connection(stub: Stub, page: Page) -> None:
    stub.world.state, stub.world.polls_before_admission = "paused", 1_000
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="The sale is paused").wait_for()
    stub.world.state = "open"
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    page.context.set_offline(True)
    page.get_by_text("You are offline. Nothing is lost").wait_for()
    page.get_by_role("heading", name="The connection is lost").wait_for()
    stub.world.polls_before_admission = 0
    page.context.set_offline(False)
    let_in(page)


def test_waiting_goes_on_when_an_attempt_is_refused(stub: Stub, page: Page) -> None:
    """The gateway itself answers over a route's rate, without a code of ours."""
    throttled = Refused(429, "")
    throttled.body = {"message": "Too Many Requests"}
    stub.world.polls_before_admission = 1_000
    stub.world.refuse["queue"] = throttled
    arrive(page, stub, "/e/demo/wait")
    refusals = [
        throttled,
        *(Refused(403, code, retry_after=1) for code in ("not-admitted", "forbidden")),
        Refused(429, "too-early", retry_after=1),
        Refused(409, "token-redeemed", retry_after=1),
        Refused(401, "waiting-token-ended", retry_after=1),
    ]
    for refused in refusals:
        asked = len(stub.world.admissions)
        wait_until(partial(asked_again, stub, asked), "an attempt")
        stub.world.refuse, stub.world.refuse_times = {"admission": refused}, 1
        wait_until(lambda: stub.world.refuse_times == 0, "the refusal")
    stub.world.polls_before_admission = 0
    let_in(page)
    # The throttled one, and one each after a token that was used or had ended: all else keeps it.
    assert stub.world.reads["queue"] == 1 + 3


def asked_again(stub: Stub, before: int) -> bool:
    return len(stub.world.admissions) > before


def test_fees_are_shown_and_paying_is_repeated_when_the_card_was_declined(
    stub: Stub, page: Page
) -> None:
    stub.world.fees = {"order_minor": 250, "ticket_minor": 100}
    sale(page, stub, "102")
    page.get_by_text("One fee of €2.50 is added to each order.").first.wait_for()
    find_and_hold(page)
    page.get_by_text("Total€244.50").wait_for()
    check_out(page)
    page.get_by_text("Fee per order€2.50").wait_for()
    page.get_by_text("2 × fee per ticket€2").wait_for()
    page.get_by_role("button", name="Pay €244.50").click()
    page.get_by_role("button", name="Decline the card").click()
    page.get_by_text("Not paid yet. If the card was declined").wait_for()
    page.get_by_role("button", name="Go to the payment page").click()
    page.get_by_role("button", name="Pay", exact=True).click()
    page.get_by_role("heading", name="Your tickets").wait_for()
    page.get_by_text("Lights over the Harbour, 2 places").wait_for()
    page.get_by_text("2 × Fee per ticket€2").wait_for()
    page.get_by_text("Total€244.50").wait_for()
    assert page.locator("img.ticket").first.is_visible()


def test_a_buyer_without_sessions_left_is_told_before_the_wait(stub: Stub, either: Page) -> None:
    stub.world.sessions_left = 0
    arrive(either, stub, "/e/demo")
    either.get_by_text("You have used all your sessions for this event").wait_for()
    assert either.get_by_role("link", name="Get tickets").count() == 0
    # On the device that was inside, the waiting room knows it, too, before it takes a place.
    past = "key => localStorage.setItem(key, JSON.stringify('2020-01-01T00:00:00.000Z'))"
    either.evaluate(past, f"fairgate:inside:demo:{SUB}")
    either.goto(f"{stub.base_url}/#/e/demo/wait")
    either.get_by_role("heading", name="You cannot come in again").wait_for()
    either.locator("main").get_by_role("link", name="My orders").wait_for()
    assert fits(either)
    assert "queue" not in stub.world.asked


def test_who_may_not_buy_is_told_before_the_wait(stub: Stub, either: Page) -> None:
    stub.world.requires = {"verified_phone": True, "members": "fan-club", "account_days": 30}
    either.goto(f"{stub.base_url}/#/e/demo")
    either.get_by_text("Only members may buy tickets (fan-club).").wait_for()
    either.goto("about:blank")  # another fragment alone loads nothing
    arrive(either, stub, "/e/demo")
    either.get_by_text("Your account has no verified phone number").wait_for()
    assert either.get_by_role("link", name="Get tickets").count() == 0
    either.goto(f"{stub.base_url}/#/e/demo/wait")
    refused = either.get_by_role("heading", name="This sale is not open to your account")
    refused.wait_for()
    assert fits(either)
    assert "queue" not in stub.world.asked
    # What the page does not know, the service says.
    stub.world.requires = {}
    stub.world.refuse["queue"] = Refused(403, "not-eligible", reason="members")
    either.reload()
    either.get_by_text("Your account is no member").wait_for()
    refused.wait_for()


def test_who_has_what_the_event_requires_goes_in(stub: Stub, page: Page) -> None:
    stub.world.requires = {"verified_phone": True, "members": "gold,fan-club", "account_days": 30}
    told = {"since": "2020-01-01", "verified_phone": True, "memberships": ["fan-club"]}
    stub.world.account = told
    arrive(page, stub, "/e/demo/wait")
    page.wait_for_url("**/e/demo/in")
