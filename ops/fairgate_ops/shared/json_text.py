"""Write JSON that no terminal obeys: what ``harmless`` replaces is escaped."""

from __future__ import annotations

from typing import Any

from fairgate.domain.shared.labels import harmless


def json_text(value: Any, *, indent: int | None = None) -> str:
    """Return the same JSON as ``json.dumps``, in the letters of every script."""
    import json  # help does not wait for it

    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    if harmless(text) == text:
        return text
    return "".join(one if harmless(one) == one else f"\\u{ord(one):04x}" for one in text)
