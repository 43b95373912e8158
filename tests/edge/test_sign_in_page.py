"""The pages' side of signing in, in headless Chromium: what counts, once, and in which window."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import Open, fits, sign_in, signed_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

FAILED = "You are not signed in"
WAIT = "/e/demo/wait"


def leave(page: Page, stub: Stub, route: str = WAIT) -> None:
    """Go to the provider's page."""
    page.goto(f"{stub.base_url}/#{route}")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").wait_for()


def come_back(page: Page, stub: Stub, **answer: str) -> None:
    query = "&".join(f"{name}={value}" for name, value in answer.items())
    page.goto(f"{stub.base_url}/?{query}")


def begun(page: Page) -> dict[str, Any]:
    """Return what this window remembers of the sign-in that it began last."""
    remembered: list[dict[str, Any]] = json.loads(
        page.evaluate("sessionStorage.getItem('fairgate:signin') ?? '[]'")
    )
    return remembered[-1] if remembered else {}


def sign_in_above(page: Page, stub: Stub) -> None:
    """Sign in by the button above an event's page, which needs no sign-in."""
    page.goto(f"{stub.base_url}/#/e/demo")
    page.locator("#account").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    signed_in(page)


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


def test_a_buyer_who_clicks_twice_is_signed_in_when_the_gateway_is_busy(
    stub: Stub, phone: Page
) -> None:
    """The gateway answers over a route's rate by itself, without a code of ours."""
    stub.world.refuse["exchange"] = Refused(429, "")
    stub.world.refuse["exchange"].body = {"message": "Too Many Requests"}
    stub.world.slow_s["authorize"] = 0.5
    phone.add_init_script(SLOW_SECOND)
    phone.goto(f"{stub.base_url}/#{WAIT}")
    phone.locator("main").get_by_role("button", name="Sign in").evaluate(
        "button => { button.click(); setTimeout(() => button.click(), 100); }"
    )
    phone.get_by_role("button", name="Continue as a new guest").click()
    phone.wait_for_url(f"{stub.base_url}/#{WAIT}")
    signed_in(phone)
    assert stub.world.reads["exchange"] == 2


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


def test_an_answer_counts_for_nothing_when_this_window_did_not_ask(
    stub: Stub, phone: Page, window: Open
) -> None:
    leave(phone, stub)
    state = begun(phone)["state"]
    assert phone.url.startswith(f"{stub.base_url}/idp/")
    with window() as other:
        come_back(other, stub, code="c", state=state)
        other.get_by_role("heading", name=FAILED).wait_for()
    come_back(phone, stub, code="stolen", state="another")
    phone.get_by_role("heading", name=FAILED).wait_for()
    assert phone.get_by_text("not begun in this window").is_visible()
    assert phone.url == f"{stub.base_url}/#{WAIT}"
    assert fits(phone)
    phone.get_by_role("button", name="All events").click()
    phone.get_by_text("Lights over the Harbour").first.wait_for()
    assert "exchange" not in stub.world.reads


def test_a_buyer_signs_in_later_when_they_declined_or_the_code_was_too_old(
    stub: Stub, phone: Page
) -> None:
    leave(phone, stub)
    come_back(phone, stub, error="access_denied", state=begun(phone)["state"])
    failed = phone.get_by_role("heading", name=FAILED)
    failed.wait_for()
    assert phone.get_by_text("You can look around without it").is_visible()
    assert phone.url == f"{stub.base_url}/#{WAIT}"
    stub.world.refuse["exchange"] = Refused(401, "sign-in-refused")
    for _ in range(2):
        failed.wait_for()
        assert fits(phone)
        phone.get_by_role("button", name="Sign in again").click()
        phone.get_by_role("button", name="Continue as a new guest").click()
    phone.wait_for_url(f"**/#{WAIT}")
    signed_in(phone)
    assert begun(phone) == {}
    assert stub.world.reads["exchange"] == 2


def test_an_address_that_cannot_be_read_is_not_found(stub: Stub, phone: Page) -> None:
    not_found = phone.get_by_role("heading", name="Not found")
    for route in ("/e/%", "/e/%/wait", "/o/%E0%A4", "/e/demo/sale/%zz"):
        phone.goto("about:blank")
        phone.goto(f"{stub.base_url}/#{route}")
        not_found.wait_for()
        assert fits(phone)
        phone.get_by_role("link", name="All events").click()
        phone.get_by_text("Lights over the Harbour").first.wait_for()
    phone.go_back()
    not_found.wait_for()


REFUSED = (
    "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException(); } });"
)
FULL = (
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
)


def test_a_buyer_who_cannot_sign_in_here_is_told_before_they_leave(stub: Stub, phone: Page) -> None:
    """Without what the browser keeps they would come back as strangers, each time."""

    def click_and_read(words: str) -> None:
        phone.locator("main").get_by_role("button", name="Sign in").click()
        phone.get_by_text(words).wait_for()
        assert phone.url == f"{stub.base_url}/#{WAIT}"
        assert fits(phone)

    stub.world.identity = False
    phone.goto(f"{stub.base_url}/#{WAIT}")
    click_and_read("Signing in is not possible right now")
    stub.world.identity = True
    phone.reload()
    phone.evaluate(f"{FULL} null")
    click_and_read("Your browser keeps nothing for this site")
    phone.add_init_script(REFUSED)
    phone.reload()
    click_and_read("Your browser keeps nothing for this site")
