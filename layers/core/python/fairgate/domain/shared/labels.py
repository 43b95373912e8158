"""Compare and clean names as people see them."""

from __future__ import annotations

import unicodedata

# They turn the text after them around. Source: Unicode Standard Annex 9.
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Characters without a width, which mean nothing at the end of a name. Joiners are no part of it.
_NO_WIDTH = "\u00ad\u200b\u2060\ufeff"
# Letters and a symbol that are blank: the fillers of Hangul, and Braille without a dot.
_BLANK = "\u115f\u1160\u3164\uffa0\u2800"
# Control characters, halves of characters, line and paragraph separators.
_OBEYED = ("Cc", "Cs", "Zl", "Zp")
# Cyrillic and Greek letters and the Latin ones that look the same. Source: Unicode Technical
# Standard 39, confusables, of which these are the letters of names.
_SAME = str.maketrans("авекмнорстухіјѕԁһԛԝαβεζηικμνορτυχ", "abekmhopctyxijsdhqwabezhikmvoptux")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


def harmless(text: str, instead: str = "�") -> str:
    """Replace control characters, terminal escapes and changes of direction.

    Line breaks and tabs stay, as do spaces, joiners and hyphens of every script.
    """
    if text.isprintable():
        return text
    return "".join(one if _is_harmless(one) else instead for one in text)


def trimmed(text: str) -> str:
    """Return the text without what nobody sees at its ends."""
    before = None
    while text != before:
        before, text = text, text.strip().strip(_NO_WIDTH)
    return text


def is_seen(text: str) -> bool:
    """Say whether a text has a character that leaves something to see."""
    return any(one not in _BLANK and unicodedata.category(one)[0] not in "CZM" for one in text)


def label_key(text: str) -> str:
    """Return what two names share if they look alike: NFKC, case-folded, no format characters."""
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    seen = "".join(one for one in folded if unicodedata.category(one) != "Cf")
    return " ".join(seen.split())


def look_key(text: str) -> str:
    """Return what two names share if they look alike across Latin, Cyrillic and Greek letters."""
    return label_key(text).translate(_SAME)


def mixes_scripts(text: str) -> bool:
    """Say whether a word has letters of two scripts that look alike."""
    return any(len({s for one in word if (s := _script(one))}) > 1 for word in text.split())


def _script(one: str) -> str:
    name = unicodedata.name(one, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), "")


def _is_harmless(one: str) -> bool:
    return one in "\n\t" or not (one in TURNING or unicodedata.category(one) in _OBEYED)
