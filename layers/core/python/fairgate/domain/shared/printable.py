"""Say what tickets and invoices can print. ``printable.txt`` lists the characters of their fonts.

``fairgate_ops.build.fonts`` writes the list from the fonts: a family a line, ranges in hexadecimal.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

JOINERS = "\u200c\u200d"
_KEPT = JOINERS + "\n"
_VARIATION = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MARKS = ("Mn", "Mc", "Me")
_LIST = Path(__file__).with_suffix(".txt")


def unprintable(text: str) -> str:
    """Return the first character that no font has, with its marks; "" if all can be printed.

    A character and its marks need one font together.
    """
    if text.isascii():
        return ""
    return next((one for one in clusters(text) if not is_printable(one)), "")


@cache
def is_printable(cluster: str) -> bool:
    wanted = [ord(one) for one in cluster if one not in _KEPT]
    families = _families()
    if len(wanted) > 1:  # the last line is of many fonts: a character and its mark can be in two
        families = families[:-1]
    return any(all(_within(ranges, code) for code in wanted) for ranges in families)


def clusters(text: str) -> Iterator[str]:
    """Yield each character with its marks, composed. Control characters become spaces.

    Format characters but joiners, and variation selectors, which fonts need not know, are left out.
    """
    cluster = ""
    for one in unicodedata.normalize("NFC", text):
        category = unicodedata.category(one)
        if (category == "Cf" and one not in JOINERS) or _VARIATION.fullmatch(one):
            continue
        mark = category in _MARKS or one in JOINERS
        if cluster and not mark:
            yield cluster
            cluster = ""
        cluster += one if one.isprintable() or one in _KEPT else " "
    if cluster:
        yield cluster


def ranges_text(family: str, characters: Iterable[str]) -> str:
    """Return a line of the list."""
    runs: list[list[int]] = []
    for code in sorted(map(ord, characters)):
        if runs and code == runs[-1][1] + 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return " ".join([f"{family}:", *("-".join(f"{c:x}" for c in dict.fromkeys(r)) for r in runs)])


def _within(ranges: Iterable[tuple[int, int]], code: int) -> bool:
    return any(first <= code <= last for first, last in ranges)


@cache
def _families() -> list[list[tuple[int, int]]]:
    lines = _LIST.read_text("utf-8").splitlines()
    return [[_range(text) for text in line.split()[1:]] for line in lines]


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first, 16), int(last or first, 16)
