"""The words on a ticket: SVG, PNG and PDF say the same, in any script, each all of it."""

from __future__ import annotations

import io
import re
import unicodedata
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from fairgate.adapters.tickets import fonts
from fairgate.adapters.tickets.qr import QUIET_ZONE, qr_matrix
from fairgate.adapters.tickets.ticket_files import (
    ticket_pdf,
    ticket_png,
    ticket_svg,
)
from fairgate.domain.catalog.brand import contrast
from fairgate.domain.shared.language import LANGUAGES, Language
from fairgate.domain.shared.printable import clusters, unprintable
from fairgate.domain.shared.reading import Problems, Reader
from fairgate.domain.shared.wording import wording
from fairgate.domain.tickets.ticket import TicketFace
from fairgate.service.shared.start_text import start_text
from fairgate_ops.run.pictures.scripts import PLACES
from tests.support.pdfs import pdf_words

FACE = TicketFace(
    "Concert (late)",
    "Hall",
    "Parterre · Row B · Seat 12",
    "Stalls",
    "tkt_1",
    "FG1.x.y",
    2,
    3,
    "Sat 1 Jun 2030, 20:00 CEST",
    "Quay 1, Hamburg",
)
ADMITS, HINT = (wording("en")(f"ticket.{name}") for name in ("admits", "hint"))
WORDS = [
    ADMITS,
    "Concert (late)",
    "Sat 1 Jun 2030, 20:00 CEST",
    "Hall",
    "Quay 1, Hamburg",
    "Parterre",
    "Row B · Seat 12",
    "Stalls",
    "Ticket 2 of 3",
    "tkt_1",
    HINT,
]
WIDE = 360  # units of a ticket's width
INK_FROM, INK_TO = 24, 336
PLACE_TOP, PLACE_END = 176, 292  # section, row and seat, tier


def picture(face: TicketFace) -> Image.Image:
    return Image.open(io.BytesIO(ticket_png(face))).convert("RGB")


def box(image: Image.Image, left: int, top: int, right: int, bottom: int) -> Image.Image:
    """Cut a part out, its edges in units of the ticket."""
    unit = image.width / WIDE
    return image.crop((left * unit, top * unit, right * unit, bottom * unit))


def colors(image: Image.Image) -> set[object]:
    return {color for _, color in image.getcolors(1_000_000) or []}


def letters(text: str) -> set[str]:
    """Return the letters and digits of a text, apart from their marks."""
    return {one for one in unicodedata.normalize("NFKD", text) if one.isalnum()}


def test_a_pdf_says_all_of_it_on_each_page() -> None:
    second = TicketFace("Concert", "Hall", "Standing", "Floor", "tkt_2", "FG1.x.z", 3, 3)
    first_page, second_page = pdf_words(ticket_pdf([FACE, second]))
    assert first_page == WORDS
    assert second_page == [
        *(ADMITS, "Concert", "Hall", "Standing", "Floor"),
        *("Ticket 3 of 3", "tkt_2", HINT),
    ]


def test_an_svg_says_the_same_in_its_title() -> None:
    root = ET.fromstring(ticket_svg(FACE))  # noqa: S314 our own output
    assert root[0].text == ", ".join(WORDS)


def test_the_same_ticket_is_the_same_bytes() -> None:
    for draw in (ticket_png, ticket_svg, lambda face: ticket_pdf([face])):
        assert draw(FACE) == draw(FACE)


@pytest.mark.parametrize(
    ("typed", "ground", "ink"),
    [("#FFD400", (255, 212, 0), (21, 24, 28)), ("#7a003c", (122, 0, 60), (255, 255, 255))],
)
def test_the_head_has_the_events_colours_and_letters_that_can_be_read(
    typed: str, ground: tuple[int, ...], ink: tuple[int, ...]
) -> None:
    face = replace(FACE, color_1=typed, color_2="#00ff00")
    head = colors(box(picture(face), 0, 0, WIDE, 164))
    assert {ground, ink} <= head
    assert (29, 53, 87) not in head
    assert colors(box(picture(face), 0, 171, WIDE, 173)) == {(0, 255, 0)}
    assert (29, 53, 87) in colors(box(picture(FACE), 0, 0, WIDE, 164))  # Fairgate's
    assert pdf_words(ticket_pdf([face])) == [WORDS]
    hexes = ["#" + "".join(f"{part:02x}" for part in one) for one in (ground, ink)]
    assert contrast(*hexes) >= 4.5
    if typed == "#FFD400":  # without the mending the letters would be white
        assert contrast(hexes[0], "#ffffff") < 4.5


