"""What the tests of the pages do in the browser before they begin, and how they wait."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tests.e2e.stub.server import Stub
from tests.e2e.stub.venue import venue
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Position

Open = Callable[..., AbstractContextManager[Any]]


def sign_in(page: Page, stub: Stub, route: str) -> None:
    page.goto(f"{stub.base_url}/#{route}")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    page.wait_for_url(f"**/#{route}")
    signed_in(page)


def signed_in(page: Page) -> None:
    """Wait until the answer is exchanged: the address is the page's own before that."""
    page.locator("#account .who").wait_for(state="attached")  # in any language


ARRIVED = """(([keys, values]) => {
  if (sessionStorage.getItem('arrived')) return;
  keys.forEach((key, n) => sessionStorage.setItem(key, JSON.stringify(values[n])));
  sessionStorage.setItem('arrived', 'once');
})"""


def arrive(page: Page, stub: Stub, route: str) -> None:
    """Open a page as who signed in before; the way there has tests of its own."""
    data = stub.world.sign_in()
    kept = [["fairgate:auth", "fairgate:sub"], [data, data["sub"]]]
    page.add_init_script(f"{ARRIVED}({json.dumps(kept)})")
    page.goto(f"{stub.base_url}/#{route}")
    signed_in(page)


def choose_seats(page: Page) -> None:
    """Go on to the seats, once it is the buyer's turn."""
    page.get_by_role("link", name="Choose seats").click(timeout=1_000 * patience_s(30))


def sale(page: Page, stub: Stub, section: str = "", seconds: float = 600) -> None:
    stub.inside(seconds)
    arrive(page, stub, "/e/demo/sale" + (f"/{section}" if section else ""))


def seat_map(page: Page) -> Locator:
    """The map, once it shows seats and what is free."""
    page.locator(".map-holder[aria-busy=false]").wait_for()
    return page.locator(".map-front")


def on_venue(page: Page, x: float, y: float) -> Position:
    """Where a point of the stub's hall is on the map that shows all of it."""
    box = page.locator(".map-front").bounding_box()
    assert box is not None
    places = [place for kind in ("sections", "areas", "shapes") for place in venue()[kind]]
    corners = [corner for place in places for corner in place["outline"]]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*corners, strict=True))
    scale = min((box["width"] - 32) / (right - left), (box["height"] - 32) / (bottom - top))
    return {
        "x": box["width"] / 2 + (x - (left + right) / 2) * scale,
        "y": box["height"] / 2 + (y - (top + bottom) / 2) * scale,
    }


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen; a phone makes its page wider for what is."""
    assert page.viewport_size is not None
    wide: int = page.evaluate("document.documentElement.scrollWidth")
    return wide <= page.viewport_size["width"]
