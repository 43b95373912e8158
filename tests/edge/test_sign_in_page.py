"""The pages' side of signing in, in headless Chromium: what counts, once, and in which window."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import Open, fits, sign_in, signed_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

FAILED = "You are not signed in"
WAIT = "/e/demo/wait"


def leave(page: Page, stub: Stub, route: str = WAIT) -> None:
    """Stand before the provider's page."""
    page.goto(f"{stub.base_url}/#{route}")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").wait_for()


def come_back(page: Page, stub: Stub, **answer: str) -> None:
    query = "&".join(f"{name}={value}" for name, value in answer.items())
    page.goto(f"{stub.base_url}/?{query}")


def begun(page: Page) -> dict[str, Any]:
    """What this window remembers of the sign-in that it began last."""
    remembered: list[dict[str, Any]] = json.loads(
        page.evaluate("sessionStorage.getItem('fairgate:signin') ?? '[]'")
    )
    return remembered[-1] if remembered else {}


def sign_in_above(page: Page, stub: Stub) -> None:
    """From the page of an event, which needs no sign-in, by the button in its head."""
    page.goto(f"{stub.base_url}/#/e/demo")
    page.locator("#account").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    signed_in(page)


def test_a_buyer_comes_back_to_the_page_where_they_were(stub: Stub, phone: Page) -> None:
    leave(phone, stub)
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.get_by_role("heading", name="Lights over the Harbour").or_(
        phone.get_by_role("heading", name="You are in the waiting room")
    ).wait_for()
    assert phone.url.startswith(f"{stub.base_url}/#/e/demo/")
    assert begun(phone) == {}
    assert stub.world.reads["exchange"] == 1


@pytest.mark.parametrize("state", ["another", "", "%00"])
def test_an_answer_counts_for_nothing_when_this_window_did_not_ask(
    stub: Stub, phone: Page, state: str
) -> None:
    leave(phone, stub)
    come_back(phone, stub, code="stolen", state=state)
    phone.get_by_role("heading", name=FAILED).wait_for()
    assert phone.get_by_text("not begun in this window").is_visible()
    assert phone.url == f"{stub.base_url}/#{WAIT}"
    assert fits(phone)
    phone.get_by_role("button", name="All events").click()
    phone.get_by_text("Lights over the Harbour").first.wait_for()
    assert "exchange" not in stub.world.reads


def test_an_answer_counts_for_nothing_when_the_window_is_another(stub: Stub, window: Open) -> None:
    with window() as page, window() as other:
        leave(page, stub)
        come_back(other, stub, code="c", state=begun_elsewhere(page, stub))
        other.get_by_role("heading", name=FAILED).wait_for()
    assert "exchange" not in stub.world.reads


def begun_elsewhere(page: Page, stub: Stub) -> str:
    state: str = begun(page)["state"]
    assert page.url.startswith(f"{stub.base_url}/idp/")
    return state


def test_a_buyer_may_change_their_mind(stub: Stub, page: Page) -> None:
    leave(page, stub)
    come_back(page, stub, error="access_denied", state=begun(page)["state"])
    page.get_by_role("heading", name=FAILED).wait_for()
    assert page.get_by_text("You can look around without it").is_visible()
    assert page.url == f"{stub.base_url}/#{WAIT}"
    page.get_by_role("button", name="Sign in again").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    page.wait_for_url(f"**/#{WAIT}")
    signed_in(page)
    assert stub.world.reads["exchange"] == 1


def test_a_buyer_is_asked_again_when_the_code_is_too_old(stub: Stub, phone: Page) -> None:
    stub.world.refuse["exchange"] = Refused(401, "sign-in-refused")
    leave(phone, stub)
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.get_by_role("heading", name=FAILED).wait_for()
    assert fits(phone)
    phone.get_by_role("button", name="Sign in again").click()
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.wait_for_url(f"**/#{WAIT}")
    signed_in(phone)
    assert stub.world.reads["exchange"] == 2


def test_an_answer_is_used_once_when_the_buyer_goes_back_and_on(stub: Stub, page: Page) -> None:
    sign_in_above(page, stub)
    assert eventually(lambda: stub.world.reads.get("exchange") == 1)
    page.go_back()  # to the provider's page, whose answer has been used
    page.get_by_role("button", name="Continue as a new guest").click()
    signed_in(page)
    assert page.url == f"{stub.base_url}/#/e/demo"
    page.reload()
    signed_in(page)
    assert stub.world.reads["exchange"] == 1


