"""Cold start: what a function's import may not drag in. The cost itself: `make bench-imports`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache

import pytest

from fairgate_lab.bench import imports
from fairgate_lab.bench.imports import functions
from fairgate_ops.shared.paths import ROOT

# The X-Ray SDK alone costs half a second; boto3 twice what botocore's client does, which itself
# waits for the first call (Powertools imports the bare package); pydantic 160 ms; the rest belongs
# to the one function that uses it, lazily.
HEAVY = {"aws_xray_sdk", "boto3", "botocore.client", "pydantic", "pynamodb", "cryptography"}
HEAVY |= {"PIL", "reportlab", "stripe"}
HEAVY |= {"awscrt", "icalendar", "jinja2", "jwt", "redis", "requests", "segno", "valkey"}

# Modules of ours and of packages, each of which a cold start reads and runs: what stands here now,
# and a tenth more. Whoever raises one says what it buys. Times: `make bench-cold`.
MODULES_MAX = {
    "auth": 173,
    "authorizer": 10,  # the ids in its lines, and that no line names anybody
    "catalog": 172,
    "controller": 140,  # what operators watch, at the end of each run
    "desk": 235,
    "expiry": 117,  # the number by which a refund is sent
    "finder": 190,
    "holds": 216,
    "invalidator": 99,
    "operator": 198,
    "orders": 249,
    "reconcile": 136,  # loads the sweeper for its marks, invoices with it
    "renewal": 172,
    "seatmap": 197,
    "sessions": 234,
    "sweeper": 127,  # invoices and credit notes
    "ticketer": 119,
    "tickets": 204,
    "transfers": 215,
}


@cache
def imported_by(function: str | None) -> frozenset[str]:
    """What an interpreter of its own has imported then: each is started once for all tests."""
    return frozenset(imports.imported_by(function)["modules"])


def packages_modules(function: str) -> set[str]:
    """What a function imports beside Python's own modules."""
    imported = imported_by(function) - imported_by(None)
    return {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}


@pytest.mark.parametrize("function", functions())
def test_a_function_imports_no_more_modules_than_its_budget(function: str) -> None:
    imported = packages_modules(function)
    assert "fairgate" in imported
    assert len(imported) <= MODULES_MAX[function]


def test_the_budget_is_near_what_is_imported() -> None:
    # One that is far above it would let everything in.
    assert set(MODULES_MAX) == set(functions())
    assert len(packages_modules("catalog")) > MODULES_MAX["catalog"] * 0.8
    assert len(packages_modules("orders")) > MODULES_MAX["catalog"]


@pytest.mark.parametrize("function", functions())
def test_nothing_heavy_is_imported_before_the_first_request(function: str) -> None:
    assert HEAVY & imported_by(function) == set()


def test_the_probe_sees_what_is_imported() -> None:
    assert "aws_lambda_powertools" in imported_by("catalog")


# To make a dataclass costs half a millisecond of a cold start, forty times a Struct
# (docs/adr/0038-structs-not-dataclasses.md). These are made all the same, and why.
DATACLASSES = {
    "CheckoutBegun": "that a key was answered before is no part of what is compared",
    "Difference": "nor is the request that it was seen in",
    "_Search": "what it reads when it begins is no argument of it",
}


def dataclasses_of(source: str) -> set[str]:
    """The classes of a module that are made dataclasses."""
    return {
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if "dataclass" in ast.unparse(decorator)
    }


def test_what_a_function_may_import_makes_no_dataclass_without_a_reason() -> None:
    core = ROOT / "layers/core/python/fairgate"
    fakes = core / "adapters/memory"  # no function has them
    files = [*core.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    shipped = [file for file in files if fakes not in file.parents]
    made = set().union(*(dataclasses_of(file.read_text("utf-8")) for file in shipped))
    assert made == set(DATACLASSES)


def test_what_a_function_may_import_asks_no_dataclass_of_a_struct() -> None:
    # dataclasses.replace and its like take a Struct for mypy, and fail on it.
    core = ROOT / "layers/core/python/fairgate"
    wrong = re.compile(r"from dataclasses import .*\b(asdict|astuple|fields|replace)\b")
    files = [*core.rglob("*.py"), *(ROOT / "functions").rglob("*.py")]
    assert [file.name for file in files if wrong.search(file.read_text("utf-8"))] == []


def test_the_search_sees_each_way_to_make_one() -> None:
    for decorator in ("dataclass", "dataclass(frozen=True)", "dataclasses.dataclass(slots=True)"):
        assert dataclasses_of(f"@{decorator}\nclass One:\n    a: int\n") == {"One"}
    assert dataclasses_of("class One(Struct, frozen=True):\n    a: int\n") == set()


def test_garbage_is_looked_for_seldom_while_a_function_is_imported() -> None:
    # Python's own figure is 700 or 2,000, by its version: 5 to 10 ms of a cold start.
    probe = "import gc, fairgate; print(gc.get_threshold()[0])"
    core = {"PYTHONPATH": str(ROOT / "layers/core/python")}
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=core
    )
    assert int(done.stdout) == 50_000
