"""Write an event's rows, each hundred in one transaction with a check.

BatchWriteItem takes no condition, so a late batch of an older run could overwrite sold seats.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from fairgate.adapters.aws.retries import FREE, OutOfTriesError, Retrier, RetryBudget
from fairgate.adapters.dynamodb.client import cost_of
from fairgate.adapters.dynamodb.codec import read_item
from fairgate.errors import DependencyUnavailableError, TableUnavailableError
from fairgate.ports.record import PK, SK, Key, Record, TableName
from fairgate.ports.table import Action, Check, Delete, Put, Table

_BATCH = 99  # with the check a hundred, TransactWriteItems' limit
ROUNDS_MAX = 8
BACKOFF_S = 0.05  # doubled each time, full jitter: the last pauses are some seconds

T = TypeVar("T")


class GuardedWriter:
    """Implements the row writer that ``service/catalog/create_event.py`` asks for.

    One transaction follows the other: two at once would conflict, as both check the same item.

    Args:
        client: for the scan, which ``table`` does not have.
        written: is called with the number of rows that each transaction put.
    """

    def __init__(
        self,
        table: Table,
        client: Callable[[], Any],
        names: Mapping[TableName, str],
        check: Check,
        *,
        written: Callable[[int], None] = lambda _count: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._table = table
        self._client = client
        self._names = names
        self._check = check
        self._written = written
        self._retrier = Retrier(
            RetryBudget(), attempts_max=ROUNDS_MAX, backoff_s=BACKOFF_S, sleep=sleep
        )

    def put_many(self, records: Iterable[Record]) -> None:
        """Put every record, replacing what is there. Raises TransactionRefusedError."""
        # Existing rows are replaced unread, because the check excludes other writers.
        for batch in batches((Put.of(record, condition="") for record in records), _BATCH):
            self._transact(batch)
            self._written(len(batch))

    def remove_others(self, event: str, keep: Collection[Key]) -> int:
        """Remove the event's seats and areas' counters but those to keep; return how many.

        Raises TransactionRefusedError.
        """
        client, request = self._client(), {"TableName": self._names["seats"]}
        removed = 0
        while True:
            page = self._tried(partial(client.scan, ConsistentRead=True, **request), cost_of)
            items = map(read_item, page["Items"])
            keys = (Key(item[PK], item[SK]) for item in items if item.get("eventId") == event)
            # Page by page: what breaks off has less to do the next time.
            others = [key for key in keys if key not in keep]
            for batch in batches((Delete("seats", *key) for key in others), _BATCH):
                self._transact(batch)
            removed += len(others)
            if "LastEvaluatedKey" not in page:
                return removed
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _transact(self, batch: Sequence[Action]) -> None:
        def write() -> None:
            self._table.transact([*batch, self._check])

        self._tried(write, lambda error: FREE if isinstance(error, TableUnavailableError) else None)

    def _tried(self, call: Callable[[], T], cost: Callable[[Exception], int | None]) -> T:
        try:
            return self._retrier.run(call, cost)
        except OutOfTriesError as error:
            raise throttled() from error


def throttled() -> DependencyUnavailableError:
    return DependencyUnavailableError("DynamoDB keeps throttling; run the command again.")


def batches(wishes: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut the requests into pieces for one call each."""
    iterator = iter(wishes)
    while batch := list(itertools.islice(iterator, size)):
        yield batch
