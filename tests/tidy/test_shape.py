"""Functions and modules stay short enough to be read at once (line length is Ruff's to judge)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("app.py", "layers", "functions", "ops", "infra", "lab/fairgate_lab")
FUNCTION_LINES_MAX = 70
MODULE_LINES_MAX = 400
TEST_MODULE_LINES_MAX = 500
# What is longer, with its length now: it may shrink and not grow, and leaves when it is within.
ALLOWED: dict[str, int] = {}


def too_long(root: Path) -> dict[str, int]:
    """Modules by path, functions by ``path::name``, each with its lines."""
    found = {}
    for path in _modules(root, *SOURCES):
        name, text = path.relative_to(root).as_posix(), path.read_text("utf-8")
        if len(text.splitlines()) > MODULE_LINES_MAX:
            found[name] = len(text.splitlines())
        for function, lines in _functions(ast.parse(text), ""):
            if lines > FUNCTION_LINES_MAX:
                found[f"{name}::{function}"] = lines
    for path in _modules(root, "tests"):
        lines = len(path.read_text("utf-8").splitlines())
        if lines > TEST_MODULE_LINES_MAX:
            found[path.relative_to(root).as_posix()] = lines
    return found


def _modules(root: Path, *names: str) -> Iterator[Path]:
    for name in names:
        path = root / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[str, int]]:
    """Every function with the classes and functions that it lies in, decorators not counted."""
    for child in ast.iter_child_nodes(node):
        name = inside
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}{child.name}"
            if not isinstance(child, ast.ClassDef):
                yield name, (child.end_lineno or child.lineno) - child.lineno + 1
            name += "."
        yield from _functions(child, name)


def objections(found: dict[str, int], allowed: dict[str, int]) -> list[str]:
    """What speaks against these lengths, beside those that are allowed."""
    said = []
    for name, lines in found.items():
        if lines > allowed.get(name, 0):
            before = f", {allowed[name]} before" if name in allowed else ""
            said.append(f"{name} has {lines} lines{before}")
        elif lines < allowed[name]:
            said.append(f"{name} has {lines} lines now: write that here")
    gone = allowed.keys() - found
    return sorted(said + [f"{name} is short enough now: take it off the list" for name in gone])


def test_no_function_or_module_is_longer_than_a_reader_holds() -> None:
    assert objections(too_long(ROOT), ALLOWED) == []


def test_an_allowed_length_may_only_shrink() -> None:
    allowed = {"ops/a.py": 420, "ops/b.py": 420, "ops/c.py": 420, "ops/d.py": 420}
    found = {"ops/a.py": 420, "ops/b.py": 421, "ops/c.py": 419, "ops/e.py": 401}
    assert objections(found, allowed) == [
        "ops/b.py has 421 lines, 420 before",
        "ops/c.py has 419 lines now: write that here",
        "ops/d.py is short enough now: take it off the list",
        "ops/e.py has 401 lines",
    ]


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("ops/a.py", "x = 1\n" * 401, {"ops/a.py": 401}),
        ("ops/a.py", "x = 1\n" * 400, {}),
        ("tests/a.py", "x = 1\n" * 501, {"tests/a.py": 501}),
        ("tests/a.py", "x = 1\n" * 500, {}),
        ("ops/a.py", "def f():\n" + "    x = 1\n" * 70, {"ops/a.py::f": 71}),
        ("ops/a.py", "def f():\n" + "    x = 1\n" * 69, {}),
        (
            "infra/a.py",
            "class A:\n    def f(self):\n" + "        x = 1\n" * 70,
            {"infra/a.py::A.f": 71},
        ),
        (
            "app.py",
            "def f():\n    def g():\n" + "        x = 1\n" * 70,
            {"app.py::f": 72, "app.py::f.g": 71},
        ),
    ],
)
def test_what_is_too_long_is_found(
    path: str, text: str, found: dict[str, int], tmp_path: Path
) -> None:
    file = tmp_path / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    assert too_long(tmp_path) == found
