"""Remove mail addresses from a line of the log, because an error of a library may quote one."""

from __future__ import annotations

import re

PLACEHOLDER = "(an address)"
# A letter as it is, or as JSON in ASCII spells it. A control character's spelling, and every other
# escape, belongs to no address and stays whole.
_PART = r"(?:[^\s<>\"(),;:\\]|\\u(?!00[01])[0-9a-f]{4}){1,254}"
# A quoted part before the @, as JSON has it: "a b"@…, also with quotation marks inside.
_QUOTED = r"\\\"(?:[^\"\\]|\\\\(?:\\.|[^\"\\])|\\u[0-9a-f]{4}){0,254}\\\""
_ADDRESS_OR_ESCAPE = re.compile(rf"(?:{_QUOTED}|{_PART})@{_PART}|(\\u[0-9a-f]{{4}}|\\.)")


def nameless(line: str) -> str:
    """Return a line of JSON with a placeholder for each mail address in it."""
    if "@" not in line:
        return line
    return _ADDRESS_OR_ESCAPE.sub(lambda match: match[1] or PLACEHOLDER, line)
