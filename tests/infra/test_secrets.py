"""Each key can be read by the functions that it serves, and by no other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.functions import FUNCTIONS

from .conftest import Assembly, listed
from .test_operators import allowed

# What somebody has who takes over one of these functions.
READERS = {
    "keys": {
        *("auth", "checkout", "desk", "holds", "operator", "orders", "renewal", "sessions"),
        *("tickets", "transfers"),
    },
    "payments": {"checkout", "expiry", "jobs", "orders", "reconcile", "sweeper"},
    "tickets": {"ticketer", "tickets"},
    "addresses": {"checkout", "finder", "operator"},
    "identity": {"auth"},
}
READS = "secretsmanager:GetSecretValue"


def _reads(assembly: Assembly, function: str) -> list[dict[str, Any]]:
    stack, properties = assembly.functions()[function]
    role = properties["Role"]["Fn::GetAtt"][0]
    return [s for s in assembly.statements(stack, role) if READS in listed(s["Action"])]


def _readers(assembly: Assembly, logical_id: str) -> set[str]:
    return {
        spec.name
        for spec in FUNCTIONS
        if logical_id in json.dumps([s["Resource"] for s in _reads(assembly, spec.name)])
    }


def test_a_key_is_read_by_those_whom_it_serves(assembly: Assembly) -> None:
    secrets = assembly.keys_secrets()
    assert {name: _readers(assembly, logical) for name, (logical, _) in secrets.items()} == READERS


def test_a_function_that_nobody_signs_in_for_opens_nothing(assembly: Assembly) -> None:
    secrets = {logical: name for name, (logical, _) in assembly.keys_secrets().items()}
    (statement,) = _reads(assembly, "finder")
    (resource,) = listed(statement["Resource"])  # one secret, and no pattern
    told = json.dumps(resource)
    assert [name for logical, name in secrets.items() if logical in told] == ["addresses"]
    assert "*" not in told


@pytest.mark.parametrize("function", [spec.name for spec in FUNCTIONS if spec.secrets])
def test_a_version_before_is_read_by_nobody(assembly: Assembly, function: str) -> None:
    """The one before the newest still has the keys that have moved into other secrets."""
    current = {"ForAnyValue:StringEquals": {"secretsmanager:VersionStage": "AWSCURRENT"}}
    assert [statement["Condition"] for statement in _reads(assembly, function)] == [current]


def test_an_operator_reads_and_writes_each(assembly: Assembly) -> None:
    (statement,) = (s for s in allowed(assembly, "Operator") if READS in listed(s["Action"]))
    assert len(statement["Resource"]) == len(assembly.keys_secrets())  # type: ignore[arg-type]
