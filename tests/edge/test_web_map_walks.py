"""The whole choice on real charts, by finger and by keys: a section, two seats, their hold."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from fairgate_ops.operate.importers.assembly import Reading
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.operate.importers.detect import import_chart
from tests.e2e.stub.server import Stub
from tests.e2e.stub.venue import Hall
from tests.edge.web_tools import sale, seat_map
from tests.support.charts import shared_chart
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page

CHARTS = (
    "race-track.seatsio.json",
    "small-theatre.seatsio.json",
    "stadium.pretix.json",
    "100,000 seats",
)
SIZE = {"width": 390, "height": 844}
STEPS_MAX = 60  # Tab keys from the map to the way on


@cache
def hall(name: str) -> Hall:
    if name == "100,000 seats":
        return Hall(demo_venue(100_000))
    return Hall(import_chart(shared_chart(name), Reading(number_again=True)))


@pytest.fixture(params=CHARTS)
def real(request: pytest.FixtureRequest) -> Iterator[Stub]:
    made = Stub(hall(request.param)).start()
    yield made
    made.stop()


def two_are_held(page: Page, stub: Stub) -> None:
    page.locator(".words").get_by_text("Held for you: ").wait_for()
    (hold,) = stub.world.holds
    seats = {unit["seat"] for unit in hold["units"]}
    assert len(seats) == 2


def tap(seats: Locator, dx: float = 0, dy: float = 0) -> None:
    box = seats.bounding_box()
    assert box is not None
    seats.tap(position={"x": box["width"] / 2 + dx, "y": box["height"] / 2 + dy})


def test_two_seats_are_found_and_held_by_finger(real: Stub, phone: Page) -> None:
    phone.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
    sale(phone, real)
    seats = seat_map(phone)
    phone.locator(".grip").tap()
    phone.locator(".as-list summary").tap()
    phone.locator(".place-button[data-kind=section]").last.tap()
    phone.locator(".back").wait_for()
    card = phone.locator(".seat-card")
    for _ in range(6):  # closer, until seats can be told from each other
        tap(seats)
        if eventually(card.is_visible, within_s=1):
            break
    add, chosen = card.get_by_role("button", name="Add this seat"), phone.locator(".bar-sum")
    add.tap()
    chosen.get_by_text("1 seat chosen").wait_for()
    for dx in (36, -36, 72, -72):
        tap(seats, dx)
        if eventually(add.is_visible, within_s=1):
            break
    add.tap()
    chosen.get_by_text("2 seats chosen").wait_for()
    phone.get_by_role("button", name="Hold 2 seats").tap()
    two_are_held(phone, real)


def to_next(page: Page, add: Locator) -> None:
    """Go on by the first arrow that leads to another seat."""
    for way in ("Right", "Down", "Left", "Up"):
        page.keyboard.press(f"Arrow{way}")
        if eventually(add.is_visible, within_s=1):
            return


def test_two_seats_are_found_and_held_by_keys_alone(real: Stub, page: Page) -> None:
    sale(page, real)
    seat_map(page).focus()
    page.keyboard.press("ArrowRight")
    add, remove = (
        page.get_by_role("button", name=f"{name} this seat") for name in ("Add", "Remove")
    )
    if not eventually(add.is_visible, within_s=1):  # it is a section, where no seat is large enough
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    for count in (1, 2):
        add.wait_for()
        page.keyboard.press("Enter")
        remove.wait_for()
        if count == 1:
            to_next(page, add)
    page.get_by_text("Chosen: 2 seats").wait_for()
    assert page.evaluate("document.activeElement.className") == "map-front"
    for _ in range(STEPS_MAX):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("Hold "):
            break
    page.keyboard.press("Enter")
    two_are_held(page, real)
