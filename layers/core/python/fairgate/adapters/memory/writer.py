"""What a publication writes, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairgate.ports.table import Refusal, TableName, TransactionRefusedError

Items = dict[tuple[str, str], dict[str, Any]]


class BrokenOffError(Exception):
    """The writer was told to end here, as a process that is killed does."""


@dataclass
class MemoryWriter:
    """Tables as dicts, and the order in which they were written.

    Args:
        breaks_after: so many items are written, then BrokenOffError; None never breaks off.
    """

    tables: dict[TableName, Items] = field(default_factory=lambda: {"seats": {}, "catalog": {}})
    order: list[str] = field(default_factory=list)
    breaks_after: int | None = None

    def put_many(self, table: TableName, items: Iterable[Mapping[str, Any]]) -> None:
        for item in items:
            if self.breaks_after is not None and len(self.order) >= self.breaks_after:
                raise BrokenOffError
            self._put(table, item)

    def put_new(self, table: TableName, item: Mapping[str, Any]) -> None:
        if (item["PK"], item["SK"]) in self.tables[table]:
            raise TransactionRefusedError([Refusal("ConditionalCheckFailed", item)])
        self._put(table, item)

    def exists(self, table: TableName, pk: str, sk: str) -> bool:
        return (pk, sk) in self.tables[table]

    def _put(self, table: TableName, item: Mapping[str, Any]) -> None:
        self.tables[table][item["PK"], item["SK"]] = dict(item)
        self.order.append(item["PK"])
