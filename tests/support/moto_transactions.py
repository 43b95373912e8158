"""Makes moto's TransactWriteItems sound: atomic, serial, with ordered reasons, at any table size.

moto 5.2.5 deep-copies every touched table for each transaction and takes no lock, so threads race
(double holds were observed) and a hold takes seconds at 10,000 seats. Here every condition is
evaluated against the stored items first, then everything is applied with an undo list, under one
lock that all DynamoDB requests share. It touches moto's internals: the pin is exact, and
tests/unit/shared/test_moto_transactions.py fails when moto changes.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from moto.dynamodb.comparisons import get_filter_expression
from moto.dynamodb.exceptions import (
    MultipleTransactionsException,
    TooManyTransactionsException,
    TransactionCanceledException,
)
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.responses import DynamoHandler

from tests.support.moto_queries import quick_queries

ACTIONS_MAX = 100
_lock = threading.RLock()


def transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    """All or none of the actions; raises moto's own exceptions."""
    if len(transact_items) > ACTIONS_MAX:
        raise TooManyTransactionsException
    with _lock:
        actions = [_Action(backend, item) for item in transact_items]
        if len({action.identity for action in actions}) < len(actions):
            raise MultipleTransactionsException
        reasons = [action.reason() for action in actions]
        if any(code is not None for code, _, _ in reasons):
            raise TransactionCanceledException(reasons)
        undo: list[Callable[[], None]] = []
        try:
            for action in actions:
                undo.append(action.snapshot())
                action.apply()
        except Exception:  # whatever moto refuses, nothing of the transaction may stay
            for step in reversed(undo):
                step()
            raise


class _Action:
    """One action of a transaction, bound to its table and key."""

    def __init__(self, backend: DynamoDBBackend, item: dict[str, Any]) -> None:
        ((self.kind, self.request),) = item.items()
        self.backend = backend
        self.name = self.request["TableName"].rpartition("/")[2]
        self.table = backend.get_table(self.name)
        source = self.request["Item"] if self.kind == "Put" else self.request["Key"]
        attributes = (self.table.hash_key_attr, self.table.range_key_attr)
        self.key = {name: source[name] for name in attributes if name is not None}
        self.identity = (self.name, str(sorted(self.key.items())))

    def reason(self) -> tuple[Any, Any, Any]:
        condition = self.request.get("ConditionExpression")
        if not condition:
            return None, None, None
        current = self.backend.get_item(self.name, self.key)
        operation = get_filter_expression(
            condition,
            self.request.get("ExpressionAttributeNames"),
            self.request.get("ExpressionAttributeValues"),
        )
        if operation.expr(current):
            return None, None, None
        wants_old = self.request.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD"
        old = current.to_json()["Attributes"] if current and wants_old else None
        return "ConditionalCheckFailed", "The conditional request failed", old

    def snapshot(self) -> Callable[[], None]:
        hash_value = next(iter(self.key[self.table.hash_key_attr].values()))
        stored = self.backend.get_item(self.name, self.key)
        kept = copy.deepcopy(stored)
        shard = self.table.stream_shard
        length = len(shard.items) if shard else 0

        def restore() -> None:
            if stored is None:
                self.backend.delete_item(self.name, self.key)
            else:
                partition = self.table.items[_matching(self.table.items, hash_value)]
                assert stored.range_key is not None  # each of our tables sorts by SK
                partition[_matching(partition, stored.range_key.value)] = kept
            if shard:
                del shard.items[length:]

        return restore

    def apply(self) -> None:
        names = self.request.get("ExpressionAttributeNames")
        values = self.request.get("ExpressionAttributeValues")
        if self.kind == "Put":
            self.backend.put_item(self.name, self.request["Item"])
        elif self.kind == "Delete":
            self.backend.delete_item(self.name, self.key)
        elif self.kind == "Update":
            self.backend.update_item(
                self.name,
                self.key,
                update_expression=self.request["UpdateExpression"],
                expression_attribute_names=names,
                expression_attribute_values=values,
            )


def _matching(items: Any, value: str) -> Any:
    return next(key for key in items if key.value == value)


@contextmanager
def sound_transactions() -> Iterator[None]:
    """Within it, DynamoDB requests to moto are serial, transactions sound, queries quick."""
    dispatch = DynamoHandler.call_action

    def one_at_a_time(handler: DynamoHandler) -> Any:
        with _lock:
            return dispatch(handler)

    with (
        patch.object(DynamoDBBackend, "transact_write_items", transact_write_items),
        patch.object(DynamoHandler, "call_action", one_at_a_time),
        quick_queries(),
    ):
        yield
