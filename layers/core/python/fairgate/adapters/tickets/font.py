"""Load the font of PNG and PDF tickets: Bitstream Vera, which ``reportlab`` brings along."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.text import drawable

if TYPE_CHECKING:
    from collections.abc import Callable

REGULAR, BOLD = "Vera", "VeraBd"


def font_path(name: str) -> str:
    import reportlab

    return str(Path(reportlab.__file__).parent / "fonts" / f"{name}.ttf")


@cache
def registered(name: str) -> Any:
    """Return the font, known to reportlab from now on."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(name, font_path(name))
    pdfmetrics.registerFont(font)
    return font


def in_font(text: str) -> str:
    glyphs = registered(REGULAR).face.charToGlyph
    has: Callable[[str], bool] = lambda character: ord(character) in glyphs  # noqa: E731 a predicate
    return drawable(text, has)
