"""A returned place and a staff refund are done once, also when they are killed and begun again."""

from __future__ import annotations

import json
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.http import paths
from tests.e2e import browser
from tests.e2e.ended import end_functions, killed, silent
from tests.e2e.selling import books, sell
from tests.e2e.shopper import Answer, Shopper, status_becomes
from tests.support.waiting import patience_s, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

BACK = "back"
FREE, SOLD = "0", "2"
AT_ONCE = 5
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
    sell(system, BACK, cancel_for_s=3_600)


@pytest.fixture
def buyer(system, _on_sale) -> Shopper:
    """Somebody with two tickets."""
    return Shopper(system.base_url, BACK).buy()


def refunds(system, buyer: Shopper) -> list[int]:
    return [r["amount_minor"] for r in books(system)["refunds"] if r["order"] == buyer.order]


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
    # The provider may have taken the call whose caller was killed before the answer.
    for _ in range(2):  # busy or not, as a page tries again
        wait_until(lambda: cancelled(buyer, key, place["tickets"][0]).status == 200, "the answer")
    is_half(system, buyer, place)
    other = cancelled(buyer, secrets.token_hex(16), place["tickets"][0])
    assert other.status == 200, other  # it is as it was asked for
    is_half(system, buyer, place)


def test_each_of_many_equal_requests_at_once_is_answered(system, buyer) -> None:
    """A browser that repeats, two tabs, a phone: all hear the same, and it is done once."""
    places = buyer.order_now()["cancellation"]["places"]
    one = places[0]["tickets"][0]
    path = paths.ORDER_CANCEL.format(order=buyer.order)
    whole = [lambda: buyer.call("POST", path, {}, {"idempotency-key": secrets.token_hex(16)})]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for request in ([lambda: cancelled(buyer, secrets.token_hex(16), one)], whole):
            answers = list(pool.map(lambda ask: ask(), request * AT_ONCE))
            assert [answer.status for answer in answers] == [200] * AT_ONCE, [
                a.data for a in answers if a.status != 200
            ]
    given = [places[0]["refund_minor"], places[1]["refund_minor"]]
    wait_until(lambda: sorted(refunds(system, buyer)) == sorted(given), "the refunds")


def test_staff_gives_money_back_once_though_the_command_is_killed(system, buyer) -> None:
    words = ["orders", "refund", buyer.order, "--amount", "7", "--reason", REASON, "--yes"]
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


def test_a_page_that_was_answered_by_nobody_cancels_once(system, buyer, phone) -> None:
    """The button works again after a failure, and says what went back; so does a new page."""
    place = buyer.order_now()["cancellation"]["places"][0]
    browser.open_signed_in(phone, buyer, f"/o/{buyer.order}")
    phone.locator("details.cancel summary").tap()
    button = phone.locator("details.cancel li", has_text=place["label"]).get_by_role("button")
    button.tap()
    with silent(system, "sandbox"):
        button.tap()
        wait_until(lambda: len(buyer.order_now()["returned"]) == 1, "the decision")
        end_functions(system)
    _done_or_asked_again(phone, button, place)
    phone.reload()
    phone.locator("ul.returned", has_text=place["label"]).wait_for()
    phone.locator("img.ticket").first.wait_for()
    is_half(system, buyer, place)


def _done_or_asked_again(page: Page, button: Locator, place: dict[str, Any]) -> None:
    """The page has tried again by itself, or says so and lets its reader."""
    returned = page.locator("ul.returned", has_text=place["label"])
    refused = page.locator("details.cancel .notice")
    returned.or_(refused).first.wait_for(timeout=1_000 * patience_s(60))
    if refused.is_visible():
        button.tap()
    returned.wait_for()
