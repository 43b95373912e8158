"""No function reaches PynamoDB, neither at its import nor at a later call."""

from __future__ import annotations

import ast
from pathlib import Path

from fairgate_ops.shared.paths import ROOT

PACKAGE = ROOT / "layers" / "core" / "python"
MODELS = PACKAGE / "fairgate" / "adapters" / "dynamodb" / "models.py"
HEAVY = ("pynamodb", "fairgate.adapters.dynamodb.models")


def imports(source: str) -> set[str]:
    """Every module and name that a source imports, at its top or within a function."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {str(node.module)} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def reaching(paths: list[Path]) -> list[Path]:
    return [
        path
        for path in paths
        for name in imports(path.read_text("utf-8"))
        if any(name == heavy or name.startswith(f"{heavy}.") for heavy in HEAVY)
    ]


def test_only_the_models_module_of_what_is_shipped_imports_pynamodb() -> None:
    shipped = [*PACKAGE.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    assert set(reaching(shipped)) == {MODELS}


def test_an_import_within_a_function_is_seen(tmp_path: Path) -> None:
    lazily = {
        "a.py": "def f():\n    import pynamodb.models\n",
        "b.py": "def f():\n    from fairgate.adapters.dynamodb import models\n",
        "c.py": "def f():\n    from fairgate.adapters.dynamodb.models import Models\n",
        "d.py": "from fairgate.adapters.dynamodb import client\n",
    }
    for name, source in lazily.items():
        (tmp_path / name).write_text(source)
    found = {path.name for path in reaching(sorted(tmp_path.glob("*.py")))}
    assert found == {"a.py", "b.py", "c.py"}
