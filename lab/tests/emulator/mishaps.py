"""What a bad hour leaves behind, written into the emulator's tables: nobody has to wait for it."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

from fairgate.domain.gate.gate_config import gate_key
from fairgate.domain.shared.ids import EventId, SessionId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import PK, SK, Key
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import (
    controller_memory_key,
    due_key,
    gate_value_key,
    order_key,
    seats_memory_key,
    session_key,
    store_comparison_key,
    swept_key,
)
from fairgate_lab.emulator.system import STAGE, EmulatedSystem
from tests.e2e.shopper import Shopper
from tests.support.waiting import patience_s

AGO_S = 300  # when what is overdue should have been over
SLOPE_BETWEEN = 0.75  # the slopes 1 and 0.5, by turns; no pace is faster than 1 s
OF_A_SCHEDULE = ("Name", "GroupName", "ScheduleExpression", "FlexibleTimeWindow", "Target")
UNSWEPT_S = 600  # since when nothing was swept
Item = dict[str, Any]  # as DynamoDB's API writes it


def table_named(name: str) -> str:
    return f"fairgate-{STAGE}-{name}"


def lose_messages(system: EmulatedSystem) -> None:
    """Empty the queue that reminds of sessions: they end by nobody's word."""
    queues = system.client("sqs")
    found = queues.list_queues(QueueNamePrefix="fairgate-")["QueueUrls"]
    (url,) = [url for url in found if "Reminders" in url and "DeadLetters" not in url]
    queues.purge_queue(QueueUrl=url)


def invoke(system: EmulatedSystem, name: str, event: Item | None = None) -> Item:
    """Call the function as AWS does. Raises AssertionError: it raised."""
    answer = system.client("lambda").invoke(
        FunctionName=f"fairgate-{STAGE}-{name}:live", Payload=json.dumps(event or {}).encode()
    )
    said: Item = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, (name, said)
    return said


def remind(system: EmulatedSystem, buyer: Shopper) -> None:
    """Deliver the message of the buyer's session now, as often as a queue likes."""
    body = json.dumps({"session": buyer.session["session"]})
    said = invoke(system, "expiry", {"Records": [{"messageId": "1", "body": body}]})
    assert said == {"batchItemFailures": []}, said


def overdue(system: EmulatedSystem, buyer: Shopper) -> None:
    """Let the buyer's session and order have been over for AGO_S, and nobody have swept since."""
    tables = system.client("dynamodb")
    session = SessionId(buyer.session["session"])
    over_at = rfc3339(round((time.time() - AGO_S) * 1000))
    keys = [session_key(session), *([order_key(session, buyer.order)] if buyer.order else [])]
    for key in keys:
        tables.update_item(
            TableName=table_named("reservations"),
            Key=_key(key),
            UpdateExpression="SET expiresAt = :then",
            ConditionExpression="attribute_exists(expiresAt)",
            ExpressionAttributeValues={":then": {"S": over_at}},
        )
    entry = _key(due_key(EventId(buyer.event), minute_of(over_at), session))
    _put(system, {**entry, "sessionId": {"S": session}, "ttl": {"N": str(int(time.time()) + 3600)}})
    unswept = minute_of(rfc3339(round((time.time() - UNSWEPT_S) * 1000)))
    _put(system, {**_key(swept_key(buyer.event)), "minute": {"S": unswept}, "busy": {"S": unswept}})


def lose_cache(system: EmulatedSystem) -> None:
    """Empty the cache, past the TLS before it."""
    with socket.create_connection(("127.0.0.1", system.cache_port), timeout=patience_s(5)) as plain:
        plain.sendall(b"FLUSHALL\r\n")
        assert plain.recv(5) == b"+OK\r\n"


def lose_value(system: EmulatedSystem, event: str) -> None:
    """Take the event's value from the edges' store, and all that the controller remembers."""
    store, arn = _store(system)
    if value_at_edge(system, event):
        etag = store.describe_key_value_store(KvsARN=arn)["ETag"]
        store.delete_key(KvsARN=arn, Key=gate_key(event), IfMatch=etag)
    tables = system.client("dynamodb")
    tables.delete_item(TableName=table_named("catalog"), Key=_key(store_comparison_key()))
    tables.delete_item(TableName=table_named("reservations"), Key=_key(seats_memory_key(event)))
    age_value(system, event)


