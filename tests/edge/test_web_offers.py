"""What the sale offers: the best available and others, and the nearest seats where one was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import sale, seat_map
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

IN_VIEW = """() => {
  const map = document.querySelector('.map-front');
  const { x, y } = map.getBoundingClientRect();
  return document.elementFromPoint(x + map.clientWidth / 2, y + map.clientHeight / 2) === map;
}"""
CROSSES = """() => {
  const colour = getComputedStyle(document.body).getPropertyValue('--bad').trim();
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const { width, height } = document.querySelector('.map-front');
  const pen = document.querySelector('.map-front').getContext('2d');
  const { data } = pen.getImageData(0, 0, width, height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const same = data[i] === red && data[i + 1] === green && data[i + 2] === blue;
    count += same && data[i + 3] === 255;
  }
  return count;
}"""


def find(page: Page, seats: int = 2) -> None:
    grip = page.locator(".grip[aria-expanded=false]")
    if grip.is_visible():
        grip.tap()
    page.get_by_label("Seats", exact=True).select_option(str(seats))
    page.get_by_role("button", name="Find and hold seats").click()


def held(stub: Stub) -> list[list[str]]:
    return [[unit["seat"] for unit in hold["units"]] for hold in stub.world.holds]


def test_a_phone_shows_what_is_held_and_offers_others(stub: Stub, phone: Page) -> None:
    sale(phone, stub)
    seat_map(phone)
    find(phone)
    notice = phone.locator(".words")
    notice.get_by_text("Held for you: Section Left · Row A, seats 1 and 2.").wait_for()
    phone.get_by_role("heading", name="Section Left").wait_for()
    expect(phone.locator(".panel")).not_to_be_visible()
    assert eventually(lambda: phone.evaluate(IN_VIEW))
    notice.get_by_role("button", name="Offer other seats instead").tap()
    notice.get_by_text("Held for you: Section Left · Row A, seats 3 and 4.").wait_for()
    assert held(stub) == [["L-A-3", "L-A-4"]]
    assert [wish.get("without") for wish in stub.world.wishes] == [None, ["L-A-1", "L-A-2"]]
    phone.locator(".grip").tap()
    phone.locator(".hold").get_by_role("button", name="Others").tap()
    notice.get_by_text("Row A, seats 5 and 6").wait_for()
    assert phone.locator("#best-where").input_value() == ""  # it still searches anywhere


def test_others_are_found_where_the_limit_leaves_room_for_no_second_hold(
    stub: Stub, page: Page
) -> None:
    sale(page, stub)
    seat_map(page)
    find(page, 4)
    page.locator(".hold").get_by_role("button", name="Others").click()
    page.locator(".words").get_by_text("Row A, seats 5, 6, 7 and 8").wait_for()
    assert held(stub) == [[f"L-A-{n}" for n in (5, 6, 7, 8)]]


def test_what_is_held_stays_where_there_are_no_others(stub: Stub, page: Page) -> None:
    every = {seat for seat in stub.world.hall.seats if not seat.startswith("L-A-")}
    stub.world.taken = every | {f"L-A-{n}" for n in (5, 6, 7, 8, 9, 10)}
    sale(page, stub)
    seat_map(page)
    find(page, 4)
    page.locator(".hold").get_by_role("button", name="Others").click()
    page.get_by_text("There are no others like these. These stay yours.").wait_for()
    assert held(stub) == [[f"L-A-{n}" for n in (1, 2, 3, 4)]]
    page.locator(".hold").get_by_role("button", name="Others").wait_for()


def test_a_lost_seat_is_marked_and_the_nearest_are_offered_by_name(stub: Stub, phone: Page) -> None:
    sale(phone, stub, "101")
    seat_map(phone).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "Enter", "ArrowRight", "Enter"):
        phone.keyboard.press(key)
    phone.locator(".bar").get_by_text("2 seats chosen").wait_for()
    assert phone.evaluate(CROSSES) == 0
    stub.world.refuse["holds"] = Refused(409, "seats-taken", seats=["101-B-2"])
    phone.get_by_role("button", name="Hold 2 seats").tap()
    notice = phone.locator(".words")
    notice.get_by_text("Somebody was faster: Row B, seat 2 is taken.").wait_for()
    assert eventually(lambda: phone.evaluate(CROSSES) > 0)
    notice.get_by_role("button", name="Hold Row B, seats 3 and 4 instead, €242").tap()
    notice.get_by_text("Held for you: Section 101 · Row B, seats 3 and 4.").wait_for()
    assert held(stub) == [["101-B-3", "101-B-4"]]
    assert eventually(lambda: phone.evaluate(CROSSES) == 0)


def test_standing_places_are_only_asked_for_by_who_wants_them(stub: Stub, page: Page) -> None:
    sale(page, stub)
    seat_map(page)
    find(page)
    page.locator(".words .notice").wait_for()
    page.get_by_label("Standing places will do, too").check()
    find(page)
    assert eventually(lambda: len(stub.world.wishes) > 1)
    assert [wish.get("standing") for wish in stub.world.wishes] == [None, True]


def test_a_section_that_sells_fast_is_named_once(stub: Stub, page: Page) -> None:
    sale(page, stub)
    seat_map(page)
    stub.world.taken |= {f"101-{row}-{n}" for row in "ABC" for n in range(1, 11)}
    page.locator(".words").get_by_text("Section 101 sells fast just now.").wait_for()
