"""The waiting room when a device's clock is wrong, a page comes back, or nobody looks at it."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.page_states import early
from tests.edge.test_sign_in_page import FULL
from tests.edge.test_web_places import ENDED, HOUR_S, go_on, one_line, pass_time, waiting
from tests.edge.web_tools import choose_seats, sign_in
from tests.support.lengths import at_length
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

WAITING = "You are in the waiting room"
ELSEWHERE = "Another window holds your place"
INSIDE = "Lights over the Harbour"
TURN = "You are in"


def room(page: Page, stub: Stub, ahead_s: float) -> None:
    """Bring a buyer whose device's clock is so far ahead into the room."""
    stub.world.polls_before_admission = 1_000
    page.add_init_script(
        f"window.ahead = {1000 * ahead_s}; const now = Date.now.bind(Date);"
        " Date.now = () => now() + window.ahead;"
    )
    sign_in(page, stub, "/e/demo/wait")
    asks_on(page, stub)


def asks_on(page: Page, stub: Stub) -> None:
    before = len(stub.world.admissions)
    assert eventually(lambda: len(stub.world.admissions) > before)
    page.get_by_role("heading", name=WAITING).wait_for()


def joined_again(stub: Stub, before: int) -> bool:
    return stub.world.reads["queue"] == before + 1


@pytest.mark.parametrize("ahead_s", at_length([0], [0, 3 * HOUR_S]))
def test_the_page_asks_on_when_the_devices_clock_is_set(
    stub: Stub, page: Page, ahead_s: float
) -> None:
    room(page, stub, ahead_s)
    for by_s in (-3 * HOUR_S, 6 * HOUR_S):
        page.evaluate(f"window.ahead += {1000 * by_s}")
        asks_on(page, stub)
        asks_on(page, stub)
    assert one_line(stub)
    assert stub.world.reads["exchange"] == 1


def test_nobody_is_asked_to_sign_in_when_a_page_is_reloaded_by_a_wrong_clock(
    stub: Stub, page: Page
) -> None:
    room(page, stub, 24 * HOUR_S)
    page.reload()
    asks_on(page, stub)
    assert one_line(stub)
    assert stub.world.reads["exchange"] == 1


def test_both_windows_ask_for_the_sign_in_when_the_device_slept(stub: Stub, page: Page) -> None:
    stub.world.place_s = 4 * HOUR_S
    waiting(page, stub)
    second = page.context.new_page()
    second.clock.install()
    second.goto(f"{stub.base_url}/#/e/demo/wait")  # the sign-in holds there, too
    second.get_by_role("heading", name=ELSEWHERE).wait_for()
    pass_time(page, stub, 3 * HOUR_S)
    second.clock.fast_forward(3 * HOUR_S * 1000)
    for one in (page, second):
        one.get_by_role("heading", name=ENDED).wait_for()
    go_on(second)
    headings = [one.locator("h1") for one in (page, second)]
    shown = {ELSEWHERE, WAITING}  # either window may be the first to go on
    assert eventually(lambda: {one.inner_text() for one in headings} == shown)
    assert one_line(stub)


def test_the_page_goes_on_when_a_place_lapses_again_and_again(stub: Stub, phone: Page) -> None:
    stub.world.backoff_s = stub.world.place_s = 300
    phone.clock.install()
    sign_in(phone, stub, "/e/demo/wait")
    lapsed = phone.get_by_text("Your place ended while this page was asleep")
    assert eventually(lambda: stub.world.reads.get("queue") == 1)
    phone.get_by_role("heading", name=WAITING).wait_for()
    assert lapsed.count() == 0
    for _ in range(5):  # a phone that is looked at now and then
        joined = stub.world.reads["queue"]
        pass_time(phone, stub, HOUR_S / 3)
        assert eventually(partial(joined_again, stub, joined))
        phone.get_by_role("heading", name=WAITING).wait_for()
        lapsed.wait_for()
    assert stub.world.admissions == []


