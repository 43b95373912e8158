"""Whatever colour an organiser chooses, buttons and links can be read, on each ground of a page."""

from __future__ import annotations

import math
import random
import re

import pytest

from fairgate.domain.catalog.brand import (
    _oklch,
    contrast,
    mending_said,
    palette_of,
)
from fairgate_ops.shared.paths import ROOT

TEXT, SIGN = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11
RANDOM = random.Random(3_000)  # noqa: S311 nothing secret
PURE = ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff", "#000000", "#ffffff"]
COLORS = [*PURE, *(f"#{RANDOM.randrange(1 << 24):06x}" for _ in range(3_000))]
GREYISH = 0.04  # chroma: below, eight bits a channel say little of a hue
TURN = 0.12  # radians


def grounds() -> dict[str, dict[str, str]]:
    """Return the grounds that text stands on, of tokens.css, by scheme."""
    css = (ROOT / "edge/web/assets/css/tokens.css").read_text("utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2]
    found = {
        scheme: dict(re.findall(r"--(paper|ground|raised|sunk|floor|\w+-bg): (#\w+)", block))
        for scheme, block in (("light", light), ("dark", dark))
    }
    return {
        scheme: {name: value if len(value) == 7 else "#ffffff" for name, value in each.items()}
        for scheme, each in found.items()
    }


def test_buttons_and_links_can_be_read_in_both_schemes() -> None:
    pages, wrong = grounds(), []
    assert all(len(each) >= 6 for each in pages.values())
    for color in COLORS:
        palette = palette_of(color)
        for scheme, shades in (("light", palette.light), ("dark", palette.dark)):
            on = pages[scheme]
            good = (
                contrast(shades.text, shades.button) >= TEXT,
                contrast(shades.edge, on["paper"]) >= SIGN,
                all(contrast(shades.link, ground) >= TEXT for ground in on.values()),
            )
            wrong += [] if all(good) else [(color, scheme, good, shades)]
    assert wrong == []


def test_the_hue_stays() -> None:
    turned = []
    for color in COLORS:
        hue, palette = _oklch(color)[2], palette_of(color)
        for shade in (palette.light.link, palette.dark.link, palette.dark.button):
            _, chroma, now = _oklch(shade)
            if chroma >= GREYISH and abs(math.remainder(now - hue, math.tau)) > TURN:
                turned.append((color, shade))
    assert turned == []


@pytest.mark.parametrize(
    ("color", "parts"),
    [
        ("#FFD400", ["buttons keep it, with dark letters and an edge of", "hard to read as text"]),
        ("#0e5560", ["buttons keep it, with white letters; links have it, too. On dark screens"]),
        ("#787878", ["buttons use the lighter #808080, with dark letters;"]),
    ],
)
def test_what_is_mended_is_said(color: str, parts: list[str]) -> None:
    assert [part for part in parts if part not in mending_said(color)] == []
