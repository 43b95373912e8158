"""The simulator's table says what moto says, to the same calls, refusals included.

moto's handlers are called in place; at full length through boto3, signed and serialised.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from botocore.exceptions import ClientError
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fairgate.adapters.dynamodb.codec import to_item, to_typed
from fairgate_lab.engine.dynamodb import TOKEN_MS, MemoryDynamo
from fairgate_lab.engine.expressions import ExpressionError, condition, update
from tests.support.sale_tables import SCHEMAS, asked, engine, put

# As in the tables: an attribute has one type. Where types clash moto differs from DynamoDB (it
# takes a missing attribute for NULL, and cannot order unlike types).
ATTRIBUTES = ("a", "b", "c")
TEXTS, NUMBERS = st.sampled_from(["", "x", "xy", "2026"]), st.integers(-2, 2)
KEYS = st.sampled_from([("p", "1"), ("p", "2"), ("q", "1")])


@st.composite
def conditions(draw: Any, depth: int = 2) -> str:
    if depth and draw(st.booleans()):
        left, right = draw(conditions(depth=depth - 1)), draw(conditions(depth=depth - 1))
        word = draw(st.sampled_from(["AND", "OR"]))
        text = f"({left}) {word} ({right})" if draw(st.booleans()) else f"{left} {word} {right}"
        return f"NOT ({text})" if draw(st.integers(0, 4)) == 0 else text
    name = "#" + draw(st.sampled_from(ATTRIBUTES))
    value = ":n" if name == "#b" else ":" + draw(st.sampled_from("vw"))
    said = [f"attribute_exists({name})", f"attribute_not_exists({name})"]
    said += [f"attribute_type({name}, :t)"]
    said += [f"{name} {sign} {value}" for sign in ("=", "<>", "<", "<=", ">", ">=")]
    return draw(st.sampled_from(said if name == "#b" else [*said, f"begins_with({name}, {value})"]))


def with_placeholders(body: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Only those names and values that the expressions use, as DynamoDB asks."""
    texts = " ".join(
        str(body.get(part, "")) for part in ("ConditionExpression", "UpdateExpression")
    )
    names = {f"#{name}": name for name in ATTRIBUTES if f"#{name}" in texts}
    used = {name: to_typed(value) for name, value in values.items() if name in texts}
    if names:
        body["ExpressionAttributeNames"] = names
    if used:
        body["ExpressionAttributeValues"] = used
    return body


@st.composite
def actions(draw: Any) -> tuple[str, dict[str, Any]]:
    pk, sk = draw(KEYS)
    values = {f":{name}": draw(TEXTS) for name in "vwx"} | {":n": draw(NUMBERS)}
    values[":t"] = draw(st.sampled_from(["N", "S"]))
    body: dict[str, Any] = {"TableName": "t"}
    if draw(st.booleans()):
        body["ConditionExpression"] = draw(conditions())
        body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    match draw(st.sampled_from(["Put", "Update", "Update", "Delete"])):
        case "Put":
            present = draw(st.sets(st.sampled_from(ATTRIBUTES)))
            attributes = {n: draw(NUMBERS if n == "b" else TEXTS) for n in sorted(present)}
            body["Item"] = to_item({"PK": pk, "SK": sk} | attributes)
            return "Put", with_placeholders(body, values)
        case "Delete":
            body["Key"] = to_item({"PK": pk, "SK": sk})
            return "Delete", with_placeholders(body, values)
        case _:
            body["Key"] = to_item({"PK": pk, "SK": sk})
            clauses = draw(
                st.sampled_from(
                    [
                        "SET #a = :x",
                        "SET #a = :x, #b = :n",
                        "ADD #b :n",
                        "SET #a = :x ADD #b :n",
                        "SET #c = if_not_exists(#c, :x)",
                        "REMOVE #a",
                    ]
                )
            )
            body["UpdateExpression"] = clauses
            return "Update", with_placeholders(body, values)


@st.composite
def calls(draw: Any) -> tuple[str, dict[str, Any]]:
    if draw(st.integers(0, 2)) == 0:
        chosen = draw(st.lists(actions(), min_size=1, max_size=3))
        return "transact_write_items", {
            "TransactItems": [{kind: dict(body)} for kind, body in chosen]
        }
    kind, body = draw(actions())
    return {"Put": "put_item", "Update": "update_item", "Delete": "delete_item"}[kind], body


