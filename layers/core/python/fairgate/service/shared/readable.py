"""Read the items that can be read: a damaged item does not hide the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, cast

import msgspec
from msgspec import Struct

from fairgate.ports.record import DamagedItemError, Key, R, Record, decode

if TYPE_CHECKING:
    from fairgate.ports.table import Table

_BATCH = 100  # BatchGetItem's most


class Readable(Struct, Generic[R], frozen=True):
    """The items that could be read, and the keys of damaged ones.

    Attributes:
        after: of a part of an index: the sort key behind which the next part begins; "": the last.
        looked_at: how many of a part were read, also of those that were not wanted.
    """

    records: Sequence[R]
    damaged: Sequence[Key] = ()
    after: str = ""
    looked_at: int = 0


def read_readable(
    table: Table, kind: type[R], pk: str, *, sk_from: str = "", index: bool = False
) -> Readable[R]:
    """Read a partition as ``Table.query`` does, without damaged items.

    Cost: a query; a second one if an item is damaged.
    """
    try:
        return Readable(table.query(kind, pk, sk_from=sk_from, index=index))
    except DamagedItemError:
        return _sorted_out(kind, table.query(_as_stored(kind), pk, sk_from=sk_from, index=index))


def readable_pages(
    table: Table, kind: type[R], pk: str, *, after: str = "", size: int
) -> Iterator[list[tuple[Key, R | None]]]:
    """Yield a partition as ``Table.pages`` does; None stands for a damaged item."""
    for page in table.pages(_as_stored(kind), pk, after=after, size=size):
        read = _sorted_out(kind, page)
        records = {record.key: record for record in read.records}
        yield [(item.key, records.get(item.key)) for item in page]


def find_many_readable(table: Table, kind: type[R], keys: Sequence[Key]) -> Readable[R]:
    """Read up to 100 items as ``Table.find_many`` does, without damaged ones.

    Cost: a batch; a second one if an item is damaged.
    """
    try:
        return Readable(table.find_many(kind, keys))
    except DamagedItemError:
        return _sorted_out(kind, table.find_many(_as_stored(kind), keys))


def batches(keys: Sequence[Key]) -> Iterator[Sequence[Key]]:
    """Split keys into parts that one BatchGetItem takes."""
    return (keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH))


def find_readable(table: Table, kind: type[R], key: Key) -> R | None:
    """Read an item as ``Table.find`` does; None also if it is damaged."""
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
    """Make a record with the same attributes that accepts values of any type."""
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
