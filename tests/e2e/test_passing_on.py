"""A ticket goes from one account to another in the running system, though answers are lost."""

from __future__ import annotations

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from fairgate.http import paths
from tests.e2e.selling import sell
from tests.e2e.shopper import Answer, Shopper
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSED = "passed"
PASS_ON = "Pass a ticket on to somebody else"


@pytest.fixture(scope="module")
def on_sale(system) -> str:
    sell(system, PASSED, 400, name="Passed on", cancel_for_s=3_600, transfer_for_s=3_600)
    return PASSED


@pytest.fixture
def ann(system, on_sale) -> Shopper:
    """With two tickets."""
    return Shopper(system.base_url, on_sale).buy()


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


def test_a_buyer_who_lost_the_answer_asks_again_and_has_one_ticket(system, ann, tmp_path) -> None:
    withdrawn, bob = offer(ann), guest(system)
    path = paths.TICKET_OFFER.format(order=ann.order, ticket=withdrawn["ticket"])
    assert [ann.call("DELETE", path).status for _ in range(2)] == [204, 204]
    refused = accept(bob, withdrawn["token"])
    assert (refused.status, refused.body["reason"]) == (409, "withdrawn")
    made = offer(ann)
    assert made["token"] != withdrawn["token"]
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


def test_one_buyer_has_the_ticket_when_many_accept_at_once(system, ann) -> None:
    token = offer(ann)["token"]
    crowd = [guest(system) for _ in range(4)]
    with ThreadPoolExecutor(len(crowd)) as pool:
        answers = list(pool.map(lambda one: accept(one, token), crowd))
    assert sorted(answer.status for answer in answers) == [200, 409, 409, 409]
    held = [one.call("GET", paths.HELD_TICKETS).body["orders"] for one in crowd]
    assert [len(orders) for orders in held].count(1) == 1


def sign_in(page: Page) -> None:
    page.locator("#main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()


def test_a_friend_opens_the_link_breaks_off_and_takes_it_later(system, ann, phone: Page) -> None:
    link = offer(ann)["link"]
    phone.goto(link)
    sign_in(phone)
    phone.get_by_role("heading", name="A ticket for you").wait_for()
    phone.goto("about:blank")  # looked only: nothing has changed
    assert ann.order_now()["transfer"]["tickets"][0]["state"] == "offered"
    phone.goto(link)
    phone.get_by_role("button", name="Take this ticket").click()
    phone.get_by_role("heading", name="Your ticket").wait_for()
    phone.locator("img.ticket").wait_for()
    phone.goto(link)  # once more: the ticket that it has become
    phone.locator("img.ticket").wait_for()
    phone.get_by_role("link", name="My orders").first.click()
    phone.get_by_role("heading", name="Passed on to you").wait_for()
    assert [one["state"] for one in ann.order_now()["transfer"]["tickets"]] == ["good", "passed-on"]
