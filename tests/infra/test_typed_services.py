"""Each service of the CDK that is used here is read by mypy; the others are not, to save time.

A service that its list in pyproject.toml lacks would be ``Any`` to mypy, and every call right.
"""

from __future__ import annotations

import ast
import fnmatch
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT

CDK = "aws_cdk"
SOURCES = [ROOT / "app.py", *(ROOT / "infra").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]


def overrides() -> list[dict[str, Any]]:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    return list(found["overrides"])


def read_by_mypy() -> set[str]:
    """Patterns of the CDK's modules that mypy follows although it follows no other."""
    [read] = [each for each in overrides() if each.get("follow_imports") == "normal"]
    return set(read["module"])


def used(source: str) -> Iterator[str]:
    """Every module of the CDK that is imported, whatever stands around the import."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == CDK)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == CDK:
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names if _is_module(alias))


def _is_module(alias: ast.alias) -> bool:
    return alias.name.startswith("aws_") or alias.name == "assertions"


def missing(source: str) -> set[str]:
    patterns = read_by_mypy()
    return {
        name
        for name in used(source)
        if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
    }


def test_each_service_that_is_used_is_read_by_mypy() -> None:
    found = {str(path.relative_to(ROOT)): missing(path.read_text("utf-8")) for path in SOURCES}
    assert {name: services for name, services in found.items() if services} == {}


def test_no_service_is_read_that_nobody_uses() -> None:
    everything = {name for path in SOURCES for name in used(path.read_text("utf-8"))}
    services = {name for name in read_by_mypy() if not name.endswith("*")}
    assert services - everything == set()


def test_each_name_in_the_list_is_a_module() -> None:
    package = find_spec(CDK)
    assert package is not None
    assert package.origin is not None
    for name in read_by_mypy():
        parts = name.removesuffix(".*").split(".")[1:]
        assert Path(package.origin).parent.joinpath(*parts, "__init__.py").is_file(), name


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("from aws_cdk import aws_rds as rds", {"aws_cdk.aws_rds"}),
        ("def f():\n    import aws_cdk.aws_rds", {"aws_cdk.aws_rds"}),
        ("from aws_cdk.aws_rds import Cluster", {"aws_cdk.aws_rds"}),
        ("from aws_cdk import Stack, aws_sqs as sqs", set()),
        ("from aws_cdk.interfaces.aws_kms import IKeyRef", set()),
    ],
)
def test_a_service_that_is_missing_is_noticed(source: str, lacks: set[str]) -> None:
    assert missing(source) == lacks
