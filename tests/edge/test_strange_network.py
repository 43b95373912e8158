"""Whatever a network answers in the service's stead, a place is kept and the page asks on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.e2e import firefox
from tests.e2e.stub.answers import Foreign, Refused
from tests.e2e.stub.server import Stub
from tests.e2e.stub.world import SUB
from tests.edge.test_web_places import goes_on, one_line, waiting
from tests.edge.test_web_room_news import until_shown
from tests.support.waiting import eventually, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLACE = f"fairgate:place:demo:{SUB}"
WAITING = "You are in the waiting room"
STRANGE = "Something in this network answers in our place"
LOST = "The connection is lost"
BUSY = "The service is very busy"
HTML = "<!doctype html><title>Challenge</title><script>1</script>"
JSON = "application/json"
HALF = json.dumps({"state": "waiting", "token": "wt-9", "boff": 1, "now": 1})
# What a network answers, and what the page says then.
STATES: dict[str, tuple[Foreign | Refused, str]] = {
    "a hotel's page to sign in": (Foreign(200), STRANGE),
    "a challenge as 200": (Foreign(200, "text/html; charset=utf-8", HTML), STRANGE),
    "a challenge as 202": (Foreign(202, "text/html", HTML), STRANGE),
    "an empty 204": (Foreign(204, "", ""), STRANGE),
    "cut JSON": (Foreign(202, JSON, HALF[:30], cut=True), LOST),
    "JSON that ends too soon": (Foreign(202, JSON, HALF[:30]), LOST),
    "JSON of another shape": (Foreign(200, JSON, '{"status": "ok"}'), STRANGE),
    "a place without its time": (Foreign(202, JSON, '{"state": "waiting", "now": 1}'), STRANGE),
    "a session that is none": (Foreign(201, JSON, '{"session": "ses_1"}'), STRANGE),
    "a refusal of a middle box": (Foreign(403), STRANGE),
    "a method that it does not know": (Foreign(405), STRANGE),
    "its own sign-in": (Foreign(511), STRANGE),
    "its page of an error": (Foreign(502), BUSY),
    "our refusal of a request whose headers it took out": (
        Refused(403, "forbidden", verdict="no-token"),
        "Something in this network takes out a part of what this page sends",
    ),
    "an answer whose headers it took out": (Foreign(202, "", HALF), STRANGE),
}


@pytest.fixture(params=["chromium", "firefox"])
def screen(request: pytest.FixtureRequest) -> Iterator[Page | firefox.Firefox]:
    """A window of either browser: ``goto`` and ``evaluate`` are what is used of it."""
    if request.param == "chromium":
        yield request.getfixturevalue("page")
        return
    if (command := firefox.installed()) is None:
        pytest.skip("Firefox is not installed: `apt-get install firefox-esr`")
    with firefox.started(command) as window:
        yield window


def heading(screen: Page | firefox.Firefox) -> str:
    said: str = screen.evaluate("document.querySelector('h1')?.textContent ?? ''")
    return said


def shows(screen: Page | firefox.Firefox, words: str) -> None:
    shown: list[str] = [""]

    def there() -> bool:
        shown.append(heading(screen))
        return shown[-1] == words

    assert eventually(there, within_s=20), (words, shown[-1])


def enter(screen: Page | firefox.Firefox, stub: Stub) -> None:
    """Go to the waiting room as who signed in before."""
    kept = json.dumps(json.dumps(stub.world.sign_in()))
    screen.goto(f"{stub.base_url}/#/find")
    screen.evaluate(f"sessionStorage.setItem('fairgate:auth', {kept})")
    screen.goto("about:blank")
    screen.goto(f"{stub.base_url}/#/e/demo/wait")


def asked(stub: Stub, route: str) -> int:
    return stub.world.reads.get(route, 0)


def kept(screen: Page | firefox.Firefox) -> dict[str, str]:
    place: dict[str, str] = json.loads(screen.evaluate(f"localStorage.getItem('{PLACE}')"))
    return place


def test_no_answer_of_a_network_costs_a_place_or_is_taken_for_one(
    stub: Stub, screen: Page | firefox.Firefox
) -> None:
    world = stub.world
    world.polls_before_admission = 1_000
    world.foreign["event"] = [Foreign(200)]
    world.foreign["queue"] = [Foreign(204, "", "")] * 2
    enter(screen, stub)
    shows(screen, "Something is in the way")
    shows(screen, STRANGE)
    assert screen.evaluate(f"localStorage.getItem('{PLACE}')") is None
    shows(screen, WAITING)
    assert asked(stub, "queue") == 3
    for name, (answer, words) in STATES.items():
        wait_until(partial(asked_again, stub, len(world.admissions)), "an attempt")
        before = asked(stub, "admission")
        if isinstance(answer, Foreign):
            world.foreign["admission"] = [answer]
        else:
            world.refuse, world.refuse_times = {"admission": answer}, 1
        shows(screen, words)
        assert kept(screen)["token"].startswith("wt-"), name
        assert asked(stub, "admission") <= before + 2, name
    wait_until(partial(asked_again, stub, len(world.admissions)), "an attempt")
    assert asked(stub, "queue") == 3  # the place of the first answer, to the end
    world.polls_before_admission = 0
    shows(screen, "You are in")


def asked_again(stub: Stub, before: int) -> bool:
    return len(stub.world.admissions) > before


def test_a_kept_place_that_is_not_whole_is_let_go_of(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission = 1_000
    enter(page, stub)
    shows(page, WAITING)
    whole = kept(page)
    broken = [{**whole, "boff": None}, {**whole, "token": "a\nb"}, {**whole, "challenge": {}}, []]
    for joined, place in enumerate(broken, 1):
        page.goto("about:blank")
        page.goto(f"{stub.base_url}/#/find")
        page.evaluate(f"place => localStorage.setItem('{PLACE}', place)", json.dumps(place))
        page.goto("about:blank")
        page.goto(f"{stub.base_url}/#/e/demo/wait")
        shows(page, WAITING)
        assert asked(stub, "queue") == joined + 1, place


def test_no_wait_is_shorter_than_the_least_whatever_an_answer_says(stub: Stub, page: Page) -> None:
    stub.world.polls_before_admission, stub.world.backoff_s = 1_000, -60
    enter(page, stub)
    wait_until(partial(asked_again, stub, 0), "an attempt")
    began_s, before = time.monotonic(), len(stub.world.admissions)
    wait_until(partial(asked_again, stub, before + 2), "three attempts")
    assert time.monotonic() - began_s > 1.9


def test_an_answer_that_does_not_come_is_an_interrupted_line(stub: Stub, page: Page) -> None:
    waiting(page, stub)
    stub.world.slow_s["admission"] = 60
    until_shown(page, page.get_by_role("heading", name=LOST).is_visible)
    stub.world.slow_s.clear()
    goes_on(stub)
    assert one_line(stub)
