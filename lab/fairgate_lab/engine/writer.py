"""Keep in memory what a publication writes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fairgate.ports.record import Key, Record, TableName
from fairgate.ports.table import Refusal, TransactionRefusedError

Items = dict[tuple[str, str], dict[str, Any]]


class BrokenOffError(Exception):
    """Ends the writer here, as a process that is killed does."""


@dataclass
class MemoryWriter:
    """Keeps tables as dicts, and the order in which they were written.

    Args:
        breaks_after: so many items are written, then BrokenOffError; None never breaks off.
    """

    tables: dict[TableName, Items] = field(default_factory=lambda: {"seats": {}, "catalog": {}})
    order: list[str] = field(default_factory=list)
    breaks_after: int | None = None

    def put_many(self, records: Iterable[Record]) -> None:
        for record in records:
            if self.breaks_after is not None and len(self.order) >= self.breaks_after:
                raise BrokenOffError
            self._put(record)

    def put_new(self, record: Record) -> None:
        if record.key in self.tables[record.table]:
            raise TransactionRefusedError([Refusal("ConditionalCheckFailed", record.item())])
        self._put(record)

    def exists(self, kind: type[Record], key: Key) -> bool:
        return key in self.tables[kind.table]

    def _put(self, record: Record) -> None:
        self.tables[record.table][record.key] = record.item()
        self.order.append(record.pk)
