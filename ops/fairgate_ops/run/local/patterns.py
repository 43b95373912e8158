"""The part of EventBridge's pattern language that the feeds use, so that one filter serves both.

Source: EventBridge User Guide, "Comparison operators for use in event patterns".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

_ABSENT = object()


def accepts_any(patterns: Sequence[Mapping[str, Any]]) -> Callable[[Mapping[str, Any]], bool]:
    """A predicate: does a record match at least one of these, as a pipe's filters ask?"""
    return lambda record: any(matches(pattern, record) for pattern in patterns)


def matches(pattern: Mapping[str, Any], record: Any) -> bool:
    """Every field of the pattern must match. Raises ValueError on an operator unknown here."""
    return all(_field(wanted, _get(record, name)) for name, wanted in pattern.items())


def _get(record: Any, name: str) -> Any:
    return record.get(name, _ABSENT) if isinstance(record, Mapping) else _ABSENT


def _field(wanted: Any, value: Any) -> bool:
    if isinstance(wanted, Mapping):
        return matches(wanted, value)
    return any(_one(alternative, value) for alternative in wanted)


def _one(wanted: Any, value: Any) -> bool:
    if not isinstance(wanted, Mapping):
        return bool(value is not _ABSENT and value == wanted)
    match dict(wanted):
        case {"prefix": prefix}:
            return isinstance(value, str) and value.startswith(prefix)
        case {"exists": exists}:
            return bool((value is not _ABSENT) == exists)
        case {"anything-but": unwanted}:
            return value is not _ABSENT and value not in unwanted
        case _:
            raise ValueError(f"this operator is not known here: {wanted}")
