"""Take an ``except`` clause out of a function: the negative control of an isolation."""

from __future__ import annotations
import __future__

import ast
import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

BROAD = {"Exception", "BaseException", "DamagedItemError"}


@dataclass(frozen=True)
class Clause:
    """The ``nth`` clause of a function that catches ``caught``, counted from 1 in the source."""

    module: str
    function: str
    caught: str = "Exception"
    nth: int = 1

    def __str__(self) -> str:
        return f"{self.module}:{self.function}:{self.caught}:{self.nth}"


@contextmanager
def without(clause: Clause) -> Iterator[None]:
    """Let what the clause catches go on rising, wherever the function is called from.

    The function keeps its identity and gets other code: modules that have imported it run it, too.
    """
    module = importlib.import_module(clause.module)
    function = _function(module, clause.function)
    kept = function.__code__
    function.__code__ = _changed(module, clause).__code__
    try:
        yield
    finally:
        function.__code__ = kept


def clauses_of(module: str, path: Path) -> Iterator[Clause]:
    """Every clause of a module that catches something broad."""
    for name, definition in _definitions(ast.parse(path.read_text("utf-8"))):
        counted: dict[str, int] = {}
        for handler in _handlers(definition):
            caught = "BaseException" if handler.type is None else ast.unparse(handler.type)
            counted[caught] = counted.get(caught, 0) + 1
            if caught in BROAD:
                yield Clause(module, name, caught, counted[caught])


Definition = ast.FunctionDef | ast.AsyncFunctionDef


def _definitions(tree: ast.Module) -> Iterator[tuple[str, Definition]]:
    for node in tree.body:
        if isinstance(node, Definition):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, Definition):
                    yield f"{node.name}.{part.name}", part


def _handlers(definition: Definition) -> list[ast.ExceptHandler]:
    found = [node for node in ast.walk(definition) if isinstance(node, ast.ExceptHandler)]
    return sorted(found, key=lambda handler: handler.lineno)


@cache
def _changed(module: ModuleType, clause: Clause) -> Any:
    """The function's code with the clause raising again at once."""
    tree = ast.parse(inspect.getsource(module))
    definition = dict(_definitions(tree))[clause.function]
    handlers = [
        handler
        for handler in _handlers(definition)
        if handler.type is not None and ast.unparse(handler.type) == clause.caught
    ]
    handlers[clause.nth - 1].body = [ast.Raise()]
    definition.decorator_list = []
    alone = ast.fix_missing_locations(ast.Module([definition], type_ignores=[]))
    flags = __future__.annotations.compiler_flag
    made: dict[str, Any] = {}
    exec(compile(alone, str(module.__file__), "exec", flags=flags), module.__dict__, made)  # noqa: S102 our own source
    return made[definition.name]


def _function(module: ModuleType, qualified: str) -> FunctionType:
    owner: Any = module
    *classes, name = qualified.split(".")
    for part in classes:
        owner = vars(owner)[part]
    function = vars(owner)[name]
    function = inspect.unwrap(getattr(function, "__func__", function))
    assert isinstance(function, FunctionType), qualified
    return function
