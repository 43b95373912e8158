"""The seat map in a browser: what it draws with, where it leads, what it tells before a choice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from fairgate_ops.operate.importers.detect import import_chart
from tests.e2e.stub.server import Stub
from tests.e2e.stub.venue import Hall
from tests.edge.web_tools import on_venue, sale, seat_map
from tests.support.charts import chart
from tests.support.waiting import eventually

if TYPE_CHECKING:
    from playwright.sync_api import Page

WITHOUT_WEBGL = """
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
  };
"""
CONTEXT = (
    "document.querySelector('.map-seats').getContext('webgl2').getExtension('WEBGL_lose_context')"
)
PAINTED = """() => {
  const { width, height } = document.querySelector('.map-seats');
  const pen = document.querySelector('.map-seats').getContext('2d');
  return pen.getImageData(0, 0, width, height).data.filter((byte, i) => i % 4 === 3 && byte).length;
}"""
SECTION_101 = (375, 521)  # its middle in the stub's hall


def shot(page: Page) -> bytes:
    return page.locator(".map").screenshot()


def test_the_seats_are_drawn_again_when_a_lost_context_is_back(stub: Stub, page: Page) -> None:
    sale(page, stub)
    seat_map(page)
    if page.evaluate("!document.createElement('canvas').getContext('webgl2')"):
        pytest.skip("this Chromium has no WebGL2")
    page.wait_for_timeout(500)
    before = shot(page)
    page.evaluate(f"globalThis.lost = {CONTEXT}; lost.loseContext()")
    assert eventually(lambda: shot(page) != before)
    page.evaluate("lost.restoreContext()")
    assert eventually(lambda: shot(page) == before)


def test_seats_are_drawn_and_chosen_where_there_is_no_webgl2(stub: Stub, page: Page) -> None:
    page.add_init_script(WITHOUT_WEBGL)
    sale(page, stub, "101")
    seat_map(page).click()
    page.get_by_text("Chosen: 1 seat").wait_for()
    assert page.evaluate(PAINTED) > 1_000


def test_a_zoom_into_a_section_is_a_step_that_back_undoes(stub: Stub, page: Page) -> None:
    sale(page, stub)
    seats = seat_map(page)
    seats.hover(position=on_venue(page, *SECTION_101))
    for _ in range(6):
        page.mouse.wheel(0, -240)
    page.get_by_role("heading", name="Section 101").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Lights over the Harbour").wait_for()
    page.locator(".mini").wait_for(state="hidden")  # all of the venue is seen again


def test_the_first_tap_tells_what_a_seat_is_and_the_second_one_takes_it(
    stub: Stub, phone: Page
) -> None:
    sale(phone, stub, "101")
    seats, chosen = seat_map(phone), phone.locator(".bar").get_by_text("1 seat chosen")
    seats.tap()
    card = phone.locator(".seat-card")
    card.get_by_text("about 14 m to the Stage").wait_for()
    assert not chosen.is_visible()
    seats.tap()
    chosen.wait_for()
    card.get_by_role("button", name="Remove this seat").tap()
    phone.locator(".bar").get_by_text("Nothing held yet").wait_for()


def test_a_price_that_is_switched_off_leaves_the_list_and_its_seats_turn_grey(
    stub: Stub, page: Page
) -> None:
    sale(page, stub)
    seat_map(page)
    page.wait_for_timeout(300)
    before = shot(page)
    chip = page.get_by_role("button", name="Blue, €76.50")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    assert page.locator(".place-button[data-place=L]").is_hidden()
    assert page.locator(".place-button[data-place='101']").is_visible()
    assert eventually(lambda: shot(page) != before)
    chip.click()
    page.mouse.move(2, 2)
    assert page.locator(".place-button[data-place=L]").is_visible()
    assert eventually(lambda: shot(page) == before)


def test_the_focused_seat_stays_in_view_and_is_told(stub: Stub, phone: Page) -> None:
    sale(phone, stub, "101")
    seat_map(phone).focus()
    for key in ("ArrowRight", *["ArrowDown"] * 9, *["ArrowRight"] * 13):
        phone.keyboard.press(key)
    phone.locator("#live", has_text="Row J, seat 14, free, €76.50").wait_for(state="attached")
    phone.locator(".seat-card").get_by_text("Row J, seat 14").wait_for()
    phone.keyboard.press("Enter")
    phone.locator(".bar").get_by_text("1 seat chosen").wait_for()


COLOURED = """() => {
  const { width, height } = document.querySelector('.map-ground');
  const pen = document.querySelector('.map-ground').getContext('2d');
  const { data } = pen.getImageData(0, 0, width, height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i] > 200 && data[i + 1] < 60;
  return count;
}"""


@pytest.mark.parametrize("script", ["", WITHOUT_WEBGL])
def test_the_charts_picture_lies_below_its_seats_once_the_map_is_there(
    page: Page, tmp_path: Path, script: str
) -> None:
    Image.new("RGB", (40, 20), "#ff0000").save(tmp_path / "hall.png")
    drawn = {"file": "hall.png", "x": 0, "y": 0, "width": 200, "height": 160}
    document = chart("little-hall.venue.json") | {"picture": drawn}
    (tmp_path / "hall.json").write_text(json.dumps(document))
    stub = Stub(Hall(import_chart(tmp_path / "hall.json"))).start()
    page.add_init_script(script)
    sale(page, stub)
    seat_map(page)
    assert eventually(lambda: page.evaluate(COLOURED) > 1_000)
    asked = stub.world.asked
    assert asked.index("background") > asked.index("all_seats")
    stub.stop()
