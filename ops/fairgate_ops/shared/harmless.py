"""Show texts of buyers and organisers without what a terminal or a spreadsheet would obey."""

from __future__ import annotations

# Beside line breaks: joiners, which words of several scripts need, and the mark that begins a CSV.
_KEPT = "\n\t\u200c\u200d\ufeff"


def harmless(text: str) -> str:
    """Replace control characters, terminal escapes and changes of direction by ``�``."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in _KEPT else "�" for one in text)
