"""The console's orders on the real system: found by what buyers say, helped, told as a story."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

import pytest

from fairgate.domain.shared.jws import from_b64url
from tests.e2e import browser
from tests.e2e.shopper import ADMITTED_WITHIN_S, Shopper
from tests.e2e.test_console import enter
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page, Request

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


def test_a_locked_out_buyer_appeals_and_goes_on_with_the_same_number_when_a_person_lifts_it(
    system: Running, office: Page, chromium: Browser
) -> None:
    buyer = Shopper(system.base_url, system.event).sign_in()
    reason = "Forty accounts came from one machine"
    locked = ("desk", "extend", system.event, buyer.name, "--minutes", "30")
    system.fairgate(*locked, "--reason", reason)
    with browser.window(chromium, phone=True) as shop:
        tokens: list[str] = []
        shop.on("request", lambda one: tokens.extend(_shown_at_admission(one)))
        browser.open_signed_in(shop, buyer, f"/e/{system.event}/wait")
        shop.get_by_text(reason).wait_for(timeout=1_000 * patience_s(ADMITTED_WITHIN_S))
        shop.get_by_label("What should the person know?").fill("We are a school.")
        shop.get_by_role("button", name="Ask a person to look").tap()
        shop.locator(".notice", has_text="A person has been asked").wait_for()

        enter(office, system, "Owner", f"#/e/{system.event}/live")
        office.get_by_text("A buyer who is locked out asks that a person looks.").wait_for()
        office.get_by_role("link", name="People").click()
        appeal = office.get_by_role("region", name="Appeals").get_by_role("listitem")
        appeal = appeal.filter(has_text="We are a school.")
        appeal.get_by_text(reason).wait_for()
        appeal.get_by_role("button", name=f"Answer {buyer.name}").press("Enter")
        appeal.get_by_label("Why it is lifted").fill("Known to us")
        appeal.get_by_label("Why it is lifted").press("Enter")
        appeal.get_by_role("button", name="Lift it").press("Enter")
        appeal.wait_for(state="detached")

        shop.locator(".turn .primary").wait_for(timeout=1_000 * patience_s(ADMITTED_WITHIN_S))
    places = [json.loads(from_b64url(token.split(".")[1])) for token in tokens]
    assert len(places) > 1
    assert len({(one["id"], one["lot"], one["h"], one["iat"]) for one in places}) == 1


def _shown_at_admission(request: Request) -> list[str]:
    return [request.headers["x-fairgate-token"]] if request.url.endswith("/admission") else []
