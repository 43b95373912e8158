"""Waiting for the turn to pay in a real browser: seats are kept, and the page goes on alone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.e2e.stub.answers import Refused, stamp
from tests.e2e.stub.server import Stub
from tests.edge.test_order_page import order_page
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.web_tools import fits, sale

if TYPE_CHECKING:
    from playwright.sync_api import Page


def waits(stub: Stub, seconds: int, reason: str = "busy", *, times: int = 1) -> None:
    held_until = stamp(time.time() + 700)
    stub.world.refuse["checkout"] = Refused(
        429, "payment-waits", reason=reason, held_until=held_until, retry_after=seconds
    )
    stub.world.refuse_times = times


def tried(stub: Stub) -> list[str]:
    return [key for route, key in stub.world.keys if route == "checkout"]


def test_checkout_waits_for_its_turn_longer_than_the_session_lasts(
    stub: Stub, either: Page
) -> None:
    either.clock.install()
    sale(either, stub, seconds=120)
    find_and_hold(either)
    check_out(either)
    waits(stub, 300, times=2)
    either.get_by_role("button", name="Pay €").click()
    either.get_by_text("Many buyers are paying just now. Your seats are kept.").first.wait_for()
    assert fits(either)
    either.clock.run_for(200_000)
    either.get_by_text("Payment opens in 1:").wait_for()
    assert len(tried(stub)) == 1
    stub.world.session_ends = time.time() + 1_000
    either.clock.run_for(101_000)
    either.get_by_text("Payment opens in 5:00").wait_for()
    either.clock.run_for(301_000)
    either.get_by_role("button", name="Pay", exact=True).wait_for()
    assert len(tried(stub)) == 3
    assert len(set(tried(stub))) == 1, "one key, so that waiting writes nothing"


def test_an_order_says_when_payment_opens_again(stub: Stub, phone: Page) -> None:
    order_page(phone, stub, "pending")
    waits(stub, 30, "away")
    phone.get_by_role("button", name="Go to the payment page").click()
    phone.get_by_text("The payment provider does not answer at the moment.").first.wait_for()
    phone.get_by_text("Payment opens in 0:").wait_for()
    assert fits(phone)
    phone.clock.run_for(31_000)
    phone.get_by_role("button", name="Pay", exact=True).wait_for()