# The second click's challenge takes so long that the first click has left meanwhile.
SLOW_SECOND = """{
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  let calls = 0;
  crypto.subtle.digest = async (...given) => {
    calls += 1;
    if (calls > 1) await new Promise((resolve) => setTimeout(resolve, 3000));
    return digest(...given);
  };
}"""


def test_a_buyer_who_clicks_twice_is_signed_in(stub: Stub, phone: Page) -> None:
    stub.world.slow_s["authorize"] = 0.5
    phone.add_init_script(SLOW_SECOND)
    phone.goto(f"{stub.base_url}/#{WAIT}")
    phone.locator("main").get_by_role("button", name="Sign in").evaluate(
        "button => { button.click(); setTimeout(() => button.click(), 100); }"
    )
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.wait_for_url(f"{stub.base_url}/#{WAIT}")
    signed_in(phone)
    assert stub.world.reads["exchange"] == 1


def test_the_answer_to_either_counts_when_a_window_began_two(stub: Stub, page: Page) -> None:
    """As when a click was too late to stop the first from leaving, or by the browser's history."""
    leave(page, stub)
    first = begun(page)["state"]
    leave(page, stub)
    assert begun(page)["state"] != first
    come_back(page, stub, code="c", state=first)
    signed_in(page)
    assert begun(page) == {}
    come_back(page, stub, code="c", state=first)
    signed_in(page)
    assert stub.world.reads["exchange"] == 1


@pytest.mark.parametrize("route", ["/e/%", "/e/%/wait", "/o/%E0%A4", "/e/demo/sale/%zz"])
def test_an_address_that_cannot_be_read_is_not_found(stub: Stub, phone: Page, route: str) -> None:
    phone.goto(f"{stub.base_url}/#{route}")
    phone.get_by_role("heading", name="Not found").wait_for()
    assert fits(phone)
    phone.get_by_role("link", name="All events").click()
    phone.get_by_text("Lights over the Harbour").first.wait_for()
    phone.go_back()
    phone.get_by_role("heading", name="Not found").wait_for()


def test_the_page_says_so_when_nobody_set_up_how_to_sign_in(stub: Stub, phone: Page) -> None:
    stub.world.identity = False
    phone.goto(f"{stub.base_url}/#{WAIT}")
    phone.locator("main").get_by_role("button", name="Sign in").click()
    phone.get_by_text("Signing in is not possible right now").wait_for()
    assert fits(phone)


REFUSED = (
    "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException(); } });"
)
FULL = (
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
)


@pytest.mark.parametrize("broken", [REFUSED, FULL])
def test_a_buyer_whose_browser_keeps_nothing_is_told_before_they_leave(
    stub: Stub, phone: Page, broken: str
) -> None:
    """They would come back as strangers, each time, and be told to begin in this window."""
    phone.add_init_script(broken)
    phone.goto(f"{stub.base_url}/#{WAIT}")
    phone.locator("main").get_by_role("button", name="Sign in").click()
    phone.get_by_text("Your browser keeps nothing for this site").wait_for()
    assert phone.url == f"{stub.base_url}/#{WAIT}"
    assert fits(phone)


def test_the_provider_forgets_the_buyer_too_when_they_sign_out(stub: Stub, page: Page) -> None:
    stub.world.sign_out_url = f"{stub.base_url}/idp/authorize?bye=1"
    sign_in_above(page, stub)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/idp/authorize?bye=1&client_id=fairgate-stub&post_logout*")
    assert page.evaluate("sessionStorage.getItem('fairgate:auth')") is None


def test_a_sign_in_begins_where_the_provider_sends_back_to(stub: Stub, page: Page) -> None:
    """What one address keeps, another cannot read: the answer would count for nothing there."""
    port = stub.base_url.rpartition(":")[2]
    page.goto(f"http://localhost:{port}/#{WAIT}")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{stub.base_url}/#{WAIT}")
    sign_in(page, stub, WAIT)
    assert stub.world.reads["exchange"] == 1
