"""Write mails from the words of a language and a text and HTML template a kind.

Jinja2 is imported at the first mail. A new kind needs its texts in each file of
``domain/shared/words`` and two templates in ``templates/``. All texts of people are escaped in the
HTML.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.catalog.brand import palette_of
from fairgate.domain.shared.labels import harmless
from fairgate.domain.shared.language import plural
from fairgate.domain.shared.wording import Wording, wording
from fairgate.ports.mails import Worded
from fairgate.service.shared.start_text import start_text

if TYPE_CHECKING:
    from jinja2 import Environment

    from fairgate.ports.mails import AboutEvent, Letter

TEMPLATES = Path(__file__).parent / "templates"
SUBJECT_CHARS_MAX = 150
_ISOLATED = "\u2068{}\u2069"  # a name of the other direction turns nothing around it


def word_letter(letter: Letter) -> Worded:
    """Write a letter in its language. Implements ports.mails.LetterWriter."""
    words = Words(letter)
    plain, marked = (
        _templates().get_template(f"{letter.kind}.{end}.j2").render(letter=letter, w=words)
        for end in ("txt", "html")
    )
    return Worded(_subject(words("subject")), _tidy(plain), marked.strip() + "\n")


def _subject(text: str) -> str:
    """Return the text for a header: one line, printable, of limited length."""
    line = " ".join(harmless(text, "").split())
    return line if len(line) <= SUBJECT_CHARS_MAX else line[: SUBJECT_CHARS_MAX - 1].rstrip() + "…"


def one_line(text: str) -> str:
    """Return all of the text in one printable line."""
    return " ".join(harmless(text, " ").split())


class Words(Struct, frozen=True):
    """A letter's texts in its language, with its own values in them."""

    letter: Letter

    def __call__(self, key: str) -> str:
        """Return a text of this kind of letter: its ``subject`` or ``text``."""
        letter = self.letter
        until = start_text(letter.until, letter.event.time_zone, letter.language)
        text = f"{letter.kind}.{letter.case}.{key}"
        counted = f"{text}.{plural(letter.language, len(letter.places))}"
        return self.of(counted if counted in self.wording.texts else text, until=until)

    def of(self, key: str, **values: str) -> str:
        """Return any text of the language, with names as they are told from its words."""
        letter = self.letter
        known = {"order": letter.order, "count": str(len(letter.places))}
        named = {"event": self.name} | values
        if self.wording.direction == "rtl":
            named = {key: _ISOLATED.format(value) for key, value in named.items()}
        return self.wording(key, **known, **named)

    @property
    def wording(self) -> Wording:
        return wording(self.letter.language)

    @property
    def name(self) -> str:
        """Return the event's name, in one line."""
        return one_line(self.letter.event.name)

    @property
    def places(self) -> list[str]:
        """Return the places of the letter, a line each."""
        return [one_line(self.wording.place(place)) for place in self.letter.places]

    def amount(self, minor: int) -> str:
        """Show an amount of the letter's currency: ``EUR 1,234.50``, ``1.234,50 EUR``."""
        return self.wording.amount(minor, self.letter.currency)

    def start(self, event: AboutEvent) -> str:
        """Show when the event starts; "" if unset."""
        return start_text(event.starts_at, event.time_zone, self.letter.language)

    def about(self) -> list[str]:
        """Return artist, time and place, a line each, if set."""
        event = self.letter.event
        lines = (event.artist, self.start(event), event.venue_name, event.venue_address)
        return [one_line(line) for line in lines if line]

    def seller(self) -> list[tuple[str, str, str]]:
        """Return who sells and where to ask: label, text, link or "" each."""
        event = self.letter.event
        phone = "".join(sign for sign in event.contact_phone if sign in "+0123456789")
        told = (
            ("seller", event.seller_name, ""),
            ("seller.mail", event.contact_mail, f"mailto:{event.contact_mail}"),
            ("seller.phone", event.contact_phone, f"tel:{phone}"),
            ("seller.imprint", event.imprint_url, event.imprint_url),
            ("seller.terms", event.terms_url, event.terms_url),
            ("seller.privacy", event.privacy_url, event.privacy_url),
        )
        return [(self.of(label), one_line(text), link) for label, text, link in told if text]

    def button(self) -> str:
        """Return the style of a button: its ground, its letters, and an edge that is seen."""
        color = self.letter.event.color_1
        if not color:
            return "background:#1d4ed8;color:#fff"
        shades = palette_of(color).light
        return f"border:2px solid {shades.edge};background:{shades.button};color:{shades.text}"

    def changes(self) -> list[tuple[str, str, str]]:
        """Return the changed facts of the event: label, new value, old value."""
        now, before = self.letter.event, self.letter.before
        if before is None:
            return []
        sides = (
            ("changed.name", now.name, before.name),
            ("changed.artist", now.artist, before.artist),
            ("changed.start", self.start(now), self.start(before)),
            ("changed.place", _place(now), _place(before)),
        )
        nothing = self.of("changed.nothing")
        return [
            (self.of(label), one_line(is_now) or nothing, one_line(was) or nothing)
            for label, is_now, was in sides
            if is_now != was
        ]


def _place(event: AboutEvent) -> str:
    return ", ".join(part for part in (event.venue_name, event.venue_address) if part)


def _tidy(text: str) -> str:
    """Return the text with at most one empty line between others."""
    blocks = [block.strip("\n") for block in text.split("\n\n")]
    return "\n\n".join(block for block in blocks if block.strip()) + "\n"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    return Environment(
        autoescape=select_autoescape(["html.j2"]),
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
