"""Nobody loses a place when clocks jump, caches keep answers, or other buyers act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import fits, sale, sign_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

HOUR_S = 3_600
ENDED = "Please sign in again"


def pass_time(page: Page, stub: Stub, seconds: float) -> None:
    """Let the time jump, in the page as in the service: timers in between fire once at most."""
    stub.world.ahead_s += seconds
    page.clock.fast_forward(round(seconds * 1000))


def waiting(page: Page, stub: Stub, seconds: float = 2.0) -> None:
    """Bring a buyer into the waiting room, who asks every few ``seconds``; await the first time."""
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, seconds
    page.clock.install()
    sign_in(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    assert eventually(lambda: len(stub.world.admissions) > 0)


def goes_on(stub: Stub) -> None:
    """Await two more attempts of the page."""
    asked = len(stub.world.admissions)
    assert eventually(lambda: len(stub.world.admissions) > asked + 1)


def go_on(page: Page) -> None:
    page.locator("main").get_by_role("button", name="Sign in again").click()
    page.get_by_role("button", name="Continue as a new guest").click()


def one_line(stub: Stub) -> bool:
    """Return whether every attempt came with an earlier answer's token: nobody joined again.

    A jump of the time may lose the answer that is on its way; the next attempt then comes with the
    same place as the one before.
    """
    given = [int(token.removeprefix("wt-")) for token in stub.world.admissions]
    kept = given == sorted(given) and all(n <= at for at, n in enumerate(given))
    return kept and stub.world.reads["queue"] == 1


def landing(page: Page, stub: Stub) -> None:
    page.goto(f"{stub.base_url}/#/e/demo")
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()


def test_the_place_is_kept_when_the_device_slept_for_three_hours(stub: Stub, page: Page) -> None:
    stub.world.place_s = 4 * HOUR_S
    waiting(page, stub)
    pass_time(page, stub, 3 * HOUR_S)
    page.get_by_role("heading", name=ENDED).wait_for()
    stub.world.polls_before_admission = len(stub.world.admissions) + 1
    go_on(page)
    page.get_by_role("heading", name="You are in", exact=True).wait_for()
    assert one_line(stub)


def test_the_place_is_kept_when_the_service_says_that_the_sign_in_ended(
    stub: Stub, phone: Page
) -> None:
    waiting(phone, stub)
    for code in ("sign-in-ended", "unauthenticated"):
        for token in stub.world.sign_ins:
            stub.world.sign_ins[token] = 0.0
        stub.world.refuse["admission"], stub.world.refuse_times = Refused(401, code), 1
        phone.get_by_role("heading", name=ENDED).wait_for()
        assert fits(phone)
        go_on(phone)
        goes_on(stub)
    assert one_line(stub)


def test_nobody_is_asked_to_sign_in_when_the_page_stays_open_for_hours(
    stub: Stub, page: Page
) -> None:
    stub.world.place_s = 4 * HOUR_S
    waiting(page, stub)
    for hours in (1.6, 1.6, 1.6):
        stub.world.reads["renew"] = 0
        pass_time(page, stub, hours * HOUR_S)
        assert eventually(lambda: stub.world.reads["renew"] > 0)
        stub.world.reads["admission"] = 0
        assert eventually(lambda: stub.world.reads["admission"] > 0)
    assert page.get_by_role("heading", name="You are in the waiting room").is_visible()
    assert one_line(stub)
    assert stub.world.reads["exchange"] == 1


def test_the_sign_in_is_renewed_when_the_network_was_cut_at_its_time(
    stub: Stub, page: Page
) -> None:
    stub.world.place_s = 4 * HOUR_S
    waiting(page, stub)
    page.context.set_offline(True)
    page.get_by_role("heading", name="The connection is lost").wait_for()
    pass_time(page, stub, 1.6 * HOUR_S)
    page.get_by_role("heading", name="The connection is lost").wait_for()
    assert "renew" not in stub.world.reads
    page.context.set_offline(False)
    assert eventually(lambda: stub.world.reads.get("renew", 0) == 1)
    goes_on(stub)  # the answer is there: a jump of the time would lose it
    pass_time(page, stub, HOUR_S)  # 2.6 hours after the sign-in
    goes_on(stub)
    page.get_by_role("heading", name="You are in the waiting room").wait_for()
    assert one_line(stub)


def test_a_renewal_that_fails_is_tried_seldom_and_when_the_service_says(
    stub: Stub, page: Page
) -> None:
    stub.world.place_s = 4 * HOUR_S
    stub.world.refuse["renew"] = Refused(503, "dependency-unavailable", retry_after=900)
    stub.world.refuse_times = 99
    waiting(page, stub, seconds=0.5)
    pass_time(page, stub, 1.6 * HOUR_S)
    assert eventually(lambda: stub.world.reads.get("renew") == 1)
    for _ in range(6):  # to the end of the sign-in, three minutes on at a time
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        goes_on(stub)  # the answer is there: a jump of the time would lose it
        pass_time(page, stub, 0.05 * HOUR_S)
    assert stub.world.reads["renew"] <= 2
    stub.world.refuse_times = 0
    goes_on(stub)  # as above
    pass_time(page, stub, 900 / 3600)
    page.get_by_role("heading", name="You are in the waiting room").wait_for()


def test_the_buyer_joins_again_when_the_waiting_token_ended(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    stub.world.refuse["queue"] = Refused(503, "dependency-unavailable", retry_after=1)
    stub.world.polls_before_admission = len(stub.world.admissions) + 2
    pass_time(page, stub, HOUR_S)  # within the sign-in, beyond the place
    page.get_by_role("heading", name="The service is very busy").wait_for()
    kept = page.evaluate("localStorage.getItem('fairgate:place:demo:guest-7')")
    assert kept is not None  # until the new one is there
    page.get_by_role("heading", name="You are in", exact=True).wait_for()
    assert stub.world.admissions.count("wt-0") == 2
    assert stub.world.reads["queue"] == 3


def test_the_way_in_appears_when_its_time_comes_and_changes_when_the_sale_starts(
    stub: Stub, phone: Page
) -> None:
    stub.world.sale_starts_at = stub.world.now() + 1_860
    stub.world.kept_s["venue"] = 2 * HOUR_S  # a cache's old answer does not set the clock back
    phone.clock.install()
    landing(phone, stub)
    phone.get_by_text("The waiting room opens half an hour before the sale.").wait_for()
    assert phone.locator(".hero .primary").count() == 0
    pass_time(phone, stub, 61)
    phone.get_by_role("button", name="Enter the waiting room").wait_for()
    assert fits(phone)
    phone.get_by_text("Coming up").wait_for()
    pass_time(phone, stub, 1_801)
    phone.get_by_role("button", name="Get tickets").wait_for()
    phone.get_by_text("On sale", exact=True).wait_for()


def test_a_pause_and_a_sell_out_are_seen_when_the_landing_page_stays_open(
    stub: Stub, page: Page
) -> None:
    page.clock.install()
    landing(page, stub)
    page.get_by_role("button", name="Get tickets").wait_for()
    reads = stub.world.reads["event"]
    pass_time(page, stub, 13)
    stub.world.state = "paused"
    pass_time(page, stub, 1)
    assert stub.world.reads["event"] == reads  # not before 15 s
    pass_time(page, stub, 17)
    hero = page.locator(".hero")
    hero.get_by_text("The sale is paused. You keep your place").wait_for()
    page.context.set_offline(True)
    stub.world.state = "soldout"
    pass_time(page, stub, 31)
    assert hero.get_by_text("The sale is paused.").is_visible()
    page.context.set_offline(False)
    hero.get_by_text("Sold out. Every seat has a ticket.").wait_for()
    assert page.locator(".hero .primary").count() == 0


def test_the_focus_stays_when_the_state_is_read_again(stub: Stub, page: Page) -> None:
    page.clock.install()
    landing(page, stub)
    button = page.get_by_role("button", name="Get tickets")
    button.focus()
    handle = button.element_handle()
    reads = stub.world.reads["event"]
    pass_time(page, stub, 31)
    assert eventually(lambda: stub.world.reads["event"] > reads)
    pass_time(page, stub, 1)
    assert page.evaluate("button => document.activeElement === button", handle)
    stub.world.state = "paused"  # drawn again: the focus goes to the button in its place
    paused = page.locator(".hero").get_by_text("The sale is paused.")
    for _ in range(5):  # a jump of the time may lose the answer that is on its way
        pass_time(page, stub, 31)
        if eventually(paused.is_visible, within_s=4):
            break
    assert paused.is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Get tickets"


def press(page: Page, target: Locator) -> None:
    target.scroll_into_view_if_needed()
    target.hover()
    page.mouse.down()


def test_no_click_is_lost_when_others_buy_between_press_and_release(stub: Stub, page: Page) -> None:
    sale(page, stub)
    press(page, page.locator("button[data-place='102']"))
    stub.world.taken.add("102-C-1")
    page.locator("button[data-place='102']").get_by_text("139 seats left").wait_for()
    page.mouse.up()
    page.get_by_role("button", name="Show as a list").click()
    row = page.locator("summary", has_text="Row C")
    row.click()
    press(page, page.locator("[data-seat='102-C-4']"))
    stub.world.taken.add("102-C-2")
    row.get_by_text("12 seats free").wait_for()
    page.mouse.up()
    page.get_by_text("Chosen: 1 seat").wait_for()
    press(page, page.locator(".panel").get_by_role("button", name="Hold 1 seat"))
    stub.world.taken.add("102-C-3")
    row.get_by_text("11 seats free").wait_for()
    page.mouse.up()
    page.get_by_text("Held for you: Section 102 · Row C, seat 4.").wait_for()
    press(page, page.get_by_role("button", name="Give back"))
    stub.world.taken.add("102-C-5")
    row.get_by_text("10 seats free").wait_for()
    page.mouse.up()
    page.get_by_text("Given back.").wait_for()
    assert stub.world.holds == []


def test_the_focus_stays_or_goes_to_the_next_when_others_buy(stub: Stub, page: Page) -> None:
    focused = (
        "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    )
    sale(page, stub, "102")
    page.get_by_role("button", name="Show as a list").click()
    row = page.locator("summary", has_text="Row C")
    row.click()
    for seat in (4, 5):
        page.locator(f"[data-seat='102-C-{seat}']").click()
    page.get_by_role("button", name="Do not take Row C, seat 4").focus()
    stub.world.taken.add("102-C-9")
    row.get_by_text("13 seats free").wait_for()
    assert page.evaluate(focused) == "Do not take Row C, seat 4"
    stub.world.taken.add("102-C-4")
    page.get_by_text("Chosen: 1 seat").wait_for()
    assert page.evaluate(focused) == "Do not take Row C, seat 5"
    page.locator(".panel").get_by_role("button", name="Hold 1 seat").focus()
    stub.world.taken.add("102-C-10")
    row.get_by_text("11 seats free").wait_for()
    assert page.evaluate(focused) == "Hold 1 seat"
