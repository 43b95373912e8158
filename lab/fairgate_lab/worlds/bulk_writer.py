"""Write rows for benchmarks in bulk: sold seats, sessions, orders that nobody else writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fairgate.adapters.aws.retries import OutOfTriesError, Retrier, RetryBudget
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.guarded_writer import BACKOFF_S, ROUNDS_MAX, batches, throttled
from fairgate.ports.record import Record, TableName

_BATCH = 25  # BatchWriteItem's limit
_Wish = tuple[TableName, dict[str, Any]]  # what BatchWriteItem is asked for, and of which table


class _UnprocessedError(Exception):
    """Reports that a batch was written in part."""


class DynamoWriter:
    """Writes records by the batch, without conditions: nothing refuses one that comes late."""

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
        """Put every record, replacing what is there. ``written`` is called for each batch."""
        with ThreadPoolExecutor(self._threads) as pool:
            for count in pool.map(self._write, batches(map(_put, records), _BATCH)):
                self._written(count)

    def _write(self, batch: Sequence[_Wish]) -> int:
        """Write a batch of one table; return how many it was. Raises DependencyUnavailableError."""
        client = self._client()
        retrier = Retrier(
            RetryBudget(), attempts_max=ROUNDS_MAX, backoff_s=BACKOFF_S, sleep=self._sleep
        )

        name = self._names[batch[0][0]]
        wanted = [wish for _table, wish in batch]

        def write() -> None:
            nonlocal wanted
            answer = client.batch_write_item(RequestItems={name: wanted})
            wanted = answer.get("UnprocessedItems", {}).get(name, [])
            if wanted:
                raise _UnprocessedError(f"{len(wanted)} items")

        try:
            retrier.run(write, lambda e: 0 if isinstance(e, _UnprocessedError) else None)
        except OutOfTriesError as error:
            raise throttled() from error
        return len(batch)


def _put(record: Record) -> _Wish:
    return record.table, {"PutRequest": {"Item": to_item(record.item())}}
