"""Reach DynamoDB behind ``ports.Table``: plain values, bounded waits, one retry budget.

The calls go through ``light.py``, or through botocore's client where Lambda's environment does not
name the keys. Neither validates parameters: the services build the same shapes each time, and the
tests run them through boto3 with validation on.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from fairgate.adapters.aws.retries import (
    FREE,
    NO_ANSWER_COST,
    THROTTLED_COST,
    OutOfTriesError,
    Retrier,
    RetryBudget,
    budget_of,
)
from fairgate.adapters.dynamodb.codec import read_item, to_item, to_typed
from fairgate.adapters.dynamodb.light import dynamodb_client
from fairgate.adapters.dynamodb.schema import GSI1
from fairgate.errors import IdempotencyMismatchError, TableUnavailableError
from fairgate.ports.record import (
    GSI1PK,
    GSI1SK,
    PK,
    SK,
    DamagedItemError,
    Key,
    R,
    Record,
    TableName,
    decode,
    named,
)
from fairgate.ports.table import Action, Delete, Put, Refusal, TransactionRefusedError, Update

if TYPE_CHECKING:
    from fairgate.settings import Settings

ATTEMPTS_MAX = 5
BACKOFF_S = 0.025  # doubled each time, full jitter: five attempts spend at most 0.4 s waiting
_ALIAS = re.compile(r"#(\w+)")
T = TypeVar("T")

# Worth another try: nothing was written, or the same ClientRequestToken makes it harmless.
# Source: DynamoDB Developer Guide, "Error handling", TransactWriteItems "Errors".
_CONFLICTS = frozenset({"TransactionConflictException", "TransactionInProgressException"})
_THROTTLED = frozenset(
    {
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingException",
    }
)
# An expired key is renewed, or found elsewhere: json_protocol.py.
_FAILED = frozenset({"ExpiredTokenException", "InternalServerError", "ServiceUnavailable"})
_REASON_COSTS = {
    "None": FREE,
    "TransactionConflict": FREE,
    "ThrottlingError": THROTTLED_COST,
    "ProvisionedThroughputExceeded": THROTTLED_COST,
}


# What UpdateItem says of an item; of a request that is wrong by itself it says something else.
_UNFIT = "incorrect data type"


class _UnprocessedError(Exception):
    """Reports that a batch was answered in part."""


class _UnfitError(Exception):
    """Reports that an item refuses its update, because the attribute to add to is no number.

    Attributes:
        place: of its action among those of the write; None if the answer does not say.
    """

    def __init__(self, text: str, place: int | None = None) -> None:
        super().__init__(text)
        self.place = place


class DynamoTable:
    """Implements ports.Table over a client that is made at the first call.

    Args:
        client: makes botocore's client for DynamoDB, or one with the same calls and errors.
        budget: of further tries; by default its own.
    """

    def __init__(
        self,
        client: Callable[[], Any],
        names: Mapping[TableName, str],
        *,
        sleep: Callable[[float], None] = time.sleep,
        budget: RetryBudget | None = None,
    ) -> None:
        self._make = client
        self._made: Any = None
        self._names = names
        self._retrier = Retrier(
            budget or RetryBudget(),
            attempts_max=ATTEMPTS_MAX,
            backoff_s=BACKOFF_S,
            sleep=sleep,
        )

    @classmethod
    def from_settings(cls, settings: Settings) -> DynamoTable:
        return cls(dynamodb_client, table_names(settings), budget=budget_of("dynamodb"))

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        request: dict[str, Any] = {"TransactItems": [self._action(a) for a in actions]}
        if token is not None:
            request["ClientRequestToken"] = token
        self._write("transact_write_items", request, actions)

    def update(self, action: Update) -> None:
        self._write("update_item", self._update(action), [action])

    def count(self, action: Update) -> Mapping[str, Any]:
        request = self._update(action) | {"ReturnValues": "UPDATED_NEW"}
        return read_item(self._write("update_item", request, [action]).get("Attributes", {}))

    def _write(
        self, operation: str, request: Mapping[str, Any], actions: Sequence[Action]
    ) -> dict[str, Any]:
        try:
            return self._call(operation, request)
        except _UnfitError as error:
            unfit = actions if error.place is None else [actions[error.place]]
            where = " or ".join(named(action.table, *_key_of(action)) for action in unfit)
            raise DamagedItemError(f"An item is damaged: {error} ({where})") from error

    def find(self, kind: type[R], key: Key) -> R | None:
        request = {
            "TableName": self._names[kind.table],
            "Key": to_item({PK: key.pk, SK: key.sk}),
            "ConsistentRead": True,
        }
        item = self._call("get_item", request).get("Item")
        return None if item is None else decode(kind, read_item(item))

    def find_many(self, kind: type[R], keys: Sequence[Key]) -> list[R]:
        return [decode(kind, item) for item in self._batch(kind.table, keys)]

    def find_each(self, wanted: Sequence[tuple[type[Record], Key]]) -> list[Record]:
        if not wanted:
            return []
        kinds = {key: kind for kind, key in wanted}
        (table,) = {kind.table for kind, _ in wanted}
        items = self._batch(table, list(kinds))
        return [decode(kinds[Key(item[PK], item[SK])], item) for item in items]

    def _batch(self, table: TableName, keys: Sequence[Key]) -> list[dict[str, Any]]:
        name = self._names[table]
        wanted = [to_item({PK: pk, SK: sk}) for pk, sk in keys]
        items: list[dict[str, Any]] = []

        def ask() -> None:
            nonlocal wanted
            request = {"RequestItems": {name: {"Keys": wanted, "ConsistentRead": True}}}
            answer = self._send("batch_get_item", request)
            items.extend(read_item(item) for item in answer["Responses"].get(name, ()))
            wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])
            if wanted:
                raise _UnprocessedError(f"{len(wanted)} keys")

        if wanted:
            self._tried(ask)
        return items

    def query(
        self, kind: type[R], pk: str, sk_prefix: str = "", *, sk_from: str = "", index: bool = False
    ) -> list[R]:
        items = self._items(kind.table, pk, sk_prefix, sk_from, index=index)
        return [decode(kind, item) for item in items]

    def pages(
        self, kind: type[R], pk: str, *, size: int, after: str = "", index: bool = False
    ) -> Iterator[Sequence[R]]:
        for page in self._pages(kind.table, pk, index=index, size=size, after=after):
            yield [decode(kind, item) for item in page]

    def partition(self, kinds: Mapping[str, type[Record]], pk: str) -> list[Record]:
        (table,) = {kind.table for kind in kinds.values()}
        return [
            decode(kind, item)
            for item in self._items(table, pk)
            for prefix, kind in kinds.items()
            if item[SK].startswith(prefix)
        ]

    def _items(
        self,
        table: TableName,
        pk: str,
        sk_prefix: str = "",
        sk_from: str = "",
        *,
        index: bool = False,
    ) -> list[dict[str, Any]]:
        pages = self._pages(table, pk, sk_prefix, sk_from, index=index)
        return [item for page in pages for item in page]

    def _pages(
        self,
        table: TableName,
        pk: str,
        sk_prefix: str = "",
        sk_from: str = "",
        *,
        index: bool = False,
        size: int = 0,
        after: str = "",
    ) -> Iterator[list[dict[str, Any]]]:
        hash_name, range_name = (GSI1PK, GSI1SK) if index else (PK, SK)
        condition = f"{hash_name} = :pk"
        values = {":pk": to_typed(pk)}
        if sk_prefix:
            condition += f" AND begins_with({range_name}, :sk)"
            values[":sk"] = to_typed(sk_prefix)
        elif sk_from:
            condition += f" AND {range_name} >= :sk"
            values[":sk"] = to_typed(sk_from)
        elif after:
            condition += f" AND {range_name} > :sk"
            values[":sk"] = to_typed(after)
        request: dict[str, Any] = {
            "TableName": self._names[table],
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": values,
            **({"IndexName": GSI1} if index else {"ConsistentRead": True}),
            **({"Limit": size} if size else {}),
        }
        while True:
            page = self._call("query", request)
            yield [read_item(item) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _action(self, action: Action) -> dict[str, Any]:
        if isinstance(action, Update):
            return {"Update": self._update(action)}
        if isinstance(action, Put):
            return {"Put": self._put(action)}
        request = {
            "TableName": self._names[action.table],
            "Key": to_item({PK: action.pk, SK: action.sk}),
        }
        request |= _expressions(action.condition, to_item(action.values, ":"), "")
        return {"Delete" if isinstance(action, Delete) else "ConditionCheck": request}

    def _put(self, action: Put) -> dict[str, Any]:
        request = {"TableName": self._names[action.table], "Item": to_item(action.item)}
        return request | _expressions(action.condition, to_item(action.values, ":"), "")

    def _update(self, action: Update) -> dict[str, Any]:
        values = to_item(action.values, ":")
        values |= to_item(action.set, ":set_") | to_item(action.add, ":add_")
        request = {
            "TableName": self._names[action.table],
            "Key": to_item({PK: action.pk, SK: action.sk}),
        }
        clauses = _clauses(tuple(action.set), tuple(action.add))
        return request | _expressions(action.condition, values, clauses)

    def _call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        return self._tried(lambda: self._send(operation, request))

    def _send(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        if self._made is None:
            self._made = self._make()
        return dict(getattr(self._made, operation)(**request))

    def _tried(self, attempt: Callable[[], T]) -> T:
        try:
            return self._retrier.run(attempt, cost_of)
        except OutOfTriesError as error:
            raise _unavailable() from error


def _expressions(condition: str, typed: Mapping[str, Any], update: str) -> dict[str, Any]:
    request: dict[str, Any] = {}
    if names := _names_in(condition, update):
        request["ExpressionAttributeNames"] = names
    if update:
        request["UpdateExpression"] = update
    if typed:
        request["ExpressionAttributeValues"] = typed
    if condition:
        request["ConditionExpression"] = condition
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


# A function writes the same few shapes over and over: their texts are made once.
@lru_cache(maxsize=256)
def _names_in(condition: str, update: str) -> Mapping[str, str]:
    return {f"#{n}": n for n in sorted(set(_ALIAS.findall(f"{condition} {update}")))}


@lru_cache(maxsize=256)
def _clauses(sets: tuple[str, ...], adds: tuple[str, ...]) -> str:
    clauses = ["SET " + ", ".join(f"#{name} = :set_{name}" for name in sets)] if sets else []
    clauses += ["ADD " + ", ".join(f"#{name} :add_{name}" for name in adds)] if adds else []
    return " ".join(clauses)


def _key_of(action: Action) -> Key:
    if isinstance(action, Put):
        return Key(action.item[PK], action.item[SK])
    return Key(action.pk, action.sk)


def cost_of(error: Exception) -> int | None:
    """Return the cost of another try; None if the error is final. Raises our error for a refusal.

    Unknown codes propagate.
    """
    from botocore.exceptions import ClientError, HTTPClientError
    from botocore.exceptions import ConnectionError as UnreachableError

    if isinstance(error, ClientError):
        return _cost_of_answer(error.response)
    if isinstance(error, _UnprocessedError):
        return THROTTLED_COST
    # Read and connect time-outs are among them.
    return NO_ANSWER_COST if isinstance(error, HTTPClientError | UnreachableError) else None


def _cost_of_answer(response: Mapping[str, Any]) -> int | None:
    code = response["Error"]["Code"]
    if code == "TransactionCanceledException":
        reasons = [_refusal(r.get("Code", "None"), r.get("Item")) for r in _reasons(response)]
        if any(r.failed for r in reasons):
            raise TransactionRefusedError(reasons)
        for place, reason in enumerate(_reasons(response)):
            if reason.get("Code") == "ValidationError":
                raise _UnfitError(reason.get("Message", ""), place)
        costs = [_REASON_COSTS.get(r.code) for r in reasons]
        return None if None in costs else max((c for c in costs if c is not None), default=FREE)
    if code == "ConditionalCheckFailedException":
        raise TransactionRefusedError([_refusal("ConditionalCheckFailed", response.get("Item"))])
    if code == "IdempotentParameterMismatchException":
        raise IdempotencyMismatchError("This Idempotency-Key was used with another request.")
    if code == "ValidationException" and _UNFIT in response["Error"].get("Message", ""):
        raise _UnfitError(response["Error"]["Message"])
    if code in _CONFLICTS:
        return FREE
    if code in _THROTTLED:
        return THROTTLED_COST
    return NO_ANSWER_COST if code in _FAILED else None


def _reasons(response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    reasons: Sequence[Mapping[str, Any]] = response.get("CancellationReasons", ())
    return reasons


def _refusal(code: str, item: Mapping[str, Any] | None) -> Refusal:
    return Refusal(code, read_item(item) if item else None)


def _unavailable() -> TableUnavailableError:
    return TableUnavailableError(
        "The booking system is busy. Nothing was lost; please try again.", retry_after_s=2
    )


def table_names(settings: Settings) -> dict[TableName, str]:
    return {
        "seats": settings.seats_table,
        "reservations": settings.reservations_table,
        "catalog": settings.catalog_table,
    }
