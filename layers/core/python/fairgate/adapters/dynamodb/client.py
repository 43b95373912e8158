"""DynamoDB behind ``ports.Table``: botocore's client, explicit time-outs, one retry budget.

Parameter validation is off: the services build the same shapes each time, and the tests run them
with it on (facts: 1.4–1.7 ms of client CPU a transaction instead of 1.7–2.3).
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairgate.adapters.aws_client import aws_client
from fairgate.adapters.dynamodb.codec import from_item, to_item, to_typed
from fairgate.adapters.dynamodb.schema import GSI1, GSI1PK, GSI1SK, PK, SK
from fairgate.errors import DependencyUnavailableError, IdempotencyMismatchError
from fairgate.ports import Action, Put, Refusal, TableName, TransactionRefusedError, Update

if TYPE_CHECKING:
    from fairgate.settings import Settings

_ATTEMPTS_MAX = 5
_BACKOFF_S = 0.025  # doubled each time, full jitter: five attempts spend at most 0.4 s waiting
_ALIAS = re.compile(r"#(\w+)")

# Worth another try: nothing was written, or the same ClientRequestToken makes it harmless.
# Source: DynamoDB Developer Guide, "Error handling", TransactWriteItems "Errors".
_TRANSIENT = frozenset(
    {
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
_TRANSIENT_REASONS = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
)


class DynamoTable:
    """Implements ports.Table over a botocore client that is made at the first call."""

    def __init__(
        self,
        client: Callable[[], Any],
        names: Mapping[TableName, str],
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._make = client
        self._made: Any = None
        self._names = names
        self._sleep = sleep

    @classmethod
    def from_settings(cls, settings: Settings) -> DynamoTable:
        return cls(dynamodb_client, table_names(settings))

    def transact(self, actions: Sequence[Action], token: str | None = None) -> None:
        request: dict[str, Any] = {"TransactItems": [self._action(a) for a in actions]}
        if token is not None:
            request["ClientRequestToken"] = token
        self._call("transact_write_items", request)

    def update(self, action: Update) -> None:
        self._call("update_item", self._update(action))

    def get(self, table: TableName, pk: str, sk: str) -> dict[str, Any] | None:
        request = {
            "TableName": self._names[table],
            "Key": to_item({PK: pk, SK: sk}),
            "ConsistentRead": True,
        }
        item = self._call("get_item", request).get("Item")
        return None if item is None else from_item(item)

    def get_many(self, table: TableName, keys: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
        name = self._names[table]
        wanted = [to_item({PK: pk, SK: sk}) for pk, sk in keys]
        found: list[dict[str, Any]] = []
        for _ in range(_ATTEMPTS_MAX):
            if not wanted:
                return found
            answer = self._call(
                "batch_get_item", {"RequestItems": {name: {"Keys": wanted, "ConsistentRead": True}}}
            )
            found += [from_item(item) for item in answer["Responses"].get(name, ())]
            wanted = answer.get("UnprocessedKeys", {}).get(name, {}).get("Keys", [])
        raise _unavailable()

    def query(
        self, table: TableName, pk: str, sk_prefix: str = "", *, index: bool = False
    ) -> list[dict[str, Any]]:
        hash_name, range_name = (GSI1PK, GSI1SK) if index else (PK, SK)
        condition = f"{hash_name} = :pk"
        values = {":pk": to_typed(pk)}
        if sk_prefix:
            condition += f" AND begins_with({range_name}, :sk)"
            values[":sk"] = to_typed(sk_prefix)
        request: dict[str, Any] = {
            "TableName": self._names[table],
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": values,
            **({"IndexName": GSI1} if index else {"ConsistentRead": True}),
        }
        items: list[dict[str, Any]] = []
        while True:
            page = self._call("query", request)
            items += [from_item(item) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                return items
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

    def _action(self, action: Action) -> dict[str, Any]:
        if isinstance(action, Update):
            return {"Update": self._update(action)}
        return {"Put": self._put(action)}

    def _put(self, action: Put) -> dict[str, Any]:
        request = {"TableName": self._names[action.table], "Item": to_item(action.item)}
        return request | _expressions(action.condition, action.values, "")

    def _update(self, action: Update) -> dict[str, Any]:
        sets = [f"#{name} = :set_{name}" for name in action.set]
        adds = [f"#{name} :add_{name}" for name in action.add]
        clauses = ["SET " + ", ".join(sets)] if sets else []
        clauses += ["ADD " + ", ".join(adds)] if adds else []
        values = dict(action.values)
        values |= {f"set_{name}": value for name, value in action.set.items()}
        values |= {f"add_{name}": value for name, value in action.add.items()}
        request = {
            "TableName": self._names[action.table],
            "Key": to_item({PK: action.pk, SK: action.sk}),
        }
        return request | _expressions(action.condition, values, " ".join(clauses))

    def _call(self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:
        from botocore.exceptions import ClientError, HTTPClientError
        from botocore.exceptions import ConnectionError as UnreachableError

        if self._made is None:
            self._made = self._make()
        for attempt in range(_ATTEMPTS_MAX):
            if attempt:
                # Jitter keeps retries apart; nothing secret hangs on it.
                self._sleep(random.uniform(0, _BACKOFF_S * 2**attempt))  # noqa: S311
            try:
                return dict(getattr(self._made, operation)(**request))
            except ClientError as error:
                _raise_unless_transient(error.response)
            except (HTTPClientError, UnreachableError):  # read and connect time-outs among them
                continue
        raise _unavailable()


def _expressions(condition: str, values: Mapping[str, Any], update: str) -> dict[str, Any]:
    names = sorted(set(_ALIAS.findall(f"{condition} {update}")))
    request: dict[str, Any] = {"ExpressionAttributeNames": {f"#{n}": n for n in names}}
    if update:
        request["UpdateExpression"] = update
    if values:
        request["ExpressionAttributeValues"] = {f":{n}": to_typed(v) for n, v in values.items()}
    if condition:
        request["ConditionExpression"] = condition
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def _raise_unless_transient(response: Mapping[str, Any]) -> None:
    """Translate each code on its own; what is unknown propagates as it is."""
    code = response["Error"]["Code"]
    if code == "TransactionCanceledException":
        reasons = [_refusal(r.get("Code", "None"), r.get("Item")) for r in _reasons(response)]
        if any(r.failed for r in reasons):
            raise TransactionRefusedError(reasons)
        if all(r.code == "None" or r.code in _TRANSIENT_REASONS for r in reasons):
            return
    elif code == "ConditionalCheckFailedException":
        raise TransactionRefusedError([_refusal("ConditionalCheckFailed", response.get("Item"))])
    elif code == "IdempotentParameterMismatchException":
        raise IdempotencyMismatchError("This Idempotency-Key was used with another request.")
    elif code in _TRANSIENT:
        return
    raise  # noqa: PLE0704 re-raises the ClientError that the caller is handling


def _reasons(response: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    reasons: Sequence[Mapping[str, Any]] = response.get("CancellationReasons", ())
    return reasons


def _refusal(code: str, item: Mapping[str, Any] | None) -> Refusal:
    return Refusal(code, from_item(item) if item else None)


def _unavailable() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "The booking system is busy. Nothing was lost; please try again.", retry_after_s=2
    )


def table_names(settings: Settings) -> dict[TableName, str]:
    return {
        "seats": settings.seats_table,
        "reservations": settings.reservations_table,
        "catalog": settings.catalog_table,
    }


def dynamodb_client() -> Any:
    """No retries of its own: the adapter has one budget for all of them."""
    return aws_client(
        "dynamodb", attempts_max=1, parameter_validation=False, max_pool_connections=16
    )
