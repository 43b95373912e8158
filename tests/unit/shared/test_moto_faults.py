"""What is mended of moto is sound, and says what moto says: fails when moto changes under it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import boto3
import pytest
from botocore.exceptions import ClientError, ParamValidationError
from moto import mock_aws
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.adapters.dynamodb.schema import GSI1, SEATS, create_table_request
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.keys import seat_key
from tests.support.moto_direct import REGION, DirectClient, dynamodb
from tests.support.world import EVENT, NAMES, World

ITEMS = [
    {PK: pk, SK: sk, **({GSI1PK: f"i{n % 2}", GSI1SK: f"{9 - n}"} if n % 3 else {}), "n": n}
    for n, (pk, sk) in enumerate((pk, sk) for pk in ("b", "a", "ä") for sk in "zxy10")
]
ASKED: list[dict[str, Any]] = [
    {"KeyConditionExpression": f"{PK} = :pk"},
    {"KeyConditionExpression": f"{PK} = :pk AND {SK} >= :sk"},
    {"KeyConditionExpression": f"{PK} = :pk", "ScanIndexForward": False, "Limit": 2},
    {"KeyConditionExpression": f"{PK} = :pk", "FilterExpression": "n > :n"},
    {"KeyConditionExpression": f"{GSI1PK} = :pk", "IndexName": GSI1},
    {"KeyConditionExpression": f"{GSI1PK} = :pk AND {GSI1SK} < :sk", "IndexName": GSI1},
]


@contextmanager
def moto_itself() -> Iterator[Any]:
    with mock_aws():
        yield boto3.client("dynamodb", region_name=REGION)


def answers(client: Any) -> list[Any]:
    """What a table says that was filled by single writes and updated."""
    client.create_table(**create_table_request(SEATS, "t"))
    for item in ITEMS:
        client.put_item(TableName="t", Item=to_item(item))
    client.update_item(
        TableName="t",
        Key=to_item({PK: "a", SK: "x"}),
        UpdateExpression="SET n = n + :n REMOVE #g",
        ExpressionAttributeNames={"#g": GSI1SK},
        ExpressionAttributeValues=to_item({"n": 4}, ":"),
    )
    said = [client.scan(TableName="t")["Items"]]
    for asked in ASKED:
        for pk in ("a", "b", "ä", "i0", "i1", "nobody"):
            text = asked["KeyConditionExpression"] + " " + asked.get("FilterExpression", "")
            values = {":pk": {"S": pk}, ":sk": {"S": "x"}, ":n": {"N": "4"}}
            used = {name: value for name, value in values.items() if name in text.split()}
            answer = client.query(TableName="t", **asked, ExpressionAttributeValues=used)
            said.append({k: v for k, v in answer.items() if k != "ResponseMetadata"})
    with pytest.raises(ClientError) as refused:
        client.put_item(TableName="t", Item=to_item({PK: "p", SK: "s", "n": "x" * 406_000}))
    return [*said, refused.value.response["Error"]]


def test_answers_are_motos_own() -> None:
    with moto_itself() as client:
        own = answers(client)
    with dynamodb() as client:
        assert answers(client) == own
    with dynamodb(through_boto3=True) as client:
        assert answers(client) == own
    assert sum(bool(said) and said["Count"] > 1 for said in own[1:-1]) > len(ASKED)


def test_a_query_looks_at_its_own_partition_only() -> None:
    seen: list[int] = []
    every = Table.all_items

    def counted(table: Table) -> list[Any]:
        seen.append(len(every(table)))
        return every(table)

    with patch.object(Table, "all_items", counted), dynamodb() as client:
        answers(client)
    scan, *queries = seen
    assert max(queries) < len(ITEMS) == scan


def test_the_size_of_an_item_is_added_up_once() -> None:
    seen: list[object] = []
    size = DynamoType.size

    def counted(value: DynamoType) -> int:
        seen.append(value)
        return size(value)

    with patch.object(DynamoType, "size", counted), dynamodb() as client:
        client.create_table(**create_table_request(SEATS, "t"))
        attributes = {f"a{n}": n for n in range(20)}
        client.put_item(TableName="t", Item=to_item({PK: "p", SK: "s"} | attributes))
    assert len(seen) < 30


@pytest.mark.parametrize("unused", [{"ExpressionAttributeValues": {":x": {"S": "y"}}}, {"Sort": 1}])
def test_an_unused_parameter_is_refused(unused: dict[str, Any], world: World) -> None:
    put = {"TableName": NAMES["seats"], "Item": to_item({PK: "p", SK: "s"}), **unused}
    with pytest.raises((ClientError, ParamValidationError)):
        world.client.transact_write_items(TransactItems=[{"Put": put}])
    assert world.item("seats", ("p", "s")) is None


def test_worlds_that_begin_alike_share_nothing() -> None:
    with dynamodb():
        first, second = World(DirectClient()), World(DirectClient())
        before = second.seat(second.seat_ids[0])
        first.table.transact([take(first.seat_ids[0], "x")])
        assert second.seat(second.seat_ids[0]) == before != first.seat(first.seat_ids[0])
        assert len(_stream(second)) == len(_stream(World(DirectClient()))) < len(_stream(first))


# --- transactions


def take(seat: str, session: str) -> Update:
    return Update(
        "seats",
        *seat_key(EVENT, seat),
        condition="#availability = :available",
        values={"available": "available"},
        set={"availability": "locked", "sessionId": session},
        add={"version": 1},
    )


def test_nothing_is_written_and_reasons_are_ordered_when_one_condition_fails(world: World) -> None:
    first, second = world.seat_ids[:2]
    world.table.transact([take(second, "x")])
    with pytest.raises(TransactionRefusedError) as refused:
        world.table.transact([take(first, "y"), take(second, "y")])
    assert [r.failed for r in refused.value.reasons] == [False, True]
    assert refused.value.reasons[1].item is not None
    assert refused.value.reasons[1].item["sessionId"] == "x"
    assert world.seat(first)["availability"] == "available"


def test_everything_is_undone_when_a_later_action_is_refused_by_moto(world: World) -> None:
    seat = world.seat_ids[0]
    wrong = Update("seats", *seat_key(EVENT, world.seat_ids[1]), add={"seatId": 1})
    records = len(_stream(world))
    with pytest.raises(Exception, match=r"(?i)operand|type|validation"):
        world.table.transact([take(seat, "x"), Put("seats", {PK: "n", SK: "n"}), wrong])
    assert world.seat(seat)["availability"] == "available"
    assert world.item("seats", ("n", "n")) is None
    assert len(_stream(world)) == records


def test_a_refused_transaction_leaves_the_tables_that_there_were(world: World) -> None:
    """moto puts copies of the tables back, which it has made for each action."""
    before = dict(world.client.backend.tables)
    world.table.transact([take(world.seat_ids[0], "x")])
    with pytest.raises(TransactionRefusedError):
        world.table.transact([take(world.seat_ids[0], "y")])
    assert all(table is before[name] for name, table in world.client.backend.tables.items())


@pytest.mark.parametrize("through_boto3", [False, True])
def test_one_of_many_threads_wins_when_all_want_one_seat(through_boto3: bool) -> None:
    interval_s = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with dynamodb(through_boto3=through_boto3) as client:
            race_for_each_seat(World(client))
    finally:
        sys.setswitchinterval(interval_s)


def race_for_each_seat(world: World) -> None:
    won: list[str] = []
    ready = threading.Barrier(8)

    def attempt(name: str) -> None:
        for seat in world.seat_ids:
            ready.wait()
            try:
                world.table.transact([take(seat, name)])
            except TransactionRefusedError:
                continue
            won.append(seat)

    threads = [threading.Thread(target=attempt, args=(f"t{n}",)) for n in range(ready.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == sorted(world.seat_ids)


def _stream(world: World) -> list[object]:
    shard = world.client.backend.tables[NAMES["seats"]].stream_shard
    assert shard is not None
    return list(shard.items)
