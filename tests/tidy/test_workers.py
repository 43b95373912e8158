"""Tests that share a server or a system run on one worker, all others wherever there is room."""

from __future__ import annotations

import getpass
import os
import re
import signal
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
END_S = 120  # takes one to five
TESTS = """
import os, pathlib, pytest

@pytest.mark.parametrize("n", range(6))
def test_it(n):
    seen = pathlib.Path(os.environ["SEEN"])
    with (seen / pathlib.Path(__file__).stem).open("a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")
"""


def pytest_in(folder: Path, workers: int, *plugin: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in the folder; where it does not end, say where each of its processes waits."""
    paths = [str(ROOT / part) for part in ("", "ops", "layers/core/python", "lab")]
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-n", str(workers), "--dist", "loadgroup"),
        *(*plugin, "-p", "no:hypothesispytest", "-p", "no:cacheprovider"),
        # Else it removes what runs before this one have left, which takes minutes.
        *("--basetemp", str(folder / "base")),
    ]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SEEN": str(folder)}
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**env, "PYTHONFAULTHANDLER": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            out, err = running.communicate(timeout=END_S)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGABRT)
            out, err = running.communicate(timeout=END_S)
            raise AssertionError(f"{folder.name} has not ended:\n{out}\n{err}") from None
    return subprocess.CompletedProcess(command, running.returncode, out, err)


def workers_of(folder: Path, *plugin: str) -> set[str]:
    """Run two modules of one group with two workers; those that ran any of it."""
    group = folder / "tests" / "e2e"
    group.mkdir(parents=True)
    for name in ("test_a", "test_b"):
        (group / f"{name}.py").write_text(TESTS)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    assert pytest_in(folder, 2, *plugin).returncode == 0
    return {word for seen in folder.glob("test_*") for word in seen.read_text().split()}


def test_a_run_within_a_test_removes_nothing_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path))
    others = [tmp_path / f"pytest-of-{getpass.getuser()}" / f"pytest-{n}" for n in range(6)]
    for other in others:
        other.mkdir(parents=True)
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "test_it.py").write_text("def test_it(tmp_path): pass\n")
    assert pytest_in(inner, 0).returncode == 0
    assert all(other.is_dir() for other in others)


def test_one_worker_runs_what_shares_a_system(tmp_path: Path) -> None:
    assert len(workers_of(tmp_path / "ours", "-p", "tests.conftest")) == 1
    assert len(workers_of(tmp_path / "plain")) == 2


@pytest.mark.parametrize("path", [*TOGETHER, *OPERATED, *AFTERWARDS, *EACH_ALONE, *LONG, *WAITING])
def test_what_is_grouped_is_there(path: str) -> None:
    module, _, name = path.partition("::")
    assert (ROOT / module).exists()
    if path in LONG or path in WAITING:  # else no group is called so
        assert group_of(path if name else f"{path}::x") == path
    if name:
        text = (ROOT / module).read_text("utf-8")
        assert f"\n\ndef {name}(" in text  # one test: parametrized ones have longer names


def test_modules_stay_whole_and_those_of_long_tests_are_shared() -> None:
    for module in ("tests/edge/test_nginx_edge.py", "tests/unit/holds/test_a.py"):
        assert group_of(f"{module}::a") == group_of(f"{module}::b[x::y]") == module
    for module in EACH_ALONE:
        assert len({group_of(f"{module}::a[{part}]") for part in range(3)}) == 3
    for apart in (OPERATED, AFTERWARDS):
        assert len({group_of(f"{path}::a") for path in apart}) == 1
    systems = (OPERATED[0], AFTERWARDS[0], "tests/e2e/test_http_journey.py")
    assert len({group_of(f"{path}::a") for path in systems}) == 3


def test_every_module_that_needs_a_system_shares_one() -> None:
    for folder in TOGETHER:
        modules = [path.relative_to(ROOT) for path in (ROOT / folder).rglob("test_*.py")]
        groups = {group_of(f"{module}::a") for module in modules}
        assert len(modules) > 1
        assert folder in groups
        assert groups <= {folder, OPERATED[0], AFTERWARDS[0]}


def test_a_system_ends_with_the_tests_that_need_it() -> None:
    """Idle it takes a twentieth of a core, and most of a run comes after its tests."""
    modules = [
        "tests/e2e/test_mails.py",
        "lab/tests/emulator/test_roles.py",
        "tests/tidy/test_skips.py",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "--setup-plan", *modules]
    plan = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    steps = [plan.index(step) for step in ("SETUP    P system", "TEARDOWN P system", modules[1])]
    steps += [plan.index(step) for step in ("TEARDOWN P deployed", f"{modules[2]}::")]
    assert steps == sorted(steps), plan


def test_make_asks_for_groups() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    sharing = [line for line in lines if re.search(r"(?<!mypy) -n \$", line)]
    assert len(sharing) == 3
    for line in sharing:
        assert "--dist loadgroup" in line or "test_sale_machine" in line


CRASHES = """
import os, pytest

@pytest.mark.parametrize("n", range(3))
def test_it(n):
    if (__file__[-4], n) == ("b", 1):
        os._exit(3)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_test_that_ends_its_worker_fails_once_and_all_others_run(
    tmp_path: Path, workers: int
) -> None:
    for name in "abc":
        (tmp_path / f"test_{name}.py").write_text(CRASHES)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = pytest_in(tmp_path, workers, "-p", "tests.conftest")
    assert "1 failed, 8 passed" in done.stdout, done.stdout
    assert "test_b.py::test_it[1]" in done.stdout


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


def test_what_waited_and_has_ended_makes_room_for_the_next() -> None:
    node = Worker()
    sharing = Scheduling.__new__(Scheduling)
    groups = [WAITING[1], "tests/infra/test_a.py"]
    sharing.workqueue = OrderedDict((group, {f"{group}::a": False}) for group in groups)
    sharing.registered_collections = {node: [f"{group}::a" for group in groups]}
    for ended, chosen in ((True, WAITING[1]), (False, "tests/infra/test_a.py")):
        sharing.assigned_work = {node: {}, Worker(): {WAITING[0]: {"a": True, "b": ended}}}
        sharing._assign_work_unit(node)
        assert [*sharing.assigned_work[node]] == [chosen]
        sharing.workqueue.setdefault(WAITING[1], {f"{WAITING[1]}::a": False})


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
