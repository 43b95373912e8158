"""Keys and conditions are each spelled in one place, and conditions name what records have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairgate.ports.record import Record, attribute
from fairgate.service.shared.records import catalog, gate, orders, seats, sessions

ROOT = Path(__file__).parents[2]
CORE = ROOT / "layers" / "core" / "python" / "fairgate"
CONDITIONS = CORE / "service" / "shared" / "conditions.py"
CONDITION = re.compile(r"#\w+ *(=|<|>)|attribute_(not_)?exists\(#")
RECORDS = [
    kind
    for module in (catalog, gate, orders, seats, sessions)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Record) and kind is not Record
]
ATTRIBUTES = {name for kind in RECORDS for name in kind.__struct_encode_fields__}


def strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def conditions(tree: ast.AST) -> list[str]:
    return [text for text in strings(tree) if CONDITION.search(text)]


def unknown_names(tree: ast.AST) -> set[str]:
    """Names in conditions, and literal names behind ``set=`` and ``add=`` of an Update."""
    names = {name for text in conditions(tree) for name in re.findall(r"#(\w+)", text)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Update":
            for keyword in node.keywords:
                if keyword.arg in ("set", "add") and isinstance(keyword.value, ast.Dict):
                    names.update(k.value for k in keyword.value.keys if isinstance(k, ast.Constant))
    return names - ATTRIBUTES


MODULES = sorted((CORE / "service").rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_a_module_writes_no_condition_and_names_what_records_have(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert path == CONDITIONS or not conditions(tree)
    assert unknown_names(tree) == set()


@pytest.mark.parametrize("text", ["#a = :a", "attribute_exists(#PK)"])
def test_a_condition_is_recognised(text: str) -> None:
    assert conditions(ast.parse(f"x = {text!r}")) == [text]


def test_an_unknown_name_is_recognised() -> None:
    assert attribute("live_max") in ATTRIBUTES
    assert unknown_names(ast.parse("Update(set={'liveMaxx': 1}, add={'version': 1})")) == {
        "liveMaxx"
    }