def answer_of(client: Any, operation: str, request: dict[str, Any]) -> Any:
    """What a caller can tell: the error's code and reasons, or nothing."""
    try:
        getattr(client, operation)(**request)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        reasons = [
            (r["Code"], r.get("Item")) for r in error.response.get("CancellationReasons", ())
        ]
        return code, reasons, error.response.get("Item")
    return None


def items_of(client: Any) -> list[dict[str, Any]]:
    found = client.scan(TableName="t")["Items"]
    return sorted((dict(item) for item in found), key=str)


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],  # the stories are short; shrinking them is slow
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(calls(), min_size=1, max_size=8))
def test_the_engine_answers_as_moto_does(
    moto: Any, story: list[tuple[str, dict[str, Any]]]
) -> None:
    for item in moto.scan(TableName="t")["Items"]:
        moto.delete_item(TableName="t", Key={"PK": item["PK"], "SK": item["SK"]})
    mine = engine()
    for operation, request in story:
        assert answer_of(mine, operation, request) == answer_of(moto, operation, request)
        assert items_of(mine) == items_of(moto)
    for pk in "pq":
        query = {
            "TableName": "t",
            "KeyConditionExpression": "PK = :p",
            "ExpressionAttributeValues": {":p": {"S": pk}},
            "ConsistentRead": True,
        }
        assert mine.query(**query)["Items"] == moto.query(**query)["Items"]
        for ahead in (True, False):
            paged = query | {"Limit": 1, "ScanIndexForward": ahead}
            assert pages_of(mine, paged) == pages_of(moto, paged)


PARENTHESES = {
    "(a)": True,
    "((a))": False,
    "(((a)))": False,
    "(a) OR (b)": True,
    "((a) OR (b))": True,
    "((a) OR b)": True,
    "(a OR (b))": True,
    "NOT (NOT (a))": True,
    "NOT ((a AND b))": False,
    "b AND ((a OR b))": False,
    "b AND (a OR ((b)))": False,
}


@pytest.mark.parametrize("shape", PARENTHESES)
def test_parentheses_twice_around_the_same_are_refused(moto: Any, shape: str) -> None:
    exists = {"a": "attribute_exists(PK)", "b": "attribute_not_exists(SK)"}
    request = {
        "TableName": "t",
        "Item": to_item({"PK": "p", "SK": "1"}),
        "ConditionExpression": re.sub("[ab]", lambda name: exists[name[0]], shape),
    }
    answers = [answer_of(client, "put_item", request) for client in (engine(), moto)]
    refused = ["ValidationException" in (answer or ()) for answer in answers]
    assert refused == [not PARENTHESES[shape]] * 2, answers


def pages_of(client: Any, request: dict[str, Any], operation: str = "query") -> list[Any]:
    """Every page that is not empty. DynamoDB says only after the last item that it was the last."""
    pages, start = [], None
    while True:
        more: dict[str, Any] = {"ExclusiveStartKey": start} if start else {}
        page = getattr(client, operation)(**request, **more)
        start = page.get("LastEvaluatedKey")
        pages += [page["Items"]] if page["Items"] else []
        if start is None:
            return pages


# What moto does not have, as DynamoDB's documentation has it.


