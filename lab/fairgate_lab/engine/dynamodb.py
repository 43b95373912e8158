"""Run DynamoDB in memory, behind the same calls that botocore's client has.

Serialisable transactions with ordered reasons and ALL_OLD items, ClientRequestToken for ten
minutes, upserts, an index that may lag, a stream of both images, pages of a megabyte, and a refusal
of whatever real DynamoDB refuses of what Fairgate could ask: see test_sale_refusals.py.
Calls are atomic: one thread at a time, which the scheduler sees to.
Source: DynamoDB API Reference, TransactWriteItems, UpdateItem, Query, BatchGetItem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from fairgate.adapters.dynamodb.schema import GSI1, TableSchema
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from fairgate_lab.engine.expressions import (
    ExpressionError,
    condition,
    resolved,
    update,
)
from fairgate_lab.engine.keys import (
    INDEX_KEYS,
    TABLE_KEYS,
    Key,
    TypedItem,
    check_index_keys,
    only_key,
    partition_of,
)
from fairgate_lab.engine.paging import page_of
from fairgate_lab.engine.refusals import UnfitError, canceled, client_error, invalid
from fairgate_lab.engine.requests import action_key, check_placeholders, compiled
from fairgate_lab.engine.sizes import TRANSACTION_BYTES_MAX, written_bytes

ACTIONS_MAX = 100
READ_BATCH_MAX, WRITE_BATCH_MAX = 100, 25
TOKEN_MS, TOKEN_LENGTH_MAX = 600_000, 36
Heard = Callable[[str, "StreamRecord"], None]


@dataclass(frozen=True, slots=True)
class StreamRecord:
    """One change of one item, as the stream carries it."""

    sequence: int
    key: Key
    old: TypedItem | None
    new: TypedItem | None


@dataclass
class _Stored:
    schema: TableSchema
    partitions: dict[str, dict[str, TypedItem]] = field(default_factory=dict)
    # What eventually consistent readers see: behind by the changes that wait here.
    replica: dict[Key, TypedItem] = field(default_factory=dict)
    behind: list[StreamRecord] = field(default_factory=list)
    bytes_max: int = 0  # no item was ever larger

    def get(self, key: Key) -> TypedItem | None:
        return self.partitions.get(key[0], {}).get(key[1])


@dataclass(frozen=True, slots=True)
class _Write:
    """A write: what one action of a call would do to one item."""

    table: str
    key: Key
    item: TypedItem | None  # None deletes
    size: int = 0  # of what is written, in bytes


class MemoryDynamo:
    """Implements the calls of botocore's ``dynamodb`` client that Fairgate makes.

    Args:
        names: table name → its schema.
        now_ms: for the life of ClientRequestTokens.

    Attributes:
        heard: called with the table's name and each stream record of a table that has a stream.
        lag: of so many changes, how many an eventually consistent read does not see yet.
    """

    def __init__(
        self,
        names: Mapping[str, TableSchema],
        now_ms: Callable[[], int],
    ) -> None:
        self._tables = {name: _Stored(schema) for name, schema in names.items()}
        self._now_ms = now_ms
        self.heard: Heard = lambda _table, _record: None
        self._tokens: dict[str, tuple[object, int]] = {}
        self._sequence = 0
        self.lag: Callable[[int], int] = lambda _waiting: 0

    # --- reads

    def get_item(self, **request: Any) -> dict[str, Any]:
        stored = self._table(request)
        key = only_key(request["Key"])
        if request.get("ConsistentRead"):
            item = stored.get(key)
        else:
            self._catch_up(stored)
            item = stored.replica.get(key)
        return {} if item is None else {"Item": item}

    def batch_get_item(self, **request: Any) -> dict[str, Any]:
        responses: dict[str, list[TypedItem]] = {}
        count = 0
        for name, wanted in request["RequestItems"].items():
            keys = [only_key(key) for key in wanted["Keys"]]
            count += len(keys)
            if len(set(keys)) < len(keys):
                invalid("Provided list of item keys contains duplicates")
            answers = (
                self.get_item(
                    TableName=name, Key=key, ConsistentRead=wanted.get("ConsistentRead", False)
                )
                for key in wanted["Keys"]
            )
            responses[name] = [answer["Item"] for answer in answers if answer]
        if not 1 <= count <= READ_BATCH_MAX:
            invalid("Too many items requested for the BatchGetItem call")
        return {"Responses": responses, "UnprocessedKeys": {}}

    def query(self, **request: Any) -> dict[str, Any]:
        stored, text = self._table(request), request["KeyConditionExpression"]
        check_placeholders(request, text)
        matches, values = compiled(condition, text), request["ExpressionAttributeValues"]
        indexed = "IndexName" in request
        key = partition_of(text, values, INDEX_KEYS if indexed else TABLE_KEYS)
        if indexed:
            items = self._in_index(stored, request)
        elif request.get("ConsistentRead"):
            items = list(stored.partitions.get(key, {}).values())
        else:
            self._catch_up(stored)
            items = list(stored.replica.values())
        matching = [item for item in items if matches(item, {}, values)]
        return page_of(matching, request, stored.bytes_max)

    def scan(self, **request: Any) -> dict[str, Any]:
        stored = self._table(request)
        if "IndexName" in request:
            items = self._in_index(stored, request)
        else:
            items = [item for part in stored.partitions.values() for item in part.values()]
        answer = page_of(items, request, stored.bytes_max)
        answer["ScannedCount"] = answer["Count"]
        if text := request.get("FilterExpression"):
            check_placeholders(request, text)
            names = request.get("ExpressionAttributeNames", {})
            matches, values = compiled(condition, text), request["ExpressionAttributeValues"]
            answer["Items"] = [item for item in answer["Items"] if matches(item, names, values)]
            answer["Count"] = len(answer["Items"])
        return answer

    # --- writes

    def put_item(self, **request: Any) -> dict[str, Any]:
        self._single("Put", request)
        return {}

    def update_item(self, **request: Any) -> dict[str, Any]:
        self._single("Update", request)
        if request.get("ReturnValues") != "UPDATED_NEW":
            return {}
        item = self._table(request).get(action_key(request)) or {}
        named = request["ExpressionAttributeNames"].values()
        written = [name for name in named if f"#{name}" in request["UpdateExpression"]]
        return {"Attributes": {name: item[name] for name in written if name in item}}

    def delete_item(self, **request: Any) -> dict[str, Any]:
        self._single("Delete", request)
        return {}

    def batch_write_item(self, **request: Any) -> dict[str, Any]:
        wishes = [(name, wish) for name, some in request["RequestItems"].items() for wish in some]
        writes = [
            self._effect(kind.removesuffix("Request"), {"TableName": name, **body})
            for name, wish in wishes
            for kind, body in wish.items()
        ]
        if not 1 <= len(writes) <= WRITE_BATCH_MAX:
            invalid("Too many items requested for the BatchWriteItem call")
        if len({(write.table, write.key) for write in writes}) < len(writes):
            invalid("Provided list of item keys contains duplicates")
        for write in writes:
            self._apply(write)
        return {"UnprocessedItems": {}}

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        actions = [next(iter(action.items())) for action in request["TransactItems"]]
        if not 1 <= len(actions) <= ACTIONS_MAX:
            invalid("Member must have length less than or equal to 100")
        token = request.get("ClientRequestToken")
        if token is not None and not 1 <= len(token) <= TOKEN_LENGTH_MAX:
            invalid("Member must have length less than or equal to 36")
        if token is not None and self._repeated(token, request["TransactItems"]):
            return {}
        identities = {(body["TableName"], action_key(body)) for _, body in actions}
        if len(identities) < len(actions):
            invalid("Transaction request cannot include multiple operations on one item")
        writes = self._effects(actions)
        if sum(write.size for write in writes) > TRANSACTION_BYTES_MAX:
            invalid("the items of the transaction are more than 4 MB")
        for write in writes:
            self._apply(write)
        if token is not None:
            self._tokens[token] = (request["TransactItems"], self._now_ms() + TOKEN_MS)
        return {}

    # --- beside the API: for the checkers

    def items(self, table: str) -> Iterator[TypedItem]:
        for partition in self._tables[table].partitions.values():
            yield from partition.values()

    def catch_up(self) -> None:
        """Let every reader see what has been written so far, whatever the lag says."""
        for stored in self._tables.values():
            self._see(stored, len(stored.behind))

    # --- inside

    def _table(self, request: Mapping[str, Any]) -> _Stored:
        try:
            return self._tables[request["TableName"]]
        except KeyError:
            raise client_error(
                "ResourceNotFoundException", f"no table {request['TableName']}"
            ) from None

    def _repeated(self, token: str, actions: Sequence[Any]) -> bool:
        known = self._tokens.get(token)
        if known is None or known[1] <= self._now_ms():
            return False
        if known[0] != actions:
            raise client_error(
                "IdempotentParameterMismatchException", "the token was used with another request"
            )
        return True

    def _single(self, kind: str, request: Mapping[str, Any]) -> None:
        reason = self._refusal(kind, request)
        if reason["Code"] != "None":
            raise client_error(
                "ConditionalCheckFailedException", "The conditional request failed", **(
                    {"Item": reason["Item"]} if "Item" in reason else {}
                )
            )  # fmt: skip
        try:
            self._apply(self._effect(kind, request))
        except UnfitError as error:
            invalid(str(error))

    def _refusal(self, kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
        text = body.get("ConditionExpression")
        check_placeholders(body, text or "", body.get("UpdateExpression", ""))
        if text is None and kind == "ConditionCheck":
            invalid("a ConditionCheck needs a condition")
        if text is None:
            return {"Code": "None"}
        item = self._table(body).get(action_key(body))
        holds = compiled(condition, text)
        try:
            if holds(
                item or {},
                body.get("ExpressionAttributeNames", {}),
                body.get("ExpressionAttributeValues", {}),
            ):
                return {"Code": "None"}
        except ExpressionError as error:
            invalid(str(error))
        reason = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
        if item is not None and body.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD":
            return {**reason, "Item": item}
        return reason

    def _effects(self, actions: Sequence[tuple[str, Mapping[str, Any]]]) -> list[_Write]:
        """Say what all would do, or why not: each has its reason, a condition's before another."""
        reasons = [self._refusal(kind, body) for kind, body in actions]
        writes = []
        for place, (kind, body) in enumerate(actions):
            try:
                writes.append(self._effect(kind, body))
            except UnfitError as error:
                if reasons[place]["Code"] == "None":
                    reasons[place] = {"Code": "ValidationError", "Message": str(error)}
        if any(reason["Code"] != "None" for reason in reasons):
            raise canceled(reasons)
        return writes

    def _effect(self, kind: str, body: Mapping[str, Any]) -> _Write:
        key, name = action_key(body), body["TableName"]
        stored = self._table(body)
        if kind == "Put":
            item: TypedItem = dict(body["Item"])
        elif kind == "Delete":
            return _Write(name, key, None)
        elif kind == "ConditionCheck":
            return _Write(name, key, stored.get(key))
        else:
            item = self._updated(stored.get(key), key, body)
        try:
            if stored.schema.index:
                check_index_keys(item)
            return _Write(name, key, item, written_bytes(item))
        except ClientError as error:
            if kind == "Put":
                raise
            raise UnfitError(str(error)) from error

    def _updated(self, old: TypedItem | None, key: Key, body: Mapping[str, Any]) -> TypedItem:
        names = body.get("ExpressionAttributeNames", {})
        values = body.get("ExpressionAttributeValues", {})
        before: TypedItem = old or {PK: {"S": key[0]}, SK: {"S": key[1]}}
        after = dict(before)
        touched: set[str] = set()
        changes = compiled(update, body["UpdateExpression"]) if "UpdateExpression" in body else ()
        try:
            for change in changes:
                name = resolved(change.name, names)
                if name in touched or name in (PK, SK):
                    invalid(f"an update may not change {name} here")
                touched.add(name)
                value = None if change.value is None else change.value(before, names, values)
                if value is not None:
                    after[name] = value
                elif change.value is not None:
                    text = "The provided expression refers to an attribute that does not exist"
                    raise UnfitError(text)
                else:
                    after.pop(name, None)
        except ExpressionError as error:
            raise UnfitError(str(error)) from error
        return after

    def _apply(self, write: _Write) -> None:
        stored = self._tables[write.table]
        old = stored.get(write.key)
        if old == write.item:
            return  # as in DynamoDB: what changes nothing is not in the stream
        partition = stored.partitions.setdefault(write.key[0], {})
        if write.item is None:
            del partition[write.key[1]]
        else:
            partition[write.key[1]] = write.item
        self._sequence += 1
        record = StreamRecord(self._sequence, write.key, old, write.item)
        stored.behind.append(record)
        stored.bytes_max = max(stored.bytes_max, write.size)
        if stored.schema.stream:
            self.heard(write.table, record)

    def _catch_up(self, stored: _Stored) -> None:
        """Bring the replica forward; per-item order holds because the changes are in order."""
        waiting = len(stored.behind)
        self._see(stored, max(0, waiting - self.lag(waiting)))

    def _see(self, stored: _Stored, count: int) -> None:
        for record in stored.behind[:count]:
            if record.new is None:
                stored.replica.pop(record.key, None)
            else:
                stored.replica[record.key] = record.new
        del stored.behind[:count]

    def _in_index(self, stored: _Stored, request: Mapping[str, Any]) -> list[TypedItem]:
        if request["IndexName"] != GSI1 or not stored.schema.index:
            invalid("The table does not have the specified index")
        if request.get("ConsistentRead"):
            invalid("Consistent reads are not supported on global secondary indexes")
        self._catch_up(stored)
        return [_projected(item, stored.schema) for item in self._indexed(stored)]

    def _indexed(self, stored: _Stored) -> Iterator[TypedItem]:
        return (i for i in stored.replica.values() if GSI1PK in i and GSI1SK in i)


def _projected(item: TypedItem, schema: TableSchema) -> TypedItem:
    projected = {PK, SK, GSI1PK, GSI1SK, *schema.index_attributes}
    return {name: value for name, value in item.items() if name in projected}