def age_value(system: EmulatedSystem, event: str) -> None:
    """Let the event's value have been written long ago: it is compared with the edges' store."""
    system.client("dynamodb").update_item(
        TableName=table_named("catalog"),
        Key=_key(gate_value_key(event)),
        UpdateExpression="SET atMs = :then",
        ConditionExpression="attribute_exists(atMs)",
        ExpressionAttributeValues={":then": {"N": "0"}},
    )


def stop_timers(system: EmulatedSystem) -> None:
    """Let no schedule call anything: what has begun is over within a minute."""
    schedules = system.client("scheduler")
    for listed in schedules.list_schedules()["Schedules"]:
        known = schedules.get_schedule(Name=listed["Name"], GroupName=listed["GroupName"])
        kept = {name: known[name] for name in OF_A_SCHEDULE if name in known}
        schedules.update_schedule(**kept, State="DISABLED")


def expect_another_pace(system: EmulatedSystem, event: str) -> None:
    """Let the operator have asked for another pace of an empty room than the one that was planned.

    The event's operator asked for 1 second when it was made, and no plan stood before the first.
    """
    known = system.client("dynamodb").get_item(
        TableName=table_named("reservations"), Key=_key(controller_memory_key(event))
    )
    planned = known["Item"]["planned"]["L"][-1]["N"] if "Item" in known else "1"
    memory = {
        "atS": {"N": "0"},  # too long ago to learn from
        "live": {"N": "0"},
        "h": {"N": "0"},
        "factor": {"N": "1"},
        "planned": {"L": [{"N": "0"}, {"N": planned}, {"N": planned}]},
        "operatorSlope": {"N": "0.5" if float(planned) > SLOPE_BETWEEN else "1"},
        "ttl": {"N": str(int(time.time()) + 3600)},
    }
    _put(system, {**_key(controller_memory_key(event)), **memory})


def value_at_edge(system: EmulatedSystem, event: str) -> str:
    """Return what the edges' store has of the event; nothing: ``""``."""
    store, arn = _store(system)
    try:
        return str(store.get_key(KvsARN=arn, Key=gate_key(event))["Value"])
    except store.exceptions.ResourceNotFoundException:
        return ""


def _store(system: EmulatedSystem) -> tuple[Any, str]:
    arn = str(json.loads(system.parameter("operator"))["kvs_arn"])
    return system.client("cloudfront-keyvaluestore"), arn


class Moment:
    """Seats and reservations as they were, to which what changed since can be set back."""

    def __init__(self, system: EmulatedSystem) -> None:
        self._system, self._before = system, _items(system)
        self._changed: dict[tuple[str, str, str], Item | None] = {}

    def end(self) -> None:
        """Note what has changed since; only that is set back."""
        now = _items(self._system)
        self._changed = {
            key: self._before.get(key)
            for key in self._before.keys() | now.keys()
            if self._before.get(key) != now.get(key)
        }

    def return_to(self) -> None:
        """As if what happened in between had never been heard of here."""
        tables = self._system.client("dynamodb")
        for (table, pk, sk), item in self._changed.items():
            if item is None:
                tables.delete_item(TableName=table_named(table), Key=_key(Key(pk, sk)))
            else:
                tables.put_item(TableName=table_named(table), Item=item)


def _key(key: Key) -> Item:
    return {PK: {"S": key.pk}, SK: {"S": key.sk}}


def _put(system: EmulatedSystem, item: Item) -> None:
    system.client("dynamodb").put_item(TableName=table_named("reservations"), Item=item)


def _items(system: EmulatedSystem) -> dict[tuple[str, str, str], Item]:
    pages = system.client("dynamodb").get_paginator("scan")
    return {
        (table, item[PK]["S"], item[SK]["S"]): item
        for table in ("seats", "reservations")
        for page in pages.paginate(TableName=table_named(table))
        for item in page["Items"]
    }
