"""Every mail has its words in each language, and what people typed is only ever text."""

from __future__ import annotations

import email
import email.policy
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from fairgate.adapters.aws.mail import FileMailer
from fairgate.adapters.mail.letters import SUBJECT_CHARS_MAX, TEMPLATES, word_letter
from fairgate.domain.catalog.brand import contrast, palette_of
from fairgate.domain.shared.language import LANGUAGES, Language, language_of, negotiated
from fairgate.domain.shared.wording import wording
from fairgate.ports.mails import AboutEvent, Letter, MailKind
from fairgate.ports.outside import Mail

EVENT = AboutEvent(
    name="Late Show",
    artist="The Tides",
    starts_at="2031-06-01T18:00:00.000Z",
    time_zone="Europe/Berlin",
    venue_name="Harbour Hall",
    venue_address="Quay 1",
)
CASES = sorted(
    {
        (kind, case)
        for key in wording("en").texts
        if key.endswith(".subject") and key != "link.subject"
        for kind, case, _ in [key.split(".")]
    }
)


def letter(kind: Any, case: Any, language: Language = "en", **changes: Any) -> Letter:
    values: dict[str, Any] = {
        "event": EVENT,
        "order": "ord_1",
        "page": "https://t.example/#/o/ord_1",
        "currency": "EUR",
        "places": ["Row 1 · Seat 1", "Floor"],
        "back_minor": 123_450,
        "kept_minor": 500,
        "credit_note": True,
        "until": "2031-05-01T10:00:00.000Z",
        "before": AboutEvent(name="Show", venue_name="Harbour Hall"),
    }
    return Letter(kind=kind, case=case, language=language, **(values | changes))


def test_every_kind_has_its_two_templates_and_every_case_its_words() -> None:
    kinds = get_args(MailKind)
    assert {kind for kind, _ in CASES} == set(kinds)
    templates = {path.name for path in TEMPLATES.iterdir()}
    assert templates == {f"{k}.{end}.j2" for k in (*kinds, "letter") for end in ("txt", "html")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "case"), CASES)
def test_a_mail_says_the_same_as_text_and_as_html(kind: str, case: str, language: Any) -> None:
    words = word_letter(letter(kind, case, language))
    assert EVENT.name in words.subject
    for part in (words.text, words.html):
        for said in ("Late Show", "Harbour Hall", "Row 1 · Seat 1", "ord_1", "https://t.example"):
            assert said in part
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<html lang="{language}" dir="{direction}">' in words.html
    assert words.html.count(f'dir="{direction}"') == 2  # mail programs drop the outer one
    assert "\n\n\n" not in words.text
    assert not re.search(r"[{}]|None", words.subject + words.text)
    for remote in ("<img", "<link", "<script", "src=", "url("):
        assert remote not in words.html


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_no_text_has_a_colour_without_its_ground(kind: str, case: str) -> None:
    """Mail is shown on white or on black: a grey that reads well on one does not on the other."""
    styles = re.findall(r'style="([^"]*)"', word_letter(letter(kind, case)).html)
    coloured = [style for style in styles if re.search(r"(^|;)color:", style)]
    assert len(coloured) == 1  # the button
    assert all("background:#" in style for style in coloured)


