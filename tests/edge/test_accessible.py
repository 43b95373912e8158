"""Each page for who sees little, does not see, or needs letters of twice the size (WCAG 2.2 AA)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from fairgate_ops.run.pictures.screenshots import ARGS, installed_chromium
from tests.e2e import browser
from tests.e2e.stub.answers import Refused
from tests.e2e.stub.server import ORDER, Stub
from tests.edge.web_tools import arrive, fits
from tests.support.gate_build import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="npm packages are not installed")

Prepare = Callable[[Stub], Any]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FOUND = """async (tags) => (await axe.run({ runOnly: tags })).violations
  .filter(({ impact }) => ['serious', 'critical'].includes(impact))
  .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)"""


def waiting(stub: Stub) -> None:
    stub.world.polls_before_admission = 99


def bought(stub: Stub) -> None:
    stub.inside()
    stub.hold({"seats": ["102-A-1", "102-A-2"]})
    stub.world.order_state = "ticketed"


def holding(stub: Stub) -> None:
    stub.inside()
    stub.hold({"seats": ["102-A-1", "102-A-2"]})


def failing(stub: Stub) -> None:
    stub.world.refuse["events"], stub.world.refuse_times = Refused(500, "internal"), 99


def used_up(stub: Stub) -> None:
    stub.world.sessions_left = 0


STATES: dict[str, tuple[str, Prepare, str]] = {
    "events": ("/", lambda _: None, ".event"),
    "landing": ("/e/demo", lambda _: None, ".map-stage"),
    "waiting": ("/e/demo/wait", waiting, ".facts > div"),
    "sale": ("/e/demo/sale", lambda stub: stub.inside(), ".map-front"),
    "section": ("/e/demo/sale/102", holding, ".map-front"),
    "checkout": ("/e/demo/checkout", holding, "#email"),
    "orders": ("/orders", bought, "h1"),
    "order": (f"/o/{ORDER}", bought, "img.ticket"),
    "find": ("/find", lambda _: None, "#email"),
    "over": ("/e/demo/sale", lambda _: None, ".card.narrow"),
    "failed": ("/", failing, ".notice-bad"),
    "used up": ("/e/demo", used_up, ".way .notice-warn"),
}


def opened(page: Page, stub: Stub, state: str) -> None:
    route, prepare, there = STATES[state]
    prepare(stub)
    arrive(page, stub, route)
    page.locator(there).first.wait_for()


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious(stub: Stub, page: Page, state: str) -> None:
    opened(page, stub, state)
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FOUND, WCAG) == []


@pytest.fixture(scope="module")
def large_letters(chromium: Browser) -> Iterator[Browser]:
    """A browser whose reader has chosen letters of twice the size."""
    started = chromium.browser_type.launch(
        executable_path=installed_chromium(),
        args=[*ARGS, browser.LOOPBACK_ONLY, "--blink-settings=defaultFontSize=32"],
    )
    yield started
    started.close()


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("large", [False, True], ids=["100%", "200%"])
def test_nothing_leaves_a_screen_of_320_pixels(
    stub: Stub, chromium: Browser, large_letters: Browser, state: str, *, large: bool
) -> None:
    with browser.window(large_letters if large else chromium, phone=True) as page:
        page.set_viewport_size({"width": 320, "height": 640})
        opened(page, stub, state)
        assert fits(page)
        outside = page.evaluate(
            "[...document.querySelectorAll('.top *')].filter((e) => e.getBoundingClientRect().right"
            " > innerWidth).map((e) => e.outerHTML)"
        )
        assert outside == []
