"""Quick queries answer as moto's own do: fails when moto's internals change under them."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from moto.dynamodb.models.table import Table

from fairgate.adapters.dynamodb.schema import GSI1
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK
from tests.support import moto_queries
from tests.support.world import NAMES, World

ITEMS = [
    {PK: pk, SK: sk, **({GSI1PK: f"i{n % 2}", GSI1SK: f"{9 - n}"} if n % 3 else {}), "n": n}
    for n, (pk, sk) in enumerate((pk, sk) for pk in ("b", "a", "ä", "") for sk in "zxy10")
    if pk
]
ASKED: list[dict[str, Any]] = [
    {"KeyConditionExpression": f"{PK} = :pk"},
    {"KeyConditionExpression": f"{PK} = :pk AND {SK} >= :sk"},
    {"KeyConditionExpression": f"{PK} = :pk", "ScanIndexForward": False, "Limit": 2},
    {"KeyConditionExpression": f"{PK} = :pk", "FilterExpression": "n > :n"},
    {"KeyConditionExpression": f"{GSI1PK} = :pk", "IndexName": GSI1},
    {"KeyConditionExpression": f"{GSI1PK} = :pk AND {GSI1SK} < :sk", "IndexName": GSI1},
]


def answers(world: World) -> list[Any]:
    said = []
    for asked in ASKED:
        for pk in ("a", "b", "ä", "i0", "i1", "nobody"):
            text = asked["KeyConditionExpression"] + " " + asked.get("FilterExpression", "")
            values = {":pk": {"S": pk}, ":sk": {"S": "x"}, ":n": {"N": "4"}}
            used = {name: value for name, value in values.items() if name in text.split()}
            request = asked | {"ExpressionAttributeValues": used}
            answer = world.client.query(TableName=NAMES["seats"], **request)
            said.append({k: v for k, v in answer.items() if k != "ResponseMetadata"})
    return [*said, world.client.scan(TableName=NAMES["seats"])["Items"]]


@pytest.fixture
def filled(world: World) -> World:
    for item in ITEMS:
        world.put_item("seats", item)
    return world


def test_answers_are_motos_own(filled: World) -> None:
    quick = answers(filled)
    with (
        patch.object(Table, "query", moto_queries._query),
        patch.object(Table, "all_items", moto_queries._every_item),
    ):
        assert answers(filled) == quick
    assert sum(bool(said) and said["Count"] > 1 for said in quick[:-1]) > len(ASKED)


def test_a_query_looks_at_its_own_partition_only(filled: World) -> None:
    seen: list[int] = []

    def counted(table: Table) -> list[Any]:
        items = moto_queries.all_items(table)
        seen.append(len(items))
        return items

    with patch.object(Table, "all_items", counted):
        answers(filled)
    *queries, scan = seen
    assert max(queries) < len(ITEMS) < scan
