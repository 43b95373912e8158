"""The table in memory that replaces moto refuses what boto3 refuses."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError

from fairgate.adapters.dynamodb.schema import GSI1, SEATS, create_table_request
from tests.support.memory_client import NOT_ANSWERED, MemoryClient

ITEM = {"PK": {"S": "p"}, "SK": {"S": "1"}, "GSI1PK": {"S": "i"}, "GSI1SK": {"S": "1"}}

VALUES: dict[str, Any] = {
    "AttributesToGet": ["PK"],
    "Segment": 0,
    "TotalSegments": 1,
}


@pytest.fixture
def client() -> MemoryClient:
    made = MemoryClient()
    made.create_table(**create_table_request(SEATS, "t"))
    return made


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("put_item", {"TableName": "t", "Item": ITEM, "Sort": "PK"}),
        ("put_item", {"TableName": "t", "Item": ITEM | {"a": {"N": 1}}}),
        ("get_item", {"TableName": "t"}),
        ("transact_write_items", {"TransactItems": [{"Put": {"TableName": "t", "Items": ITEM}}]}),
        ("batch_write_item", {"RequestItems": {"t": [{"PutRequest": {"Items": ITEM}}]}}),
    ],
    ids=["unknown", "of another type", "missing", "within an action", "within a batch"],
)
def test_a_parameter_that_botocore_refuses_is_refused(
    operation: str, request_: dict[str, Any], client: MemoryClient
) -> None:
    with pytest.raises(ParamValidationError):
        getattr(client, operation)(**request_)
    assert client.scan(TableName="t")["Items"] == []


def test_a_table_that_no_schema_has_is_refused(client: MemoryClient) -> None:
    other = {**create_table_request(SEATS, "u"), "BillingMode": "PROVISIONED"}
    with pytest.raises(ValueError, match="not enough values"):
        client.create_table(**other)


def test_a_table_is_not_made_twice(client: MemoryClient) -> None:
    with pytest.raises(ClientError, match="ResourceInUseException"):
        client.create_table(**create_table_request(SEATS, "t"))


def test_nothing_that_a_caller_changes_afterwards_reaches_the_table(client: MemoryClient) -> None:
    item = {**ITEM, "kind": {"S": "standard"}}
    client.put_item(TableName="t", Item=item)
    item["kind"]["S"] = "changed"
    client.scan(TableName="t")["Items"][0]["kind"]["S"] = "changed"
    (found,) = client.scan(TableName="t")["Items"]
    assert found["kind"] == {"S": "standard"}


def test_a_batch_writes_and_deletes(client: MemoryClient) -> None:
    second = {**ITEM, "SK": {"S": "2"}}
    puts = [{"PutRequest": {"Item": item}} for item in (ITEM, second)]
    assert client.batch_write_item(RequestItems={"t": puts}) == {"UnprocessedItems": {}}
    gone = {"DeleteRequest": {"Key": {"PK": ITEM["PK"], "SK": ITEM["SK"]}}}
    client.batch_write_item(RequestItems={"t": [gone]})
    assert client.scan(TableName="t")["Items"] == [second]


def test_a_scan_of_an_index_shows_only_what_is_in_it(client: MemoryClient) -> None:
    client.put_item(TableName="t", Item={**ITEM, "sessionId": {"S": "secret"}})
    client.put_item(TableName="t", Item={"PK": {"S": "p"}, "SK": {"S": "2"}})
    assert client.scan(TableName="t", IndexName=GSI1)["Items"] == [ITEM]


def test_a_scan_answers_with_what_its_filter_names(client: MemoryClient) -> None:
    other = {"PK": {"S": "p"}, "SK": {"S": "2"}, "kind": {"S": "standard"}}
    for item in (ITEM, other):
        client.put_item(TableName="t", Item=item)
    asked = {"TableName": "t", "FilterExpression": "#k = :k"}
    named = {"ExpressionAttributeNames": {"#k": "kind"}}
    values = {"ExpressionAttributeValues": {":k": {"S": "standard"}}}
    assert client.scan(**asked, **named, **values)["Items"] == [other]


@pytest.mark.parametrize("name", sorted(NOT_ANSWERED))
def test_an_unsupported_parameter_is_refused(name: str, client: MemoryClient) -> None:
    operation, request_ = "scan", {"TableName": "t", name: VALUES.get(name, "X")}
    if name == "FilterExpression":
        operation = "query"
    if name == "ReturnValues":
        operation, request_["Key"] = "delete_item", {"PK": {"S": "p"}, "SK": {"S": "1"}}
    with pytest.raises(NotImplementedError, match=name):
        getattr(client, operation)(**request_)
