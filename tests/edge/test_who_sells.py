"""Who sells and where to ask, below the pages of an event in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.server import Stub
from tests.edge.test_order_page import order_page
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.web_tools import fits, sale

if TYPE_CHECKING:
    from playwright.sync_api import Page

SELLER = {
    "seller_name": "Tides & Sons, a seller whose name has many letters",
    "contact_mail": "box-office@example.org",
    "contact_phone": "+49 (0)40 123",
    "imprint_url": "https://example.org/imprint",
    "terms_url": None,
    "privacy_url": "https://example.org/privacy",
}
LINKS = {
    "box-office@example.org": "mailto:box-office@example.org",
    "+49 (0)40 123": "tel:+49040123",
    "Imprint": "https://example.org/imprint",
    "Privacy": "https://example.org/privacy",
}


def links_below(page: Page) -> dict[str, str | None]:
    found = page.locator("#seller a").all()
    assert all("noopener" in (one.get_attribute("rel") or "noopener") for one in found)
    return {one.inner_text(): one.get_attribute("href") for one in found}


@pytest.fixture
def sold(stub: Stub) -> Stub:
    stub.world.sellers = dict(SELLER)
    return stub


def test_it_stands_below_the_pages_of_the_event_and_no_other(sold: Stub, either: Page) -> None:
    sale(either, sold)
    find_and_hold(either)
    check_out(either)
    assert links_below(either) == LINKS
    assert fits(either)
    either.get_by_role("link", name="Fairgate").click()
    either.get_by_role("link", name="Lights over the Harbour").first.wait_for()
    assert links_below(either) == {}


def test_the_page_of_an_order_says_where_to_ask(sold: Stub, phone: Page) -> None:
    order_page(phone, sold)
    phone.locator("main").get_by_role("link", name="box-office@example.org").wait_for()
    assert links_below(phone) == LINKS
    assert fits(phone)


def test_what_is_no_https_address_is_no_link(sold: Stub, phone: Page) -> None:
    sold.world.sellers |= {"imprint_url": "javascript:alert(1)", "privacy_url": "http://a.example"}
    phone.goto(f"{sold.base_url}/#/e/demo")
    phone.get_by_text("Sold by Tides & Sons").wait_for()
    assert phone.locator("#seller").get_by_text("Imprint").count() == 0
    assert len(links_below(phone)) == 2
