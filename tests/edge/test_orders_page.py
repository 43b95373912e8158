"""The list of a buyer's orders in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.bought import of_order
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import arrive, fits

if TYPE_CHECKING:
    from playwright.sync_api import Page

STATES = ("ticketed", "refunded", "pending", "cancelled", "expired")
LONG = "A very long name of an evening with the orchestra of the harbour, in the open air"


def buy(stub: Stub, count: int) -> list[dict[str, Any]]:
    stub.inside()
    stub.hold({"seats": ["101-A-1"]})
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    made = stub.order()
    stub.world.bought = [
        of_order(
            made,
            LONG if number == 1 else f"Evening {number}",
            order=f"ord_{number:032x}_{number:08x}",
            state=STATES[number % len(STATES)],
            returned_minor=1_250 if number == 1 else 0,
        )
        for number in range(count)
    ]
    return stub.world.bought


def names(page: Page) -> list[str]:
    return page.locator("ul.events .event-name").all_inner_texts()


def test_the_newest_stand_first_and_older_ones_come_when_asked_for(
    stub: Stub, either: Page
) -> None:
    bought = buy(stub, 5)
    arrive(either, stub, "/orders")
    either.get_by_role("heading", name="My orders").wait_for()
    assert names(either) == [one["event_name"] for one in bought[:2]]
    assert "goes back" not in either.locator("ul.events > li").first.inner_text()
    assert "€12.50 sent back" in either.locator("ul.events > li").nth(1).inner_text()
    assert fits(either)
    either.get_by_role("button", name="Older orders").click()
    either.locator("ul.events > li").nth(3).wait_for()
    assert either.evaluate("document.activeElement.textContent").count(bought[2]["event_name"])
    either.get_by_role("button", name="Older orders").click()
    either.locator("ul.events > li").nth(4).wait_for()
    assert either.get_by_role("button", name="Older orders").count() == 0
    assert names(either) == [one["event_name"] for one in bought]


def test_the_list_stays_when_older_orders_do_not_come(stub: Stub, phone: Page) -> None:
    buy(stub, 3)
    arrive(phone, stub, "/orders")
    phone.get_by_role("button", name="Older orders").wait_for()
    stub.world.refuse["orders"] = Refused(400, "malformed-input")
    phone.get_by_role("button", name="Older orders").click()
    phone.get_by_text("The older orders could not be loaded.").wait_for()
    assert len(names(phone)) == 2
    phone.get_by_role("button", name="Older orders").click()
    phone.locator("ul.events > li").nth(2).wait_for()


def test_the_list_opens_from_every_page_and_an_order_from_the_list(stub: Stub, phone: Page) -> None:
    arrive(phone, stub, "/orders")
    phone.get_by_text("You have not ordered anything with this sign-in").wait_for()
    buy(stub, 0)
    phone.get_by_role("link", name="All events").click()
    phone.get_by_role("heading", name="Events").wait_for()
    phone.get_by_role("link", name="My orders").click()
    phone.get_by_role("heading", name="My orders").wait_for()
    phone.locator("ul.events a").click()
    phone.locator("img.ticket").wait_for()
