"""An event's colours in a real browser: on its pages, in both schemes, and on no other page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec import to_builtins

from fairgate.domain.catalog.brand import palette_of
from tests.edge.web_tools import fits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from playwright.sync_api import Page

    from tests.e2e.stub.server import Stub

YELLOW = "#ffd400"


def painted(page: Page, name: str) -> str:
    found: Sequence[int] = page.locator(".primary").first.evaluate(
        "(one, name) => getComputedStyle(one)[name].match(/\\d+/g).map(Number)", name
    )
    return "#" + "".join(f"{part:02x}" for part in found[:3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_have_them_as_they_were_mended(
    stub: Stub, either: Page, scheme: Literal["light", "dark"]
) -> None:
    said: list[str] = []
    either.on("console", lambda message: said.append(message.text))
    stub.world.colors = {**to_builtins(palette_of(YELLOW)), "accent": "#00ff00"}
    either.emulate_media(color_scheme=scheme)
    either.goto(f"{stub.base_url}/#/e/demo")
    either.locator(".primary").first.wait_for()
    shades = getattr(palette_of(YELLOW), scheme)
    shown = [painted(either, name) for name in ("backgroundColor", "color", "borderTopColor")]
    assert shown == [shades.button, shades.text, shades.edge]
    assert fits(either)
    either.get_by_role("link", name="Fairgate").click()
    either.get_by_role("link", name="Lights over the Harbour").first.wait_for()
    assert either.locator("html.branded").count() == 0
    assert [text for text in said if "Content Security Policy" in text] == []


@pytest.mark.parametrize("accent", ["#00ff00", None])
def test_the_next_event_has_nothing_of_them(stub: Stub, either: Page, accent: str | None) -> None:
    def line() -> str:
        found: str = either.locator(".hero").evaluate(
            "one => getComputedStyle(one).background + getComputedStyle(one).borderBlockEndColor"
        )
        return found

    either.goto(f"{stub.base_url}/#/e/demo")
    either.locator(".hero").wait_for()
    plain = line()
    stub.world.colors = {**to_builtins(palette_of(YELLOW)), "accent": accent}
    either.reload()
    either.locator("html.branded .hero").wait_for()
    assert line() != plain
    stub.world.colors = None
    for route in ("orders", "e/demo"):  # the page stays loaded
        either.goto(f"{stub.base_url}/#/{route}")
        either.locator("html:not(.branded)").wait_for()
    either.locator(".hero").wait_for()
    assert line() == plain
