"""Draw tickets as one PDF, a page each, to print or keep: by ``reportlab``, codes as vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.font import BOLD, REGULAR, in_font
from fairgate.adapters.tickets.paper import INK, MUTED, pdf_of
from fairgate.adapters.tickets.qr import QUIET_ZONE, dark_runs, qr_matrix
from fairgate.adapters.tickets.text import ADMITS, HINT, clip, lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.tickets.ticket import TicketFace

_WIDTH, _HEIGHT = 297.6, 419.5  # A6 in points
_CODE = 190.0  # edge of the QR code with its quiet zone, 67 mm
_BAND, _PALE = "#1d3557", "#cfe0f5"


def ticket_pdf(faces: Sequence[TicketFace]) -> bytes:
    """Draw the tickets; the same ones always give the same bytes."""

    def draw(canvas: Any) -> None:
        for face in faces:
            _page(canvas, face)
            canvas.showPage()

    return pdf_of((_WIDTH, _HEIGHT), f"Tickets for {faces[0].event_name}", draw)


def _page(canvas: Any, face: TicketFace) -> None:
    canvas.setFillColor(_BAND)
    canvas.rect(0, _HEIGHT - 106, _WIDTH, 106, stroke=0, fill=1)
    _text(canvas, 20, 22, 8, _PALE, ADMITS)
    for number, line in enumerate(lines(in_font(face.event_name), 28, 2)):
        _text(canvas, 20, 42 + 18 * number, 15, "#ffffff", line, bold=True)
    for number, line in enumerate(face.about):
        _text(canvas, 20, 76 + 11.5 * number, 9, _PALE, clip(in_font(line), 46))
    for number, line in enumerate(lines(in_font(face.label), 30, 2)):
        _text(canvas, 20, 130 + 17 * number, 13, INK, line, bold=True)
    _text(canvas, 20, 166, 9, MUTED, clip(in_font(face.tier), 46))
    _code(canvas, face.code, (_WIDTH - _CODE) / 2, 174)
    _centred(canvas, 380, 9, INK, f"Ticket {face.number} of {face.total}")
    _centred(canvas, 393, 8, MUTED, face.ticket)
    _centred(canvas, 407, 7, MUTED, HINT)


def _code(canvas: Any, text: str, left: float, top: float) -> None:
    rows = qr_matrix(text)
    edge = _CODE / (len(rows) + 2 * QUIET_ZONE)
    canvas.setFillColor("#000000")
    canvas.saveState()
    canvas.translate(left, _HEIGHT - top)
    canvas.scale(edge, -edge)  # one unit a module, downwards
    # As the page's own operators: a path of the library spends most of a ticket on its numbers.
    canvas.addLiteral(" ".join(f"{x} {y} {length} 1 re" for x, y, length in dark_runs(rows)) + " f")
    canvas.restoreState()


def _text(
    canvas: Any, x: float, top: float, size: float, color: str, text: str, *, bold: bool = False
) -> None:
    canvas.setFillColor(color)
    canvas.setFont(BOLD if bold else REGULAR, size)
    canvas.drawString(x, _HEIGHT - top, text)


def _centred(canvas: Any, top: float, size: float, color: str, text: str) -> None:
    canvas.setFillColor(color)
    canvas.setFont(REGULAR, size)
    canvas.drawCentredString(_WIDTH / 2, _HEIGHT - top, text)
