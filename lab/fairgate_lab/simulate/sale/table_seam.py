"""The table of one process, below the adapter: what DynamoDB may do to any call of it.

Items are linearizable each for itself. What spans several of them (a query, a BatchGetItem, two
reads one after another) may see a transaction in part.
Source: DynamoDB Developer Guide, "Isolation levels for DynamoDB transactions".
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError, ReadTimeoutError

from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from fairgate_lab.engine.refusals import canceled, client_error

if TYPE_CHECKING:
    from fairgate_lab.engine.dynamodb import MemoryDynamo
    from fairgate_lab.simulate.sale.faults import FaultInjector

READS = ("get_item", "batch_get_item", "query", "scan")
TIMEOUT_MS = 1_000
LATE_MS_MAX = 20_000
HALF_SEEN_MS_MAX = 20  # from the first item of a transaction that readers see to the last
HOT_MS_MAX = 15_000
PAGE_ITEMS_MAX = 3  # stands for 1 MB
Name = tuple[str, str, str]  # table, partition key, sort key
Call = Callable[..., dict[str, Any]]
Item = Mapping[str, Any]


@dataclass
class UnderWay:
    """What the processes' calls have in common: the table's own state beside its items."""

    pending: set[str] = field(default_factory=set)  # tokens of requests that commit late
    half_seen: dict[Name, Item | None] = field(default_factory=dict)  # as they were before
    hot_until_ms: dict[str, int] = field(default_factory=dict)  # by partition key


class TableSeam:
    """Stands for botocore's ``dynamodb`` client of one process."""

    def __init__(self, engine: MemoryDynamo, faults: FaultInjector, under_way: UnderWay) -> None:
        self._engine, self._faults, self._under_way = engine, faults, under_way

    def __getattr__(self, operation: str) -> Call:
        if operation.startswith("_"):
            raise AttributeError(operation)
        call = getattr(self._engine, operation)
        return lambda **request: self._call(operation, call, request)

    def _call(self, operation: str, call: Call, request: dict[str, Any]) -> dict[str, Any]:
        faults = self._faults
        faults.call(_said(operation, request))
        if faults.dark():
            raise self._trouble("throttled", call, request)
        if faults.plan.hot and self._is_hot(request):
            raise _throttled(request)
        kinds = faults.plan.reads if operation in READS else faults.plan.writes
        if kinds and faults.chance(faults.plan.trouble):
            kind = faults.rng.choice(kinds)
            faults.scheduler.note(f"meets {kind}")
            raise self._trouble(kind, call, request)
        token = request.get("ClientRequestToken")
        if token in self._under_way.pending and faults.chance(0.5):
            raise client_error("TransactionInProgressException", "in progress")
        if operation in READS:
            answer = self._read(operation, call, request)
        else:
            answer = self._write(call, request)
        faults.called(operation)
        return answer

    # --- writes

    def _write(self, call: Call, request: dict[str, Any]) -> dict[str, Any]:
        half_seen, faults = self._under_way.half_seen, self._faults
        names = list(_names(request))
        if half_seen and any(name in half_seen for name in names):
            raise self._trouble("conflict", call, request)  # as DynamoDB: one transaction an item
        slow = len(names) > 1 and faults.chance(faults.plan.half_seen)
        before = {name: self._item(name) for name in names} if slow else {}
        try:
            answer = call(**request)
        except ClientError as error:
            raise self._mixed(error) from None
        if slow:
            half_seen |= before
            try:
                faults.scheduler.pause(
                    "commits, item by item", delay_ms=faults.rng.randint(0, HALF_SEEN_MS_MAX)
                )
            finally:
                for name in names:
                    half_seen.pop(name, None)
        return answer

    def _item(self, name: Name) -> Item | None:
        table, pk, sk = name
        key = {PK: {"S": pk}, SK: {"S": sk}}
        answer = self._engine.get_item(TableName=table, Key=key, ConsistentRead=True)
        item: Item | None = answer.get("Item")
        return item

    def _mixed(self, error: ClientError) -> ClientError:
        """A conflict beside a failed condition: the condition's reason stays final."""
        reasons: Any = error.response.get("CancellationReasons")
        if not reasons or not self._faults.chance(self._faults.plan.mixed):
            return error
        fine = [n for n, reason in enumerate(reasons) if reason["Code"] == "None"]
        if not fine:
            return error
        reasons = list(reasons)
        reasons[self._faults.rng.choice(fine)] = {"Code": "TransactionConflict"}
        return canceled(reasons)

    # --- reads

    def _read(self, operation: str, call: Call, request: dict[str, Any]) -> dict[str, Any]:
        faults = self._faults
        left: dict[str, Any] = {}
        if operation == "batch_get_item" and faults.chance(faults.plan.unprocessed):
            request, left = self._in_part(request)
        answer = self._seen(operation, call, request)
        if operation in ("query", "batch_get_item") and faults.chance(faults.plan.torn):
            faults.scheduler.pause("reads on")
            answer = self._torn(answer, self._seen(operation, call, request))
        if operation == "query" and faults.plan.pages:
            return self._page(answer, index="IndexName" in request)
        if left:
            answer = {**answer, "UnprocessedKeys": left}
        return answer

    def _in_part(self, request: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is answered now, and what DynamoDB leaves for another request."""
        rng = self._faults.rng
        ((table, wanted),) = request["RequestItems"].items()
        keys = wanted["Keys"]
        now = sorted(rng.sample(range(len(keys)), rng.randrange(len(keys)) or 1))
        later = [key for number, key in enumerate(keys) if number not in now]
        if not later:
            return request, {}
        asked = {table: {**wanted, "Keys": [keys[number] for number in now]}}
        return {**request, "RequestItems": asked}, {table: {**wanted, "Keys": later}}

    def _seen(self, operation: str, call: Call, request: dict[str, Any]) -> dict[str, Any]:
        """The answer of a strong read while a transaction is applied item by item."""
        answer = call(**request)
        if not self._under_way.half_seen or operation == "scan":
            return answer
        if operation == "batch_get_item":
            return {
                **answer,
                "Responses": {
                    table: list(self._each_seen(table, items))
                    for table, items in answer["Responses"].items()
                },
            }
        if not request.get("ConsistentRead"):
            return answer  # these lag for themselves
        found = answer["Items"] if operation == "query" else list(answer.values())
        seen = list(self._each_seen(request["TableName"], found))
        if operation == "query":
            return {**answer, "Items": seen, "Count": len(seen)}
        return {"Item": seen[0]} if seen else {}

    def _each_seen(self, table: str, items: Sequence[Item]) -> Iterator[Item]:
        """Return each item as before or as after; once seen after, it stays so for all."""
        half_seen = self._under_way.half_seen
        for item in items:
            name = (table, item[PK]["S"], item[SK]["S"])
            if name in half_seen and self._faults.chance(0.5):
                if (before := half_seen[name]) is not None:
                    yield before
                continue
            half_seen.pop(name, None)
            yield item

    def _torn(self, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
        """Read committed, not serialisable: each item is from before or after, on its own."""
        if "Items" in first:
            return {**first, "Items": self._blend(first["Items"], second["Items"])}
        both = {
            table: self._blend(items, second["Responses"][table])
            for table, items in first["Responses"].items()
        }
        return {**first, "Responses": both}

    def _blend(self, first: Sequence[Item], second: Sequence[Item]) -> list[Item]:
        keyed = [{(i[PK]["S"], i[SK]["S"]): i for i in items} for items in (first, second)]
        blended: list[Item] = []
        for key in keyed[0] | keyed[1]:
            item = keyed[self._faults.rng.randrange(2)].get(key)
            if item is not None:
                blended.append(item)
        blended.sort(key=lambda item: str(item[SK]["S"]))
        return blended

    def _page(self, answer: dict[str, Any], *, index: bool) -> dict[str, Any]:
        """Cut it where a megabyte would end; the caller asks for the rest."""
        size = self._faults.rng.randint(1, PAGE_ITEMS_MAX)
        items = answer["Items"][:size]
        if len(items) < size:  # else DynamoDB does not know yet that there is no more
            return answer
        named = (GSI1PK, GSI1SK, PK, SK) if index else (PK, SK)
        last = {name: items[-1][name] for name in named}
        return {**answer, "Items": items, "Count": len(items), "LastEvaluatedKey": last}

    # --- trouble

    def _is_hot(self, request: Mapping[str, Any]) -> bool:
        """Whether a partition of this call is over its share, since some call or from this on."""
        faults, hot = self._faults, self._under_way.hot_until_ms
        partitions = sorted(_partitions(request))
        if faults.chance(faults.plan.hot) and partitions:  # a scan names none
            hottest = faults.rng.choice(partitions)
            hot[hottest] = faults.scheduler.now_ms + faults.rng.randint(0, HOT_MS_MAX)
            faults.scheduler.note(f"{hottest} is hot")
        return any(hot.get(pk, 0) > faults.scheduler.now_ms for pk in partitions)

    def _trouble(self, kind: str, call: Call, request: dict[str, Any]) -> Exception:
        transaction = "TransactItems" in request
        token = request.get("ClientRequestToken")
        if kind == "conflict" and transaction:
            reasons = [{"Code": "None"} for _ in request["TransactItems"]]
            reasons[self._faults.rng.randrange(len(reasons))] = {"Code": "TransactionConflict"}
            return canceled(reasons)
        if kind == "conflict":
            return client_error("TransactionConflictException", "ongoing transaction")
        if kind == "in-progress" and token is not None:
            return client_error("TransactionInProgressException", "in progress")
        if kind in ("throttled", "in-progress"):
            return client_error("ThrottlingException", "rate exceeded")
        if kind == "lost-after":
            with contextlib.suppress(ClientError):
                call(**request)
        elif kind == "late":
            self._later(call, request, token)
        self._faults.scheduler.sleep(TIMEOUT_MS)
        return ReadTimeoutError(endpoint_url="dynamodb")

    def _later(self, call: Call, request: dict[str, Any], token: str | None) -> None:
        """The request is still under way, and commits when its caller has given it up."""
        pending = self._under_way.pending

        def commit() -> None:
            self._faults.scheduler.pause(f"commits late: {_said('write', request)}")
            pending.discard(str(token))
            with contextlib.suppress(ClientError):
                call(**request)

        if token is not None:
            pending.add(token)
        delay_ms = self._faults.rng.randint(0, LATE_MS_MAX)
        self._faults.scheduler.spawn("the network", commit, after_ms=delay_ms)


def _throttled(request: Mapping[str, Any]) -> ClientError:
    if "TransactItems" not in request:
        return client_error("ProvisionedThroughputExceededException", "a hot partition")
    reasons = [{"Code": "None"} for _ in request["TransactItems"]]
    reasons[0] = {"Code": "ThrottlingError"}
    return canceled(reasons)


def _names(request: Mapping[str, Any]) -> Iterator[Name]:
    """The items that a write touches."""
    if "TransactItems" not in request and "Key" not in request and "Item" not in request:
        return  # a scan
    for action in request.get("TransactItems", ({"": request},)):
        ((_, body),) = action.items()
        key = body.get("Key") or body["Item"]
        yield body["TableName"], key[PK]["S"], key[SK]["S"]


def _partitions(request: Mapping[str, Any]) -> set[str]:
    """The partition keys that a call touches, of the table or of its index."""
    if "RequestItems" in request:
        ((_, wanted),) = request["RequestItems"].items()
        return {key[PK]["S"] for key in wanted["Keys"]}
    if "KeyConditionExpression" in request:
        return {request["ExpressionAttributeValues"][":pk"]["S"]}
    return {pk for _, pk, _ in _names(request)}


def _said(operation: str, request: Mapping[str, Any]) -> str:
    """A call in a few words, for the trace."""
    actions = request.get("TransactItems")
    if actions is None:
        key = request.get("Key") or request.get("ExpressionAttributeValues", {})
        return f"{operation} {' '.join(str(v.get('S', ''))[-12:] for v in key.values() if v)}"
    told = []
    for action in actions:
        ((kind, body),) = action.items()
        key = body.get("Key") or body["Item"]
        told.append(f"{kind} {key[PK]['S'][-8:]}/{key[SK]['S'][:10]}")
    return f"{operation}: {', '.join(told)}"
