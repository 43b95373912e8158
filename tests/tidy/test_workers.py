"""Tests that share a server or a system run on one worker, all others wherever there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

import pytest

from tests.support.workers import (
    AFTERWARDS,
    EACH_ALONE,
    LONG,
    OPERATED,
    TOGETHER,
    WAITING,
    Scheduling,
    group_of,
)

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


@pytest.mark.parametrize("path", [*TOGETHER, *OPERATED, *AFTERWARDS, *EACH_ALONE, *LONG, *WAITING])
def test_what_is_grouped_is_there(path: str) -> None:
    module, _, name = path.partition("::")
    assert (ROOT / module).exists()
    assert path not in LONG or group_of(path) == path  # else no group is called so
    assert f"def {name}(" in (ROOT / module).read_text("utf-8") if name else True


def test_modules_stay_whole_and_those_of_long_tests_are_shared() -> None:
    for module in ("tests/edge/test_nginx_edge.py", "tests/unit/holds/test_a.py"):
        assert group_of(f"{module}::a") == group_of(f"{module}::b[x::y]") == module
    for module in EACH_ALONE:
        assert len({group_of(f"{module}::a[{part}]") for part in range(3)}) == 3
    for apart in (OPERATED, AFTERWARDS):
        assert len({group_of(f"{path}::a") for path in apart}) == 1
    systems = (OPERATED[0], AFTERWARDS[0], "tests/e2e/test_http_journey.py")
    assert len({group_of(f"{path}::a") for path in systems}) == 3


def test_make_asks_for_groups() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    for line in (
        line for line in lines if "-m pytest -n" in line and "test_sale_machine" not in line
    ):
        assert "--dist loadgroup" in line


class Worker:
    """Takes whatever it is given."""

    def send_runtest_some(self, _indices: list[int]) -> None:
        """Run them, at some time."""


def order_of(workers: int, groups: list[str]) -> list[tuple[int, str]]:
    """Which worker is given which group, when none ends."""
    nodes = [Worker() for _ in range(workers)]
    sharing = Scheduling.__new__(Scheduling)
    sharing.workqueue = OrderedDict((group, {f"{group}::a": False}) for group in groups)
    sharing.assigned_work = {node: {} for node in nodes}
    sharing.registered_collections = {node: [f"{group}::a" for group in groups] for node in nodes}
    for number in range(len(groups)):
        sharing._assign_work_unit(nodes[number % workers])
    given = [(n, group) for n, node in enumerate(nodes) for group in sharing.assigned_work[node]]
    return sorted(given, key=lambda one: list(sharing.assigned_work[nodes[one[0]]]).index(one[1]))


def test_what_waits_begins_at_once_beside_one_that_computes() -> None:
    first, second = WAITING[:2]
    large = ["tests/infra/test_a.py", "tests/infra/test_b.py", "tests/infra/test_c.py"]
    groups = [*large, second, first]
    assert order_of(2, groups)[:3] == [(0, first), (1, large[0]), (0, large[1])]
    assert order_of(3, groups)[:3] == [(0, first), (1, second), (2, large[0])]
    of_six = order_of(6, [*WAITING, *large[:2]])
    assert [n for n, group in of_six if group in WAITING][:4] == [0, 1, 2, 3]
    assert {n for n, group in of_six if group in large} == {4, 5}  # a third of them
    assert order_of(2, [*groups, LONG[1], LONG[0]])[1] == (1, LONG[0])
    assert order_of(1, groups) == [(0, group) for group in [*large, second, first]]
