"""A ticket goes from one account to another in the running system, though answers are lost."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from fairgate.http import paths
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from tests.e2e import browser
from tests.e2e.shopper import Answer, Shopper
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSED = "passed"
PASS_ON = "Pass a ticket on to somebody else"


@pytest.fixture(scope="module")
def on_sale(system) -> str:
    sale = Sale(
        PASSED,
        name="Passed on",
        sale_starts_in_s=1,
        tau_s=1,
        pow_bits=8,
        backoff_max_s=2,
        checkout_s=60,
        cancel_for_s=3_600,
        transfer_for_s=3_600,
    )
    put_on_sale(system.run_file, sale, demo_venue(400))
    return PASSED


@pytest.fixture
def ann(system, on_sale) -> Shopper:
    """With two tickets."""
    shopper = Shopper(system.base_url, on_sale)
    shopper.walk_in()
    assert shopper.hold_best(2).status == 201
    assert shopper.checkout().status == 201
    shopper.pay()
    shopper.order_becomes("ticketed")
    return shopper


def guest(system) -> Shopper:
    return Shopper(system.base_url, PASSED).sign_in()


def offer(shopper: Shopper, number: int = 0) -> dict[str, Any]:
    ticket = shopper.order_now()["transfer"]["tickets"][number]["ticket"]
    answer = shopper.call("POST", paths.TICKET_OFFER.format(order=shopper.order, ticket=ticket))
    assert answer.status == 201, answer
    return dict(answer.body)


def accept(shopper: Shopper, token: str, **headers: str) -> Answer:
    return shopper.call("POST", paths.TRANSFERS, {"token": token}, headers)


def hang_up(shopper: Shopper, token: str, key: str) -> None:
    """Ask, and be gone before the answer comes."""
    address = urlsplit(shopper.base_url)
    connection = http.client.HTTPConnection(
        address.hostname or "", address.port, timeout=patience_s(10)
    )
    headers = {**shopper.auth, "content-type": "application/json", "idempotency-key": key}
    connection.request("POST", paths.TRANSFERS, json.dumps({"token": token}).encode(), headers)
    connection.close()


def picture(shopper: Shopper, order: str, unit: int = 0) -> Answer:
    return shopper.call("GET", paths.TICKET_SVG.format(order=order) + f"?unit={unit}")


def void_list(system, tmp_path) -> set[str]:
    file = tmp_path / "void.json"
    system.fairgate("ticket", "void-list", PASSED, "--out", str(file))
    return set(json.loads(file.read_text())["void"])


def test_who_lost_the_answer_asks_again_and_has_one_ticket(system, ann, tmp_path) -> None:
    made, bob = offer(ann), guest(system)
    assert offer(ann) == made  # again: the same link
    hang_up(bob, made["token"], "again")
    answer = accept(bob, made["token"], **{"idempotency-key": "again"})
    assert answer.status == 200, answer
    assert accept(bob, made["token"]).body["ticket"] == answer.body["ticket"]
    [held] = bob.call("GET", paths.HELD_TICKETS).body["orders"]
    assert [one["ticket"] for one in held["transfer"]["tickets"]] == [answer.body["ticket"]]
    order = ann.order_now()
    assert order["tickets"] == 1
    states = [one["state"] for one in order["transfer"]["tickets"]]
    assert states == ["good", "passed-on"]
    assert picture(bob, ann.order).status == 200
    assert picture(bob, ann.order, 1).status == 404
    assert (ann.ticket().status, ann.ticket(1).status) == (200, 404)
    assert made["ticket"] in void_list(system, tmp_path)
    assert answer.body["ticket"] not in void_list(system, tmp_path)
    said = json.dumps([held, answer.body])
    assert ann.name not in said
    assert "ann@example.com" not in said
    assert bob.name not in json.dumps(order)
    refused = ann.call("POST", paths.ORDER_CANCEL.format(order=ann.order))
    assert (refused.status, refused.body["reason"]) == (409, "passed-on")


def test_of_many_who_accept_at_once_one_has_the_ticket(system, ann) -> None:
    token = offer(ann)["token"]
    crowd = [guest(system) for _ in range(4)]
    with ThreadPoolExecutor(len(crowd)) as pool:
        answers = list(pool.map(lambda one: accept(one, token), crowd))
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    held = [one.call("GET", paths.HELD_TICKETS).body["orders"] for one in crowd]
    assert [len(orders) for orders in held].count(1) == 1


def test_what_was_withdrawn_is_good_for_nobody(system, ann) -> None:
    made = offer(ann)
    path = paths.TICKET_OFFER.format(order=ann.order, ticket=made["ticket"])
    assert [ann.call("DELETE", path).status for _ in range(2)] == [204, 204]
    answer = accept(guest(system), made["token"])
    assert (answer.status, answer.body["reason"]) == (409, "withdrawn")
    assert offer(ann)["token"] != made["token"]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser.started() as running:
        yield running


def sign_in(page: Page) -> None:
    page.locator("#main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()


@pytest.mark.skipif(bool(browser.missing()), reason=browser.missing() or "")
def test_a_friend_opens_the_link_breaks_off_and_takes_it_later(
    system, ann, chromium: Browser
) -> None:
    link = offer(ann)["link"]
    with browser.window(chromium, phone=True) as page:
        page.goto(link)
        sign_in(page)
        page.get_by_role("heading", name="A ticket for you").wait_for()
        page.goto("about:blank")  # looked only: nothing has changed
        assert ann.order_now()["transfer"]["tickets"][0]["state"] == "offered"
        page.goto(link)
        page.get_by_role("button", name="Take this ticket").click()
        page.get_by_role("heading", name="Your ticket").wait_for()
        page.locator("img.ticket").wait_for()
        page.goto(link)  # once more: the ticket that it has become
        page.locator("img.ticket").wait_for()
        page.get_by_role("link", name="My orders").first.click()
        page.get_by_role("heading", name="Passed on to you").wait_for()
    assert [one["state"] for one in ann.order_now()["transfer"]["tickets"]] == [
        "good",
        "passed-on",
    ]
