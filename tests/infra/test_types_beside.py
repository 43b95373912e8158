"""`make test` checks types beside lint and tests: each failure is its own and none is hidden."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from .conftest import ROOT

RULES = """
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
{define}
.PHONY: typecheck lint .pytest_cache/.compiled whole
typecheck:
	@echo "types: looked"; exit {types}
lint:
	@echo "lint: looked"; exit {lint}
.pytest_cache/.compiled:
	@echo "compiled"
whole:
	@$(call beside_types,bash -c 'echo "tests: ran"; exit {tests}')
"""


def makefile() -> str:
    return (ROOT / "Makefile").read_text("utf-8")


def run(folder: Path, *, types: int, tests: int, lint: int = 0) -> subprocess.CompletedProcess[str]:
    [define] = re.findall(r"^define beside_types\n.*?^endef$", makefile(), re.MULTILINE | re.DOTALL)
    rules = folder / "Makefile"
    rules.write_text(RULES.format(define=define, types=types, tests=tests, lint=lint))
    return subprocess.run(
        ["make", "--no-print-directory", "-C", str(folder), "whole", f"MAKE=make -C {folder}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("types", "tests", "fails"), [(0, 0, False), (1, 0, True), (0, 1, True), (1, 2, True)]
)
def test_both_are_run_and_the_failure_of_one_fails_the_whole(
    tmp_path: Path, types: int, tests: int, fails: bool
) -> None:
    done = run(tmp_path, types=types, tests=tests)
    assert (done.returncode != 0) is fails, done
    said = done.stdout
    assert said.index("tests: ran") < said.index("types: looked")  # whichever ended first
    assert said.count("types: looked") == 1
    assert said.index("lint: looked") < said.index("compiled") < said.index("tests: ran")


def test_no_test_is_run_and_types_are_said_when_lint_fails(tmp_path: Path) -> None:
    done = run(tmp_path, types=0, tests=0, lint=1)
    assert done.returncode != 0
    assert "types: looked" in done.stdout
    assert "tests: ran" not in done.stdout


@pytest.mark.parametrize("target", ["test", "test-long"])
def test_make_checks_lint_and_types_whenever_it_runs_all_tests(target: str) -> None:
    [recipe] = re.findall(rf"^{target}: .* ##.*\n\t(.*)$", makefile(), re.MULTILINE)
    assert recipe.startswith("@$(call beside_types,")
    assert "-m pytest" in recipe
