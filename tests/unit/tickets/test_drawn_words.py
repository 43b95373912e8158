"""The words on a ticket: SVG, PNG and PDF say the same, each all of it."""

from __future__ import annotations

import base64
import re
import zlib
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import ImageDraw

from fairgate.adapters.tickets.pdf import ticket_pdf
from fairgate.adapters.tickets.png import ticket_png
from fairgate.adapters.tickets.svg import ticket_svg
from fairgate.adapters.tickets.text import ADMITS, HINT
from fairgate.domain.tickets.ticket import TicketFace

FACE = TicketFace(
    "Concert (late)",
    "Hall",
    "Row B, Seat 12",
    "Stalls",
    "tkt_1",
    "FG1.x.y",
    2,
    3,
    "Sat 1 Jun 2030, 20:00 CEST",
    "Quay 1, Hamburg",
)
WORDS = {
    ADMITS,
    "Concert (late)",
    "Hall",
    "Sat 1 Jun 2030, 20:00 CEST",
    "Quay 1, Hamburg",
    "Row B, Seat 12",
    "Stalls",
    "Ticket 2 of 3",
    "tkt_1",
    HINT,
}


def pdf_words(file: bytes) -> list[list[str]]:
    """Return what each page draws as text. ASCII stands in a PDF's strings as it is."""
    pages = []
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", file, re.DOTALL):
        packed = stream.strip()
        if packed.endswith(b"~>"):
            packed = base64.a85decode(packed[:-2])
        drawn = re.findall(
            rb"\(((?:\\.|[^\\)])*)\) Tj", zlib.decompressobj().decompress(packed), re.DOTALL
        )
        if drawn:
            pages.append([re.sub(rb"\\(.)", rb"\1", text).decode("ascii") for text in drawn])
    return pages


def test_a_pdf_says_all_of_it_on_each_page() -> None:
    second = TicketFace("Concert", "Hall", "Standing", "Floor", "tkt_2", "FG1.x.z", 3, 3)
    first_page, second_page = pdf_words(ticket_pdf([FACE, second]))
    assert set(first_page) == WORDS
    assert {"Standing", "Floor", "tkt_2", "Ticket 3 of 3"} < set(second_page)
    assert not (WORDS - {ADMITS, HINT, "Hall"}) & set(second_page)


def test_a_png_draws_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    draw_text = ImageDraw.ImageDraw.text

    def recorded(self: Any, xy: Any, text: str, *rest: Any, **named: Any) -> None:
        drawn.append(text)
        draw_text(self, xy, text, *rest, **named)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", recorded)
    ticket_png(FACE)
    assert set(drawn) == WORDS
    assert len(drawn) == len(WORDS)


def test_an_svg_says_the_same() -> None:
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", ticket_svg(FACE).decode())
    assert set(drawn) == WORDS


def test_a_ticket_of_an_event_that_says_nothing_has_no_empty_lines() -> None:
    bare = replace(FACE, venue_name="", starts="", venue_address="")
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", ticket_svg(bare).decode())
    assert set(drawn) == WORDS - {"Hall", FACE.starts, FACE.venue_address}
    (page,) = pdf_words(ticket_pdf([bare]))
    assert set(page) == set(drawn)
