"""The adapters in memory serve tests, simulations and rehearsals: no function reaches them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fairgate_ops.shared.paths import ROOT

MEMORY = "fairgate.adapters.memory"
PACKAGE = ROOT / "layers/core/python/fairgate"


def imports_of(source: str) -> set[str]:
    """Every module that this code names in an import, wherever it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def reaches_memory(source: str) -> bool:
    return any(name == MEMORY or name.startswith(f"{MEMORY}.") for name in imports_of(source))


def shipped() -> list[Path]:
    inside = [p for p in PACKAGE.rglob("*.py") if "memory" not in p.relative_to(PACKAGE).parts]
    return inside + list((ROOT / "functions").rglob("*.py"))


def test_nothing_that_ships_imports_the_adapters_in_memory() -> None:
    files = shipped()
    assert len(files) > 100
    assert [str(p.relative_to(ROOT)) for p in files if reaches_memory(p.read_text())] == []


@pytest.mark.parametrize(
    "source",
    [
        "import fairgate.adapters.memory.cache",
        "from fairgate.adapters.memory import clock",
        "from fairgate.adapters import memory",
        "def f():\n    from fairgate.adapters.memory.clock import MemoryClock",
    ],
)
def test_an_import_is_noticed_in_every_form(source: str) -> None:
    assert reaches_memory(source)


def test_other_imports_are_left_alone() -> None:
    assert not reaches_memory("from fairgate.adapters.valkey import availability")
