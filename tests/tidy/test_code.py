"""Rules about all Python code that neither ruff, mypy nor import-linter knows."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from vulture import Vulture

from fairgate_ops.shared.paths import ROOT
from tests.support.needs import IMPORTED_SLOWLY
from tests.tidy import markdown

SOURCES = [ROOT / name for name in ("app.py", "layers", "functions", "ops", "infra", "lab")]
FUNCTION_LINES_MAX = 70
CLI = ROOT / "ops/fairgate_ops/operate/cli"
# Names that only a framework calls or reads, and what commands are named to run by, as text.
CALLED = [
    *(
        name
        for path in (CLI / "main.py", *(CLI / "words").glob("*.py"))
        for name in re.findall(r'"\w+\.(\w+)"', path.read_text("utf-8"))
    ),
    *("do_*", "log_message", "service_actions", "connection_made", "connection_lost"),  # servers
    "data_received",  # servers
    *("dispatch", "connection_class"),  # clients
    *("handler", "invoked_function_arn", "log_stream_name"),  # Lambda and Powertools
    *("print_help", "availability_zone*"),  # argparse, the CDK
    *("SimulatedBuyer", "on_start", "_prepare", "_add_options"),  # Locust
    *("batch_get_item", "update_item", "delete_item"),  # methods of boto3 that are passed on
]
# Why each of these may stand although only tests use it.
ALLOWED = {
    "SectionId": "one of the family of ids",
    "SeatId": "one of the family of ids",
    "read_base": "what the gate's rows differ from; tests make cases of their own from it",
}


def unused(paths: list[Path]) -> set[str]:
    """Return the names that no source reads: a use in a test does not count.

    Vulture cannot tell who reads the fields of a record, so of variables only constants count.
    """
    search = Vulture(ignore_decorators=["@app.*", "@law"], ignore_names=CALLED)
    search.scavenge(paths, exclude=["*/lab/tests/*"])
    return {
        item.name
        for item in search.get_unused_code()
        if item.typ not in ("variable", "attribute") or item.name[:1].isupper()
        if "/engine/" not in str(item.filename)  # stand-ins: tests are their users
    }


def test_every_name_is_used() -> None:
    assert unused(SOURCES) == set(ALLOWED)


@pytest.mark.parametrize("code", ["def lonely(): ...", "class lonely: ...", "LONELY = 1"])
def test_an_unused_name_is_found(tmp_path: Path, code: str) -> None:
    (tmp_path / "shop.py").write_text(f"def used(): ...\nused()\n{code}\n")
    assert {name.lower() for name in unused([tmp_path])} == {"lonely"}


NAMED = re.compile(r"(?<![\w./<*{-])((?:[\w-]+/)*[\w-]+\.(?:py|md|mjs|js|css|html|lua))\b(?!\()")
ELSEWHERE = {"botocore/retries/standard.py", "quota.py", "build/gate.js", "Node.js"}


def gone(text: str, files: set[str]) -> list[str]:
    """Return the files that a docstring or a comment names and that are not there."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline) if NAMED.search(text) else ()
    prose = (t.string for t in tokens if t.type == tokenize.COMMENT or t.string[:3] == '"""')
    return [name for said in prose for name in NAMED.findall(said) if name not in files]


def test_every_file_that_a_docstring_or_comment_names_is_there() -> None:
    paths = markdown.files(ROOT)
    ends = {"/".join(path.parts[start:]) for path in paths for start in range(len(path.parts))}
    texts = {path: (ROOT / path).read_text("utf-8") for path in paths if path.suffix == ".py"}
    found = {path: gone(text, ends | ELSEWHERE) for path, text in texts.items()}
    assert {path: names for path, names in found.items() if names} == {}
    text = '"""Of keys.py, shared/keys.py, gone.py."""\nx = "lost.py"  # as docs/best-gone.md\n'
    assert gone(text, {"keys.py", "shared/keys.py"}) == ["gone.py", "docs/best-gone.md"]


def long_functions(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                yield f"{node.name}: {lines} lines"


def test_no_function_is_longer_than_a_reader_holds() -> None:
    files = [file for top in SOURCES for file in ([top] if top.is_file() else top.rglob("*.py"))]
    found = {file: list(long_functions(ast.parse(file.read_text("utf-8")))) for file in files}
    assert {file: functions for file, functions in found.items() if functions} == {}
    assert list(long_functions(ast.parse("def f():\n" + " x = 1\n" * 70))) == ["f: 71 lines"]


def test_collecting_the_tests_imports_nothing_slow(pytestconfig: pytest.Config) -> None:
    assert pytestconfig.stash[IMPORTED_SLOWLY] == set()
