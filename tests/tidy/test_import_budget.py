"""Cold start: what a function's import may not drag in. The cost itself: `make bench-imports`."""

from __future__ import annotations

import sys
from functools import cache

import pytest

from fairgate_ops.prove.bench import imports
from fairgate_ops.prove.bench.imports import functions

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