@pytest.mark.parametrize("high", [108, 8])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_logo_stands_on_white_in_the_corner_where_no_word_begins(
    language: Language, high: int
) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (480, high), (0, 128, 0, 255)).save(out, "PNG")
    face = replace(FACE, language=language, color_1="#000000")
    begins, other = (box_of(face, b"", side) for side in ("begins", "ends"))
    with_logo = [box_of(face, out.getvalue(), side) for side in ("begins", "ends")]
    assert with_logo[0] == begins  # the words
    assert {(0, 128, 0), (255, 255, 255)} <= with_logo[1]
    assert not {(0, 128, 0), (255, 255, 255)} & other  # control
    words = pdf_words(ticket_pdf([face]))
    assert pdf_words(ticket_pdf([face], out.getvalue())) == words


def box_of(face: TicketFace, logo: bytes, side: str) -> set[object]:
    """Return the colours of a quarter of the strip above the event's name."""
    image = Image.open(io.BytesIO(ticket_png(face, logo))).convert("RGB")
    right = (side == "ends") == (face.language != "ar")
    return colors(box(image, *((250, 2, 350, 38) if right else (10, 2, 110, 38))))


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0][:20])
def test_section_row_and_seat_are_whole_and_within_the_paper(place: tuple[str, str, str]) -> None:
    section, row, seat = place
    face = replace(FACE, label=f"{section} · Row {row} · Seat {seat}", event_name=section)
    image = picture(face)
    for left, right in ((0, INK_FROM - 2), (INK_TO + 2, WIDE)):
        assert len(colors(box(image, left, PLACE_TOP, right, PLACE_END))) == 1
        assert len(colors(box(image, left, 10, right, 165))) == 1
    (page,) = pdf_words(ticket_pdf([face]))
    assert letters(face.label) <= letters("".join(page))
    if row.isascii() or section == "漢" * 120:
        drawn = re.sub(r"[\s\u200b]", "", "".join(page))
        assert f"Row{row}·Seat{seat}" in drawn
        assert drawn.count(section.replace(" ", "")) >= (1 if section.isascii() else 0)


def test_a_row_that_is_not_drawn_is_noticed() -> None:
    """Control of the test above: one letter more changes the picture and the words."""
    other = replace(FACE, label="Parterre · Row BB · Seat 12")
    change = ImageChops.difference(picture(FACE), picture(other)).getbbox()
    assert change is not None
    unit = 1_080 / WIDE
    assert PLACE_TOP * unit < change[1] < change[3] < PLACE_END * unit
    assert pdf_words(ticket_pdf([FACE])) != pdf_words(ticket_pdf([other]))


SCRIPTS = "aWiÉłЖαبשกกीक漢あ한🎸 -·."
LABELS = st.text(st.sampled_from(SCRIPTS), min_size=1, max_size=120).filter(
    lambda text: bool(text.strip()) and not unprintable(text)
)


@settings(max_examples=25)
@given(LABELS, LABELS, LABELS)
def test_whatever_a_place_is_called_it_stays_on_the_ticket(name: str, row: str, seat: str) -> None:
    face = replace(FACE, label=f"{name} · Row {row} · Seat {seat}")
    image = picture(face)
    for left, right in ((0, INK_FROM - 6), (INK_TO + 6, WIDE)):
        assert len(colors(box(image, left, PLACE_TOP, right, PLACE_END))) == 1
    assert len(colors(box(image, 0, PLACE_END - 4, WIDE, PLACE_END + 4))) == 1
    (page,) = pdf_words(ticket_pdf([face]))
    assert letters(face.label) <= letters("".join(page))


