"""Each service that is used here is read by mypy; others of the same library are not, to save time.

A service that its list in pyproject.toml lacks would be ``Any`` to mypy, and every call right.
"""

from __future__ import annotations

import ast
import fnmatch
import re
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT

CDK = "aws_cdk"
INTERFACES = "interfaces"
CHOSEN = (CDK, "moto")  # of these mypy follows what is listed
FOLDERS = ("infra", "layers/core/python", "functions", "ops", "tests", "lab")
SOURCES = [ROOT / "app.py", *(path for name in FOLDERS for path in (ROOT / name).rglob("*.py"))]


def overrides() -> list[dict[str, Any]]:
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    return list(found["overrides"])


def read_by_mypy() -> set[str]:
    """Patterns of the modules that mypy follows although it follows no other of their libraries."""
    [read] = [each for each in overrides() if each.get("follow_imports") == "normal"]
    return set(read["module"])


def used(source: str) -> Iterator[str]:
    """Every module of these libraries that is imported, whatever stands around the import."""
    if not any(library in source for library in CHOSEN):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_chosen(alias.name))
        elif isinstance(node, ast.ImportFrom) and _is_chosen(node.module or ""):
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names if _is_module(alias))


def _is_chosen(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] in CHOSEN


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


def services() -> set[str]:
    """Those of the CDK's modules that mypy reads for our own sake."""
    return {name for name in read_by_mypy() if name.startswith(CDK) and INTERFACES not in name}


def test_no_service_is_read_that_nobody_uses() -> None:
    everything = {name for path in SOURCES for name in used(path.read_text("utf-8"))}
    assert services() - everything == set()


def test_what_a_service_says_of_others_is_read_and_no_more() -> None:
    named = {
        found
        for name in services()
        for found in re.findall(rf"import ({CDK}\.{INTERFACES}\.\w+)", text_of(name))
    }
    read = {name for name in read_by_mypy() if INTERFACES in name}
    assert read == named | {f"{CDK}.{INTERFACES}"}


def text_of(module: str) -> str:
    return (folder_of(module) / "__init__.py").read_text("utf-8")


def folder_of(module: str) -> Path:
    """Where the library has it; nothing of it is imported."""
    library, *parts = module.split(".")
    package = find_spec(library)
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent.joinpath(*parts)


def test_each_name_in_the_list_is_a_module() -> None:
    for name in read_by_mypy():
        folder = folder_of(name.removesuffix(".*"))
        assert (folder / "__init__.py").is_file() or folder.with_suffix(".py").is_file(), name


def test_nobody_uses_a_product_of_stripe_that_mypy_leaves_out() -> None:
    [left_out] = [each["module"] for each in overrides() if each.get("follow_imports") == "skip"]
    products = {name.split(".")[-2] for name in left_out if name.startswith("stripe.")}
    assert products == {"v2", "issuing", "terminal", "test_helpers", "treasury"}
    asked = re.compile(rf"\b(?:stripe|client|params|v1)\.(?:{'|'.join(products)})\b")
    assert asked.search("self._client.v1.issuing.cards")
    found = [path for path in SOURCES if asked.search(path.read_text("utf-8"))]
    assert [path for path in found if path != Path(__file__)] == []


@pytest.mark.parametrize(
    ("source", "lacks"),
    [
        ("from aws_cdk import aws_rds as rds", {"aws_cdk.aws_rds"}),
        ("def f():\n    import aws_cdk.aws_rds", {"aws_cdk.aws_rds"}),
        ("from aws_cdk.aws_rds import Cluster", {"aws_cdk.aws_rds"}),
        ("from aws_cdk import Stack, aws_sqs as sqs", set()),
        ("from aws_cdk.interfaces.aws_kms import IKeyRef", set()),
        ("from moto.dynamodb.models import Table", set()),
        ("from moto.s3.models import FakeBucket", {"moto.s3.models"}),
    ],
)
def test_a_service_that_is_missing_is_noticed(source: str, lacks: set[str]) -> None:
    assert missing(source) == lacks
