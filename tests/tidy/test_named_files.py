"""A file that a docstring or a comment sends its reader to is there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("app.py", "layers", "functions", "ops", "infra", "tests", "lab")
BESIDES = ("docs", "edge", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
# shared/keys.py, docs/best-available.md; data files are left out: most of those are made by a run.
_NAME = re.compile(r"(?<![\w./<*{-])((?:[\w-]+/)*[\w-]+\.(?:py|md|mjs|js|css|html|lua))\b(?!\()")
_ENDING = re.compile(r"\.(?:py|md|mjs|js|css|html|lua)\b")
_IN_COMMENT = re.compile(r"#.*\.(?:py|md|mjs|js|css|html|lua)\b")
# Files of others, and what is built.
ELSEWHERE = frozenset({"botocore/retries/standard.py", "quota.py", "build/gate.js", "Node.js"})


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Each docstring and comment with its line, of a module that names a file at all."""
    if not _ENDING.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if ast.get_docstring(node, clean=False) and isinstance(first, ast.Expr):
                yield first.lineno, ast.get_docstring(node, clean=False) or ""
    if not _IN_COMMENT.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def gone(text: str, files: set[str]) -> list[str]:
    """``line: name`` of each file that is named and not there, by the end of its path."""
    return [
        f"{line}: {name}"
        for line, said in prose(text)
        for name in _NAME.findall(said)
        if name not in ELSEWHERE and name not in files
    ]


def ends_of_paths(root: Path) -> set[str]:
    """Every path below, and every shorter way to write it: ``keys.py``, ``shared/keys.py`` …"""
    found: set[str] = set()
    for name in (*SOURCES, *BESIDES):
        top = root / name
        for path in [top] if top.is_file() else top.rglob("*"):
            parts = path.relative_to(root).parts
            found |= {"/".join(parts[start:]) for start in range(len(parts))}
    return found | {path.name for path in root.glob("*.mjs")}


def test_every_file_that_is_named_is_there() -> None:
    files = ends_of_paths(ROOT)
    paths = [
        path
        for name in SOURCES
        for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    ]
    found = {str(path.relative_to(ROOT)): gone(path.read_text("utf-8"), files) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"""See ``gone.py``."""\n', ["1: gone.py"]),
        ("x = 1\n# as shared/gone.py\n", ["2: shared/gone.py"]),
        ('def f() -> None:\n    """Of elsewhere/keys.py."""\n', ["2: elsewhere/keys.py"]),
        ('"""See docs/best-gone.md."""\n', ["1: docs/best-gone.md"]),
        ('"""See keys.py, shared/keys.py and Node.js."""\n', []),
        ('x = "gone.py"\n', []),
    ],
)
def test_a_file_that_is_not_there_is_found(text: str, names: list[str]) -> None:
    assert gone(text, {"keys.py", "shared/keys.py"}) == names
