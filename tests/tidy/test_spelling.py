"""Keys and conditions are each spelled in one place, and writes name what their table has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from fairgate.ports.record import TableName, attribute
from fairgate.service.shared import conditions
from fairgate_ops.operate.models import KINDS

ROOT = Path(__file__).parents[2]
CORE = ROOT / "layers" / "core" / "python" / "fairgate"
# Where the table's own language is spelled.
HOMES = {
    CORE / "adapters" / "dynamodb": "speaks to the engine",
    CORE / "ports" / "record.py": "names the key attributes",
    CORE / "service" / "shared" / "keys.py": "spells every key",
    CORE / "service" / "shared" / "movement_keys.py": "spells the other keys",
    CORE / "service" / "shared" / "mailbox_keys.py": "spells those of mail addresses",
    CORE / "service" / "shared" / "conditions.py": "spells every condition",
    ROOT / "ops" / "fairgate_ops" / "operate" / "upgrade_tables": "reads a former version's keys",
}
# What looks like a key or a condition elsewhere: how it begins, and why it stands there.
ELSEWHERE = {
    CORE / "ports" / "table.py": ("attribute_not_exists(#", "a Put's default; ports import none"),
    CORE / "adapters" / "valkey" / "claims.py": ("\nlocal time", "Lua, whose # is a length"),
    ROOT / "lab" / "fairgate_lab" / "attack" / "racer.py": (
        "#availability = :available OR #availability = :locked OR",
        "a control: what the race must notice when it stands for the guard",
    ),
}
KEY = re.compile(
    r"\b(GSI1)?[PS]K\b"  # an attribute, alone or in an expression
    r"|^(META|GA|SWEPT|RECONCILED|IMPORTED|PAYOUTS|MOVES)$"
    r"|^([SROFUTPIDWXQMNLHB]|GA|GATE|LOG|VALUE|FIGURES)#"
    r"|^#(DUE|LIVE|CONTROL|TALLY|LEDGER|NUMBERS|ORDERS|ROOM)(#|$)"
)
CONDITION = re.compile(r"#\w+ *(=|<|>|IN \()|(attribute_(not_)?exists|contains|size)\(#")
ATTRIBUTES = {
    table: {name for k in KINDS.values() if k.table == table for name in k.__struct_encode_fields__}
    for table in get_args(TableName)
}
MODULES = sorted(
    path
    for top in ("layers", "functions", "ops", "infra", "lab/fairgate_lab")
    for path in (ROOT / top).rglob("*.py")
    if not any(path.is_relative_to(home) for home in HOMES)
)


def spelled(tree: ast.AST) -> list[str]:
    """Strings that are a key, a part of one, or a condition."""
    found = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    texts = [value for value in found if isinstance(value, str)]
    return [text for text in texts if KEY.search(text) or CONDITION.search(text)]


def of_condition(text: str) -> set[str]:
    return set(re.findall(r"#(\w+)", text))


def literal_names(node: ast.AST) -> Iterator[str]:
    """The keys of a dict that is written out, or of those that it is joined from."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                yield from literal_names(value)
            elif isinstance(key, ast.Constant):
                yield str(key.value)
    elif isinstance(node, ast.BinOp):
        yield from literal_names(node.left)
        yield from literal_names(node.right)


def named_by(keyword: ast.keyword) -> Iterator[str]:
    """What one argument of a write names: attributes to change, or those of its condition."""
    if keyword.arg in ("set", "add"):
        yield from literal_names(keyword.value)
    elif keyword.arg == "condition":
        for node in ast.walk(keyword.value):
            if isinstance(node, ast.Name):
                yield from of_condition(getattr(conditions, node.id, ""))


def unknown_names(tree: ast.AST) -> set[str]:
    """``table.name`` for each name in an Update that no record of its own table has."""
    unknown = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "id", "")
        if called == "Update":
            table = ast.literal_eval(node.args[0])  # each write says its table
            names = {name for keyword in node.keywords for name in named_by(keyword)}
        elif called == "event_update":
            table, names = "catalog", set(literal_names(node.args[1]))
        else:
            continue
        unknown |= {f"{table}.{name}" for name in names - ATTRIBUTES[table]}
    return unknown


def test_no_module_spells_a_key_or_a_condition_or_a_name_that_its_table_lacks() -> None:
    wrong: dict[Path, list[str]] = {}
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        begins, _ = ELSEWHERE.get(path, ("", ""))
        found = [text for text in spelled(tree) if not begins or not text.startswith(begins)]
        if found := [*found, *unknown_names(tree)]:
            wrong[path.relative_to(ROOT)] = found
    assert wrong == {}


def test_conditions_name_what_records_have() -> None:
    written = [text for name, text in vars(conditions).items() if name.isupper()]
    assert written
    known = set().union(*ATTRIBUTES.values())
    assert {name for text in written for name in of_condition(text)} <= known


@pytest.mark.parametrize(
    "code",
    [
        *("item['PK']", "'begins_with(SK, :s)'", "sk == 'META'", "f'GA#{shard}'"),
        *("f'{event}#DUE#{minute}#{shard}'", "'#a = :a'", "f'attribute_not_exists(#{PK})'"),
    ],
)
def test_a_key_or_condition_is_recognised(code: str) -> None:
    assert len(spelled(ast.parse(code))) == 1


@pytest.mark.parametrize("code", ["'#section'", "'LIVE'", "'PKCS'", "f'{event}#{seat}'"])
def test_what_is_neither_is_let_through(code: str) -> None:
    assert spelled(ast.parse(code)) == []


@pytest.mark.parametrize(
    ("arguments", "unknown"),
    [
        ("set={'liveMaxx': 1}, add={'version': 1}", {"catalog.liveMaxx"}),
        ("set=known | {'misspelt': 1}", {"catalog.misspelt"}),
        ("set={**{'misspelt': 1}}", {"catalog.misspelt"}),
        ("condition=EVENT_AS_READ, set={'liveMax': 1}", set()),
        ("set={'placesTaken': 1}", {"catalog.placesTaken"}),  # another table has it
        ("condition=EVENT_AS_READ if one else AREA_HAS_CAPACITY", {"catalog.remaining"}),
    ],
)
def test_a_name_that_the_table_lacks_is_recognised(arguments: str, unknown: set[str]) -> None:
    assert attribute("live_max") in ATTRIBUTES["catalog"]
    assert unknown_names(ast.parse(f"Update('catalog', *key, {arguments})")) == unknown


def test_a_misspelt_change_of_an_event_is_recognised() -> None:
    assert unknown_names(ast.parse("event_update(sale, {'liveMaxx': 1})")) == {"catalog.liveMaxx"}
