"""`make test-quick` and every collection start neither Node.js nor a server."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT, ROOT / "ops", ROOT / "lab", ROOT / "layers" / "core" / "python")
# Importing one of these starts Node.js.
STARTS_NODE = ("aws_cdk", "jsii", "constructs")
# Importing it takes most of a second, which each of seven processes would wait for.
SLOW = ("scipy",)
QUICK = ("unit", "contract", "tidy")
SERVERS = (
    "fairgate_ops.run.local.valkey_server",
    "fairgate_ops.run.local.ministack",
    "fairgate_lab.simulate.sale.cache_server",
    "tests.e2e.conftest",
    "tests.integration",
    "tests.support.availability.started_ministack",
    "tests.support.availability.started_valkey",
)


def at_import(body: list[ast.stmt]) -> Iterator[str]:
    """Every module that these statements import when they are run, not what a function would."""
    for statement in body:
        match statement:
            case ast.Import():
                yield from (alias.name for alias in statement.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                yield from (f"{module}.{alias.name}" for alias in statement.names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from at_import(statement.orelse)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                pass
            case _:
                for part in ("body", "orelse", "finalbody"):
                    yield from at_import(getattr(statement, part, []))
                for handler in getattr(statement, "handlers", []):
                    yield from at_import(handler.body)


@cache
def imported(path: Path) -> frozenset[str]:
    source = path.read_text("utf-8")
    return frozenset(at_import(ast.parse(source).body))


@cache
def file_of(module: str) -> Path | None:
    parts = Path(*module.split("."))
    candidates = [
        source / end
        for source in SOURCES
        for end in (parts.with_suffix(".py"), parts / "__init__.py")
    ]
    return next((path for path in candidates if path.is_file()), None)


def reached(*paths: Path) -> set[str]:
    """Every module that importing these imports, through our own modules and their packages."""
    found: set[str] = set()
    waiting = {module for path in paths for module in imported(path)}
    while waiting:
        module = waiting.pop()
        if module in found:
            continue
        found.add(module)
        package = module.rpartition(".")[0]
        waiting |= {package} if package else set()
        if (file := file_of(module)) is not None:
            waiting |= imported(file)
    return found


def among(modules: set[str], roots: tuple[str, ...]) -> list[str]:
    return sorted(m for m in modules if any(m == r or m.startswith(f"{r}.") for r in roots))


def quick() -> list[Path]:
    return sorted(path for part in QUICK for path in (ROOT / "tests" / part).rglob("*.py"))


@pytest.mark.parametrize("roots", [STARTS_NODE, SLOW], ids=["Node.js", "slow"])
def test_collecting_starts_no_node_and_waits_for_no_slow_import(roots: tuple[str, ...]) -> None:
    # What they import is followed; what only runs in a process of its own is not collected.
    names = ("test_*.py", "conftest.py", "__init__.py")
    tests = sorted(path for name in names for path in (ROOT / "tests").rglob(name))
    if among(reached(*tests), roots):  # then say which, one by one
        assert [str(path) for path in tests if among(reached(path), roots)] == []


def test_quick_tests_import_nothing_that_starts_a_server() -> None:
    starting = {
        str(path.relative_to(ROOT)): among(set(imported(path)), SERVERS) for path in quick()
    }
    assert {name: why for name, why in starting.items() if why} == {}


def unmarked(source: str) -> list[str]:
    """Return the tests that ask for Node.js, themselves or by a helper, without the mark."""
    tree = ast.parse(source)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    asking: set[str] = {"needs.node", "needs.cdk"}
    while True:
        more = {f.name for f in functions if asking & set(_called(f))}
        if more <= asking:
            break
        asking |= more
    return [
        f.name
        for f in functions
        if f.name.startswith("test_")
        and f.name in asking
        and "pytest.mark.node" not in map(ast.unparse, f.decorator_list)
    ]


def _called(function: ast.FunctionDef) -> Iterator[str]:
    return (ast.unparse(n.func) for n in ast.walk(function) if isinstance(n, ast.Call))


def test_what_needs_node_is_marked_and_left_out() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in quick()}
    found = {name: unmarked(text) for name, text in texts.items() if "needs." in text}
    assert {name: tests for name, tests in found.items() if tests} == {}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    folders = " ".join(f"tests/{part}" for part in QUICK)
    assert f'-m "not node" {folders}\n' in makefile


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import aws_cdk.aws_lambda", ["aws_cdk.aws_lambda"]),
        ("try:\n    from aws_cdk import Stack\nexcept ImportError:\n    pass", ["aws_cdk"]),
        ("from infra.system import System", ["aws_cdk"]),
        ("def f():\n    import aws_cdk", []),
        ("if TYPE_CHECKING:\n    import aws_cdk", []),
        ("from infra.routes import ROUTES", []),
    ],
)
def test_an_import_of_the_cdk_is_seen(tmp_path: Path, source: str, found: list[str]) -> None:
    (tmp_path / "test_it.py").write_text(source)
    assert set(found) <= set(among(reached(tmp_path / "test_it.py"), STARTS_NODE))
    assert bool(found) == bool(among(reached(tmp_path / "test_it.py"), STARTS_NODE))


def test_a_test_that_asks_for_node_by_a_helper_is_seen() -> None:
    source = "def run():\n    needs.node()\n\ndef test_a():\n    run()\n\ndef test_b(): pass\n"
    assert unmarked(source) == ["test_a"]
    assert unmarked(source.replace("def test_a", "@pytest.mark.node\ndef test_a")) == []
