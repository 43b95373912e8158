"""Show texts of buyers and organisers without what a terminal or a spreadsheet would obey."""

from __future__ import annotations

import unicodedata

# Control characters, halves of characters, line and paragraph separators.
_OBEYED = ("Cc", "Cs", "Zl", "Zp")
# They turn the text after them around. Source: Unicode Standard Annex 9.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def harmless(text: str) -> str:
    """Replace control characters, terminal escapes and changes of direction by ``�``.

    Line breaks and tabs stay, as do spaces, joiners and hyphens of every script.
    """
    if text.isprintable():
        return text
    return "".join(one if _is_harmless(one) else "�" for one in text)


def _is_harmless(one: str) -> bool:
    return one in "\n\t" or not (one in _TURNING or unicodedata.category(one) in _OBEYED)
