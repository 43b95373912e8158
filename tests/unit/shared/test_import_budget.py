"""Cold start: what a function's import may not drag in. The cost itself: `make bench-imports`."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

from fairgate_lab.bench import imports
from fairgate_lab.bench.imports import functions
from fairgate_ops.shared.paths import ROOT

# The X-Ray SDK alone costs half a second, boto3 twice as much as botocore's client, which is
# imported at the first call (Powertools imports the bare package), pydantic 160 ms. The others are
# imported by the one function that uses them, at the first use.
HEAVY = {"aws_xray_sdk", "boto3", "botocore.client", "pydantic", "pynamodb", "cryptography"}
HEAVY |= {"stripe", "typst"}
HEAVY |= {"awscrt", "icalendar", "jinja2", "jwt", "redis", "requests", "segno", "valkey"}

# Modules of ours and of packages that a cold start reads and runs: the present number and a tenth
# more. If you raise one, say what for. Times: `make bench-cold`.
MODULES_MAX = {
    "auditor": 130,
    "auth": 173,
    "authorizer": 10,  # the ids in its lines, and that no line names anybody
    "canary": 110,
    "catalog": 190,  # what reads the list of events by pages
    "controller": 152,  # what operators watch and its history, after each run; drafts; versions
    "desk": 237,
    "expiry": 124,  # a package for each room of the service that it passes
    "finder": 190,
    "holds": 216,
    "invalidator": 99,
    "jobs": 110,
    "operator": 198,
    "checkout": 253,  # turns at the payment provider
    "orders": 242,
    "reconcile": 136,  # loads the sweeper for its marks, invoices with it
    "renewal": 172,
    "seatmap": 198,  # whether an event is a draft
    "sessions": 236,  # which accounts may come in
    "sweeper": 145,  # a package for each room of the service that it passes; house seats
    "ticketer": 119,
    "tickets": 212,  # one way to change an order; VAT by its rates; the words of a language
    "transfers": 215,
}


@cache
def imported_by(function: str | None) -> frozenset[str]:
    """Return what a new interpreter has imported then; each is started once for all tests."""
    return frozenset(imports.imported_by(function)["modules"])


def packages_modules(function: str) -> set[str]:
    """Return what a function imports, without Python's own modules."""
    imported = imported_by(function) - imported_by(None)
    return {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}


def test_no_function_imports_more_modules_than_its_budget() -> None:
    imported = {function: len(packages_modules(function)) for function in functions()}
    assert {name: count for name, count in imported.items() if count > MODULES_MAX[name]} == {}


def test_the_budget_is_near_what_is_imported() -> None:
    # One that is far above it would let everything in.
    assert set(MODULES_MAX) == set(functions())
    assert len(packages_modules("catalog")) > MODULES_MAX["catalog"] * 0.8
    assert len(packages_modules("orders")) > MODULES_MAX["catalog"]


def test_nothing_heavy_is_imported_before_the_first_request() -> None:
    found = {function: sorted(HEAVY & imported_by(function)) for function in functions()}
    assert {name: heavy for name, heavy in found.items() if heavy} == {}
    assert "aws_lambda_powertools" in imported_by("catalog")  # the probe sees what is imported


def test_garbage_is_looked_for_seldom_while_a_function_is_imported() -> None:
    # Python's own figure is 700 or 2,000, by its version: 5 to 10 ms of a cold start.
    probe = "import gc, fairgate; print(gc.get_threshold()[0])"
    core = {"PYTHONPATH": str(ROOT / "layers/core/python")}
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, env=core
    )
    assert int(done.stdout) == 50_000
