"""Bulk writing for publishing an event: many items that nobody else writes at the same time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Put, TableName

_BATCH = 25  # BatchWriteItem's limit
_ROUNDS_MAX = 8


class DynamoWriter:
    """Implements the writer that ``service/catalog/publish_event.py`` asks for."""

    def __init__(
        self,
        client: Callable[[], Any],
        names: Mapping[TableName, str],
        *,
        threads: int = 4,
        written: Callable[[int], None] = lambda _count: None,
    ) -> None:
        self._client = client
        self._names = names
        self._threads = threads
        self._written = written

    def put_many(self, table: TableName, items: Iterable[Mapping[str, Any]]) -> None:
        """Put every item, replacing what is there. ``written`` hears of each batch."""
        client = self._client()
        name = self._names[table]

        def write(batch: Sequence[Mapping[str, Any]]) -> None:
            wanted = [{"PutRequest": {"Item": to_item(item)}} for item in batch]
            for _ in range(_ROUNDS_MAX):
                answer = client.batch_write_item(RequestItems={name: wanted})
                wanted = answer.get("UnprocessedItems", {}).get(name, [])
                if not wanted:
                    self._written(len(batch))
                    return
            raise DependencyUnavailableError("DynamoDB keeps throttling; run the command again.")

        with ThreadPoolExecutor(self._threads) as pool:
            for _done in pool.map(write, _batches(items)):
                pass

    def put_new(self, table: TableName, item: Mapping[str, Any]) -> None:
        """Put an item that must not exist. Raises TransactionRefusedError when it does."""
        DynamoTable(self._client, self._names).transact([Put(table, item)])

    def exists(self, table: TableName, pk: str, sk: str) -> bool:
        """Strongly consistent."""
        return DynamoTable(self._client, self._names).get(table, pk, sk) is not None


def _batches(items: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    iterator = iter(items)
    while batch := list(itertools.islice(iterator, _BATCH)):
        yield batch
