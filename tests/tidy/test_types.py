"""Tests are type-checked like the rest: nothing is left out, and no module comes back in."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT_OUT = {"^build/", "^node_modules/", "^cdk.out/"}
# Fixtures type themselves, and Locust has no types; but each body is checked.
OFF = {
    "disallow_untyped_defs",
    "disallow_incomplete_defs",
    "disallow_untyped_calls",
    "disallow_untyped_decorators",
    "disallow_any_generics",
    "disallow_subclassing_any",
    "warn_return_any",
}
IGNORES_MAX = 15  # stand-ins with a part of a port, and input that is wrong on purpose


def test_no_module_is_left_out_of_the_type_check() -> None:
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    rules = [mypy, *mypy["overrides"]]
    for rule in rules:
        assert not rule.get("ignore_errors"), rule
        assert not rule.get("disable_error_code"), rule
        if rule.get("follow_imports", "normal") != "normal":
            # Parts of three libraries; that we use none is for tests/infra/test_typed_services.py.
            assert {name.split(".")[0] for name in rule["module"]} == {"aws_cdk", "moto", "stripe"}
    ours = re.compile(r"fairgate|functions|infra|tests|app\b")
    missing = [m for rule in rules if rule.get("ignore_missing_imports") for m in rule["module"]]
    assert [module for module in missing if ours.match(module)] == []
    assert set(mypy["exclude"]) == LEFT_OUT
    assert mypy["strict"]
    off = {
        (m, key) for rule in rules for m in rule.get("module", "-") for key in rule if not rule[key]
    }
    assert {key for _, key in off} == OFF
    tests = {f"{path.parent.name}.*" for path in (ROOT / "lab" / "tests").glob("*/*.py")}
    tests |= {"tests.*", "conftest"}
    assert {module for module, _ in off} == tests | {"fairgate_ops.run.crowd.locust_buyers"}


def test_the_type_check_reads_the_tests() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (command,) = re.findall(r"^\t@\$\(BIN\)/mypy (.*)$", makefile, re.MULTILINE)
    assert "tests" in command.split()


def test_errors_are_ignored_in_fewer_and_fewer_places() -> None:
    ignored = re.compile("# *type: *" + "ignore")
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    assert sum(len(ignored.findall(text)) for text in texts) <= IGNORES_MAX
    assert not any(re.search("# my" + "py:", text) for text in texts)