def test_a_place_that_is_refused_again_and_again_is_given_up(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    stub.world.refuse["admission"] = Refused(401, "waiting-token-ended")
    stub.world.refuse_times = 100
    page.get_by_role("heading", name="Something is in the way").wait_for()
    assert stub.world.reads["queue"] == 1 + 3


def test_a_failure_before_the_place_is_told_only_until_the_place_is_there(
    stub: Stub, page: Page
) -> None:
    early(stub)  # the next look is half an hour away
    stub.world.refuse["queue"] = Refused(503, "dependency-unavailable", retry_after=1)
    sign_in(page, stub, "/e/demo/wait")
    page.get_by_role("heading", name="You are early").wait_for()
    page.locator(".countdown").wait_for()


def test_the_place_is_asked_for_when_the_event_cannot_be_read(stub: Stub, page: Page) -> None:
    room(page, stub, 0)
    stub.world.refuse["event"] = Refused(503, "dependency-unavailable", retry_after=1)
    stub.world.refuse_times = 100
    page.reload()
    asks_on(page, stub)
    stub.world.refuse["event"] = Refused(404, "not-found")
    page.reload()
    page.get_by_role("heading", name="Not found").wait_for()
    assert page.title().startswith("Not found")
    assert one_line(stub)


def test_who_is_inside_goes_on_there_when_they_come_back_to_the_room(
    stub: Stub, page: Page
) -> None:
    sign_in(page, stub, "/e/demo/wait")
    choose_seats(page)
    page.get_by_role("heading", name=INSIDE).wait_for()
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, 60
    page.goto(f"{stub.base_url}/#/e/demo/wait")
    page.wait_for_url("**/#/e/demo/sale")
    page.get_by_role("heading", name=INSIDE).wait_for()
    assert stub.world.reads["queue"] == 1
    stub.world.session_state = "cancelled"  # given back on another device
    page.goto(f"{stub.base_url}/#/e/demo/wait")
    page.get_by_role("heading", name=WAITING).wait_for()
    assert stub.world.reads["queue"] == 2


def test_the_other_window_goes_inside_too_when_one_was_let_in(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    second = page.context.new_page()
    second.goto(f"{stub.base_url}/#/e/demo/wait")
    second.get_by_role("heading", name=ELSEWHERE).wait_for()
    stub.world.polls_before_admission = len(stub.world.admissions)
    for one in (page, second):
        one.get_by_role("heading", name=TURN, exact=True).wait_for()
    assert one_line(stub)


def test_two_persons_in_one_browser_wait_each_in_a_window(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    second = page.context.new_page()
    other = {**stub.world.sign_in(), "sub": "guest-8"}
    second.goto(f"{stub.base_url}/#/find")
    for key, value in (("auth", other), ("sub", other["sub"])):
        second.evaluate(f"own => sessionStorage.setItem('fairgate:{key}', own)", json.dumps(value))
    second.goto("about:blank")
    second.goto(f"{stub.base_url}/#/e/demo/wait")
    second.get_by_role("heading", name=WAITING).wait_for()
    assert stub.world.reads["queue"] == 2
    assert page.get_by_role("heading", name=WAITING).is_visible()


def message_arrives(sender: Page, receiver: Page) -> None:
    """Wait until what the sender has told other windows has come, which takes real time."""
    receiver.evaluate(
        "() => { window.heard = new Promise((done) => {"
        " new BroadcastChannel('probe').onmessage = done; }); }"
    )
    sender.evaluate("new BroadcastChannel('probe').postMessage('')")
    receiver.evaluate("async () => { await window.heard; }")


def test_a_frozen_window_loses_the_place_to_one_that_is_looked_at(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    second = page.context.new_page()
    second.goto(f"{stub.base_url}/#/e/demo/wait")
    second.get_by_role("heading", name=ELSEWHERE).wait_for()
    for _ in range(20):
        second.clock.run_for(10_000)  # the clock of both
        message_arrives(page, second)
        # At each step: one that was lost and won back again would look the same at the end.
        assert second.get_by_role("heading", name=ELSEWHERE).is_visible()
    page.evaluate("BroadcastChannel.prototype.postMessage = () => {}")  # what a frozen one does
    second.clock.run_for(60_000)  # as long as a hidden window may be silent
    assert second.get_by_role("heading", name=ELSEWHERE).is_visible()
    second.clock.run_for(40_000)
    second.get_by_role("heading", name=WAITING).wait_for()
    page.get_by_role("heading", name=ELSEWHERE).wait_for()
    asks_on(second, stub)
    # An answer may be on its way to the frozen window, so that one token comes twice.
    assert stub.world.reads["queue"] == 1


def test_signing_out_signs_out_all_windows_of_a_person(stub: Stub, page: Page) -> None:
    sign_in(page, stub, "/e/demo/wait")
    second = page.context.new_page()
    second.goto(f"{stub.base_url}/#/orders")
    second.get_by_role("button", name="Sign out").click()
    page.locator("#account").get_by_role("button", name="Sign in").wait_for()
    for one in (page, second):
        assert one.evaluate("localStorage.getItem('fairgate:auth')") is None


def test_one_of_ten_windows_asks_and_all_of_them_go_inside(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    others = [page.context.new_page() for _ in range(9)]
    for other in others:
        other.goto(f"{stub.base_url}/#/e/demo/wait")
        other.get_by_role("heading", name=ELSEWHERE).wait_for()
    stub.world.polls_before_admission = len(stub.world.admissions)
    for one in (page, *others):
        one.get_by_role("heading", name=TURN, exact=True).wait_for()
    assert one_line(stub)


def test_the_page_asks_on_when_the_device_keeps_nothing_any_more(stub: Stub, page: Page) -> None:
    room(page, stub, 0)
    page.evaluate(f"{FULL} null")
    asks_on(page, stub)
    asks_on(page, stub)
    assert one_line(stub)
    assert len(set(stub.world.admissions[-2:])) == 2  # with each answer's own token
