"""A function's rights are those that its code can use: no call without one, none without a call.

What a handler can reach is read from the source: the modules that it imports, and theirs, and in
them each call that names its table. A module that is imported for something else counts too, so
what is loaded but never called is listed here.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from fairgate.ports.record import Record
from fairgate.ports.world import SECRET_OF, SecretName
from fairgate.service.shared import records
from infra.functions import FUNCTIONS, FunctionSpec

from .conftest import ROOT

CORE = ROOT / "layers/core/python"
# Calls of the Table port that name the kind of record they read, and so its table.
CALLS = {"find": "GetItem", "query": "Query", "pages": "Query", "find_many": "BatchGetItem"}
# Those that name several kinds, all of which their module imports.
SEVERAL = {"find_each": "BatchGetItem", "partition": "Query"}
# Of service/shared/readable.py: the table, then the kind.
READABLE = {
    "read_readable": "Query",
    "readable_pages": "Query",
    "find_many_readable": "BatchGetItem",
}
# Of CatalogReader, which the root composes.
CATALOG = {
    "known": "GetItem",
    "event": "GetItem",
    "published": "GetItem",
    "all": "Query",
}
# Of CurrentEvents, which it composes too.
CURRENT = {("catalog", "dynamodb:Query", False), ("catalog", "dynamodb:BatchGetItem", False)}
# Modules that read a whole table past the port.
_SCAN: set[Access] = {("reservations", "dynamodb:Scan", False)}
WHOLE = {
    "ops/fairgate_ops/operate/cancel_event/walk.py": _SCAN,
    "ops/fairgate_ops/operate/audit/export.py": _SCAN,
    "ops/fairgate_ops/operate/tables.py": _SCAN,
    "ops/fairgate_ops/operate/laws/read_tables.py": _SCAN | {("seats", "dynamodb:Scan", False)},
}
# Parts of a transaction that name their table.
PARTS = {"Update": "UpdateItem", "Delete": "DeleteItem", "Check": "ConditionCheckItem"}
# Of the writer of seats, service/catalog/event_rows.py.
ROWS = {"put_many": ("PutItem",), "remove_others": ("DeleteItem", "Scan")}
TABLES = {"seats", "reservations", "catalog"}
Access = tuple[str, str, bool]  # table, action, on the index


def _descendants(base: type[Record]) -> Iterator[type[Record]]:
    for module in pkgutil.iter_modules(records.__path__):
        importlib.import_module(f"{records.__name__}.{module.name}")
    for kind in base.__subclasses__():
        if kind.__module__.startswith(records.__name__):
            yield from (kind, *_descendants(kind))


RECORDS = {kind.__name__: kind.table for kind in _descendants(Record)}

# Loaded with a helper of the same module, never called by this function.
NOT_CALLED: dict[str, set[Access]] = {
    # sweep_cursors.py and due.py: how far the sweeper got and what is due, without writing it
    "auditor": {
        ("reservations", "dynamodb:UpdateItem", False),
        ("reservations", "dynamodb:PutItem", False),
    },
    # create_event.py and its writer of rows: a target can create events
    "jobs": {
        ("catalog", "dynamodb:ConditionCheckItem", False),
        ("catalog", "dynamodb:DeleteItem", False),
        ("seats", "dynamodb:DeleteItem", False),
        ("seats", "dynamodb:PutItem", False),
    },
    # issue_tickets.py: a ticket's face, without issuing it
    "tickets": {("reservations", "dynamodb:UpdateItem", False)},
}

# The same of ports: orders reconcile and the sending of refunds, which the sweeper does for it.
# And what creates events and mails buyers, which no job does.
NOT_ASKED = {"operator": {"payments"}, "jobs": {"layouts", "mail_queue"}}
# And of secrets: checks that only the command makes.
NOT_READ = {"operator": {"payments", "tickets"}, "jobs": {"keys", "tickets"}}


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but what only type checkers see."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            skipped.update(ast.walk(node))
    return (node for node in ast.walk(tree) if node not in skipped)


def _imports(tree: ast.AST) -> set[str]:
    """Modules imported at run time."""
    found: set[str] = set()
    for node in _at_run_time(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def _file(module: str) -> Path | None:
    root = CORE if module.startswith("fairgate.") else ROOT / "ops"
    path = root / (module.replace(".", "/") + ".py")
    ours = module.startswith(("fairgate.", "fairgate_ops."))
    return path if ours and path.is_file() else None


@functools.cache
def _accesses(path: Path) -> frozenset[Access]:
    """What a module asks of the tables: each read names its kind, each Put a record made here."""
    found: set[Access] = set()
    tree = ast.parse(path.read_text())
    kinds = {
        alias.name: RECORDS[alias.name]
        for node in _at_run_time(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in RECORDS
    }
    puts = "Put.of(" in path.read_text()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        *owner, name = ast.unparse(node.func).split(".")
        if name in CATALOG and owner and owner[-1].endswith("catalog"):
            found.add(("catalog", f"dynamodb:{CATALOG[name]}", False))
        if name == "read" and owner and owner[-1] in ("current_events", "unswept_events"):
            found |= CURRENT
        first = node.args[0] if node.args else None
        second = node.args[1] if len(node.args) > 1 else None
        if name in READABLE and isinstance(second, ast.Name) and second.id in RECORDS:
            index = any(keyword.arg == "index" for keyword in node.keywords)
            found.add((RECORDS[second.id], f"dynamodb:{READABLE[name]}", index))
        if name in CALLS and isinstance(first, ast.Name) and first.id in RECORDS:
            index = any(keyword.arg == "index" for keyword in node.keywords)
            found.add((RECORDS[first.id], f"dynamodb:{CALLS[name]}", index))
        if name in SEVERAL and owner and owner[-1].endswith("table"):
            found |= {(table, f"dynamodb:{SEVERAL[name]}", False) for table in kinds.values()}
        found |= _written(name, first)
        if name in kinds and puts:  # made here, to be put
            found.add((kinds[name], "dynamodb:PutItem", False))
    return frozenset(found | WHOLE.get(path.relative_to(ROOT).as_posix(), set()))


def _written(name: str, first: ast.AST | None) -> set[Access]:
    """What a part of a transaction needs, or the writer of seats."""
    if name in PARTS and isinstance(first, ast.Constant) and first.value in TABLES:
        return {(str(first.value), f"dynamodb:{PARTS[name]}", False)}
    return {("seats", f"dynamodb:{action}", False) for action in ROWS.get(name, ())}


def _reached(function: str) -> set[Path]:
    """The handler and all of the project's modules that it loads.

    The composition root and the adapters do what is asked of them, and say nothing about a
    function; nor does the catalogue's reader, whose callers are counted instead.
    """
    silent = {"bootstrap.py", "read_catalog.py"}
    waiting = [ROOT / "functions" / function / "handler.py"]
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for module in _imports(ast.parse(path.read_text())):
            file = _file(module)
            if file and file.name not in silent and "adapters" not in file.parts:
                waiting.append(file)
    return reached


def _used(function: str) -> set[Access]:
    return {access for path in _reached(function) for access in _accesses(path)}


def _ports(function: str) -> set[str]:
    """The parts of the world that the code asks the composition root for."""
    text = "\n".join(path.read_text() for path in _reached(function))
    return set(re.findall(r"(?:\bworld|\bcontainer(?:\(\))?)\.([a-z_]+)", text))


def _writes_layouts(function: str) -> bool:
    return any("layouts.write" in path.read_text() for path in _reached(function))


# Whose adapter reads a secret: these are made by the root, which says nothing about a function.
ADAPTERS: dict[str, SecretName] = {"payments": "payments", "identity": "identity"}
METHODS = {"sign_in": "keys", **{name: name for name in get_args(SecretName)}}


def _secrets_read(function: str) -> set[str]:
    """By the methods of the store of secrets that the code calls, and by the ports it asks for."""
    text = "\n".join(path.read_text() for path in _reached(function))
    called = re.findall(r"\bsecrets\.([a-z_]+)\(\)", text)
    asked = _ports(function) & ADAPTERS.keys()
    read = {METHODS[method] for method in called} | {ADAPTERS[port] for port in asked}
    return read - NOT_READ.get(function, set())


def _granted(spec: FunctionSpec) -> set[Access]:
    return {(g.table, action, g.index) for g in spec.grants for action in g.actions}


@pytest.mark.parametrize("spec", FUNCTIONS, ids=lambda spec: spec.name)
def test_every_call_has_its_right_when_the_function_makes_it(spec: FunctionSpec) -> None:
    assert _used(spec.name) - NOT_CALLED.get(spec.name, set()) <= _granted(spec)


@pytest.mark.parametrize("spec", FUNCTIONS, ids=lambda spec: spec.name)
def test_no_right_is_granted_when_no_code_uses_it(spec: FunctionSpec) -> None:
    assert _granted(spec) <= _used(spec.name)


def test_exceptions_are_still_loaded_and_not_granted_when_listed() -> None:
    granted = {spec.name: _granted(spec) for spec in FUNCTIONS}
    for name, accesses in NOT_CALLED.items():
        assert accesses <= _used(name), name
    for name, ports in NOT_ASKED.items():
        assert ports <= _ports(name), name
    for name, accesses in NOT_CALLED.items():
        assert not accesses & granted[name], name


@pytest.mark.parametrize("spec", FUNCTIONS, ids=lambda spec: spec.name)
def test_function_is_given_the_services_that_its_code_asks_for(spec: FunctionSpec) -> None:
    asked = _ports(spec.name) - NOT_ASKED.get(spec.name, set())
    assert spec.cache == bool(asked & {"cache", "availability"})
    assert set(spec.secrets) == _secrets_read(spec.name)
    assert spec.front_door == ("front_door" in asked)
    assert not asked & {"edge_config"}  # GateValues alone reaches the KeyValueStore
    ways = {"gate": "read", "gate_values": "write"}
    assert spec.gate == "".join(ways[port] for port in sorted(asked & ways.keys()))
    assert spec.reminds == ("expiry_queue" in asked)
    assert spec.posts == ("mail_queue" in asked)
    assert spec.asks_for_tickets == ("ticket_queue" in asked)
    assert bool(spec.layouts) == ("layouts" in asked)
    assert (spec.layouts == "write") == ("layouts" in asked and _writes_layouts(spec.name))
    assert spec.jobs == ("job_queue" in asked)
    ways = {"operator": "read", "jobs": "write"}
    assert spec.job_files == (ways[spec.name] if "job_files" in asked else "")
    assert spec.pages == ("site" in asked)
    assert spec.mail == ("mailer" in asked)
    assert spec.identity == ("identity" in asked)
    assert spec.payments == ("payments" in asked)


def test_the_guide_says_which_function_reads_which_secret() -> None:
    page = (ROOT / "docs/deploying.md").read_text("utf-8")
    table = page.partition("| secret `fairgate/<stage>/…` |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \|.*\| (.+) \|$", table, re.MULTILINE)
    said = {secret: set(re.findall(r"`(\w+)`", readers)) for secret, readers in rows}
    named = set(SECRET_OF.values())
    assert said == {name: {f.name for f in FUNCTIONS if name in f.secrets} for name in named}
