"""The console's orders on the real system: found by what buyers say, helped, told as a story."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.shopper import Shopper
from tests.e2e.test_console import enter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.support.running import Running


@pytest.fixture
def office(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def see_a_refund(page: Page, amount: str, why: str) -> None:
    page.get_by_role("button", name="Refund a part").click()
    page.get_by_label("Amount").fill(amount)
    page.get_by_label("Why").fill(why)
    page.get_by_role("button", name="See what it does").click()
    page.get_by_role("row", name=f"Given back €0.00 €{amount}").wait_for()


def refund_it(page: Page) -> None:
    page.get_by_role("button", name="Refund it").click()
    page.get_by_role("dialog", name="This cannot be undone").get_by_text("Do it").click()


def test_an_order_is_found_by_its_address_and_a_part_goes_back(
    system: Running, office: Page
) -> None:
    email = f"finch-{secrets.token_hex(4)}@example.com"
    buyer = Shopper(system.base_url, system.event).buy(1, email)
    enter(office, system, "Owner", f"#/e/{system.event}/orders")
    office.get_by_label("Name, mail address").fill(email)
    office.get_by_label("Name, mail address").press("Enter")
    office.get_by_role("link", name=buyer.order).click()
    office.get_by_text(email).wait_for()
    assert "@" not in office.url + office.title()

    see_a_refund(office, "2.50", "Late start")
    shown = system.fairgate("orders", "show", buyer.order, "--json")
    assert '"back_minor": 0,' in shown  # only said so far
    refund_it(office)

    story = office.get_by_role("list").filter(has_text="Refunded in part").get_by_role("listitem")
    story.filter(has_text="Late start").wait_for()
    told = story.all_inner_texts()
    assert [one.split("\n")[0] for one in told][:3] == ["Ordered", "Paid", "Tickets made"]
    assert "€2.50" in told[-1] or "€2.50" in told[-2]
    assert "by sign-in owner|owner" in "".join(told)
    office.get_by_role("button", name="What is stored about them").click()
    office.get_by_text("At an erasure", exact=True).wait_for()
    assert buyer.name not in office.url + office.title()
