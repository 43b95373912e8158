"""What the organiser says and marks is on the pages, in the visitor's language if it has it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.stub.answers import stamp
from tests.edge.test_web_room_news import waits
from tests.edge.web_tools import arrive, fits
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

WORD = "From the organiser: The band is late."
LOOK_MS = 19_000


def message(to: str) -> dict[str, Any]:
    texts = {"en": "The band is late.", "de": "Die Band kommt später."}
    return {"texts": texts, "to": to, "at": stamp(time.time()), "until": stamp(time.time() + 600)}


def test_the_events_page_has_the_word_the_way_and_where_it_will_be_fullest(
    stub: Stub, either: Page
) -> None:
    stub.world.message = message("all")
    stub.world.requires = {"travel": "Tram 4 to Quay.\nThen on foot.", "fullest": "101"}
    either.goto(f"{stub.base_url}/#/e/demo")
    either.get_by_text(WORD).wait_for()
    either.get_by_role("heading", name="Getting there").wait_for()
    either.get_by_text("Then on foot.").wait_for()
    either.get_by_text("Most buyers will want").wait_for()
    assert fits(either)
    either.locator("header select").select_option("de")
    either.get_by_text("Vom Veranstalter: Die Band kommt später.").wait_for()


@pytest.mark.parametrize(("to", "told"), [("waiting", True), ("shopping", False)])
def test_those_who_wait_are_told_what_is_meant_for_them(
    stub: Stub, phone: Page, to: str, told: bool
) -> None:
    waits(phone, stub)
    stub.world.message = message(to)
    asked = stub.world.asked.count("event")
    phone.clock.fast_forward(LOOK_MS)
    assert eventually(lambda: stub.world.asked.count("event") > asked)
    assert eventually(lambda: phone.get_by_text(WORD).count() > 0, within_s=5) == told


def test_those_who_choose_are_told_once(stub: Stub, phone: Page) -> None:
    stub.world.message = message("shopping")
    stub.inside()
    phone.clock.install()
    arrive(phone, stub, "/e/demo/sale")
    phone.get_by_text(WORD).wait_for()
    phone.get_by_role("button", name="Close this notice").click()
    asked = stub.world.asked.count("event")
    phone.clock.fast_forward(LOOK_MS)
    assert eventually(lambda: stub.world.asked.count("event") > asked)
    assert not phone.get_by_text(WORD).count()