def test_the_button_has_the_events_colour_and_letters_that_can_be_read() -> None:
    words = word_letter(letter("tickets", "tickets", event=replace(EVENT, color_1="#FFD400")))
    edge = palette_of("#ffd400").light.edge
    assert f"border:2px solid {edge};background:#ffd400;color:#15181d;" in words.html
    assert contrast(edge, "#ffffff") >= 3 > contrast("#ffd400", "#ffffff")
    plain = word_letter(letter("tickets", "tickets")).html
    assert "background:#1d4ed8;color:#fff;" in plain
    assert "border:2px" not in plain


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = "<script>alert(1)</script>\r\nBcc: eve@example.org {order} {{ 7*7 }} \x07&lt;"


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_hostile_names_are_text_and_nothing_else(kind: str, case: str, tmp_path: Path) -> None:
    event = AboutEvent(
        name=HOSTILE, artist=HOSTILE, venue_name=HOSTILE, venue_address=HOSTILE, starts_at=""
    )
    before = AboutEvent(name=f"{HOSTILE} once", venue_name=HOSTILE)
    words = word_letter(letter(kind, case, event=event, before=before, places=[HOSTILE]))
    read = Tags()
    read.feed(words.html)
    assert "script" not in read.tags
    assert "<script>alert(1)</script> Bcc: eve@example.org {order} {{ 7*7 }} &lt;" in read.text
    assert "\r" not in words.subject + words.text
    assert "\nBcc:" not in words.text
    mail = Mail(
        to="ann@example.org",
        subject=words.subject,
        text=words.text,
        html=words.html,
        mail_id="changed.ord_1.ab",
    )
    FileMailer(tmp_path).send(mail)
    (file,) = tmp_path.iterdir()
    message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
    assert message["Bcc"] is None
    assert message["Subject"] == words.subject
    assert message["Message-ID"] == "<changed.ord_1.ab@localhost>"
    assert message["X-Fairgate-Mail-ID"] == "changed.ord_1.ab"
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "text/html",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mail_says_who_sells_and_where_to_ask(language: Any) -> None:
    told = {
        "seller_name": "Tides & Sons",
        "contact_mail": "box@example.org",
        "contact_phone": "+49 (0)40 123",
        "imprint_url": "https://example.org/imprint?a=1&b=2",
        "terms_url": "https://example.org/terms",
        "privacy_url": "https://example.org/privacy",
    }
    event = AboutEvent(name="Show", **told)
    words = word_letter(letter("passed", "passed", language, event=event))
    assert [text for text in told.values() if text not in words.text] == []
    read = Tags()
    read.feed(words.html)
    assert [text for text in told.values() if text not in read.text] == []
    for link in (
        "mailto:box@example.org",
        "tel:+49040123",
        "https://example.org/imprint?a=1&amp;b=2",
    ):
        assert f'href="{link}"' in words.html
    without = word_letter(letter("passed", "passed", language))
    assert without.html.count("<a ") == 1  # the order's page


def test_a_long_name_leaves_a_subject_of_bounded_length() -> None:
    words = word_letter(letter("tickets", "tickets", event=AboutEvent(name="x" * 500)))
    assert len(words.subject) == SUBJECT_CHARS_MAX


def test_a_long_place_is_said_whole() -> None:
    address = "Quay " + "1" * 190 + " end"
    event = AboutEvent(name="Show", venue_name="H" * 100, venue_address=address)
    words = word_letter(letter("changed", "changed", event=event))
    for part in (words.text, words.html):
        assert part.count(address) == 2  # of what changed, and of the event


