"""What each test module costs in processor time, its servers and browsers included.

Loaded by ``make test-times``; wall time says little on a busy machine. Where this process may make
a control group of its own, the kernel counts all processes that are started here, also those that
outlive their parent. Elsewhere the tree of processes is read, and such a process is lost.
"""

from __future__ import annotations

import contextlib
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SHOWN = 60
_TICKS = os.sysconf("SC_CLK_TCK")
_CPU = "cpu_s"


_GROUPS = Path("/sys/fs/cgroup")


_own_group: list[Path] = []  # of this process, once it is loaded as a plugin


def _enter_group(pid: int) -> None:
    """Move this process into a control group of its own, where it may."""
    for parent in (_GROUPS / "cpuacct", _GROUPS):
        group = parent / f"fairgate-times-{pid}"
        with contextlib.suppress(OSError):
            group.mkdir(exist_ok=True)
            (group / "cgroup.procs").write_text(str(pid))
            _counted_s(group)
            _own_group.append(group)
            return


def _counted_s(group: Path) -> float:
    """Return what the kernel has counted for a group, by either version of its interface."""
    nanoseconds = group / "cpuacct.usage"
    if nanoseconds.exists():
        return int(nanoseconds.read_text()) / 1e9
    rows = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(rows["usage_usec"]) / 1e6


def how_counted() -> str:
    return "by a control group" if _own_group else "by the tree of processes"


def spent_s() -> float:
    """Return the processor seconds of this process and all below it, those that ended included."""
    if _own_group:
        return _counted_s(_own_group[0])
    own = os.times()
    ended = own.children_user + own.children_system
    return own.user + own.system + ended + sum(map(_tree_s, _children(os.getpid())))


def _tree_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it ended meanwhile, and counts with its parent
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS + sum(map(_tree_s, _children(pid)))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += map(int, listed.read_text().split())
        except OSError:
            continue
    return found


def _measured(item: pytest.Item) -> Generator[None, Any, Any]:
    before = spent_s()
    try:
        return (yield)
    finally:
        item.user_properties.append((_CPU, spent_s() - before))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _measured(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _measured(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    return (yield from _measured(item))


class Sums:
    """Adds up, where the reports of all workers arrive."""

    def __init__(self) -> None:
        self.modules: defaultdict[str, float] = defaultdict(float)
        self.tests: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            cost = sum(float(str(value)) for name, value in report.user_properties if name == _CPU)
            self.modules[report.nodeid.partition("::")[0]] += cost
            self.tests[report.nodeid] += cost

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        folders: defaultdict[str, float] = defaultdict(float)
        for name, cost in self.modules.items():
            folders[name.split("/")[1]] += cost
        total = sum(self.modules.values())
        terminalreporter.section(
            f"{total:.0f} s of processor time in tests, {spent_s():.0f} in all, {how_counted()}"
        )
        for title, costs in (("folder", folders), ("module", self.modules), ("test", self.tests)):
            terminalreporter.write_line(f"by {title}")
            for name, cost in sorted(costs.items(), key=lambda entry: -entry[1])[:SHOWN]:
                terminalreporter.write_line(f"{cost:>8.1f} s  {name}")


def pytest_configure(config: pytest.Config) -> None:
    _enter_group(os.getpid())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Sums())


def pytest_unconfigure() -> None:
    for group in _own_group:
        (group.parent / "cgroup.procs").write_text(str(os.getpid()))
        with contextlib.suppress(OSError):  # what was started here may still be ending
            group.rmdir()
