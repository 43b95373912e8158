"""Finds names of modules that nothing but tests refers to."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SOURCES = ("app.py", "layers", "functions", "ops", "infra", "lab/fairgate_lab")


def sources(root: Path) -> Iterator[Path]:
    for name in SOURCES:
        path = root / name
        yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def unused_names(root: Path) -> dict[str, str]:
    """``path::name`` of what no source names outside its own definition, with the line.

    By name alone, wherever it stands: two things of one name keep each other alive.
    """
    trees = {path: ast.parse(path.read_text("utf-8"), str(path)) for path in sources(root)}
    named: Counter[str] = Counter()
    for tree in trees.values():
        named.update(_named(tree))
    found = {}
    for path, tree in trees.items():
        for name, node in _defined(tree):
            if named[name] > Counter(_named(node))[name] or _called_from_outside(name, node, path):
                continue
            found[f"{path.relative_to(root).as_posix()}::{name}"] = f"line {node.lineno}"
    return found


def _defined(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Every function, class and constant of the module, also under a condition."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node
            case ast.ClassDef(name=name):
                yield name, node
            case ast.Assign(targets=targets):
                for target in targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name):
                            yield part.id, node
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node
            case ast.If(body=body, orelse=orelse):
                waiting += [*body, *orelse]
            case _:
                pass


def _named(tree: ast.AST) -> Iterator[str]:
    """Every name that is read, imported or asked of something."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.Constant(value=str(text)) if ":" in text or "." in text:
                yield text.replace(":", ".").rpartition(".")[2]  # "package.module:name"
            case _:
                pass


def _called_from_outside(name: str, node: ast.stmt, path: Path) -> bool:
    """Whether a runtime calls it: Lambda its handler, Powertools a route, Python a dunder name."""
    decorators = getattr(node, "decorator_list", [])
    return (
        (name == "handler" and path.name == "handler.py")
        or (name.startswith("__") and name.endswith("__"))
        or any(ast.unparse(decorator).startswith("app.") for decorator in decorators)
    )
