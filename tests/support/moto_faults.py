"""What is still wrong in the newest moto (5.2.5), mended for as long as a test uses its tables.

Each function names the fault in moto's source. It touches moto's internals: the pin is exact, and
tests/unit/shared/test_moto_faults.py fails when moto changes under it.
"""

from __future__ import annotations

import copy
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from moto.dynamodb.comparisons import ConditionExpressionParser
from moto.dynamodb.exceptions import ItemSizeTooLarge
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict
from moto.dynamodb.models.table import StreamRecord, Table
from moto.dynamodb.parsing import ast_nodes, expressions
from moto.dynamodb.responses import DynamoHandler

ITEM_BYTES_MAX = 405_000  # moto's own figure, in LimitedSizeDict
# Neither module is typed.
Node: Any = ast_nodes.__dict__["Node"]
UpdateExpressionParser: Any = expressions.__dict__["UpdateExpressionParser"]
_transact: Any = DynamoDBBackend.transact_write_items
_query: Any = Table.query
_parse_condition = ConditionExpressionParser.parse
PARSED_MAX = 4096
_conditions: dict[Any, Any] = {}
lock = threading.RLock()


def transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
    """Run moto's transaction; if it fails, put back the items that it touched.

    Fault: ``DynamoDBBackend.transact_write_items`` copies the whole table for each action, so a
    hold takes seconds at 10,000 seats (getmoto/moto#2879).
    """
    bodies = [body for action in transact_items for body in action.values()]
    restored = [_undo(backend, body) for body in bodies]
    try:
        _transact(backend, transact_items)
    except Exception:
        for restore in reversed(restored):
            restore()
        raise


def _undo(backend: DynamoDBBackend, body: dict[str, Any]) -> Callable[[], None]:
    table = backend.get_table(body["TableName"])
    hash_value, range_value = backend.get_keys_value(table, body.get("Item") or body["Key"])
    stored: Any = copy.deepcopy(table.get_item(hash_value, range_value))
    records = table.stream_shard.items if table.stream_shard else []
    length = len(records)

    def restore() -> None:
        if stored is None:
            table.items[hash_value].pop(range_value, None)
        else:
            table.items[hash_value][range_value] = stored
        del records[length:]

    return restore


def query(
    table: Table, *positional: Any, hash_key_conditions: list[tuple[str, Any]], **named: Any
) -> Any:
    """Run moto's query on the items of the partition that it asks for.

    Fault: ``Table.query`` sorts all items of the table for each question, by keys that it converts
    at each comparison. A sweep asks hundreds of partitions, most of them empty.
    """
    wanted = dict(hash_key_conditions)
    partition = wanted.get(table.hash_key_attr)
    if partition is not None:
        items = {partition: table.items.get(partition, {})}
    else:
        items = {
            hash_key: {key: item for key, item in part.items() if _has(item.attrs, wanted)}
            for hash_key, part in list(table.items.items())
        }
    asked: Any = object.__new__(type(table))
    asked.__dict__ = {**table.__dict__, "items": items}
    return _query(asked, *positional, hash_key_conditions=hash_key_conditions, **named)


def _has(attributes: dict[str, Any], wanted: dict[str, Any]) -> bool:
    return all(name in attributes and attributes[name] == wanted[name] for name in wanted)


def make_item(item: Item, hash_key: Any, range_key: Any, attrs: dict[str, Any]) -> None:
    """Make an item and look at its size once.

    Fault: ``LimitedSizeDict.__setitem__`` adds up the whole item for each attribute, half of what
    a write costs (getmoto/moto#2455; #9670 mended the copies alone).
    """
    item.hash_key, item.range_key, item.attrs = hash_key, range_key, LimitedSizeDict()
    dict.update(item.attrs, {name: DynamoType(value) for name, value in attrs.items()})
    if item.size() > ITEM_BYTES_MAX:
        raise ItemSizeTooLarge


def parse_condition(parser: ConditionExpressionParser) -> Any:
    """Parse a condition once for its names and values.

    Fault: ``ConditionExpressionParser.parse`` reads the same condition three times for an action.
    """
    names, values = parser.expression_attribute_names, parser.expression_attribute_values
    key = (parser.condition_expression, repr(names), repr(values))
    if key not in _conditions:
        if len(_conditions) >= PARSED_MAX:
            _conditions.clear()
        parsed = _parse_condition(parser)
        _conditions[key] = parsed, parser.expr_attr_names_found, parser.expr_attr_values_found
    parsed, names_found, values_found = _conditions[key]
    parser.expr_attr_names_found, parser.expr_attr_values_found = [*names_found], [*values_found]
    return parsed


def copy_node(node: Any, _memo: Any) -> Any:
    """Copy a parsed update.

    Fault: ``parsing.validators.Validator`` copies it by ``copy.deepcopy``, slowly.
    """
    twin: Any = object.__new__(type(node))
    twin.__dict__.update(node.__dict__)
    if node.children is not None:
        twin.children = [copy_node(c, None) if isinstance(c, Node) else c for c in node.children]
        for child in twin.children:
            if isinstance(child, Node):
                child.parent = twin
    return twin


@contextmanager
def mended() -> Iterator[None]:
    """Mend moto for as long as the context lasts.

    Faults beside those above: ``DynamoHandler`` takes no lock, so threads race and hold a seat
    twice; ``UpdateExpressionParser.make`` parses an expression twice for each update; ``BaseModel``
    keeps each copy of each item alive.
    """
    dispatch = DynamoHandler.call_action

    def one_at_a_time(handler: DynamoHandler) -> Any:
        with lock:
            return dispatch(handler)

    with (
        patch.object(DynamoDBBackend, "transact_write_items", transact_write_items),
        patch.object(Table, "__deepcopy__", lambda table, _memo: table, create=True),
        patch.object(DynamoHandler, "call_action", one_at_a_time),
        patch.object(Table, "query", query),
        patch.object(Item, "__init__", make_item),
        patch.object(ConditionExpressionParser, "parse", parse_condition),
        patch.object(Node, "__deepcopy__", copy_node, create=True),
        patch.object(UpdateExpressionParser, "make", _parsed),
        patch.object(Item, "instances_tracked", deque(maxlen=0)),
        patch.object(StreamRecord, "instances_tracked", deque(maxlen=0)),
    ):
        yield


_parsed = lru_cache(maxsize=PARSED_MAX)(UpdateExpressionParser.make)
