"""`make test` checks types beside lint and tests: any failure fails it, and all are shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fairgate_ops.shared.paths import ROOT

RULES = r"""
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
	@$(call beside_types,{python} -c "print('tests: ran'); exit({tests})")
"""


@pytest.mark.parametrize(
    ("lint", "types", "tests"), [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 2), (1, 0, 0)]
)
def test_the_failure_of_one_fails_the_whole_and_each_is_shown(
    tmp_path: Path, lint: int, types: int, tests: int
) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    [define] = re.findall(r"^define beside_types\n.*?^endef$", makefile, re.MULTILINE | re.DOTALL)
    ends = {"lint": lint, "types": types, "tests": tests}
    rules = RULES.format(define=define, python=sys.executable, **ends)
    (tmp_path / "Makefile").write_text(rules)
    command = [
        "make",
        "--no-print-directory",
        "-C",
        str(tmp_path),
        "whole",
        f"MAKE=make -C {tmp_path}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode != 0) is any(ends.values()), done
    assert done.stdout.count("lint: looked") == done.stdout.count("types: looked") == 1
    assert ("tests: ran" in done.stdout) == (not lint)
