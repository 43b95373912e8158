"""An event's logo in a real browser: on its pages, whatever their scheme, and on no other page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.stub.answers import Refused
from tests.edge.brand import SELLER, branded
from tests.edge.web_tools import fits

if TYPE_CHECKING:
    from typing import Literal

    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_header_has_the_events_logo_and_elsewhere_fairgates(
    stub: Stub, either: Page, scheme: Literal["light", "dark"]
) -> None:
    branded(stub)
    either.emulate_media(color_scheme=scheme)
    either.goto(f"{stub.base_url}/#/e/demo")
    shown = either.get_by_role("banner").get_by_role("img", name=SELLER)
    shown.wait_for()
    assert shown.evaluate("one => one.decode().then(() => one.naturalHeight)") == 108
    box, header = shown.bounding_box(), either.locator(".top").bounding_box()
    assert box is not None
    assert header is not None
    assert 16 < box["height"] <= 36  # of a wide one, between the links of a phone
    assert box["width"] <= 160
    assert fits(either)
    either.get_by_role("link", name=SELLER).click()
    either.get_by_role("link", name="Lights over the Harbour").first.wait_for()
    assert either.get_by_role("link", name="Fairgate").is_visible()
    assert either.locator(".logo").count() == 0
    after = either.locator(".top").bounding_box()
    assert after is not None
    assert after["height"] == header["height"]


def test_a_logo_that_cannot_be_loaded_is_the_sellers_name(stub: Stub, phone: Page) -> None:
    branded(stub)
    stub.world.refuse["brand"] = Refused(404, "not-found")
    stub.world.refuse_times = 99  # the logo and the picture
    phone.goto(f"{stub.base_url}/#/e/demo")
    phone.locator(".brand bdi").filter(has_text=SELLER).wait_for()
    phone.locator(".primary").first.wait_for()
    assert fits(phone)


def test_an_event_without_a_brand_loads_nothing_more(stub: Stub, phone: Page) -> None:
    phone.goto(f"{stub.base_url}/#/e/demo")
    phone.locator(".primary").first.wait_for()
    phone.wait_for_load_state("networkidle")
    assert "brand" not in stub.world.reads
    branded(stub)  # control
    phone.reload()
    phone.locator(".logo").wait_for()
    phone.wait_for_load_state("networkidle")
    assert stub.world.reads["brand"] == 2


SHIFTS = """(() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
})()"""


def test_the_picture_stands_above_the_title_and_moves_nothing(stub: Stub, either: Page) -> None:
    branded(stub)
    stub.world.slow_s["brand"] = 0.6
    either.add_init_script(SHIFTS)
    either.goto(f"{stub.base_url}/#/e/demo")
    picture, title = either.locator("img.picture"), either.get_by_role("heading", level=1)
    picture.wait_for()
    before = picture.bounding_box(), title.bounding_box()
    assert picture.evaluate("one => one.naturalWidth") == 0  # control: it is not there yet
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") == 1280
    assert (picture.bounding_box(), title.bounding_box()) == before
    box, below = before
    assert box is not None
    assert below is not None
    assert box["y"] + box["height"] <= below["y"]
    assert round(box["width"] / box["height"], 1) in (1.8, 3.0)
    assert either.evaluate("window.shifted") == 0
    assert fits(either)
    button = either.locator(".primary").first.bounding_box()
    assert button is not None
    size = either.viewport_size
    assert size is not None
    assert button["y"] + button["height"] < size["height"] + 200


def test_a_picture_that_cannot_be_loaded_leaves_no_hole(stub: Stub, either: Page) -> None:
    branded(stub)
    either.route("**/picture.jpg", lambda route: route.abort())
    either.goto(f"{stub.base_url}/#/e/demo")
    either.locator(".hero h1").wait_for()
    expect(either.locator("img.picture")).to_have_count(0)
    assert fits(either)


def test_forced_dark_colours_show_the_logo_on_white(stub: Stub, phone: Page) -> None:
    branded(stub)
    phone.emulate_media(color_scheme="dark", forced_colors="active")
    phone.goto(f"{stub.base_url}/#/e/demo")
    logo = phone.locator(".logo")
    logo.wait_for()
    assert logo.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("font", ["serif", "mono"])
def test_headings_have_the_events_font_and_elsewhere_fairgates(
    stub: Stub, phone: Page, font: str
) -> None:
    def heading() -> str:
        family: str = phone.locator("h1").evaluate("one => getComputedStyle(one).fontFamily")
        return family

    stub.world.sellers["font"] = font
    phone.goto(f"{stub.base_url}/#/e/demo")
    phone.locator(".primary").first.wait_for()
    assert heading().endswith(f"{font}space" if font == "mono" else f" {font}")
    body = phone.locator("body").evaluate("one => getComputedStyle(one).fontFamily")
    assert body.endswith("sans-serif")
    assert fits(phone)
    phone.goto(f"{stub.base_url}/#/")
    phone.get_by_role("link", name="Lights over the Harbour").first.wait_for()
    assert heading() == body
