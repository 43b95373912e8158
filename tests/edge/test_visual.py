"""The pages look as they did when somebody last looked at them, or the test names what changed.

`make pictures` makes tests/edge/looks/ anew; the pictures in docs/states/ are for looking at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fairgate_ops.run.pictures.fonts import FONTS
from fairgate_ops.shared.paths import ROOT
from tests.edge import visual
from tests.edge.page_states import STATES
from tests.edge.pictures import COMPARED, DARK, LOOKS, OUT, look_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not FONTS.is_dir(), reason="the fonts are not built (make setup)")
AGAIN = "If this is meant, look at the pictures that `make pictures` makes, and commit them."


@pytest.fixture(scope="module")
def with_fonts(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with visual.with_built_fonts(chromium.browser_type, tmp_path_factory.mktemp("fonts")) as made:
        yield made


@pytest.mark.parametrize(("state", "size", "dark"), COMPARED)
def test_a_page_looks_as_before(with_fonts: Browser, state: str, size: str, *, dark: bool) -> None:
    with visual.showing(with_fonts, state, size, dark=dark) as page:
        found = visual.changes(visual.read(look_path(state, size, dark)), visual.look_of(page))
    assert not found, "\n".join([f"{state}, {size}:", *found, AGAIN])


@pytest.mark.parametrize(
    ("style", "said"),
    [
        (
            ".primary { background: #a00 !important }",
            "a.button.primary.big: ground #0e5560 → #aa0000",
        ),
        ("h1 { margin-top: 30px !important }", "h1 moved from"),
        (".badge { display: none !important }", "span.badge.badge-on-sale is gone"),
        (".brand { font-size: 20px !important }", "a.brand: letters 16px 750 → 20px 750"),
        (".map-front { filter: invert(1); background: #777 }", "canvas.map-front"),
    ],
)
def test_what_changed_is_named(with_fonts: Browser, style: str, said: str) -> None:
    """Control: a colour, a place, a part, letters, and what only the picture shows."""
    with visual.showing(with_fonts, "event", "desktop", dark=False) as page:
        before = visual.look_of(page)
        page.evaluate(
            "(style) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(style);"
            " document.adoptedStyleSheets = [sheet]; }",
            style,
        )
        found = visual.changes(before, visual.look_of(page))
    assert [line for line in found if said in line], found


def test_every_look_is_compared_and_all_are_small() -> None:
    kept = {path.with_suffix("") for path in LOOKS.iterdir()}
    assert kept == {look_path(*one) for one in COMPARED}
    assert sum(path.stat().st_size for path in LOOKS.iterdir()) < 300_000


def test_every_state_has_its_picture_on_the_page_that_shows_them() -> None:
    shown = re.findall(
        r'<img src="states/([\w-]+)\.webp" width="900" alt="([^"]+)">',
        Path(ROOT / "docs" / "states.md").read_text("utf-8"),
    )
    pictures = list(OUT.glob("*.webp"))
    assert sorted(name for name, _ in shown) == sorted(path.stem for path in pictures)
    assert {path.stem for path in pictures} == {*STATES, *(f"{state}-dark" for state in DARK)}
    assert min(len(text.split()) for _, text in shown) >= 4
    assert sum(path.stat().st_size for path in pictures) < 1_500_000
