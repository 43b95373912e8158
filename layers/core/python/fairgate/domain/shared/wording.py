"""Read the fixed words of mails, tickets, invoices and calendar entries in a language.

``words`` has a file for each language, with the same keys. A file is read when it is first needed.
A counted text has a key for each plural category: ``ticket.title.one``, ``ticket.title.other``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from fairgate.domain.shared.amount_text import amount_text
from fairgate.domain.shared.language import RIGHT_TO_LEFT, Language, plural

FILES = Path(__file__).with_name("words")

_IN_LABEL = " · "  # between section, row and seat
_PART = re.compile(r"(Row|Seat|Table|Box) (.+)", re.DOTALL)  # as a seat index writes them


class Wording(Struct, frozen=True):
    """The words of one language."""

    language: Language
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: str) -> str:
        """Return a text with its values. Raises KeyError for a key that is in no file."""
        return self.texts[key].format(**values)

    def counted(self, key: str, count: int, **values: str) -> str:
        """Return a text in the form of a number, which is its ``count``."""
        return self(f"{key}.{plural(self.language, count)}", count=str(count), **values)

    @property
    def direction(self) -> str:
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def digits(self, text: str) -> str:
        """Return a number such as ``1,234.50`` with the points of the language."""
        return text.translate(str.maketrans(".,", self.texts["points"]))

    def amount(self, minor: int, currency: str) -> str:
        """Show an amount: ``EUR 1,234.50``, ``1.234,50 EUR``."""
        return self("amount", currency=currency, amount=self.digits(amount_text(minor, currency)))

    def place(self, label: str) -> str:
        """Return a place's label with the words for row and seat; names stay as they are."""
        parts = label.split(_IN_LABEL)
        if not parts[:-2] or not _PART.fullmatch(parts[-1]):
            return label
        return _IN_LABEL.join([*parts[:-2], *map(self._part, parts[-2:])])

    def _part(self, text: str) -> str:
        found = _PART.fullmatch(text)
        return self(f"place.{found[1].lower()}", name=found[2]) if found else text


@cache
def wording(language: Language) -> Wording:
    texts = (FILES / f"{language}.json").read_bytes()
    return Wording(language, msgspec.json.decode(texts, type=dict[str, str]))