def test_a_token_makes_a_repetition_harmless_for_ten_minutes() -> None:
    now = [0]
    mine = MemoryDynamo(SCHEMAS, lambda: now[0])
    add = {
        "Update": {
            "TableName": "t",
            "Key": to_item({"PK": "p", "SK": "1"}),
            "UpdateExpression": "ADD #n :one",
            "ExpressionAttributeNames": {"#n": "n"},
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
    }
    for moment, expected in ((0, "1"), (TOKEN_MS - 1, "1"), (TOKEN_MS, "2")):
        now[0] = moment
        mine.transact_write_items(TransactItems=[add], ClientRequestToken="k")
        (item,) = mine.items("t")
        assert item["n"] == {"N": expected}


def test_a_token_with_another_payload_is_refused() -> None:
    mine = engine()
    mine.transact_write_items(TransactItems=[put("1")], ClientRequestToken="k")
    with pytest.raises(ClientError, match="IdempotentParameterMismatchException"):
        mine.transact_write_items(TransactItems=[put("2")], ClientRequestToken="k")


def test_a_page_has_a_megabyte_at_most(moto: Any) -> None:
    mine, text = engine(), "x" * 390_000
    for client in (mine, moto):
        for number in range(5):
            attributes = {"GSI1PK": "large", "GSI1SK": str(number), "a": text}
            key = {"PK": "large", "SK": str(number)}
            client.put_item(TableName="t", Item=to_item(key | attributes))
    wanted = asked("PK = :p", p="large") | {"ConsistentRead": True}
    pages = pages_of(mine, wanted)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert pages == pages_of(moto, wanted)
    assert [len(p) for p in pages_of(mine, {"TableName": "t"}, "scan")] == [2, 2, 1]
    index = asked("GSI1PK = :p", p="large") | {"IndexName": "GSI1"}
    assert [len(page) for page in pages_of(mine, index)] == [5]  # the keys are small


def test_what_lacks_a_key_of_the_index_is_not_in_it(moto: Any) -> None:
    for client in (engine(), moto):
        lacking = {"PK": "p", "SK": "1", "GSI1PK": "sparse"}
        client.put_item(TableName="t", Item=to_item(lacking))
        by_index = asked("GSI1PK = :p", p="sparse") | {"IndexName": "GSI1"}
        assert client.query(**by_index)["Items"] == []
        client.put_item(TableName="t", Item=to_item(lacking | {"GSI1SK": "1"}))
        assert len(client.query(**by_index)["Items"]) == 1


def test_only_eventual_reads_lag() -> None:
    mine = engine()
    mine.lag = lambda waiting: waiting
    mine.put_item(TableName="s", Item=to_item({"PK": "p", "SK": "1", "GSI1PK": "i", "GSI1SK": "1"}))
    key = to_item({"PK": "p", "SK": "1"})
    by_index = {
        "TableName": "s",
        "IndexName": "GSI1",
        "KeyConditionExpression": "GSI1PK = :p",
        "ExpressionAttributeValues": {":p": {"S": "i"}},
    }
    assert mine.get_item(TableName="s", Key=key, ConsistentRead=True) != {}
    assert mine.get_item(TableName="s", Key=key) == {}
    assert mine.query(**by_index)["Items"] == []
    mine.catch_up()
    assert len(mine.query(**by_index)["Items"]) == 1
    mine.put_item(TableName="s", Item=to_item({"PK": "p", "SK": "1", "GSI1PK": "o", "GSI1SK": "1"}))
    assert len(mine.query(**by_index)["Items"]) == 1
    mine.lag = lambda _waiting: 0
    assert mine.query(**by_index)["Items"] == []


def test_the_index_shows_only_what_it_projects() -> None:
    mine = engine()
    keys = {"PK": "p", "SK": "1", "GSI1PK": "i", "GSI1SK": "1"}
    mine.put_item(TableName="s", Item=to_item(keys | {"version": 1, "sessionId": "secret"}))
    (item,) = mine.query(
        TableName="s",
        IndexName="GSI1",
        KeyConditionExpression="GSI1PK = :p",
        ExpressionAttributeValues={":p": {"S": "i"}},
    )["Items"]
    assert item.keys() == {*keys, "version"}


def test_a_write_that_changes_nothing_is_not_in_the_stream() -> None:
    mine = engine()
    heard: list[Any] = []
    mine.heard = lambda _table, record: heard.append(record)
    for _ in range(2):
        mine.put_item(TableName="t", Item=to_item({"PK": "p", "SK": "1", "a": 1}))
    assert [(record.old is None, record.new) for record in heard] == [
        (True, to_item({"PK": "p", "SK": "1", "a": 1}))
    ]


@pytest.mark.parametrize(
    "text",
    ["#a = ", "#a ! :v", "size(#a)", "#a = :v)", "f(#a)", "state = :v", "attribute_exists(:v)", ""],
)
def test_a_condition_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        condition(text)


@pytest.mark.parametrize(
    "text", ["", "SET", "SET #a = :v SET #b = :v", "SET state = :v", "PUT #a :v", "ADD #a.b :v"]
)
def test_an_update_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError):
        update(text)
