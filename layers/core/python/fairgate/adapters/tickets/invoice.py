"""Draw invoices and credit notes as one PDF, A4, in the fonts of the tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.typeset import text_of, typeset
from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.language import DEFAULT, Language
from fairgate.domain.shared.wording import Wording, wording
from fairgate.service.shared.start_text import start_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Document, DocumentLine

_TOTALS = {"invoice": "paid", "credit-note": "given-back"}
_COLUMNS = ("lines", "rate", "amount")
_SUMS = ("rate", "net", "vat", "gross")


def document_number(document: Document) -> str:
    """Return the number as printed, with its event."""
    return f"{document.event_id}-{document.number:06d}"


def documents_pdf(documents: Sequence[Document], language: Language = DEFAULT) -> bytes:
    """Draw the documents, each on a new page; the same ones always give the same bytes."""
    words = wording(language)
    data = {
        "language": language,
        "rtl": words.direction == "rtl",
        "title": _title(documents[0], words),
        "documents": [_document(one, words) for one in documents],
    }
    return typeset("invoice", data, "pdf")


def _document(document: Document, words: Wording) -> dict[str, Any]:
    dates = [
        words("invoice.date", date=document.at[:10]),
        words("order", order=document.order_id),
    ]
    if document.kind == "credit-note":
        number = f"{document.event_id}-{document.invoice:06d}"
        dates.append(words("invoice.about", number=number))
    starts = start_text(document.starts_at, document.time_zone, words.language)
    postal = document.postal_address.lines if document.postal_address else []
    vat_number = words("invoice.vat-number", number=document.seller_vat_id)
    seller = [document.seller_name, document.seller_address, vat_number]
    total = words.digits(amount_text(document.amount_minor, document.currency))
    return {
        "title": _title(document, words),
        "dates": dates,
        "seller": [text_of(line) for line in seller],
        "buyer": [text_of(line) for line in (*postal, document.buyer)],
        "event": [text_of(line) for line in (document.event_name, starts) if line],
        "lines": [_line(line, document.currency, words) for line in document.lines],
        "sums": _sums(document, words),
        "total": f"{total} {document.currency}",
        "notes": [],
        "words": {
            "from": words("invoice.from"),
            "to": words("invoice.to"),
            "columns": [words(f"invoice.{name}") for name in _COLUMNS],
            "sums": [words(f"invoice.{name}") for name in _SUMS],
            "total": words(f"invoice.{_TOTALS[document.kind]}"),
        },
    }


def _line(line: DocumentLine, currency: str, words: Wording) -> dict[str, Any]:
    label = words.place(line.label)
    label = f"{line.quantity} × {label}" if line.quantity > 1 else label
    return {
        # Its words Row and Seat are read in the direction of the language.
        "label": {**text_of(label), "rtl": words.direction == "rtl"},
        "rate": words.digits(rate_text(line.vat_bp)),
        "amount": words.digits(amount_text(line.amount_minor, currency)),
    }


def _sums(document: Document, words: Wording) -> list[list[str]]:
    """Return rate, net, VAT and amount of each rate."""
    rows = []
    for rate in sorted({line.vat_bp for line in document.lines}):
        at_rate = [line for line in document.lines if line.vat_bp == rate]
        vat = sum(line.vat_minor for line in at_rate)
        whole = sum(line.amount_minor for line in at_rate)
        amounts = (amount_text(one, document.currency) for one in (whole - vat, vat, whole))
        rows.append([words.digits(text) for text in (rate_text(rate), *amounts)])
    return rows


def _title(document: Document, words: Wording) -> str:
    return words(f"invoice.{document.kind}", number=document_number(document))
