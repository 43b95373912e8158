"""Makes moto's queries quick, with the same answers: what nobody asks for is not looked at.

moto 5.2.5 sorts all items of a table for each query, by keys that it casts at every comparison. A
sweep asks hundreds of partitions, most of them empty. It touches moto's internals: the pin is
exact, and tests/unit/shared/test_moto_queries.py compares answers with moto's own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from moto.dynamodb.models.table import Table

_every_item, _query = Table.all_items, Table.query


class _Asked(threading.local):
    """What this thread's query asks for: attributes with their values."""

    conditions: tuple[tuple[str, Any], ...] = ()


_asked = _Asked()


def query(table: Table, *positional: Any, **named: Any) -> Any:
    _asked.conditions = tuple(named.get("hash_key_conditions") or ())
    try:
        return _query(table, *positional, **named)
    finally:
        _asked.conditions = ()


def all_items(table: Table) -> list[Any]:
    """Return the table's items in moto's order; within a query, those of its partition."""
    if table.range_key_attr is None:
        return _every_item(table)
    wanted = dict(_asked.conditions)
    partition = wanted.pop(table.hash_key_attr, None)
    if partition is None:
        items = [item for part in list(table.items.values()) for item in part.values()]
    else:
        items = list(table.items.get(partition, {}).values())
    if wanted:
        items = [item for item in items if _has(item.attrs, wanted)]
    return sorted(items, key=_keys)


def _has(attributes: Any, wanted: dict[str, Any]) -> bool:
    return all(
        name in attributes and attributes[name].value == value.value
        for name, value in wanted.items()
    )


def _keys(item: Any) -> tuple[str, str]:
    # Keys of all our tables are strings, which are their own cast values.
    return item.hash_key.value, item.range_key.value


@contextmanager
def quick_queries() -> Iterator[None]:
    with patch.object(Table, "query", query), patch.object(Table, "all_items", all_items):
        yield
