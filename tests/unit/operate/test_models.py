"""The models refuse what PynamoDB lets pass, and know the keys of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from pynamodb.connection import Connection
from pynamodb.models import BatchWrite, Model
from pynamodb.transactions import TransactWrite

from fairgate.adapters.dynamodb.codec import to_item
from fairgate.ports.record import DamagedItemError, TableName, decode
from fairgate.service.shared.keys import session_key
from fairgate.service.shared.records.gate import LogRecord, SampledMinute
from fairgate.service.shared.records.sessions import Reservation, Session
from fairgate_ops.operate.models import (
    KINDS,
    Models,
    ReadOnlyError,
    ReadOnlyModel,
    kind_of,
    problems_of,
)
from tests.support.item_ids import SESSION
from tests.support.item_tables import tables_of_items
from tests.support.items import ITEMS, optional

NAMES: dict[TableName, str] = {
    "seats": "t-seats",
    "reservations": "t-reservations",
    "catalog": "t-catalog",
}
READING = {
    "batch_get",
    "count",
    "describe_table",
    "deserialize",
    "exists",
    "from_dynamodb_dict",
    "from_raw_data",
    "from_simple_dict",
    "get",
    "get_attributes",
    "query",
    "refresh",
    "scan",
    "to_dynamodb_dict",
    "to_simple_dict",
    "update_local_version_attribute",
}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with tables_of_items(NAMES) as client:
        yield client


@pytest.fixture
def models(client: Any) -> Models:
    return Models(NAMES, lambda: client)


@pytest.fixture
def session(models: Models) -> ReadOnlyModel:
    model: ReadOnlyModel = models.of(Session).get(SESSION, f"S#{SESSION}")
    return model


def problems(table: TableName, item: dict[str, Any]) -> list[str]:
    return list(problems_of(table, [to_item(item)]))


def test_an_item_of_every_kind_is_known_by_its_key_and_loads(models: Models) -> None:
    for shape, (table, item) in ITEMS.items():
        kind = KINDS[shape]
        assert kind_of(table, item) is kind
        (found,) = models.of(kind).query(item["PK"], models.of(kind).sk == item["SK"])
        assert found.record == decode(kind, item)


@pytest.mark.parametrize("shape", KINDS)
def test_the_sample_of_a_kind_has_every_attribute_of_its_record(shape: str) -> None:
    listed = {field.encode_name for field in msgspec.structs.fields(KINDS[shape])}
    assert set(ITEMS[shape][1]) == listed


@pytest.mark.parametrize("shape", KINDS)
def test_an_item_loads_without_its_optional_attributes(shape: str) -> None:
    table, item = ITEMS[shape]
    least = {name: value for name, value in item.items() if name not in optional(KINDS[shape])}
    assert problems(table, least) == []


@pytest.mark.parametrize("shape", KINDS)
def test_an_attribute_that_no_record_lists_is_a_problem(shape: str) -> None:
    table, item = ITEMS[shape]
    (problem,) = problems(table, item | {"ticketsHeld": 1})
    assert "unknown field `ticketsHeld`" in problem


@pytest.mark.parametrize("shape", KINDS)
def test_a_missing_attribute_is_a_problem(shape: str) -> None:
    table, item = ITEMS[shape]
    for name in item.keys() - optional(KINDS[shape]) - {"PK", "SK"}:
        (problem,) = problems(table, {key: item[key] for key in item if key != name})
        assert f"missing required field `{name}`" in problem


@pytest.mark.parametrize("shape", [shape for shape in KINDS if KINDS[shape] is not LogRecord])
def test_an_attribute_of_another_type_is_a_problem(shape: str) -> None:
    table, item = ITEMS[shape]
    for name in item.keys() - {"PK", "SK"}:
        other: Any = "x" if isinstance(item[name], bool) else True
        assert problems(table, item | {name: other}) != [], name


@pytest.mark.parametrize(
    ("table", "shape", "path"),
    [
        ("catalog", "event", ("sections", 0, "blocks", 0)),
        ("catalog", "event", ("areas", "floor")),
        ("catalog", "event", ("fees",)),
        ("catalog", "event", ("beacon",)),
        ("reservations", "order", ("units", 1)),
        ("reservations", "order", ("tickets", 0)),
    ],
)
def test_an_unknown_attribute_within_a_part_is_a_problem(
    table: TableName, shape: str, path: tuple[str | int, ...]
) -> None:
    item = msgspec.json.decode(msgspec.json.encode(ITEMS[shape][1]))
    part = item
    for step in path:
        part = part[step]
    part["colour"] = "red"
    (problem,) = problems(table, item)
    assert "unknown field `colour`" in problem


@pytest.mark.parametrize(
    ("table", "pk", "sk"),
    [
        ("seats", "show#A-1", "GA"),
        ("seats", "show#A-1", "LOOK"),
        ("reservations", SESSION, "Z#1"),
        ("reservations", "D#show#u#ann", "Y#1"),
        ("reservations", "T#1", "T#2"),
        ("reservations", "show#DUE", "SWEEP"),
        ("reservations", "show#CONTROL", "LAST"),
        ("reservations", "show#DUE#2026-01-01T00:00", "x"),
        ("reservations", "show#LIVE", "x"),
        ("catalog", "VENUE", "hall"),
    ],
)
def test_an_item_of_no_kind_is_a_problem(table: TableName, pk: str, sk: str) -> None:
    assert problems(table, {"PK": pk, "SK": sk}) == [
        f"No kind of item of {table} has the key {pk} {sk}."
    ]


def test_a_type_that_the_tables_never_hold_is_a_problem() -> None:
    table, item = ITEMS["sweep cursor"]
    (problem,) = problems_of(table, [to_item(item) | {"minute": {"SS": ["a"]}}])
    assert "SS" in problem


def test_an_item_without_keys_is_a_problem() -> None:
    assert len(list(problems_of("seats", [{}]))) == 1


def test_a_query_that_meets_another_kind_raises_instead_of_leaving_it_out(models: Models) -> None:
    with pytest.raises(DamagedItemError, match="is none but"):
        list(models.of(Session).query(SESSION))


def test_a_read_of_some_attributes_raises_for_the_missing_ones(models: Models) -> None:
    with pytest.raises(DamagedItemError, match="missing required field"):
        models.of(Session).get(SESSION, f"S#{SESSION}", attributes_to_get=["PK", "SK"])


def test_refreshing_a_model_checks_it_again(client: Any, models: Models) -> None:
    key = session_key("ses_" + "2" * 32)
    item = ITEMS["session"][1] | {"PK": key.pk, "SK": key.sk}
    client.put_item(TableName=NAMES["reservations"], Item=to_item(item))
    model = models.of(Session).get(*key)
    client.put_item(TableName=NAMES["reservations"], Item=to_item(item | {"mood": "good"}))
    with pytest.raises(DamagedItemError, match="unknown field `mood`"):
        model.refresh()
    client.delete_item(TableName=NAMES["reservations"], Key=to_item({"PK": key.pk, "SK": key.sk}))


def test_a_filter_is_written_with_the_names_of_the_record(models: Models) -> None:
    model = models.of(Reservation)
    mine = model.sk.startswith("R#") & (model.user_id == "ann") & (model.shard == 0)
    assert [found.record.place for found in model.scan(mine)] == ["A-1"]
    assert list(model.scan(model.sk.startswith("R#") & (model.user_id == "bob"))) == []


def test_an_attribute_named_as_a_method_does_not_hide_it(models: Models) -> None:
    model = models.of(SampledMinute)
    assert model.count("Q#show") == 1
    assert next(iter(model.query("Q#show"))).count_ == 1


@pytest.mark.parametrize(
    "write",
    [
        lambda model: model.save(),
        lambda model: model.update(actions=[type(model).state.set("ended")]),
        lambda model: model.delete(),
        lambda model: type(model).batch_write(),
        lambda model: _batch(model, BatchWrite.save),
        lambda model: _batch(model, BatchWrite.delete),
        lambda model: _transact(lambda writes: writes.save(model)),
        lambda model: _transact(lambda writes: writes.delete(model)),
        lambda model: _transact(lambda writes: writes.update(model, [type(model).state.set("")])),
        lambda model: type(model).create_table(),
        lambda model: type(model).delete_table(),
        lambda model: type(model).update_ttl(ignore_update_ttl_errors=True),
        lambda model: type(model)._get_connection().put_item("a", "b"),
        lambda model: type(model)._get_connection().delete_item("a", "b"),
    ],
)
def test_every_way_to_write_raises_and_writes_nothing(
    write: Callable[[ReadOnlyModel], object], session: ReadOnlyModel, client: Any
) -> None:
    before = client.scan(TableName=NAMES["reservations"])["Items"]
    with pytest.raises(ReadOnlyError):
        write(session)
    assert client.scan(TableName=NAMES["reservations"])["Items"] == before


def _batch(model: ReadOnlyModel, act: Callable[[Any, Any], None]) -> None:
    with BatchWrite(type(model)) as batch:
        act(batch, model)


def _transact(act: Callable[[TransactWrite], None]) -> None:
    with TransactWrite(connection=Connection(region="eu-central-1")) as writes:
        act(writes)


def test_no_method_of_pynamodb_is_unknown_to_us() -> None:
    """A new version's new method is read by somebody before it is let through."""
    public = {
        name
        for name in dir(Model)
        if not name.startswith("_") and callable(getattr(Model, name)) and name != "DoesNotExist"
    }
    refusing = {name for name in public if "_refuse" in getattr(ReadOnlyModel, name).__qualname__}
    assert public - refusing == READING


def test_models_use_the_client_that_they_are_given_and_make_it_once(client: Any) -> None:
    made: list[str] = []

    def make() -> Any:
        made.append("client")
        return client

    models = Models(NAMES, make)
    assert made == []
    for kind in (Session, Reservation):
        list(models.of(kind).query("nobody"))
        assert models.of(kind)._get_connection().connection.client is client
    assert made == ["client"]
