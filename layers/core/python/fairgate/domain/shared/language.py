"""Choose the language of a buyer's mails and documents."""

from __future__ import annotations

import re
from typing import Literal, get_args

Language = Literal["en", "de", "fr", "es", "it", "nl", "pl", "ja", "ar"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT: Language = "en"
RIGHT_TO_LEFT: frozenset[Language] = frozenset({"ar"})

_FEW = range(3, 11)  # in Arabic
_CHARS_MAX = 256  # browsers send some 40; the rest is ignored
_RANGE = re.compile(
    r"\s*([a-zA-Z]{1,8})(?:-[a-zA-Z0-9-]{1,32})?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*"
)


def negotiated(accept_language: str) -> Language:
    """Return the preferred language of an Accept-Language header; English if it has none.

    Regions do not count (``de-AT`` is German), nor does ``*``. The first of equal ones counts.

    Source: RFC 9110 section 12.5.4.
    """
    best, best_quality = DEFAULT, 0.0
    for part in accept_language[:_CHARS_MAX].split(","):
        match = _RANGE.fullmatch(part)
        if match is None:
            continue
        name, quality = match[1].lower(), float(match[2] or 1)
        known = next((language for language in LANGUAGES if language == name), None)
        if known is not None and best_quality < quality <= 1:
            best, best_quality = known, quality
    return best


def language_of(text: str) -> Language:
    """Return a stored language; English if none is stored, or an unknown one."""
    return next((language for language in LANGUAGES if language == text), DEFAULT)


def plural(language: Language, count: int) -> str:
    """Return the plural category of a number of things, from 0 to 999,999.

    Source: Unicode CLDR, language plural rules, cardinals.
    """
    tens, ones = count % 100, count % 10
    if language == "ja":
        return "other"
    if language == "ar":
        few_or_many = "few" if tens in _FEW else "many" if tens > _FEW[-1] else "other"
        return {0: "zero", 1: "one", 2: "two"}.get(count, few_or_many)
    if count == 1 or (count == 0 and language == "fr"):
        return "one"
    if language == "pl":
        return "few" if ones in range(2, 5) and tens not in range(12, 15) else "many"
    return "other"
