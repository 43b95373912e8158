"""Write in bulk to publish an event: many items that nobody else writes at the same time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fairgate.adapters.aws.retries import OutOfTriesError, Retrier, RetryBudget
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import Key, Record, TableName
from fairgate.ports.table import Put

_BATCH = 25  # BatchWriteItem's limit
_ROUNDS_MAX = 8
_BACKOFF_S = 0.05  # doubled each time, full jitter: the last pauses are some seconds


class _UnprocessedError(Exception):
    """Reports that a batch was written in part."""


class DynamoWriter:
    """Implements the writer that ``service/catalog/publish_event.py`` asks for."""

    def __init__(
        self,
        client: Callable[[], Any],
        names: Mapping[TableName, str],
        *,
        threads: int = 4,
        written: Callable[[int], None] = lambda _count: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._names = names
        self._threads = threads
        self._written = written
        self._sleep = sleep

    def put_many(self, records: Iterable[Record]) -> None:
        """Put every record, replacing what is there. ``written`` hears of each batch."""
        client = self._client()
        retrier = Retrier(
            RetryBudget(), attempts_max=_ROUNDS_MAX, backoff_s=_BACKOFF_S, sleep=self._sleep
        )

        def write(batch: Sequence[Record]) -> None:
            name = self._names[batch[0].table]
            wanted = [{"PutRequest": {"Item": to_item(record.item())}} for record in batch]

            def put() -> None:
                nonlocal wanted
                answer = client.batch_write_item(RequestItems={name: wanted})
                wanted = answer.get("UnprocessedItems", {}).get(name, [])
                if wanted:
                    raise _UnprocessedError(f"{len(wanted)} items")

            try:
                retrier.run(put, lambda e: 0 if isinstance(e, _UnprocessedError) else None)
            except OutOfTriesError as error:
                raise DependencyUnavailableError(
                    "DynamoDB keeps throttling; run the command again."
                ) from error
            self._written(len(batch))

        with ThreadPoolExecutor(self._threads) as pool:
            for _done in pool.map(write, _batches(records)):
                pass

    def put_new(self, record: Record) -> None:
        """Put a record that must not exist. Raises TransactionRefusedError when it does."""
        DynamoTable(self._client, self._names).transact([Put.of(record)])

    def exists(self, kind: type[Record], key: Key) -> bool:
        """Say whether there is such a record; strongly consistent."""
        return DynamoTable(self._client, self._names).find(kind, key) is not None


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    iterator = iter(records)
    while batch := list(itertools.islice(iterator, _BATCH)):
        yield batch
