"""A chart on the console's map in a real browser: its faults, and prices by choosing tiers."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest

from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.e2e.test_console import enter
from tests.e2e.test_console_prepare import GALA, begin, choose_the_chart, go_on, set_prices
from tests.support.charts import shared_chart
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from tests.support.running import Running


# How many colours a canvas has at some thousand points.
COLOURS = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const words = new Uint32Array(data.buffer);
  return new Set(words.filter((_, at) => at % 97 === 0)).size;
}"""
NOTE_CLICKS = """() => {
  window.clicked = [];
  document.addEventListener('click', ({ target }) => window.clicked.push(target.outerHTML), true);
}"""
PLAIN_COLOURS_MAX = 40  # of floors and their edges
NEAR_PX = 34  # from one seat to the next, where the map shows one seat


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def _drawn(page: Page) -> Locator:
    """The map, once it is drawn."""
    page.locator(".map-holder[aria-busy=false]").wait_for()
    return page.locator(".map-front")


def _has_focus(page: Page, label: str) -> None:
    field = page.get_by_label(label, exact=True).and_(page.locator(":focus"))
    wait_until(lambda: field.count() == 1, f"{label} has the focus")


def _to_a_seat(page: Page, words: str) -> None:
    """By keyboard: to a seat in the middle of the map."""
    page.locator(".map-front").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".map-says").filter(has_text=words).wait_for()


def _choose(page: Page, chart: object, folder: Path, name: str = "bad.json") -> None:
    file = folder / name
    file.write_text(chart if isinstance(chart, str) else json.dumps(chart), "utf-8")
    page.get_by_label("File of the chart").set_input_files(file)


def _gala() -> Any:
    return json.loads(GALA.read_text("utf-8"))


def test_prices_are_typed_by_choosing_tiers_on_the_map_or_its_legend(
    system: Running, desk: Page
) -> None:
    begin(desk, system, "Mapped Gala")
    choose_the_chart(desk)
    _drawn(desk)
    _to_a_seat(desk, "Section 102, row A, seat 2: Front rows")
    set_prices(desk)
    desk.reload()  # the drawing is kept with the draft
    _drawn(desk)
    desk.get_by_text("from €36.50").first.wait_for()
    desk.get_by_role("button", name="Lower bowl €66.50").wait_for()

    desk.get_by_role("button", name="Balcony").click()
    _has_focus(desk, "Price of Balcony")
    desk.get_by_role("button", name="Balcony", pressed=True).wait_for()
    desk.get_by_label("VAT of Front rows").focus()
    desk.get_by_role("button", name="Front rows", pressed=True).wait_for()
    desk.get_by_role("button", name="All tiers").press("Enter")
    every = desk.get_by_role("button", name="All tiers", pressed=True)
    every.and_(desk.locator(":focus")).wait_for()

    _to_a_seat(desk, "Front rows, €90.50")
    desk.keyboard.press("Enter")
    _has_focus(desk, "Price of Front rows")
    desk.keyboard.press("ControlOrMeta+A")
    desk.keyboard.type("10")
    desk.get_by_text("from €11.50").first.wait_for()  # buyers would read that
    row = desk.get_by_role("row", name="Front rows")
    row.get_by_text("with its fee; VAT in it €0.65").wait_for()


def test_a_finger_on_the_map_chooses_a_tier(system: Running, phone: Page) -> None:
    begin(phone, system, "Touched Gala")
    choose_the_chart(phone)
    go_on(phone, "Prices")
    front = _drawn(phone)
    front.scroll_into_view_if_needed()
    box = front.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.435  # of the standing floor
    field = phone.get_by_label("Price of Standing", exact=True).and_(phone.locator(":focus"))
    phone.evaluate(NOTE_CLICKS)

    def tapped() -> bool:
        phone.touchscreen.tap(x, y)  # first it comes nearer: several places are under a finger
        phone.wait_for_timeout(700)  # two taps at once are another gesture
        return field.count() == 1

    wait_until(tapped, "the price of what was tapped has the focus")
    assert phone.evaluate("window.clicked") == []  # what the page shows under the finger by then


