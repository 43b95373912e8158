"""An event's colours, mended in OKLCH with their hue until buttons and links can be read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

# Of headings: of the system, so that no page loads more. tokens.css has their families.
FONTS = ("sans", "serif", "mono")
COLOR = re.compile(r"#[0-9a-fA-F]{6}")

# The pages' grounds, as tokens.css has them: the paper of cards, and one that is harder for links.
WHITE, INK = "#ffffff", "#15181d"
PAPER, SUNK = {"light": "#ffffff", "dark": "#181b1f"}, {"light": "#ecece8", "dark": "#22262b"}
# Contrasts. WCAG 2.2 asks for 4.5 of text and 3 of signs.
TEXT, LINK, LINK_IN_DARK, SIGN = 4.5, 4.6, 7.0, 3.0
# Source: IEC 61966-2-1, sRGB: what is darker is linear.
_LINEAR_TO, _SHOWN_TO = 0.04045, 0.0031308
_ROUNDING = 0.0005  # of a part of sRGB that is 0 or 1
_HALVINGS = 12


class Shades(Struct, frozen=True):
    """A brand's colours in one scheme, ``#rrggbb`` each.

    Attributes:
        button, text: a button and the letters on it.
        edge: the button's line, which is told from the paper.
        link: links, on every ground of the pages.
    """

    button: str
    text: str
    edge: str
    link: str


class Palette(Struct, frozen=True):
    light: Shades
    dark: Shades


@lru_cache(256)
def palette_of(color: str) -> Palette:
    """Return what the pages use of a colour that matches COLOR."""
    color = color.lower()
    return Palette(_shades(color, "light"), _shades(color, "dark"))


def mending_said(color: str) -> str:
    """Say in words what the pages do with a colour, and why."""
    light, dark, color = palette_of(color).light, palette_of(color).dark, color.lower()
    parts = [_button_said(color, light)]
    if light.link != color:
        parts.append(f"links use {light.link}, because {color} is hard to read as text")
    else:
        parts.append("links have it, too")
    return (
        f"{'; '.join(parts)}. On dark screens {_button_said(color, dark)}; links use {dark.link}."
    )


def _button_said(color: str, shades: Shades) -> str:
    letters = "white" if shades.text == WHITE else "dark"
    kept = "keep it" if shades.button == color else f"use the lighter {shades.button}"
    edge = "" if shades.edge == shades.button else f" and an edge of {shades.edge}"
    return f"buttons {kept}, with {letters} letters{edge}"


def contrast(one: str, other: str) -> float:
    """Return how two colours contrast, 1 to 21 (WCAG 2.2, contrast ratio)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _shades(color: str, scheme: str) -> Shades:
    paper, sunk, dark = PAPER[scheme], SUNK[scheme], scheme == "dark"
    button = color
    if dark:
        button = _moved(button, 1, lambda shade: contrast(shade, paper) >= SIGN)
    button = _moved(
        button, 1, lambda shade: max(contrast(shade, WHITE), contrast(shade, INK)) >= TEXT
    )
    text = WHITE if contrast(button, WHITE) >= TEXT else INK
    link = _moved(
        color,
        1 if dark else -1,
        lambda shade: contrast(shade, sunk) >= (LINK_IN_DARK if dark else LINK),
    )
    edge = button if contrast(button, paper) >= SIGN else link
    return Shades(button, text, edge, link)


def _moved(color: str, way: int, good: Callable[[str], bool]) -> str:
    """Return the colour, or the nearest lighter (1) or darker (-1) one of its hue that is good."""
    if good(color):
        return color
    lightness, chroma, hue = _oklch(color)
    bad, end = lightness, 1.0 if way > 0 else 0.0
    found = _within_gamut(end, chroma, hue)
    for _ in range(_HALVINGS):
        middle = (bad + end) / 2
        shade = _within_gamut(middle, chroma, hue)
        if good(shade):
            found, end = shade, middle
        else:
            bad = middle
    return found


def _within_gamut(lightness: float, chroma: float, hue: float) -> str:
    """Return the colour with as much of its chroma as sRGB has at this lightness."""
    if (shown := _hex(lightness, chroma, hue)) is not None:
        return shown
    low, high, found = 0.0, chroma, _grey(lightness)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        shade = _hex(lightness, middle, hue)
        if shade is None:
            high = middle
        else:
            low, found = middle, shade
    return found


def _grey(lightness: float) -> str:
    return "#" + f"{_byte(min(1.0, max(0.0, lightness)) ** 3):02x}" * 3


def _linear(color: str) -> list[float]:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [p / 12.92 if p <= _LINEAR_TO else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def _luminance(color: str) -> float:
    red, green, blue = _linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _byte(part: float) -> int:
    part = min(1.0, max(0.0, part))
    shown = part * 12.92 if part <= _SHOWN_TO else 1.055 * part ** (1 / 2.4) - 0.055
    return round(shown * 255)


def _oklch(color: str) -> tuple[float, float, float]:
    """Return lightness, chroma and hue in radians. Source: Björn Ottosson, "Oklab" (2020)."""
    red, green, blue = _linear(color)
    l_ = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    m_ = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    s_ = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    a = 1.9779984951 * l_ - 2.4285922050 * m_ + 0.4505937099 * s_
    b = 0.0259040371 * l_ + 0.7827717662 * m_ - 0.8086757660 * s_
    lightness = 0.2104542553 * l_ + 0.7936177850 * m_ - 0.0040720468 * s_
    return lightness, math.hypot(a, b), math.atan2(b, a)


def _hex(lightness: float, chroma: float, hue: float) -> str | None:
    """Return the colour as ``#rrggbb``; None: sRGB does not have it."""
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    l_ = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
        -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
        -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_,
    )
    if any(not -_ROUNDING <= part <= 1 + _ROUNDING for part in parts):
        return None
    return "#" + "".join(f"{_byte(part):02x}" for part in parts)
