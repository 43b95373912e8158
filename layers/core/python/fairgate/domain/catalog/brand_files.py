"""The files of an event's brand: kept beside the layouts, each named by its content."""

from __future__ import annotations

import hashlib
import re

# What each fact's file is called there.
NAMES = {"logo": "logo.png", "picture": "picture.jpg"}
TYPES = {"logo.png": "image/png", "picture.jpg": "image/jpeg"}
_HASH_CHARS = 32  # as layouts have
_ADDRESS = re.compile(rf"/layouts/([0-9a-f]{{{_HASH_CHARS}}})/([a-z.]+)")


def address_of(fact: str, body: bytes) -> str:
    """Return where buyers' pages load the file of a fact."""
    name = NAMES[fact]
    digest = hashlib.sha256(name.encode() + b"\n" + body).hexdigest()[:_HASH_CHARS]
    return f"/layouts/{digest}/{name}"


def kept_at(fact: str, address: str) -> tuple[str, str] | None:
    """Return the folder and the name of the fact's file; None: the text is no such address."""
    found = _ADDRESS.fullmatch(address)
    return (found[1], found[2]) if found and found[2] == NAMES[fact] else None
