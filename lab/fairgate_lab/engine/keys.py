"""Hold keys, and the conditions of queries on them, to what DynamoDB takes.

Source: DynamoDB Developer Guide, "Quotas" and "Key condition expressions for the Query operation".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from fairgate_lab.engine.refusals import invalid

Key = tuple[str, str]
TypedItem = Mapping[str, Any]

TABLE_KEYS = (PK, SK)
INDEX_KEYS = (GSI1PK, GSI1SK)
_BYTES_MAX = {PK: 2_048, SK: 1_024, GSI1PK: 2_048, GSI1SK: 1_024}
# A partition, and at most one condition on the sort key. Whether its marks and parentheses fit one
# another, the grammar of conditions says.
_CONDITION = re.compile(
    r"(\w+) = (:\w+)"
    r"(?: AND (?:begins_with\()?(\w+)(?:,| [<>]?=?| BETWEEN) (:\w+)(?: AND (:\w+))?\)?)?"
)


def item_key(item: TypedItem) -> Key:
    """The key of an item, which has more attributes."""
    try:
        return _text(PK, item[PK]), _text(SK, item[SK])
    except KeyError:
        invalid("The provided key element does not match the schema")


def only_key(typed: TypedItem) -> Key:
    """A key that has nothing beside it."""
    if len(typed) != len(TABLE_KEYS):
        invalid("The provided key element does not match the schema")
    return item_key(typed)


def check_index_keys(item: TypedItem) -> None:
    """Refuse an item that could not stand in the index. One without these keys need not."""
    for name in INDEX_KEYS:
        if name in item:
            _text(name, item[name])


def partition_of(text: str, values: Mapping[str, Any], names: tuple[str, str]) -> str:
    """The partition that a query asks for, by these keys and no others."""
    partition, *bounds = _asked(text, names)
    for bound in bounds:
        _text(names[1], values[bound])
    return _text(names[0], values[partition])


@lru_cache(maxsize=4096)
def _asked(text: str, names: tuple[str, str]) -> list[str]:
    """The values that a key condition compares with: the partition's, and those of sort keys."""
    parts = _CONDITION.fullmatch(text)
    if parts is None or parts[1] != names[0] or parts[3] not in (None, names[1]):
        invalid("Query condition missed key schema element")
    return [value for value in parts.group(2, 4, 5) if value]


def _text(name: str, typed: Mapping[str, Any]) -> str:
    text: str = typed.get("S", "")
    if not 1 <= len(text.encode()) <= _BYTES_MAX[name]:
        invalid(f"the key attribute {name} is empty, too long, or not a string")
    return text
