"""The simulator's table refuses what DynamoDB refuses, and takes what is just within.

Where moto says the same, it is asked as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from fairgate.adapters.dynamodb.codec import to_item
from fairgate_lab.engine.sizes import item_bytes
from tests.support.sale_tables import asked, engine, put

KEY = to_item({"PK": "p", "SK": "1"})
BIG = "x" * 390_000


def write(**body: Any) -> dict[str, Any]:
    return {"TableName": "t", "Item": KEY, **body}


def change(text: str, names: Iterable[str] = "", **values: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"TableName": "t", "Key": KEY, "UpdateExpression": text}
    if names:
        body["ExpressionAttributeNames"] = {f"#{name}": name for name in names}
    if values:
        body["ExpressionAttributeValues"] = to_item(values, ":")
    return body


def batch(*sort_keys: object) -> dict[str, Any]:
    items = [put(str(sk))["Put"]["Item"] for sk in sort_keys]
    return {"RequestItems": {"t": [{"PutRequest": {"Item": item}} for item in items]}}


def keys(*sort_keys: object) -> dict[str, Any]:
    wanted = [to_item({"PK": "p", "SK": str(sk)}) for sk in sort_keys]
    return {"RequestItems": {"t": {"Keys": wanted}}}


def item(**attributes: Any) -> dict[str, Any]:
    return write(Item=to_item({"PK": "p", "SK": "1"} | attributes))


EXISTS = "attribute_exists(PK)"
LONG_NAME = "x" * 2_048
REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    # keys and sizes
    "an empty key": ("put_item", item(SK="")),
    "an empty index key": ("put_item", item(GSI1PK="", GSI1SK="x")),
    "a partition key of 2,049 bytes": ("put_item", item(PK="é" * 1_024 + "x")),
    "a sort key of 1,025 bytes": ("put_item", item(SK="x" * 1_025)),
    "a key with more in a read": ("get_item", {"TableName": "t", "Key": item(a="x")["Item"]}),
    "a key with more in an update": (
        "update_item",
        change("REMOVE #b", "b") | {"Key": item(a="x")["Item"]},
    ),
    "an item over 400 KB": ("put_item", item(a=BIG, b="x" * 20_000)),
    "an item that grows over 400 KB": ("update_item", change("SET #b = :b", "b", b=BIG + BIG)),
    "an item over 400 KB in a transaction": (
        "transact_write_items",
        {"TransactItems": [put("1", a=BIG + BIG)]},
    ),
    "a list over 400 KB": ("put_item", item(a=["x"] * 210_000)),
    "4 MB in a transaction": (
        "transact_write_items",
        {"TransactItems": [put(str(n), a=BIG) for n in range(11)]},
    ),
    "no number": ("put_item", item(a=float("nan"))),
    "an infinite number": ("put_item", item(a=float("inf"))),
    "a number of 39 digits": ("put_item", item(a=int("1" * 39))),
    "a number too near to nothing": ("put_item", item(a=1e-200)),
    "no number in a condition": (
        "put_item",
        write(ConditionExpression="PK > :n", ExpressionAttributeValues={":n": {"N": "nan"}}),
    ),
    # calls of many items
    "an item twice": ("transact_write_items", {"TransactItems": [put("1"), put("1")]}),
    "101 actions": ("transact_write_items", {"TransactItems": [put(str(n)) for n in range(101)]}),
    "a token of 37 characters": (
        "transact_write_items",
        {"TransactItems": [put("1")], "ClientRequestToken": "k" * 37},
    ),
    "a check without a condition": (
        "transact_write_items",
        {"TransactItems": [{"ConditionCheck": {"TableName": "t", "Key": KEY}}]},
    ),
    "26 items in a batch": ("batch_write_item", batch(*range(26))),
    "an item twice in a batch": ("batch_write_item", batch(2, 2)),
    "101 keys in a batch": ("batch_get_item", keys(*range(101))),
    "a key twice in a batch": ("batch_get_item", keys(1, 1)),
    # expressions
    "an unused name": ("put_item", write(ExpressionAttributeNames={"#x": "x"})),
    "an undefined name": ("put_item", write(ConditionExpression="#x = :x")),
    "no names": ("put_item", write(ExpressionAttributeNames={})),
    "no values": ("put_item", write(ConditionExpression=EXISTS, ExpressionAttributeValues={})),
    "an empty condition": ("put_item", write(ConditionExpression="")),
    "a reserved word": ("put_item", write(ConditionExpression="attribute_exists(state)")),
    "a reserved word in an update": ("update_item", change("SET state = :s", s="x")),
    "a value that exists": (
        "put_item",
        write(
            ConditionExpression="attribute_exists(:a)",
            ExpressionAttributeValues={":a": {"S": "x"}},
        ),
    ),
    "a number as a beginning": (
        "put_item",
        write(
            ConditionExpression="begins_with(PK, :n)",
            ExpressionAttributeValues={":n": {"N": "1"}},
        ),
    ),
    "a condition of more than 4 KB": (
        "put_item",
        write(ConditionExpression=" OR ".join([EXISTS] * 180)),
    ),
    "an update of more than 4 KB": (
        "update_item",
        change(f"SET #{LONG_NAME} = :{LONG_NAME}", (LONG_NAME,), **{LONG_NAME: "x"}),
    ),
    "a path twice": ("update_item", change("SET #z = :v, #z = :v", "z", v="x")),
    "a key in an update": ("update_item", change("SET SK = :v", v="x")),
    "a missing path": ("update_item", change("SET #z = #y", "zy")),
    # queries
    "an empty partition key": ("query", asked("PK = :p", p="")),
    "an empty beginning": ("query", asked("PK = :p AND begins_with(SK, :s)", s="")),
    "an empty bound": ("query", asked("PK = :p AND SK >= :s", s="")),
    "no partition key": ("query", asked("SK = :p")),
    "another key": ("query", asked("PK = :p AND GSI1SK = :s", s="x")),
    "another condition's mark": ("query", asked("PK = :p AND SK <> :s", s="x")),
    "another function": ("query", asked("PK = :p AND contains(SK, :s)", s="x")),
    "one or the other": ("query", asked("PK = :p OR SK = :s", s="x")),
    "none of them": ("query", asked("PK = :p AND NOT SK = :s", s="x")),
    "two conditions on the sort key": (
        "query",
        asked("PK = :p AND SK >= :s AND SK <= :u", s="0", u="9"),
    ),
    "the index by the table's key": ("query", asked("PK = :p") | {"IndexName": "GSI1"}),
    "the table by the index's key": ("query", asked("GSI1PK = :p")),
    "an unknown index": ("query", asked("GSI1PK = :p") | {"IndexName": "GSI2"}),
    "the index of a table without one": (
        "query",
        asked("GSI1PK = :p") | {"IndexName": "GSI1", "TableName": "c"},
    ),
    "the index at once": (
        "query",
        asked("GSI1PK = :p") | {"IndexName": "GSI1", "ConsistentRead": True},
    ),
}
# Of these moto takes some, and is stricter, fails or says another word with others.
MOTO_DIFFERS = {
    "a condition of more than 4 KB",
    "an update of more than 4 KB",
    "4 MB in a transaction",
    "a list over 400 KB",
    "an item of 400 KB",
    "an unknown index",
    "the index of a table without one",
    "a number of 39 digits",
    "a number too near to nothing",
    "no number in a condition",
    "a token of 37 characters",
    "a check without a condition",
    "26 items in a batch",
    "an undefined name",
    "no names",
    "an empty condition",
    "a value that exists",
    "a number as a beginning",
    "another condition's mark",
    "one or the other",
    "none of them",
    "two conditions on the sort key",
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_dynamodb_refuses_is_refused(moto: Any, what: str) -> None:
    operation, request = REFUSED[what]
    mine = engine()
    for client in (mine, moto) if what not in MOTO_DIFFERS else (mine,):
        client.put_item(TableName="t", Item=KEY)
        with pytest.raises(ClientError, match="ValidationException"):
            getattr(client, operation)(**request)
    assert list(mine.items("t")) == [KEY]


UNFIT: dict[str, dict[str, Any]] = {
    "adding to a text": change("ADD #z :v", "z", v=1),
    "a sum of what is not there": change("SET #z = #y", "zy"),
    "an item that grows over 400 KB": change("SET #b = :b, #c = :b", "bc", b=BIG),
    "an empty key of the index": change("SET #GSI1PK = :v", ("GSI1PK",), v=""),
    "a number of 39 digits": change("ADD #n :v", "n", v=1),
}


@pytest.mark.parametrize("what", UNFIT)
def test_an_item_that_does_not_take_its_update_has_its_reason_among_the_others(what: str) -> None:
    table, update = engine(), UNFIT[what]
    stored = item(z="text", n=10**38)
    table.put_item(**stored)
    actions = [put("0"), {"Update": update}]
    with pytest.raises(ClientError, match="TransactionCanceled") as refused:
        table.transact_write_items(TransactItems=actions)
    reasons: Any = refused.value.response
    assert [r["Code"] for r in reasons["CancellationReasons"]] == ["None", "ValidationError"]
    with pytest.raises(ClientError, match="ValidationException"):
        table.update_item(**update)
    never = {"ConditionExpression": "attribute_not_exists(PK)"}
    with pytest.raises(ClientError, match=r"\[None, ConditionalCheckFailed\]"):
        table.transact_write_items(TransactItems=[actions[0], {"Update": update | never}])
    assert list(table.items("t")) == [stored["Item"]]


TAKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "keys as long as they may be": ("put_item", item(PK="é" * 1_024, SK="x" * 1_024)),
    "an item of 400 KB": ("put_item", item(a="x" * (400 * 1_024 - len("PKpSK1a")))),
    "a number of 38 digits": ("put_item", item(a=int("1" * 38 + "0" * 80))),
    "nothing": ("put_item", item(a=0.0)),
    "100 actions": ("transact_write_items", {"TransactItems": [put(str(n)) for n in range(100)]}),
    "a token of 36 characters": (
        "transact_write_items",
        {"TransactItems": [put("1")], "ClientRequestToken": "k" * 36},
    ),
    "25 items in a batch": ("batch_write_item", batch(*range(25))),
    "100 keys in a batch": ("batch_get_item", keys(*range(100))),
    "a range": ("query", asked("PK = :p AND SK BETWEEN :s AND :u", s="0", u="9")),
    "names that no word reserves": (
        "put_item",
        write(
            ConditionExpression="attribute_not_exists(eventId) OR attribute_exists(SK)"
            " OR attribute_exists(GSI1PK) OR attribute_exists(GSI1SK)"
        ),
    ),
    "a bound": ("query", asked("PK = :p AND SK < :s", s="0")),
}


@pytest.mark.parametrize("what", TAKEN)
def test_what_is_just_within_is_taken(moto: Any, what: str) -> None:
    operation, request = TAKEN[what]
    for client in (engine(), moto) if what not in MOTO_DIFFERS else (engine(),):
        getattr(client, operation)(**request)


def test_numbers_of_up_to_38_digits_are_added_exactly() -> None:
    table = engine()
    for start, more, total in ((10**30, 0.5, f"1{'0' * 30}.5"), (10**36, -0.5, f"{'9' * 36}.5")):
        table.put_item(**item(n=start))
        table.update_item(**change("ADD #n :v", "n", v=more))
        (stored,) = table.items("t")
        assert stored["n"] == {"N": total}


SIZES: list[tuple[dict[str, Any], int]] = [
    ({"S": "ab"}, 2),
    ({"S": "ü"}, 2),
    ({"N": "12345"}, 4),
    ({"N": "-1.50"}, 2),
    ({"N": "1e-05"}, 2),
    ({"BOOL": True}, 1),
    ({"NULL": True}, 1),
    ({"M": {"a": {"S": "b"}}}, 3 + 1 + 2),
    ({"L": [{"S": "a"}, {"S": "b"}]}, 3 + 2 + 2),
    ({"SS": ["a", "bc"]}, 3),
    ({"B": b"abc"}, 3),
]


@pytest.mark.parametrize(("value", "size"), SIZES)
def test_an_item_is_as_large_as_its_names_and_values(value: dict[str, Any], size: int) -> None:
    assert item_bytes({"é": value}) == 2 + size
