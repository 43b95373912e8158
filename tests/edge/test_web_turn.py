"""The way into the room: links, the check without a worker, and a page that comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.server import Stub
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.test_web_room import INSIDE
from tests.edge.web_tools import arrive, sale
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize("query", ["?code=SPRING", "?state=by", "?error=1", "?code=SPRING&error=1"])
def test_a_link_with_words_of_its_own_leads_where_it_says(
    stub: Stub, page: Page, query: str
) -> None:
    page.goto(f"{stub.base_url}/{query}#/e/demo")
    page.get_by_role("heading", name=INSIDE).wait_for()
    assert page.url == f"{stub.base_url}/{query}#/e/demo"


def test_a_link_that_looks_like_an_answer_still_leads_where_it_says(stub: Stub, page: Page) -> None:
    page.goto(f"{stub.base_url}/?code=SPRING&state=by#/e/demo")
    page.get_by_text("not begun in this window").wait_for()
    assert page.url == f"{stub.base_url}/#/e/demo"
    assert "exchange" not in stub.world.reads


MUTE = "postMessage() {} terminate() {}"


@pytest.mark.parametrize(
    "worker",
    [
        "undefined",
        "class { constructor() { throw new DOMException('blocked', 'SecurityError'); } }",
        f"class {{ constructor() {{ setTimeout(() => this.onerror()); }} {MUTE} }}",
        f"class {{ {MUTE} }}",
    ],
    ids=["missing", "refused", "failing", "silent"],
)
def test_the_check_runs_on_the_page_when_no_worker_does(
    stub: Stub, page: Page, worker: str
) -> None:
    page.add_init_script(f"window.Worker = {worker};")
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name=INSIDE).wait_for()
    assert stub.world.admissions == ["wt-0", "wt-1"]


def test_a_page_that_comes_back_as_it_was_left_is_drawn_again(stub: Stub, page: Page) -> None:
    sale(page, stub)
    find_and_hold(page)
    check_out(page)
    pay = page.get_by_role("button", name="Pay €")
    pay.evaluate("button => { button.disabled = true; }")  # as leaving for the payment page does
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert eventually(pay.is_enabled)