@pytest.mark.parametrize(
    ("language", "amount", "moment", "count"),
    [
        ("en", "EUR 1,234.50", "Sun 1 Jun 2031, 20:00 CEST", "Your ticket is attached"),
        ("de", "1.234,50 EUR", "So., 1. Juni 2031, 20:00 Uhr (MESZ)", "Ihre Karte ist angehängt"),
        ("fr", "1\u00a0234,50 EUR", "dim. 1 juin 2031, 20:00 (CEST)", "Votre billet est joint"),
        ("es", "1.234,50 EUR", "dom, 1 de junio de 2031, 20:00 (CEST)", "Su entrada va adjunta"),
        ("it", "1.234,50 EUR", "dom 1 giugno 2031, ore 20:00 (CEST)", "Il tuo biglietto è"),
        ("nl", "EUR 1.234,50", "zo 1 juni 2031, 20:00 uur (CEST)", "Uw ticket is bijgevoegd"),
        ("pl", "1\u00a0234,50 EUR", "niedz., 1 czerwca 2031, godz. 20:00 (CEST)", "jest Państwa"),
        ("ja", "EUR 1,234.50", "2031年6月1日(日) 20:00 (CEST)", "チケット1枚を添付"),
        ("ar", "1,234.50 EUR", "الأحد، 1 يونيو 2031، الساعة 20:00 (CEST)", "تذكرتك مرفقة"),
    ],
)
def test_amounts_dates_and_numbers_are_those_of_the_language(
    language: Any, amount: str, moment: str, count: str
) -> None:
    refund = word_letter(letter("refund", "all", language)).text
    assert amount in refund
    assert moment in refund
    assert count in word_letter(letter("tickets", "tickets", language, places=["A"])).text
    yen = word_letter(letter("refund", "all", language, currency="JPY", back_minor=4_500)).text
    assert re.search(r"4[,.\u00a0]500\b", yen)


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        *(("pl", 1, "Państwa bilet."), ("pl", 2, "są 2 bilety."), ("pl", 5, "jest 5 biletów.")),
        *(("pl", 12, "jest 12 biletów."), ("pl", 22, "są 22 bilety.")),
        *(("ar", 1, "تذكرتك مرفقة"), ("ar", 2, "تذكرتاك مرفقتان"), ("ar", 3, "3 تذاكر")),
        *(("ar", 11, "11 تذكرة"), ("ar", 100, "100 تذكرة")),
    ],
)
def test_a_number_of_tickets_has_its_form(language: Any, count: int, said: str) -> None:
    assert said in word_letter(letter("tickets", "tickets", language, places=["A"] * count)).text


def test_a_name_turns_no_words_of_an_arabic_mail_around() -> None:
    """The isolates of Unicode stand around it, and in HTML an element with its own direction."""
    words = word_letter(letter("cancelled", "event", "ar", event=AboutEvent(name="Show (late)")))
    assert words.subject == "أُلغيت الفعالية: Show (late)"
    assert "<bdi>Show (late)</bdi>" in words.html
    changed = word_letter(letter("changed", "changed", "ar"))
    assert "سابقًا: \u2068Show\u2069" in changed.text
    assert "\u2068" not in word_letter(letter("changed", "changed", "de")).text


def test_rows_and_seats_are_said_in_the_language() -> None:
    label = "Parterre · Row B · Seat 12"
    words = word_letter(letter("tickets", "tickets", "ja", places=[label, "Seat 5 · Seat 6"]))
    assert "1. Parterre · B列 · 12番\n" in words.text
    assert "2. Seat 5 · Seat 6\n" in words.text  # an area that is called so


def test_a_zone_without_letters_and_one_that_is_unknown_are_named() -> None:
    for zone, shown in (("Asia/Almaty", "23:00 UTC+05"), ("Nowhere/At_All", "18:00 UTC")):
        event = AboutEvent(name="x", starts_at=EVENT.starts_at, time_zone=zone)
        assert shown in word_letter(letter("tickets", "tickets", event=event)).text


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("DE-de", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("sv, de;q=0.5, en;q=0.7", "en"),
        ("fr-CH, fr;q=0.9", "fr"),
        ("ar-EG,ar;q=0.9,en;q=0.8", "ar"),
        ("tlh", "en"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("en;q=0.1,de;q=1.9", "en"),
        ("de;q=nonsense", "en"),
        ("x" * 10_000 + ",de", "en"),
        ("de" + ",en" * 10_000, "de"),
        ("\x00,<script>,de", "de"),
    ],
)
def test_the_language_is_what_the_browser_asks_for_most(header: str, language: str) -> None:
    assert negotiated(header) == language


@pytest.mark.parametrize(("stored", "language"), [("", "en"), ("de", "de"), ("tlh", "en")])
def test_a_language_that_is_not_known_is_english(stored: str, language: str) -> None:
    assert language_of(stored) == language
