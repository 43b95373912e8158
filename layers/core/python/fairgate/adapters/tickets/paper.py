"""Pages of a PDF that is the same bytes for the same content, by ``reportlab``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.font import BOLD, REGULAR, in_font, registered

if TYPE_CHECKING:
    from collections.abc import Callable

INK, MUTED = "#14213d", "#5b6478"


def pdf_of(size: tuple[float, float], title: str, draw: Callable[[Any], None]) -> bytes:
    """Return the PDF that ``draw`` draws, without its time of creation.

    Args:
        size: of a page, width and height in points.
        draw: gets the canvas with both fonts registered, and ends each of its pages.
    """
    from reportlab.pdfgen.canvas import Canvas

    for font in (REGULAR, BOLD):
        registered(font)
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(in_font(title))
    canvas.setCreator("Fairgate")
    draw(canvas)
    canvas.save()
    return file.getvalue()
