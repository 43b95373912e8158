"""What a test costs counts whatever it starts, and comes out by folder, module and test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import cpu_times
from tests.support.cpu_times import Sums, spent_s

BUSY = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True); input()"


def test_what_a_process_spends_counts_while_it_runs_and_when_it_has_ended() -> None:
    before = spent_s()
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert spent_s() - before >= 0.35
        process.communicate(b"\n")
    assert spent_s() - before >= 0.35


@pytest.mark.parametrize(
    ("file", "text"),
    [("cpuacct.usage", "1500000000\n"), ("cpu.stat", "usage_usec 1500000\nuser_usec 9\n")],
)
def test_what_the_kernel_counted_for_a_group_is_read_in_either_version(
    tmp_path: Path, file: str, text: str
) -> None:
    (tmp_path / file).write_text(text)
    assert cpu_times._counted_s(tmp_path) == 1.5


def test_a_process_stays_in_its_group_unless_it_is_loaded_as_a_plugin() -> None:
    # Or whoever counts a whole run by a group would lose a worker.
    before = Path("/proc/self/cgroup").read_text()
    spent_s()
    assert Path("/proc/self/cgroup").read_text() == before


def report_of(test: str, cost_s: float) -> pytest.TestReport:
    return pytest.TestReport(
        test, (test, 0, test), {}, "passed", None, "teardown", user_properties=[("cpu_s", cost_s)]
    )


def test_costs_are_added_up_by_test_and_by_module() -> None:
    sums = Sums()
    for test, cost_s in (("tests/e2e/test_a.py::a", 1.0), ("tests/e2e/test_a.py::b", 2.0)):
        sums.pytest_runtest_logreport(report_of(test, cost_s))
    assert sums.modules == {"tests/e2e/test_a.py": 3.0}
    assert sums.tests["tests/e2e/test_a.py::b"] == 2.0
