"""Read what can be read: one damaged item takes nobody else's place in a list away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic

from fairgate.ports.record import DamagedItemError, Key, R, Record, TableName

if TYPE_CHECKING:
    from fairgate.ports.table import Table


class _ReservationsKey(Record, frozen=True):
    """An item of which nothing is read but its key."""

    table: ClassVar[TableName] = "reservations"


class _CatalogKey(Record, frozen=True):
    table: ClassVar[TableName] = "catalog"


_KEYS: Mapping[TableName, type[Record]] = {"reservations": _ReservationsKey, "catalog": _CatalogKey}


@dataclass(frozen=True, slots=True)
class Readable(Generic[R]):
    """What could be read, and where an item is damaged."""

    records: Sequence[R]
    damaged: Sequence[Key] = ()


def read_readable(table: Table, kind: type[R], pk: str, *, sk_from: str = "") -> Readable[R]:
    """Read a partition as ``Table.query`` does, without the items that are damaged.

    Cost: a query; where an item is damaged another one, and a read an item.
    """
    try:
        return Readable(table.query(kind, pk, sk_from=sk_from))
    except DamagedItemError:
        items = table.query(_KEYS[kind.table], pk, sk_from=sk_from)
        return find_readable(table, kind, [item.key for item in items])


def find_readable(table: Table, kind: type[R], keys: Iterable[Key]) -> Readable[R]:
    """Read items one by one, without those that are damaged."""
    records, damaged = [], []
    for key in keys:
        try:
            record = table.find(kind, key)
        except DamagedItemError:
            damaged.append(key)
            continue
        if record is not None:
            records.append(record)
    return Readable(records, tuple(damaged))


def find_many_readable(table: Table, kind: type[R], keys: Sequence[Key]) -> Readable[R]:
    """Read up to 100 items as ``Table.find_many`` does, without those that are damaged."""
    try:
        return Readable(table.find_many(kind, keys))
    except DamagedItemError:
        return find_readable(table, kind, keys)
