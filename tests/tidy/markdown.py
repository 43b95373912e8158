"""Markdown as the checks of the documentation read it: its links, headings and named files."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

MADE = {"node_modules", "cdk.out", "__pycache__"}  # by a tool, and in no commit
NOT_HIDDEN = {".ci", ".github"}

_FENCE = re.compile(r"^( {0,3}(`{3,}|~{3,})).*?^ {0,3}\2`*~*[ ]*$", re.DOTALL | re.MULTILINE)
_INDENTED = re.compile(r"(?<=\n\n)(?:(?: {4}|\t).*\n?|\n(?= {4}))+")
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^\s()<>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_FILE = re.compile(
    r"(?:[\w.@-]+/)*[\w.@-]+\.(?:py|js|mjs|json|md|toml|yaml|css|html)|(?:[\w.@-]+/)+"
)


@cache
def files(root: Path) -> tuple[Path, ...]:
    """Every file of the checkout, relative to it, without what tools made."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name
            for name in folders
            if name not in MADE
            and (not name.startswith(".") or name in NOT_HIDDEN)
            and Path(folder, name) != root / "build"
        ]
        found += [Path(folder, name).relative_to(root) for name in names]
    return tuple(sorted(found))


def documents(root: Path) -> list[Path]:
    return [path for path in files(root) if path.suffix == ".md"]


def links(text: str) -> list[str]:
    """The targets of the inline links outside code."""
    return [target for _, target in _LINK.findall(_without_code(text))]


def anchors(text: str) -> set[str]:
    """The names under which a page's headings can be linked, as GitHub and MyST make them."""
    seen: dict[str, int] = {}
    made = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        name = slug(heading)
        times = seen.get(name, 0)
        seen[name] = times + 1
        made.add(f"{name}-{times}" if times else name)
    return made


def slug(heading: str) -> str:
    """A heading's anchor: small letters, no punctuation, a hyphen for each blank."""
    plain = _LINK.sub(r"\1", heading).replace("`", "").lower()
    kept = (c for c in plain if c in " -_" or unicodedata.category(c)[0] in "LNM")
    return "".join(kept).replace(" ", "-")


def named_files(text: str) -> Iterator[str]:
    """The code spans that read as a file or folder of the repository."""
    for _, span in _SPAN.findall(_FENCE.sub("", text)):
        if _FILE.fullmatch(span):
            yield span


def _without_code(text: str) -> str:
    return _SPAN.sub("", _INDENTED.sub("", _FENCE.sub("", text)))
