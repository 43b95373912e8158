"""Find the fonts that a text needs, among those that ``fairgate_ops.build.fonts`` built."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from fairgate.domain.shared.printable import JOINERS, clusters, is_printable
from fairgate.errors import DependencyUnavailableError

_FIRST = "latin"  # spaces, digits and punctuation of every text
_OTHER = "other"
_HAN = ("sc", "tc", "jp", "kr")  # their characters look different: a text's own writing decides
_KANA, _HANGUL = ("\u3040", "\u30ff"), ("\uac00", "\ud7a3")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


@cache
def folder() -> Path:
    """Return where the fonts are. Raises DependencyUnavailableError."""
    found = importlib.util.find_spec("fairgate_fonts")
    if found is None or found.origin is None:
        raise DependencyUnavailableError(
            "The fonts are not built here: run `make setup` in a checkout."
        )
    return Path(found.origin).parent


def printable(text: str) -> str:
    """Return the text, with � for what no font has."""
    return "".join(one if is_printable(one) else _INSTEAD for one in clusters(text))


def families(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the families that these texts need together, the first asked first."""
    whole = " ".join(texts)
    han = _han_order(whole)
    needed = {_family(one, han): None for one in dict.fromkeys(clusters(whole))}
    return tuple(dict.fromkeys([_FIRST, *(family for family in needed if family)]))


def _han_order(text: str) -> tuple[str, ...]:
    for low, high, script in ((*_KANA, "jp"), (*_HANGUL, "kr")):
        if any(low <= one <= high for one in text):
            return (script, *(other for other in _HAN if other != script))
    return _HAN


def _family(cluster: str, han: Iterable[str]) -> str:
    """Return the first family that has all of it; "" for what has no look of its own."""
    wanted = [one for one in cluster if one not in JOINERS and one != "\n"]
    for group in (_OTHER, *han) if wanted else ():
        for family, characters in _characters(group).items():
            if all(one in characters for one in wanted):
                return family
    return ""


@cache
def _characters(group: str) -> Mapping[str, frozenset[str]]:
    """Return the characters of each family of a group; read when a text needs it."""
    listed = msgspec.json.decode((folder() / f"{group}.json").read_bytes(), type=dict[str, str])
    return {family: frozenset(characters) for family, characters in listed.items()}
