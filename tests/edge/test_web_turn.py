"""The way into the room and out of it: links, the check without a worker, the call, and leaving."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.e2e.stub.answers import ORDER
from tests.e2e.stub.server import Stub
from tests.edge.page_states import unpaid
from tests.edge.test_web_pages import check_out, find_and_hold
from tests.edge.test_web_room import INSIDE, WAITING
from tests.edge.test_web_room import TURN as IN
from tests.edge.web_tools import arrive, choose_seats, fits, sale
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

TURN = "● It is your turn"
AWAY = """
  window.notes = [];
  window.Notification = class {
    static permission = 'default';
    static requestPermission = async () => (Notification.permission = 'granted');
    constructor(title, { body }) { notes.push([title, body]); }
    close() { notes.closed = notes.length; }
  };
  document.hasFocus = () => false;
"""


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
    page.get_by_role("heading", name=IN, exact=True).wait_for()
    assert stub.world.admissions == ["wt-0", "wt-1"]


def test_a_page_that_comes_back_as_it_was_left_is_drawn_again(stub: Stub, page: Page) -> None:
    sale(page, stub)
    find_and_hold(page)
    check_out(page)
    pay = page.get_by_role("button", name="Pay €")
    pay.evaluate("button => { button.disabled = true; }")  # as leaving for the payment page does
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    assert eventually(pay.is_enabled)


def test_a_buyer_who_looks_elsewhere_is_called(stub: Stub, phone: Page) -> None:
    stub.world.polls_before_admission = 1_000
    phone.add_init_script(AWAY)
    arrive(phone, stub, "/e/demo/wait")
    phone.get_by_role("heading", name=WAITING).wait_for()
    phone.get_by_role("button", name="Call me when it is my turn").click()
    phone.get_by_text("We call you with a sound and a notification").wait_for()
    assert fits(phone)
    assert phone.evaluate("notes") == []
    stub.world.polls_before_admission = 0
    phone.get_by_role("heading", name=IN, exact=True).wait_for()
    assert eventually(lambda: phone.title() == TURN)
    assert eventually(
        lambda: re.match(r"(9|10):\d\d – You are in: Lights", phone.title()) is not None
    )
    ((title, text),) = phone.evaluate("notes")
    assert title == "It is your turn"
    assert re.fullmatch(r"You are in until \d\d:\d\d\. Please choose your seats\.", text)
    phone.evaluate("dispatchEvent(new Event('focus'))")
    assert eventually(lambda: phone.title().endswith("Fairgate"))


def test_the_turn_is_a_page_that_says_how_long_and_what_to_do(stub: Stub, either: Page) -> None:
    arrive(either, stub, "/e/demo/wait")
    either.get_by_role("heading", name=IN, exact=True).wait_for()
    either.get_by_text("You were let in at ").wait_for()
    assert re.fullmatch(r"(9|10):\d\d", either.locator(".turn-clock").inner_text())
    either.get_by_text("up to 6 at a time").wait_for()
    either.get_by_text("Time to pay after that: 5 minutes.").wait_for()
    assert fits(either)
    either.reload()
    either.get_by_text("You were let in at ").wait_for()  # the same moment
    choose_seats(either)
    either.get_by_role("heading", name=INSIDE).wait_for()
    either.go_back()
    either.get_by_role("heading", name=IN, exact=True).wait_for()
    assert stub.world.reads["queue"] == 1


def test_who_does_not_come_is_called_again_until_the_time_is_over(stub: Stub, page: Page) -> None:
    page.add_init_script(AWAY)
    page.clock.install()
    stub.inside(600)
    arrive(page, stub, "/e/demo/in")
    page.get_by_role("heading", name=IN, exact=True).wait_for()
    page.evaluate("sessionStorage.setItem('fairgate:call', 'true')")
    page.evaluate("Notification.permission = 'granted'")
    said: list[list[str]] = []
    for left in ("5 minutes", "2 minutes", "1 minute"):
        assert page.evaluate("notes") == said
        page.clock.run_for(305_000 if not said else 180_000 if len(said) == 1 else 60_000)
        said.append(["It is your turn", f"{left} left"])
    assert page.evaluate("notes") == said
    titles = set()
    for _ in range(8):
        page.clock.run_for(500)
        titles.add(page.title()[:1])
    assert titles == {"●", "0"}  # it still flashes, and shows the time
    stub.world.session_state = "expired"
    page.clock.run_for(60_000)
    page.get_by_role("heading", name="Your session is over").wait_for()
    assert page.evaluate("notes") == said
    assert page.evaluate("notes.closed") == len(said)
    page.clock.run_for(1_500)
    assert page.title() == "Your session is over – Fairgate"  # and no turn is called any more


@pytest.mark.parametrize(("slept_s", "said"), [(530, ["1:10 left"]), (700, [])])
def test_a_page_that_slept_says_how_much_is_left_when_it_wakes(
    stub: Stub, page: Page, slept_s: int, said: list[str]
) -> None:
    page.add_init_script(AWAY)
    page.clock.install()
    stub.inside(600)
    arrive(page, stub, "/e/demo/in")
    page.get_by_role("heading", name=IN, exact=True).wait_for()
    page.evaluate("sessionStorage.setItem('fairgate:call', 'true')")
    page.evaluate("Notification.permission = 'granted'")
    page.clock.fast_forward(1_000 * slept_s)
    page.clock.run_for(2_000)
    texts = [text for _, text in page.evaluate("notes")]
    assert [re.sub(r"1:\d\d", "1:10", one) for one in texts] == said
    if not said:
        page.get_by_role("heading", name="Your session is over").wait_for()


@pytest.mark.parametrize(
    "broken",
    [
        "window.Notification = class { static requestPermission = () => new Promise(() => {}); };",
        "window.Notification = class { static requestPermission() { return undefined; } };",
        "window.Notification = class { static requestPermission() { throw new TypeError(); } };",
        "window.Notification = undefined;",
        "window.AudioContext = class { constructor() { throw new DOMException('none'); } };",
    ],
    ids=["unanswered", "old", "forbidden", "missing", "mute"],
)
def test_who_asks_to_be_called_is_told_that_they_are(stub: Stub, page: Page, broken: str) -> None:
    stub.world.polls_before_admission = 1_000
    page.add_init_script(broken)
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("button", name="Call me when it is my turn").click()
    page.get_by_text("We call you with a sound").wait_for()


def test_the_page_of_the_turn_knows_that_the_turn_is_past(stub: Stub, page: Page) -> None:
    arrive(page, stub, "/e/demo/in")
    page.get_by_text("There is no open session for you here").wait_for()
    unpaid(stub)
    page.reload()
    page.wait_for_url(f"**/#/o/{ORDER}")


def test_a_page_that_was_opened_offline_goes_on_when_the_connection_returns(
    stub: Stub, page: Page
) -> None:
    stub.inside(600)
    arrive(page, stub, "/e/demo/in")
    page.get_by_role("heading", name=IN, exact=True).wait_for()
    page.context.set_offline(True)
    choose_seats(page)
    page.get_by_role("heading", name="Something is in the way").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name=INSIDE).wait_for()


def test_leaving_the_room_is_asked_once_more(stub: Stub, phone: Page) -> None:
    stub.world.polls_before_admission = 1_000
    arrive(phone, stub, "/e/demo/wait")
    phone.get_by_role("heading", name=WAITING).wait_for()
    kept = "localStorage.getItem('fairgate:place:demo:guest-7')"
    phone.get_by_role("button", name="Leave the waiting room").dblclick()
    really = phone.get_by_role("button", name="Really leave?")
    really.wait_for()
    assert phone.evaluate(kept) is not None
    assert fits(phone)
    really.click()
    phone.wait_for_url("**/#/e/demo")
    assert phone.evaluate(kept) is None


def test_a_key_that_is_held_does_not_leave_the_room(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 1_000
    arrive(page, stub, "/e/demo/wait")
    page.get_by_role("button", name="Leave the waiting room").focus()
    for _ in range(3):
        page.keyboard.down("Enter")
    really = page.get_by_role("button", name="Really leave?")
    really.wait_for()
    assert page.evaluate("localStorage.getItem('fairgate:place:demo:guest-7')") is not None
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/e/demo")
