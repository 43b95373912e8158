"""The sale's tables in memory, and requests to them that tests compare with moto."""

from __future__ import annotations

from typing import Any

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import CATALOG, RESERVATIONS, SEATS
from fairgate_lab.engine.dynamodb import MemoryDynamo

SCHEMAS = {"t": RESERVATIONS, "s": SEATS, "c": CATALOG}


def engine() -> MemoryDynamo:
    return MemoryDynamo(SCHEMAS, lambda: 0)


def put(sk: str, **attributes: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "t", "Item": to_item({"PK": "p", "SK": sk} | attributes)}}


def asked(text: str, **values: str) -> dict[str, Any]:
    values = {"p": "p"} | values
    return {
        "TableName": "t",
        "KeyConditionExpression": text,
        "ExpressionAttributeValues": to_item(values, ":"),
    }
