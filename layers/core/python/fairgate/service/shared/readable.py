"""Read what can be read: one damaged item takes nobody else's place in a list away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, cast

import msgspec
from msgspec import Struct

from fairgate.ports.record import DamagedItemError, Key, R, Record, decode

if TYPE_CHECKING:
    from fairgate.ports.table import Table


class Readable(Struct, Generic[R], frozen=True):
    """What could be read, and where an item is damaged."""

    records: Sequence[R]
    damaged: Sequence[Key] = ()


def read_readable(
    table: Table, kind: type[R], pk: str, *, sk_from: str = "", index: bool = False
) -> Readable[R]:
    """Read a partition as ``Table.query`` does, without the items that are damaged.

    Cost: a query; where an item is damaged another one.
    """
    try:
        return Readable(table.query(kind, pk, sk_from=sk_from, index=index))
    except DamagedItemError:
        return _sorted_out(kind, table.query(_as_stored(kind), pk, sk_from=sk_from, index=index))


def find_many_readable(table: Table, kind: type[R], keys: Sequence[Key]) -> Readable[R]:
    """Read up to 100 items as ``Table.find_many`` does, without those that are damaged.

    Cost: a batch; where an item is damaged another one.
    """
    try:
        return Readable(table.find_many(kind, keys))
    except DamagedItemError:
        return _sorted_out(kind, table.find_many(_as_stored(kind), keys))


def find_readable(table: Table, kind: type[R], key: Key) -> R | None:
    """Read an item as ``Table.find`` does; None where it is damaged, as if there were none."""
    try:
        return table.find(kind, key)
    except DamagedItemError:
        return None


def _sorted_out(kind: type[R], items: Iterable[Record]) -> Readable[R]:
    records, damaged = [], []
    for item in items:
        try:
            records.append(decode(kind, item.item()))
        except DamagedItemError:
            damaged.append(item.key)
    return Readable(records, tuple(damaged))


@cache
def _as_stored(kind: type[Record]) -> type[Record]:
    """Make a record of the same attributes that takes whatever the table holds under them."""
    own = [field for field in kind.__struct_fields__ if field not in ("pk", "sk")]
    made = msgspec.defstruct(
        kind.__name__,
        [(field, Any, msgspec.UNSET) for field in own],
        bases=(Record,),
        namespace={"table": kind.table},
        module=__name__,
        frozen=True,
        kw_only=True,
    )
    return cast("type[Record]", made)
