"""Fit the texts of a ticket wherever it is drawn."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable

ADMITS = "ADMITS ONE"
HINT = "Show this code at the entrance. It is checked offline."


def lines(text: str, chars: int, lines_max: int) -> list[str]:
    """Break a text into ``lines_max`` lines of ``chars`` characters; … stands for the rest."""
    wrapped = textwrap.wrap(clean(text), chars) or [""]
    if len(wrapped) > lines_max:
        wrapped[lines_max - 1] = wrapped[lines_max - 1][: chars - 1].rstrip() + "…"
    return wrapped[:lines_max]


def clip(text: str, chars: int) -> str:
    return lines(text, chars, 1)[0]


def clean(text: str) -> str:
    """Remove the control characters that XML 1.0 forbids even when escaped."""
    return "".join(c if c.isprintable() else " " for c in text)


def drawable(text: str, has: Callable[[str], bool]) -> str:
    """Replace letters that a font lacks by those without marks, else by ``?``.

    The PNG and the PDF have one font of Western letters; the SVG uses the viewer's fonts.
    """
    return "".join(_drawable(c, has) for c in unicodedata.normalize("NFC", clean(text)))


def _drawable(character: str, has: Callable[[str], bool]) -> str:
    if has(character):
        return character
    bare = unicodedata.normalize("NFKD", character)[:1]
    return bare if bare and has(bare) else "?"