def test_the_code_of_a_picture_is_the_tickets() -> None:
    image = picture(FACE).convert("L")
    rows = qr_matrix(FACE.code)
    unit = 232 * image.width / WIDE / (len(rows) + 2 * QUIET_ZONE)
    left, top = 64 * image.width / WIDE, 296 * image.width / WIDE

    def dark(x: int, y: int) -> bool:
        middle = QUIET_ZONE + 0.5
        pixel = (int(left + (x + middle) * unit), int(top + (y + middle) * unit))
        return int(image.getpixel(pixel) or 0) < 128  # type: ignore[arg-type]

    span = range(len(rows))
    assert [bytes(dark(x, y) for x in span) for y in span] == rows


def test_what_no_font_has_is_named_and_drawn_as_missing() -> None:
    assert unprintable("Loge \U00012000") == "\U00012000"
    assert unprintable("Łódź Ж 東京 عربى \u0915\u094d\u200d\u0937") == ""
    face = replace(FACE, event_name="Loge \U00012000")
    assert "Loge \ufffd" in pdf_words(ticket_pdf([face]))[0]


def test_chinese_japanese_and_korean_are_set_in_fonts_of_their_own() -> None:
    def script(text: str) -> set[str]:
        return {family.partition("-")[0] for family in fonts.families([text])} - {"latin"}

    assert script("二階席") == {"sc"}
    assert script("二階席 は") == {"jp"}
    assert script("二階席 가") == {"kr"}


@pytest.mark.parametrize("text", ["山田\u3099", "A\u3099", "\uff8a\u3099", "①\u0301", "漢\u0301"])
def test_a_mark_of_another_font_is_refused_and_stops_no_document(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unprintable(f"Loge {text}")
    assert ticket_pdf([replace(FACE, event_name=text)]).startswith(b"%PDF-")
    monkeypatch.setattr(fonts, "printable", lambda given: given)  # as if it had passed
    assert ticket_pdf([replace(FACE, event_name=text)]).startswith(b"%PDF-")


def test_what_has_no_look_leaves_no_gap_and_needs_no_font() -> None:
    assert "".join(clusters("Su\u00admmer\u200e")) == "Summer"
    assert unprintable("\u8fbb\U000e0100\ufe0f") == ""


@pytest.mark.parametrize("text", ["\u200d", "\u3164", "\u2800\u200d", "\ufe0f"])
def test_a_name_that_nobody_can_see_is_refused(text: str) -> None:
    problems = Problems()
    Reader({"name": text}, "", problems).text("name")
    assert [what for _, what in problems.shown] == ["has nothing that can be seen"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ticket_has_its_words_in_each_language(
    language: Language, caplog: pytest.LogCaptureFixture
) -> None:
    """Every letter has a glyph, or the file would be no PDF/UA, which is logged."""
    words = wording(language)
    face = replace(FACE, starts=start_text("2031-06-01T18:00:00Z", "UTC", language))
    (page,) = pdf_words(ticket_pdf([replace(face, language=language)]))
    said = [words("ticket.admits"), words("ticket.hint"), words.place(FACE.label), face.starts]
    missing = letters("".join(said)) - letters("".join(page))
    assert not missing or language == "ar"  # whose dots are glyphs of their own in a PDF
    assert "Row" not in "".join(page) or language == "en"
    assert caplog.messages == []


def test_an_arabic_ticket_begins_at_the_right() -> None:
    left, right = (INK_FROM, INK_FROM + 20), (INK_TO - 20, INK_TO)
    for language, begins, ends in (("en", left, right), ("ar", right, left)):
        image = picture(replace(FACE, event_name="Show", language=language))
        for top, bottom in ((18, 36), (44, 70), (230, 262)):  # for one, name, row and seat
            assert len(colors(box(image, begins[0], top, begins[1], bottom))) > 1
            assert len(colors(box(image, ends[0], top, ends[1], bottom))) == 1
