"""Draw invoices and credit notes as one PDF, A4, by ``reportlab``, in the font of the tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.font import BOLD, REGULAR, in_font
from fairgate.adapters.tickets.paper import INK, MUTED, pdf_of
from fairgate.adapters.tickets.text import clip, lines
from fairgate.domain.shared.amount_text import amount_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Document, DocumentLine

_WIDTH, _HEIGHT = 595.3, 841.9  # A4 in points
_LEFT, _RIGHT = 56.0, 539.0
_RATE, _VAT = 380.0, 460.0  # right edges of columns
_ROW = 16.0
_FIRST, _LAST = 330.0, 700.0  # from the top: where a page's lines begin, and the last may stand
_TITLES = {"invoice": "Invoice", "credit-note": "Credit note"}


def document_number(document: Document) -> str:
    """Return the number as printed, with its event."""
    return f"{document.event_id}-{document.number:06d}"


def documents_pdf(documents: Sequence[Document]) -> bytes:
    """Draw the documents, each on a new page; the same ones always give the same bytes."""
    title = f"{_TITLES[documents[0].kind]} {document_number(documents[0])}"

    def draw(canvas: Any) -> None:
        for document in documents:
            _document(canvas, document)

    return pdf_of((_WIDTH, _HEIGHT), title, draw)


def _document(canvas: Any, document: Document) -> None:
    _head(canvas, document)
    top = _FIRST
    for line in document.lines:
        if top > _LAST:
            canvas.showPage()
            _head(canvas, document)
            top = _FIRST
        _line(canvas, top, line, document.currency)
        top += _ROW
    rates = sorted({line.vat_bp for line in document.lines})
    if top + (len(rates) + 3) * _ROW > _LAST + 80:
        canvas.showPage()
        _head(canvas, document)
        top = _FIRST
    _sums(canvas, top + 6, document, rates)
    canvas.showPage()


def _head(canvas: Any, document: Document) -> None:
    _text(canvas, 80, 20, f"{_TITLES[document.kind]} {document_number(document)}", bold=True)
    _text(canvas, 100, 9, f"Date {document.at[:10]}", color=MUTED)
    top = 130.0
    _text(canvas, top, 10, clip(in_font(document.seller_name), 80), bold=True)
    for row in lines(in_font(document.seller_address), 90, 3):
        top += 14
        _text(canvas, top, 10, row)
    _text(canvas, top + 14, 10, in_font(f"VAT number {document.seller_vat_id}"))
    _text(canvas, 220, 10, clip(in_font(f"To {document.buyer}"), 90))
    _text(canvas, 236, 10, clip(in_font(document.event_name), 90))
    _text(canvas, 252, 9, f"Order {document.order_id}", color=MUTED)
    if document.kind == "credit-note":
        about = f"For invoice {document.event_id}-{document.invoice:06d}"
        _text(canvas, 266, 9, about, color=MUTED)
    for right, word in ((_RATE, "VAT rate"), (_VAT, "VAT"), (_RIGHT, "Amount")):
        _right(canvas, 306, right, word, color=MUTED)
    _text(canvas, 306, 9, "Each amount includes its VAT", color=MUTED)
    canvas.line(_LEFT, _HEIGHT - 312, _RIGHT, _HEIGHT - 312)


def _line(canvas: Any, top: float, line: DocumentLine, currency: str) -> None:
    label = f"{line.quantity} × {line.label}" if line.quantity > 1 else line.label
    _text(canvas, top, 9, clip(in_font(label), 50))
    _right(canvas, top, _RATE, rate_text(line.vat_bp))
    _right(canvas, top, _VAT, amount_text(line.vat_minor, currency))
    _right(canvas, top, _RIGHT, amount_text(line.amount_minor, currency))


def _sums(canvas: Any, top: float, document: Document, rates: Sequence[int]) -> None:
    canvas.line(_LEFT, _HEIGHT - top + 10, _RIGHT, _HEIGHT - top + 10)
    for rate in rates:
        at_rate = [line for line in document.lines if line.vat_bp == rate]
        vat = sum(line.vat_minor for line in at_rate)
        whole = sum(line.amount_minor for line in at_rate)
        net = amount_text(whole - vat, document.currency)
        _text(canvas, top + 4, 9, f"Net at {rate_text(rate)}: {net}")
        _right(canvas, top + 4, _VAT, amount_text(vat, document.currency))
        top += _ROW
    total = f"{amount_text(document.amount_minor, document.currency)} {document.currency}"
    _text(canvas, top + 10, 12, _TOTALS[document.kind], bold=True)
    _right(canvas, top + 10, _RIGHT, total, size=12, bold=True)


_TOTALS = {"invoice": "Total, paid", "credit-note": "Total, given back"}


def rate_text(rate_bp: int) -> str:
    """Return ``19 %`` for 1,900 basis points, ``5.5 %`` for 550."""
    return f"{rate_bp / 100:g} %"


def _text(
    canvas: Any, top: float, size: float, text: str, *, color: str = INK, bold: bool = False
) -> None:
    canvas.setFillColor(color)
    canvas.setFont(BOLD if bold else REGULAR, size)
    canvas.drawString(_LEFT, _HEIGHT - top, text)


def _right(
    canvas: Any,
    top: float,
    right: float,
    text: str,
    *,
    size: float = 9,
    color: str = INK,
    bold: bool = False,
) -> None:
    canvas.setFillColor(color)
    canvas.setFont(BOLD if bold else REGULAR, size)
    canvas.drawRightString(right, _HEIGHT - top, text)
