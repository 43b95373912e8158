"""Read an event's ledger by its index, the oldest entry first, a part at a time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from fairgate.ports.record import Key
from fairgate.service.shared.keys import ledger_indexes
from fairgate.service.shared.readable import Readable, find_many_readable
from fairgate.service.shared.records.orders import LedgerEntry, LedgerEntryInIndex

if TYPE_CHECKING:
    from fairgate.ports.table import Table

TOGETHER = 100  # entries that are read at once: BatchGetItem's limit
PAGE_ENTRIES = 2_000  # of each partition of the index, held in memory at once


def read_ledger(table: Table, event: str, after: str = "") -> Iterator[Readable[LedgerEntry]]:
    """Yield the entries of an event, up to ``TOGETHER`` at a time.

    Entries never change. The newest may be missing, because an index lags. A damaged one is named
    by its key.

    Args:
        after: begin behind this ``Readable.after``.

    Cost: some 0.03 read units for each entry in the index, and one for the entry.
    """
    entries = heapq.merge(*(_partition(table, pk, after) for pk in ledger_indexes(event)))
    while some := list(islice(entries, TOGETHER)):
        keys = [key for _, key in some]
        read = find_many_readable(table, LedgerEntry, keys)
        place = {key: number for number, key in enumerate(keys)}
        records = sorted(read.records, key=lambda entry: place[entry.key])
        last = some[-1][0] if len(some) == TOGETHER else ""
        yield Readable(records, read.damaged, last)


def _partition(table: Table, pk: str, after: str) -> Iterator[tuple[str, Key]]:
    page: Sequence[LedgerEntryInIndex]
    for page in table.pages(LedgerEntryInIndex, pk, size=PAGE_ENTRIES, after=after, index=True):
        yield from [(entry.gsi1_sk, entry.key) for entry in page]
