"""Accepting the seller's terms at checkout, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.answers import Refused
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.web_tools import fits, sale

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

TERMS = "https://example.org/terms-1"


def test_nothing_is_ordered_until_the_box_is_ticked(stub: Stub, either: Page) -> None:
    stub.world.sellers = {"terms_url": TERMS}
    sale(either, stub)
    find_and_hold(either)
    check_out(either)
    box = either.get_by_role("checkbox", name="I accept the terms of the seller")
    link = either.get_by_role("link", name="terms of the seller")
    assert (link.get_attribute("href"), link.get_attribute("target")) == (TERMS, "_blank")
    either.get_by_role("button", name="Pay €").click()
    assert box.evaluate("one => one === document.activeElement")
    assert "checkout" not in stub.world.asked
    assert fits(either)
    box.check()
    either.get_by_role("button", name="Pay €").click()
    either.get_by_role("button", name="Pay", exact=True).wait_for()
    assert stub.world.accepted_terms == TERMS


@pytest.mark.parametrize(
    ("language", "before", "said"),
    [
        ("en", "", "The seller has new terms. Please read and accept them."),
        ("de", "https://example.org/terms-0", "Der Verkäufer hat neue AGB."),
    ],
)
def test_terms_that_are_new_since_the_page_was_opened_are_asked_for_in_its_language(
    stub: Stub, phone: Page, language: str, before: str, said: str
) -> None:
    stub.world.sellers = {"terms_url": before or None}
    sale(phone, stub)
    find_and_hold(phone)
    check_out(phone)
    phone.locator("#language select").select_option(language)
    phone.locator(f"html[lang={language}]").wait_for()
    box, pay = phone.get_by_role("checkbox"), phone.locator("form .primary")
    if before:
        box.check()
    stub.world.refuse["checkout"] = Refused(
        400, "malformed-input", "Please accept", field="terms", terms_url=TERMS
    )
    pay.click()
    phone.get_by_text(said).wait_for()
    assert phone.locator(".consent a").get_attribute("href") == TERMS
    assert not box.is_checked()
    box.check()
    pay.click()
    phone.get_by_role("button", name="Pay", exact=True).wait_for()
    assert stub.world.accepted_terms == TERMS