def test_a_fault_leads_to_its_place_and_the_place_to_the_fault(
    system: Running, desk: Page, tmp_path: Path
) -> None:
    chart = _gala()
    first, second = chart["sections"][0]["blocks"][0]["rows"][1]["seats"]
    first["tier"], second["number"] = "nowhere", ""
    chart["tiers"][0]["color"] = "red"
    begin(desk, system, "Faulty Gala")
    go_on(desk, "Venue")
    _choose(desk, chart, tmp_path)
    front = _drawn(desk)
    desk.get_by_role("heading", name="The chart has 3 faults").wait_for()
    faults = desk.get_by_role("region", name="Faults").get_by_role("listitem")
    faults.filter(has_text="tiers[0].color").get_by_text("no place on the map").wait_for()

    chosen = desk.locator("[aria-current=true]")
    faults.filter(has_text="seats[1].number").get_by_role("button").press("Enter")
    chosen.filter(has_text="seats[1].number").wait_for()
    box = front.bounding_box()
    assert box is not None
    x, y = first["x"] - second["x"], first["y"] - second["y"]
    beside = NEAR_PX / math.hypot(x, y)  # the second is in the middle of the map, the first there
    desk.mouse.click(
        box["x"] + box["width"] / 2 + x * beside, box["y"] + box["height"] / 2 + y * beside
    )
    chosen.filter(has_text="there is no tier").wait_for()
    says = desk.locator(".map-says")
    says.filter(has_text="section 101, row B, seat 2: there is no tier").wait_for()

    desk.reload()  # what is wrong is read again
    desk.get_by_role("heading", name="The chart has 3 faults").wait_for()
    _choose(desk, _gala(), tmp_path, "good.json")
    desk.get_by_text("The chart is good.").wait_for()
    assert desk.get_by_role("region", name="Faults").count() == 0


def test_what_cannot_be_drawn_is_told_by_the_list_alone(
    system: Running, desk: Page, tmp_path: Path
) -> None:
    chart = _gala()
    for section in chart["sections"]:
        for block in section["blocks"]:
            for row in block["rows"]:
                for seat in row["seats"]:
                    del seat["x"], seat["y"]
    begin(desk, system, "Undrawn Gala")
    go_on(desk, "Venue")
    _choose(desk, chart, tmp_path)
    desk.get_by_text("Nothing of this chart can be drawn: the list alone").wait_for()
    desk.get_by_text("section 101, row A, seat 1", exact=True).first.wait_for()
    assert desk.locator(".map-holder").count() == 0
    _choose(desk, "{", tmp_path, "broken.json")
    desk.get_by_text("broken.json is not JSON").wait_for()
    assert desk.locator(".map-holder").count() == 0


def test_a_stadium_with_144_faults_is_drawn_with_all_of_them(system: Running, desk: Page) -> None:
    file = shared_chart("stadium.pretix.json")
    begin(desk, system, "Stadium")
    go_on(desk, "Venue")
    desk.get_by_label("File of the chart").set_input_files(file)
    _drawn(desk)
    desk.get_by_role("heading", name="The chart has 144 faults").wait_for()
    assert desk.get_by_role("button", name="on the map").count() == 144


def test_the_picture_that_a_chart_names_lies_below_its_map(
    system: Running, desk: Page, tmp_path: Path
) -> None:
    chart = _gala()
    picture = ROOT / "edge/web/assets/card.png"
    chart["picture"] = {"file": picture.name, "x": 0, "y": 0, **chart["bounds"]}
    begin(desk, system, "Pictured Gala")
    go_on(desk, "Venue")
    _choose(desk, chart, tmp_path)
    desk.get_by_text("picture.file must be the name of a picture").wait_for()
    desk.locator("summary", has_text="The chart names a picture").click()
    desk.get_by_label("Picture of the chart").set_input_files(picture)
    _drawn(desk)
    ground = desk.locator(".map-ground")
    wait_until(lambda: ground.evaluate(COLOURS) > PLAIN_COLOURS_MAX, "the picture is drawn")
    chart["sections"][0]["blocks"][0]["rows"][1]["seats"][0]["tier"] = "nowhere"
    _choose(desk, chart, tmp_path, "worse.json")
    desk.get_by_role("heading", name="The chart has 1 fault").wait_for()
    _drawn(desk)
    wait_until(lambda: ground.evaluate(COLOURS) > PLAIN_COLOURS_MAX, "it is below faults, too")


def test_the_prices_of_an_event_are_changed_on_its_map(system: Running, desk: Page) -> None:
    enter(desk, system, "Organiser", f"#/e/{system.event}/prepare")
    desk.locator("summary", has_text="Prices").press("Enter")
    _drawn(desk)
    desk.get_by_role("button", name="Balcony").click()  # which no place of these has
    _to_a_seat(desk, "Section 101, from ")
    desk.keyboard.press("Enter")
    desk.locator(".map-says").filter(has_text="Choose a seat.").wait_for()
    _to_a_seat(desk, "row A: Front rows, ")
    desk.keyboard.press("Enter")
    _has_focus(desk, "Price of Front rows")
