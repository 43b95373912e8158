"""Find options that were meant for us and that we would never read."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

_OPTION = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")  # the CDK's own have a colon, a slash or an @
_NEAR = 0.8


def misspelt(given: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return what of the context nearly is an option, and which one.

    Only what is near: a person's own ~/.cdk.json may hold what is meant for somebody else.
    """
    options = sorted(known)
    found = {}
    for name in given:
        if name in options or not _OPTION.fullmatch(name):
            continue
        near = difflib.get_close_matches(name.lower().replace("-", "_"), options, 1, _NEAR)
        if near:
            found[name] = near[0]
    return found
