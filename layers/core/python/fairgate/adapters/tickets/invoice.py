"""Draw invoices and credit notes as one PDF, A4, in the fonts of the tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.typeset import text_of, typeset
from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.amount_text import amount_text
from fairgate.service.shared.start_text import start_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Document, DocumentLine

_TITLES = {"invoice": "Invoice", "credit-note": "Credit note"}
_TOTALS = {"invoice": "Total, paid", "credit-note": "Total, given back"}
_COLUMNS = ("Each amount includes its VAT", "VAT rate", "Amount")
_SUMS = ("VAT rate", "Net", "VAT", "With VAT")


def document_number(document: Document) -> str:
    """Return the number as printed, with its event."""
    return f"{document.event_id}-{document.number:06d}"


def documents_pdf(documents: Sequence[Document]) -> bytes:
    """Draw the documents, each on a new page; the same ones always give the same bytes."""
    data = {"title": _title(documents[0]), "documents": [_document(one) for one in documents]}
    return typeset("invoice", data, "pdf")


def _document(document: Document) -> dict[str, Any]:
    dates = [f"Date {document.at[:10]}", f"Order {document.order_id}"]
    if document.kind == "credit-note":
        dates.append(f"For invoice {document.event_id}-{document.invoice:06d}")
    starts = start_text(document.starts_at, document.time_zone)
    postal = document.postal_address.lines if document.postal_address else []
    seller = [document.seller_name, document.seller_address]
    total = amount_text(document.amount_minor, document.currency)
    return {
        "title": _title(document),
        "dates": dates,
        "seller": [*map(text_of, seller), text_of(f"VAT number {document.seller_vat_id}")],
        "buyer": [text_of(line) for line in (*postal, document.buyer)],
        "event": [text_of(line) for line in (document.event_name, starts) if line],
        "lines": [_line(line, document.currency) for line in document.lines],
        "sums": _sums(document),
        "total": f"{total} {document.currency}",
        "notes": [],
        "words": {
            "from": "From",
            "to": "To",
            "columns": _COLUMNS,
            "sums": _SUMS,
            "total": _TOTALS[document.kind],
        },
    }


def _line(line: DocumentLine, currency: str) -> dict[str, Any]:
    label = f"{line.quantity} × {line.label}" if line.quantity > 1 else line.label
    return {
        "label": {**text_of(label), "rtl": False},  # its words Row and Seat are read from the left
        "rate": rate_text(line.vat_bp),
        "amount": amount_text(line.amount_minor, currency),
    }


def _sums(document: Document) -> list[list[str]]:
    """Return rate, net, VAT and amount of each rate."""
    rows = []
    for rate in sorted({line.vat_bp for line in document.lines}):
        at_rate = [line for line in document.lines if line.vat_bp == rate]
        vat = sum(line.vat_minor for line in at_rate)
        whole = sum(line.amount_minor for line in at_rate)
        amounts = (amount_text(one, document.currency) for one in (whole - vat, vat, whole))
        rows.append([rate_text(rate), *amounts])
    return rows


def _title(document: Document) -> str:
    return f"{_TITLES[document.kind]} {document_number(document)}"
