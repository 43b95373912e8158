"""Write mails from a catalogue of texts for each language and a text and HTML template a kind.

Jinja2 is imported at the first mail. A new kind needs its texts in each catalogue and two templates
in ``templates/``. All texts of people are escaped in the HTML.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.adapters.mail import english, german
from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.labels import harmless
from fairgate.ports.mails import Worded
from fairgate.service.shared.start_text import known_zone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment

    from fairgate.domain.shared.language import Language
    from fairgate.ports.mails import AboutEvent, Letter

TEMPLATES = Path(__file__).parent / "templates"
CATALOGUES: Mapping[Language, Mapping[str, str]] = {"en": english.TEXTS, "de": german.TEXTS}
SUBJECT_CHARS_MAX = 150


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
    line = one_line(text)
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
        one = f"{letter.kind}.{letter.case}.one"
        if key == "text" and len(letter.places) == 1 and one in self._texts:
            return self._texts[one]
        until = self.moment(letter.until, letter.event.time_zone) if letter.until else ""
        return self.of(f"{letter.kind}.{letter.case}.{key}", until=until)

    def of(self, key: str, **values: str) -> str:
        """Return any text of the catalogue."""
        letter = self.letter
        known = {
            "event": self.name,
            "order": letter.order,
            "count": str(len(letter.places)),
        }
        return self._texts[key].format(**known, **values)

    @property
    def name(self) -> str:
        """Return the event's name, in one line."""
        return one_line(self.letter.event.name)

    @property
    def places(self) -> list[str]:
        """Return the places of the letter, a line each."""
        return [one_line(place) for place in self.letter.places]

    def amount(self, minor: int) -> str:
        """Show an amount of the letter's currency: ``EUR 1,234.50``, ``1.234,50 EUR``."""
        point, group = self._texts["points"].split()
        digits = amount_text(minor, self.letter.currency)
        shown = digits.translate(str.maketrans(".,", point + group))
        return self.of("amount", currency=self.letter.currency, amount=shown)

    def moment(self, at: str, time_zone: str) -> str:
        """Show a moment by the clocks of its place: ``Sat 1 Jun 2030, 20:00 CEST``."""
        local = datetime.fromisoformat(at).astimezone(known_zone(time_zone) or UTC)
        name = local.tzname() or "UTC"
        zone = name if name[0].isalpha() else f"UTC{name}"
        zones = dict(pair.split("=") for pair in self._texts["zones"].split())
        return self.of(
            "moment",
            day=self._texts["days"].split()[local.weekday()],
            date=str(local.day),
            month=self._texts["months"].split()[local.month - 1],
            year=str(local.year),
            time=f"{local:%H:%M}",
            zone=zones.get(zone, zone),
        )

    def start(self, event: AboutEvent) -> str:
        """Show when the event starts; "" if unset."""
        return self.moment(event.starts_at, event.time_zone) if event.starts_at else ""

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

    @property
    def _texts(self) -> Mapping[str, str]:
        return CATALOGUES[self.letter.language]


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
