"""What a run skipped is said once for each reason, and never left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import skip_lines

ROOT = Path(__file__).parents[2]
SKIPPING = (
    "import pytest\n\n"
    "@pytest.mark.parametrize('n', range(3))\n"
    "def test_a(n): pytest.skip('no server here')\n"
    "@pytest.mark.skipif(True, reason='no Node here')\n"
    "def test_b(): pass\n"
)


def test_a_reason_has_one_line_with_its_count_when_many_tests_skip() -> None:
    lines = skip_lines(["Skipped: no server", "Skipped: no Node", "Skipped: no server"])
    assert lines == ["    2 × no server", "    1 × no Node"]


def test_the_sums_stand_at_the_end_of_a_run(tmp_path: Path) -> None:
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    ran = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "tests.conftest",
                "-p",
                "no:cacheprovider",
            ),
            *("-p", "tests.conftest", "--rootdir", str(tmp_path), "-c", os.devnull, str(tmp_path)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "4 skipped" in ran.stdout
    assert "3 × no server here" in ran.stdout
    assert "1 × no Node here" in ran.stdout
