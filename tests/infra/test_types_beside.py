"""`make test` checks types beside lint and tests: each failure is its own and none is hidden."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from .conftest import ROOT

RULES = r"""
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
{define}
.PHONY: typecheck lint .pytest_cache/.compiled whole
typecheck:
	@sleep {types_s}; echo "types: looked"; exit {types}
lint:
	@echo "lint: looked"; exit {lint}
.pytest_cache/.compiled:
	@echo "compiled"
whole:
	@$(call beside_types,{python} tests.py)
"""
TESTS = """
import sys, time
try:
    print("tests: ran", flush=True)
    time.sleep({tests_s})
except KeyboardInterrupt:
    sys.exit(2)  # as pytest does
sys.exit({tests})
"""
LONG_S = 600


def makefile() -> str:
    return (ROOT / "Makefile").read_text("utf-8")


def write_rules(folder: Path, **ends: int) -> None:
    [define] = re.findall(r"^define beside_types\n.*?^endef$", makefile(), re.MULTILINE | re.DOTALL)
    ends = {"types": 0, "types_s": 0, "tests": 0, "tests_s": 0, "lint": 0} | ends
    (folder / "tests.py").write_text(TESTS.format(**ends))
    rules = RULES.format(define=define, python=sys.executable, **ends)
    (folder / "Makefile").write_text(rules)


def command_in(folder: Path) -> list[str]:
    return ["make", "--no-print-directory", "-C", str(folder), "whole", f"MAKE=make -C {folder}"]


def run(folder: Path, *, types: int, tests: int, lint: int = 0) -> subprocess.CompletedProcess[str]:
    write_rules(folder, types=types, tests=tests, lint=lint)
    return subprocess.run(
        command_in(folder),
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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_is_interrupted_waits_for_nothing_and_leaves_nothing(
    tmp_path: Path, number: signal.Signals
) -> None:
    write_rules(tmp_path, types_s=LONG_S, tests_s=LONG_S)
    files = {path.name for path in tmp_path.iterdir()}
    with subprocess.Popen(
        command_in(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,  # as a terminal's: Ctrl-C is for all of the group
    ) as whole:
        try:
            assert whole.stdout is not None
            for line in whole.stdout:
                if "tests: ran" in line:
                    break
            os.killpg(whole.pid, number)
            whole.communicate(timeout=LONG_S / 10)  # until the shell has ended, too
            assert whole.returncode != 0
            assert {path.name for path in tmp_path.iterdir()} == files
        finally:
            with suppress(ProcessLookupError):
                os.killpg(whole.pid, signal.SIGKILL)


@pytest.mark.parametrize("target", ["test", "test-long"])
def test_make_checks_lint_and_types_whenever_it_runs_all_tests(target: str) -> None:
    [recipe] = re.findall(rf"^{target}: .* ##.*\n\t(.*)$", makefile(), re.MULTILINE)
    assert recipe.startswith("@$(call beside_types,")
    assert "-m pytest" in recipe
