"""A table that was damaged is replaced by one restored to the moment before: docs/disaster.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fairgate.adapters.dynamodb.client import DynamoTable
from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import SEATS, Name, create_table_request
from fairgate.ports.record import Key
from fairgate.ports.table import Update
from fairgate.service.shared.records.seats import SeatRecord
from tests.support.availability import started_ministack
from tests.support.waiting import wait_until

NAME, RESTORED = "fairgate-x-seats", "fairgate-x-seats-restored"
ITEM = {"PK": "SEAT#1", "SK": "A", "note": "kept"}


@pytest.fixture(scope="module")
def dynamodb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    server = started_ministack(tmp_path_factory.mktemp("ministack"))
    yield server.client("dynamodb")
    server.stop()


def described(dynamodb: Any, table: str) -> dict[str, Any]:
    found: dict[str, Any] = dynamodb.describe_table(TableName=table)["Table"]
    return found


def test_a_restored_table_takes_over_under_its_own_name(dynamodb: Any) -> None:
    dynamodb.create_table(**create_table_request(SEATS, NAME))
    dynamodb.put_item(TableName=NAME, Item=to_item(ITEM))
    dynamodb.restore_table_to_point_in_time(
        SourceTableName=NAME, TargetTableName=RESTORED, UseLatestRestorableTime=True
    )
    wait_until(
        lambda: described(dynamodb, RESTORED)["TableStatus"] == "ACTIVE", "the restored table"
    )
    # What the runbook has to switch on: a restored table has neither stream nor protection.
    dynamodb.update_table(
        TableName=RESTORED,
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    dynamodb.delete_item(TableName=NAME, Key=to_item({"PK": ITEM["PK"], "SK": ITEM["SK"]}))

    restored = described(dynamodb, RESTORED)
    assert f":table/{RESTORED}/stream/" in restored["LatestStreamArn"]  # as the context takes it
    assert restored["KeySchema"] == described(dynamodb, NAME)["KeySchema"]
    indexes = [index["IndexName"] for index in restored["GlobalSecondaryIndexes"]]
    assert indexes == [
        index["IndexName"] for index in described(dynamodb, NAME)["GlobalSecondaryIndexes"]
    ]

    names: dict[Name, str] = {"seats": RESTORED, "reservations": "-", "catalog": "-"}
    table = DynamoTable(lambda: dynamodb, names)
    table.update(Update("seats", ITEM["PK"], ITEM["SK"], set={"note": "sold again"}))
    item = dynamodb.get_item(TableName=RESTORED, Key=to_item({"PK": ITEM["PK"], "SK": ITEM["SK"]}))[
        "Item"
    ]
    assert item["note"] == {"S": "sold again"}
    lost = DynamoTable(lambda: dynamodb, {**names, "seats": NAME})
    assert lost.find(SeatRecord, Key(ITEM["PK"], ITEM["SK"])) is None
