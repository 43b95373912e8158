"""Find an order by words of a buyer: a name, a seat, the end of a number."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

WORDS_MAX = 8
_APART = re.compile(r"[^\w@.-]+")
_SHORT = 3  # Latin letters or digits: a shorter word has to be whole, or 7 finds 107


def words_of(text: str) -> Sequence[str]:
    """Split a text into words, without regard to case and accents: "Zoë · Row E" → zoe, row, e."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not _is_mark(one))
    return [word for word in _APART.split(plain.casefold()) if word]


def have_words(texts: Iterable[str], wanted: Sequence[str]) -> bool:
    """Say whether each word is in one of the texts: "107 e 7" finds "107 · Row E · Seat 7"."""
    if not wanted:
        return True
    words = {word for text in texts for word in words_of(text)}
    return all(one in words or (not _is_short(one) and _in_one(one, words)) for one in wanted)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def _is_short(word: str) -> bool:
    return len(word) < _SHORT and word.isascii()


def _in_one(part: str, words: Iterable[str]) -> bool:
    return any(part in word for word in words)
