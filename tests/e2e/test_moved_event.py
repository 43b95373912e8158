"""An event moves to another date: the command is killed at its worst moments, and begun again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from fairgate.http import paths
from tests.e2e import browser
from tests.e2e.ended import killed
from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper, call, read_anew
from tests.support.calendars import event_in
from tests.support.waiting import patience_s, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOVED = "moved"
ZONE = "Europe/Berlin"
BEFORE, BEFORE_UTC = "2037-06-01T20:00:00+02:00", "2037-06-01T18:00:00.000Z"
AFTER, AFTER_UTC = "2037-12-05T19:30:00+01:00", "2037-12-05T18:30:00.000Z"
BEFORE_TICKET, AFTER_TICKET = "Mon 1 Jun 2037, 20:00 CEST", "Sat 5 Dec 2037, 19:30 CET"
BEFORE_PAGE, AFTER_PAGE = "1 Jun 2037", "5 Dec 2037"
# The worst moments: before the event's write, and before the log's last entry about it.
BEFORE_ITS_WRITE = """
from fairgate.service.catalog import edit_event
edit_event.event_update = dies
"""
AFTER_ITS_WRITE = "dies_at_the_last_entry()"


@pytest.fixture(scope="module")
def buyer(system) -> Shopper:
    """Somebody with two tickets of an event of its own, which has a date."""
    sell(system, MOVED)
    edited(system, "--starts-at", BEFORE, "--time-zone", ZONE, "--venue-address", "Quay 1")
    return Shopper(system.base_url, MOVED).buy()


def edited(system, *words: str) -> dict[str, Any]:
    typed = ("event", "edit", MOVED, *words, "--yes", "--json")
    done: dict[str, Any] = json.loads(system.fairgate(*typed))
    return done


def entries(system) -> list[tuple[str, str]]:
    log = json.loads(system.fairgate("event", "log", MOVED, "--json"))["entries"]
    edits = [entry for entry in log if entry["act"] == "event edited"]
    return [(entry["phase"], entry["detail"].get("starts_at")) for entry in edits]


def calendar(buyer: Shopper) -> Any:
    answer = buyer.call("GET", paths.ORDER_CALENDAR.format(order=buyer.order))
    assert answer.status == 200, answer
    assert answer.headers["content-type"] == "text/calendar"
    return event_in(answer.data)


def shows(system, buyer: Shopper, starts_at: str, on_ticket: str) -> None:
    """Catalogue, page, ticket and calendar file say this start; caches within their seconds."""
    page = paths.EVENT.format(event=MOVED)

    def summary() -> dict[str, Any]:
        events = read_anew(system.base_url, paths.EVENTS).body["events"]
        return next(event for event in events if event["event"] == MOVED)

    wait_until(lambda: summary()["starts_at"] == starts_at, "the catalogue", within_s=30)
    wait_until(
        lambda: read_anew(system.base_url, page).body["starts_at"] == starts_at,
        "the event's page",
        within_s=30,
    )
    assert call(system.base_url, "GET", page).body["time_zone"] == ZONE
    assert calendar(buyer)["DTSTART"].dt == datetime.fromisoformat(starts_at).astimezone(UTC)
    assert on_ticket in buyer.ticket().data.decode()


def test_a_move_that_is_ended_in_the_middle_is_whole_once_it_is_begun_again(system, buyer) -> None:
    shows(system, buyer, BEFORE_UTC, BEFORE_TICKET)
    first = calendar(buyer)
    move = ["event", "edit", MOVED, "--starts-at", AFTER, "--yes"]
    killed(system, BEFORE_ITS_WRITE, *move)
    assert entries(system)[-1] == ("asked", AFTER)
    shows(system, buyer, BEFORE_UTC, BEFORE_TICKET)
    killed(system, AFTER_ITS_WRITE, *move)
    assert [phase for phase, _ in entries(system)[-2:]] == ["asked", "asked"]
    shows(system, buyer, AFTER_UTC, AFTER_TICKET)
    again = edited(system, "--starts-at", AFTER)
    assert (again["changed"], again["after"]["starts_at"]) == (False, AFTER_UTC)
    assert entries(system)[-1] == ("done", AFTER)
    shows(system, buyer, AFTER_UTC, AFTER_TICKET)
    moved = calendar(buyer)
    assert moved["UID"] == first["UID"]  # so that a calendar moves what it has
    assert int(moved["SEQUENCE"]) > int(first["SEQUENCE"])
    order = buyer.order_now()
    assert (order["state"], order["tickets"]) == ("ticketed", 2)


def test_a_buyers_pages_show_the_new_date(system, buyer, phone) -> None:
    """A page that is open keeps what it showed; a page that is opened shows what is so."""
    edited(system, "--starts-at", BEFORE)
    shows(system, buyer, BEFORE_UTC, BEFORE_TICKET)
    browser.open_signed_in(phone, buyer, "/")
    for day, moved in ((BEFORE_PAGE, False), (AFTER_PAGE, True)):
        if moved:
            edited(system, "--starts-at", AFTER)
            shows(system, buyer, AFTER_UTC, AFTER_TICKET)
        for route in (f"/o/{buyer.order}", f"/e/{MOVED}", "/"):
            _opened(phone, f"{system.base_url}/#{route}", day)
    phone.goto(f"{system.base_url}/#/o/{buyer.order}")
    with phone.expect_download() as saved:
        phone.get_by_role("button", name="Add to calendar").click()
    event = event_in(saved.value.path().read_bytes())
    assert event["DTSTART"].dt == datetime(2037, 12, 5, 18, 30, tzinfo=UTC)


def _opened(page: Page, address: str, day: str) -> None:
    """Open the page until it says this day: another process may still know the one before."""
    from playwright.sync_api import TimeoutError as NotYet

    def says() -> bool:
        page.goto(address)
        page.reload()
        try:
            page.get_by_text(day).first.wait_for(timeout=1_000 * patience_s(4))
        except NotYet:
            return False
        return True

    wait_until(says, f"{address} to say {day}", within_s=40)
