"""A buyer who is locked out keeps the place, asks that a person looks, and goes on at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.edge.page_states import locked_out
from tests.edge.test_web_places import one_line
from tests.edge.web_tools import arrive, sign_in
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

LOCKED = "You cannot come in yet"
ASK = "Ask a person to look"
ASKED = "A person has been asked to look."
ELSEWHERE = "Another window holds your place"
TURN = "You are in"


def asked_again(stub: Stub) -> bool:
    before = len(stub.world.admissions)
    return eventually(lambda: len(stub.world.admissions) > before)


def test_what_is_typed_stays_while_the_page_asks_and_the_place_is_kept(
    stub: Stub, page: Page
) -> None:
    locked_out(stub)
    sign_in(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name=LOCKED).wait_for()
    page.get_by_text("In the last ten minutes this account asked").wait_for()
    page.get_by_label("What should the person know?").fill("My extension reloads.")
    assert asked_again(stub)
    assert (
        page.get_by_label("What should the person know?").input_value() == "My extension reloads."
    )
    page.get_by_role("button", name=ASK).press("Enter")
    page.locator(".notice", has_text=ASKED).wait_for()
    assert page.locator("#live").inner_text().startswith(ASKED)
    assert stub.world.appeals == ["My extension reloads."]
    page.reload()
    page.locator(".notice", has_text=ASKED).wait_for()
    second = page.context.new_page()
    second.clock.install()
    second.goto(f"{stub.base_url}/#/e/demo/wait")
    second.get_by_role("heading", name=ELSEWHERE).wait_for()
    page.close()
    second.locator(".notice", has_text=ASKED).wait_for()
    stub.world.lock = None
    second.clock.fast_forward(20_000)
    second.get_by_role("heading", name=TURN).wait_for()
    assert one_line(stub)


def test_a_persons_reason_is_shown_and_a_lift_meanwhile_needs_no_appeal(
    stub: Stub, page: Page
) -> None:
    locked_out(stub)
    assert stub.world.lock is not None
    stub.world.lock |= {"by": "person", "noticed": "Forty accounts from one machine."}
    stub.world.lock_again_s = 600
    arrive(page, stub, "/e/demo/wait")
    page.get_by_text("The reason: Forty accounts from one machine.").wait_for()
    stub.world.lock = None
    page.get_by_role("button", name=ASK).click()
    page.get_by_role("heading", name=TURN).wait_for()
    assert stub.world.appeals == []
