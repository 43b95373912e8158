"""Tests that share a server or a system run on one worker, all others wherever there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.workers import BY_MODULE, EACH_ALONE, TOGETHER, group_of

ROOT = Path(__file__).parents[2]
TESTS = """
import os, pathlib, pytest

@pytest.mark.parametrize("n", range(6))
def test_it(n):
    seen = pathlib.Path(os.environ["SEEN"])
    with (seen / pathlib.Path(__file__).stem).open("a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")
"""


def workers_of(folder: Path, *plugin: str) -> set[str]:
    """Run two modules of one group with two workers; those that ran any of it."""
    group = folder / "tests" / "e2e"
    group.mkdir(parents=True)
    for name in ("test_a", "test_b"):
        (group / f"{name}.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    paths = [str(ROOT / part) for part in ("", "ops", "layers/core/python")]
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *plugin),
            *("-p", "no:hypothesispytest", "-p", "no:cacheprovider", "tests"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SEEN": str(folder)},
        check=True,
        capture_output=True,
        timeout=120,
    )
    return {word for seen in folder.glob("test_*") for word in seen.read_text().split()}


def test_one_worker_runs_what_shares_a_system(tmp_path: Path) -> None:
    assert len(workers_of(tmp_path / "ours", "-p", "tests.conftest")) == 1
    assert len(workers_of(tmp_path / "plain")) == 2


@pytest.mark.parametrize("path", [*TOGETHER, *BY_MODULE, *EACH_ALONE])
def test_what_is_grouped_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_modules_with_servers_stay_whole_and_others_are_shared() -> None:
    one, other = "tests/edge/test_nginx_edge.py::a", "tests/edge/test_nginx_edge.py::b[x::y]"
    assert group_of(one) == group_of(other) != group_of("tests/edge/test_web_pages.py::a")
    parts = [f"tests/edge/test_fuzz_gate.py::a[{part}]" for part in range(3)]
    assert len({group_of(part) for part in parts}) == 3
    assert group_of("tests/unit/holds/test_a.py::a") != group_of("tests/unit/holds/test_a.py::b")


def test_make_asks_for_groups() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    for line in (
        line for line in lines if "-m pytest -n" in line and "test_sale_machine" not in line
    ):
        assert "--dist loadgroup" in line
