"""Write in bulk to publish an event: many items that nobody else writes at the same time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from fairgate.adapters.aws.retries import OutOfTriesError, Retrier, RetryBudget
from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.record import Key, Record, TableName
from fairgate.ports.table import Put

_BATCH = 25  # BatchWriteItem's limit
ROUNDS_MAX = 8
BACKOFF_S = 0.05  # doubled each time, full jitter: the last pauses are some seconds

T = TypeVar("T")
_Wish = tuple[TableName, dict[str, Any]]  # what BatchWriteItem is asked for, and of which table


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

    def put_new(self, record: Record) -> None:
        """Put a record that must not exist. Raises TransactionRefusedError when it does."""
        DynamoTable(self._client, self._names).transact([Put.of(record)])

    def exists(self, kind: type[Record], key: Key) -> bool:
        """Say whether there is such a record; strongly consistent."""
        return DynamoTable(self._client, self._names).find(kind, key) is not None


def throttled() -> DependencyUnavailableError:
    return DependencyUnavailableError("DynamoDB keeps throttling; run the command again.")


def _put(record: Record) -> _Wish:
    return record.table, {"PutRequest": {"Item": to_item(record.item())}}


def batches(wishes: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut what is asked for into pieces that one call takes."""
    iterator = iter(wishes)
    while batch := list(itertools.islice(iterator, size)):
        yield batch
