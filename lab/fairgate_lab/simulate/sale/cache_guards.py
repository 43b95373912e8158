"""The guards of the availability cache, whose scripts keep what is newer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from fairgate.adapters.valkey import availability as valkey
from fairgate_lab.simulate.sale.guard import Guard


def _without_version(script: str, check: str) -> Callable[[], AbstractContextManager[Any]]:
    def without() -> AbstractContextManager[Any]:
        text: str = getattr(valkey, script)
        if check not in text:
            raise LookupError(f"{script} does not say {check!r} any more")
        return patch.object(valkey, script, text.replace(check, "true"))

    return without


def cache_guards() -> Sequence[Guard]:
    """The cache's scripts; they are registered when an adapter connects."""
    seat, counter = (
        "tonumber(version) > tonumber(old_version)",
        "tonumber(ARGV[i + 2]) > old_version",
    )
    return [
        Guard("cache: a seat's newer version wins", _without_version("APPLY", seat), cache=True),
        Guard(
            "cache: a counter's newer version wins", _without_version("SHARDS", counter), cache=True
        ),
    ]
