"""Set documents by Typst: shaped, right to left where a text is, each letter in a font that has it.

Text reaches the templates as data, never as markup. The same data always give the same bytes.
"""

from __future__ import annotations

import json
import logging
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from fairgate.adapters.tickets import fonts

_log = logging.getLogger(__name__)
Format = Literal["pdf", "png", "svg"]
_TEMPLATES = Path(__file__).parent / "templates"
_RIGHT_TO_LEFT = ("R", "AL")


def typeset(template: str, data: dict[str, Any], kind: Format, ppi: float = 144) -> bytes:
    """Return the document. SVG and PNG have one page.

    Args:
        template: the name of its file in ``templates``, without ``.typ``.
        data: what it writes; ``fonts`` is added.
        ppi: pixels of a PNG an inch, of which 72 points are one.

    Raises:
        DependencyUnavailableError: the fonts are not built here.
    """
    import typst

    names = fonts.families(_texts(data))
    given = json.dumps({**data, "fonts": [f"fg {name}" for name in names]})
    how: dict[str, Any] = {
        "root": _TEMPLATES,
        "font_paths": _loaded(names),
        "sys_inputs": {"data": given},
        "format": kind,
        "ppi": ppi,
    }
    source = _TEMPLATES / f"{template}.typ"
    if kind != "pdf":
        return bytes(typst.compile(source, **how))
    try:
        return bytes(typst.compile(source, pdf_standards="ua-1", **how))
    except typst.TypstError:  # a glyph is missing: a ticket without the standard beats none
        _log.warning("a document is no PDF/UA: %s has a text that no font has whole", template)
        return bytes(typst.compile(source, **how))


def text_of(text: str) -> dict[str, Any]:
    """Return a text as the templates take it: what can be printed of it, and its direction."""
    return {"text": fonts.printable(text), "rtl": is_right_to_left(text)}


@cache
def is_right_to_left(text: str) -> bool:
    """Say whether a text's first letter is of a script that is written from the right."""
    strong = (kind for one in text if (kind := unicodedata.bidirectional(one)) in ("L", "R", "AL"))
    return next(strong, "L") in _RIGHT_TO_LEFT


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    many = isinstance(value, list | tuple)
    return [text for one in value for text in _texts(one)] if many else []


@lru_cache(maxsize=64)
def _loaded(names: tuple[str, ...]) -> Any:
    import typst

    paths = [fonts.folder() / name for name in names]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=paths)
