"""What failed is run once more, alone: a test that passes then is unsteady and fails no run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.runner.throwaway import Suite
from tests.support.unsteady import total

UNSTEADY = """
import os, pathlib, pytest

@pytest.mark.parametrize("n", range({count}))
def test_at_the_second_time(n):
    once = pathlib.Path(f"{{__file__}}.{{n}}")
    if not once.exists():
        once.touch()
        print("a busy machine")
        {ends}
    print("a quiet machine")
"""
FAILS = 'raise AssertionError("not yet")'
DIES = "os._exit(3)"
GOOD = "def test_good(): pass\n"


@pytest.mark.parametrize(
    ("modules", "code", "last"),
    [
        ({"test_a": GOOD}, 0, "1 passed in"),
        ({"test_a": GOOD, "test_b": "def test_bad(): assert 0\n"}, 1, "1 failed, 1 passed in"),
        (
            {"test_a": GOOD, "test_b": UNSTEADY.format(count=3, ends=FAILS)},
            0,
            "3 unsteady, 1 passed",
        ),
        (
            {"test_a": GOOD, "test_b": UNSTEADY.format(count=4, ends=FAILS)},
            1,
            "4 unsteady, 1 passed",
        ),
        (
            {"test_a": GOOD, "test_b": UNSTEADY.format(count=1, ends=DIES)},
            0,
            "1 unsteady, 1 passed",
        ),
        ({"test_a": GOOD, "test_b": "import os\ndef test_dies(): os._exit(3)\n"}, 1, "1 failed, 1"),
        ({"test_a": f"{GOOD}def test_bad(): assert 0\n", "test_b": "import nothing"}, 1, "error"),
    ],
    ids=["good", "bad", "three", "four", "died once", "dies", "not collected"],
)
def test_what_fails_once_fails_no_run_and_what_fails_twice_does(
    tmp_path: Path, modules: dict[str, str], code: int, last: str
) -> None:
    workers = ["-n", "2", "--dist", "loadgroup", "-p", "conftest"]
    alone = "_exit" not in "".join(modules.values())
    words = ["-m", "tests.support.unsteady", "-q", *(() if alone else workers)]
    done = Suite(tmp_path, **modules).run(*words)
    said = done.stdout.splitlines()
    assert (bool(done.returncode), last in said[-1]) == (bool(code), True), done.stdout


def test_both_outputs_of_an_unsteady_test_are_shown(tmp_path: Path) -> None:
    suite = Suite(tmp_path, test_b=UNSTEADY.format(count=1, ends=FAILS))
    said = suite.run("-m", "tests.support.unsteady", "-q").stdout
    shown = said[said.index(" unsteady: test_b.py::test_at_the_second_time[0] ") :]
    first, then = shown.split("it passed, alone")
    assert first.index("AssertionError: not yet") < first.rindex("a busy machine")
    assert "a quiet machine" in then


def test_the_numbers_of_several_runs_are_summed(tmp_path: Path) -> None:
    sums = tmp_path / "sums"
    sums.write_text('[{"passed": 7, "skipped": 2}, 1.5]\n[{"failed": 1, "passed": 5}, 2.0]\n')
    assert total(sums).strip("= ") == "1 failed, 12 passed, 2 skipped in 3.50s"
