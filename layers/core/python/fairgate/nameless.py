"""Take mail addresses out of a line of the log: an error that is not ours may quote anything."""

from __future__ import annotations

import re

PLACEHOLDER = "(an address)"
_PART = r"[^\s<>\"(),;:\\]{1,254}"
# What JSON writes with a backslash belongs to no address, and stays whole.
_ESCAPE_OR_ADDRESS = re.compile(rf"(\\u[0-9a-f]{{4}}|\\.)|{_PART}@{_PART}")


def nameless(line: str) -> str:
    """Return a line of JSON with a placeholder for each mail address in it."""
    if "@" not in line:
        return line
    return _ESCAPE_OR_ADDRESS.sub(lambda match: match[1] or PLACEHOLDER, line)
