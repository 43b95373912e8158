"""A test that ends its worker fails once, and the lists of tests that stay together are right."""

from __future__ import annotations

from pathlib import Path

from fairgate_ops.shared.paths import ROOT
from tests.runner.throwaway import Suite
from tests.support.workers import AFTERWARDS, EACH_ALONE, LONG, OPERATED, WAITING, group_of

CRASHES = """
import os, pytest

@pytest.mark.parametrize("n", range(3))
def test_it(n):
    if (__file__[-4], n) == ("b", 1):
        os._exit(3)
"""


def test_a_test_that_ends_its_worker_fails_once_and_all_others_run(tmp_path: Path) -> None:
    suite = Suite(tmp_path, **dict.fromkeys(("test_a", "test_b", "test_c"), CRASHES))
    done = suite.run("-m", "pytest", "-p", "conftest", "-n", "2", "--dist", "loadgroup")
    assert "1 failed, 8 passed" in done.stdout, done.stdout
    assert "test_b.py::test_it[1]" in done.stdout


def test_every_test_that_is_named_is_there_and_makes_a_group() -> None:
    for path in (*OPERATED, *AFTERWARDS, *EACH_ALONE, *LONG, *WAITING):
        module, _, name = path.partition("::")
        assert (ROOT / module).exists(), path
        assert f"\n\ndef {name}" in (ROOT / module).read_text("utf-8") if name else True, path
        if path in (*LONG, *WAITING):  # else no group is called so
            assert group_of(path if name else f"{path}::x") == path
