"""A place is cancelled, staff gives money back: ended in the middle, begun again, done once."""

from __future__ import annotations

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.http import paths
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from tests.e2e import browser
from tests.e2e.ended import end_functions, killed, silent
from tests.e2e.shopper import Answer, Shopper, call, status_becomes
from tests.support.waiting import patience_s, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

BACK = "back"
FREE, SOLD = "0", "2"
REASON = "ill, and sorry"
BEFORE_IT_IS_SENT = """
from fairgate.service.refunds.refund_part import PartRefunder
PartRefunder.send = dies
"""
AFTER_IT_IS_SENT = """
from fairgate.service.refunds.refunds import Refunder
from fairgate_ops.operate.cli import order_staff
sent = order_staff._sent
order_staff._sent = lambda *given: (sent(*given), dies())
"""


@pytest.fixture(scope="module")
def _on_sale(system) -> None:
    sale = Sale(
        BACK,
        name="Back",
        sale_starts_in_s=1,
        tau_s=1,
        pow_bits=8,
        backoff_max_s=2,
        checkout_s=60,
        cancel_for_s=3_600,
    )
    put_on_sale(system.run_file, sale, demo_venue(200))


@pytest.fixture
def buyer(system, _on_sale) -> Shopper:
    """Somebody with two tickets."""
    shopper = Shopper(system.base_url, BACK)
    shopper.walk_in()
    assert shopper.hold_best(2).status == 201
    assert shopper.checkout().status == 201
    shopper.pay()
    shopper.order_becomes("ticketed")
    return shopper


def refunds(system, buyer: Shopper) -> list[int]:
    books = call(system.base_url, "GET", "/sandbox/v1/payments").body
    return [one["amount_minor"] for one in books["refunds"] if one["order"] == buyer.order]


def cancelled(buyer: Shopper, key: str, ticket: str) -> Answer:
    path = paths.ORDER_CANCEL.format(order=buyer.order)
    return buyer.call("POST", path, {"ticket": ticket}, {"idempotency-key": key})


def is_half(system, buyer: Shopper, place: dict[str, Any]) -> None:
    """One place is sold and one is free; what that one cost went back, once."""
    wait_until(lambda: refunds(system, buyer) == [place["refund_minor"]], "the refund", within_s=60)
    order = buyer.order_now()
    assert (order["state"], order["tickets"]) == ("ticketed", 1)
    assert [one["label"] for one in order["returned"]] == [place["label"]]
    status_becomes(system.base_url, BACK, place["seat"], FREE)
    [left] = order["cancellation"]["places"]
    status_becomes(system.base_url, BACK, left["seat"], SOLD)
    assert buyer.ticket().status == 200


def test_a_cancellation_that_is_ended_in_the_middle_is_done_once(system, buyer) -> None:
    place = buyer.order_now()["cancellation"]["places"][1]
    key = secrets.token_hex(16)
    with ThreadPoolExecutor(1) as pool, silent(system, "sandbox"):
        first = pool.submit(cancelled, buyer, key, place["tickets"][0])
        # It is decided, and the provider was not heard yet.
        wait_until(lambda: len(buyer.order_now()["returned"]) == 1, "the decision")
        end_functions(system)
        assert first.result(timeout=patience_s(60)).status >= 500
    # The provider may have taken the call whose answer nobody lived to hear.
    for _ in range(2):  # busy or not, as a page tries again
        wait_until(lambda: cancelled(buyer, key, place["tickets"][0]).status == 200, "the answer")
    is_half(system, buyer, place)
    other = cancelled(buyer, secrets.token_hex(16), place["tickets"][0])
    assert other.status == 200, other  # it is as it was asked for
    is_half(system, buyer, place)


def test_staff_gives_money_back_once_though_the_command_is_killed(system, buyer) -> None:
    words = ["orders", "refund", buyer.order, "--amount", "700", "--reason", REASON, "--yes"]
    killed(system, BEFORE_IT_IS_SENT, *words)
    assert refunds(system, buyer) == []
    killed(system, AFTER_IT_IS_SENT, *words)
    again = json.loads(system.fairgate(*words, "--json"))
    assert (again["again"], again["refund"]["state"]) == (True, "succeeded")
    assert refunds(system, buyer) == [700]
    log = json.loads(system.fairgate("event", "log", BACK, "--json"))["entries"]
    mine = [e for e in log if e["detail"].get("order") == buyer.order]
    assert {entry["phase"] for entry in mine} == {"asked", "done"}
    assert all(entry["detail"]["reason"] == REASON for entry in mine)
    assert buyer.order_now()["tickets"] == 2
    too_much = system.ran(*words[:4], "100000000", *words[5:], "--json")
    assert too_much.returncode == 1
    assert refunds(system, buyer) == [700]


@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
def test_a_page_that_was_answered_by_nobody_cancels_once(system, buyer) -> None:
    """The button works again after a failure, and says what went back; so does a new page."""
    place = buyer.order_now()["cancellation"]["places"][0]
    with browser.started() as chromium, browser.window(chromium, phone=True) as page:
        browser.open_signed_in(page, buyer, f"/o/{buyer.order}")
        page.locator("details.cancel summary").tap()
        button = page.locator("details.cancel li", has_text=place["label"]).get_by_role("button")
        button.tap()
        with silent(system, "sandbox"):
            button.tap()
            wait_until(lambda: len(buyer.order_now()["returned"]) == 1, "the decision")
            end_functions(system)
        _done_or_asked_again(page, button, place)
        page.reload()
        page.locator("ul.returned", has_text=place["label"]).wait_for()
        page.locator("img.ticket").first.wait_for()
    is_half(system, buyer, place)


@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
def test_a_page_says_what_staff_gave_back(system, buyer) -> None:
    words = ["orders", "refund", buyer.order, "--amount", "700", "--reason", REASON, "--yes"]
    killed(system, "dies_at_the_last_entry()", *words)
    system.fairgate(*words)
    with browser.started() as chromium, browser.window(chromium, phone=True) as page:
        browser.open_signed_in(page, buyer, f"/o/{buyer.order}")
        page.get_by_text("€7 was sent back to you").first.wait_for()
        page.locator("img.ticket").nth(1).wait_for()
    assert refunds(system, buyer) == [700]


def _done_or_asked_again(page: Page, button: Locator, place: dict[str, Any]) -> None:
    """The page has tried again by itself, or says so and lets its reader."""
    returned = page.locator("ul.returned", has_text=place["label"])
    refused = page.locator("details.cancel .notice")
    returned.or_(refused).first.wait_for(timeout=1_000 * patience_s(60))
    if refused.is_visible():
        button.tap()
    returned.wait_for()
