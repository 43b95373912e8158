"""What stands on an invoice and a credit note."""

from __future__ import annotations

import msgspec
import pytest

from fairgate.adapters.tickets.invoice import documents_pdf
from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.orders.vat import rate_text
from fairgate.domain.shared.ids import EventId, OrderId
from fairgate.domain.shared.language import LANGUAGES, Language
from fairgate.service.shared.keys import document_key
from fairgate.service.shared.records.orders import Document, DocumentLine
from tests.support.pdfs import pdf_words

ORDER = OrderId("ord_" + "a" * 32 + "_" + "b" * 8)
INVOICE = Document(
    *document_key(ORDER, "invoice"),
    number=7,
    kind="invoice",
    event_id=EventId("show"),
    order_id=ORDER,
    payment_id="pay_1",
    amount_minor=12_000,
    currency="EUR",
    at="2026-11-23T10:00:00.000Z",
    lines=[
        DocumentLine(label="A-1-7", quantity=1, amount_minor=10_700, vat_bp=700, vat_minor=700),
        DocumentLine(label="Fee", quantity=2, amount_minor=1_300, vat_bp=1_900, vat_minor=208),
    ],
    buyer="ann@example.com",
    event_name="The Show",
    seller_name="Tides GmbH",
    seller_address="Quay 1, Harbour",
    seller_vat_id="DE123456789",
    starts_at="2027-06-01T18:00:00.000Z",
    time_zone="Europe/Berlin",
)
NOTE = msgspec.structs.replace(INVOICE, number=9, kind="credit-note", invoice=7)


def test_an_invoice_says_who_sold_what_to_whom_with_which_vat() -> None:
    (page,) = pdf_words(documents_pdf([INVOICE]))
    assert page == [
        "Invoice show-000007",
        "Date 2026-11-23",
        f"Order {ORDER}",
        "From",
        "Tides GmbH",
        "Quay 1, Harbour",
        "VAT number DE123456789",
        "To",
        "ann@example.com",
        "The Show",
        "Tue 1 Jun 2027, 20:00 CEST",
        "Each amount includes its VAT VAT rate Amount",
        "A-1-7 7 % 107.00",
        "2 × Fee 19 % 13.00",
        "VAT rate Net VAT With VAT",
        "7 % 100.00 7.00 107.00",
        "19 % 10.92 2.08 13.00",
        "Total, paid 120.00 EUR",
        "Invoice show-000007 1",
    ]


def test_an_invoice_of_an_event_without_a_date_says_none() -> None:
    dateless = msgspec.structs.replace(INVOICE, starts_at="", time_zone="")
    (page,) = pdf_words(documents_pdf([dateless]))
    assert page[page.index("The Show") + 1].startswith("Each amount")


def test_a_credit_note_names_its_invoice_from_a_new_page_on() -> None:
    _, page = pdf_words(documents_pdf([INVOICE, NOTE]))
    assert "Total, given back 120.00 EUR" in page
    assert {"Credit note show-000009", "For invoice show-000007"} <= set(page)


def test_the_buyers_address_stands_on_both_and_moves_the_lines_down() -> None:
    postal = PostalAddress("Ann Buyer", "Quay 1\nFlat 2", "20457", "Hamburg", "Germany")
    both = [msgspec.structs.replace(one, postal_address=postal) for one in (INVOICE, NOTE)]
    for page in pdf_words(documents_pdf(both)):
        start = page.index("Ann Buyer")
        assert page[start + 1 : start + 6] == [
            *("Quay 1", "Flat 2", "20457 Hamburg", "Germany", "ann@example.com")
        ]
    many = [msgspec.structs.replace(INVOICE.lines[0], label=f"A-{n}") for n in range(60)]
    pages = pdf_words(documents_pdf([msgspec.structs.replace(both[0], lines=many)]))
    drawn = [word for page in pages for word in page if word.startswith("A-")]
    assert drawn == [f"A-{n} 7 % 107.00" for n in range(60)]


def test_many_places_go_on_to_another_page_and_none_is_lost() -> None:
    many = [msgspec.structs.replace(INVOICE.lines[0], label=f"A-{n}") for n in range(60)]
    pages = pdf_words(documents_pdf([msgspec.structs.replace(INVOICE, lines=many)]))
    drawn = [word for page in pages for word in page]
    assert len(pages) == 2
    assert [word for word in drawn if word.startswith("A-")] == [
        f"A-{n} 7 % 107.00" for n in range(60)
    ]
    assert drawn.count("Total, paid 120.00 EUR") == 1


def test_an_invoice_is_in_the_language_of_its_order() -> None:
    label = "Parterre · Row B · Seat 12"
    lines = [msgspec.structs.replace(INVOICE.lines[0], label=label, amount_minor=123_450)]
    (page,) = pdf_words(documents_pdf([msgspec.structs.replace(INVOICE, lines=lines)], "de"))
    assert page[:3] == ["Rechnung show-000007", "Datum 2026-11-23", f"Bestellung {ORDER}"]
    assert {"Di., 1. Juni 2027, 20:00 Uhr (MESZ)", "Summe, bezahlt 120,00 EUR"} <= set(page)
    assert "Parterre · Reihe B · Platz 12 7 % 1.234,50" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_documents_of_each_language_have_all_their_letters(
    language: Language, caplog: pytest.LogCaptureFixture
) -> None:
    assert len(pdf_words(documents_pdf([INVOICE, NOTE], language))) == 2
    assert caplog.messages == []  # no glyph is missing, so that it is a PDF/UA


def test_the_same_documents_are_the_same_bytes() -> None:
    assert documents_pdf([INVOICE, NOTE]) == documents_pdf([INVOICE, NOTE])


@pytest.mark.parametrize(("bp", "text"), [(1_900, "19 %"), (550, "5.5 %"), (0, "0 %")])
def test_a_rate_is_shown_as_people_write_it(bp: int, text: str) -> None:
    assert rate_text(bp) == text
