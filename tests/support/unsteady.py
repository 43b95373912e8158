"""Run pytest, then what failed once more, alone: what passes then is unsteady.

    python -m tests.support.unsteady <pytest's own arguments>

A test that fails twice fails the run, and so do more than UNSTEADY_MAX unsteady tests, a module
that cannot be collected and a run that is broken off. FAIRGATE_SUMS names a file that gets the
numbers of each run; ``--sum <file>`` prints them together, as pytest would.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

UNSTEADY_MAX = 3
AGAIN_MAX = 20  # with more, something else is broken
WIDTH = 80
KINDS = ("failed", "unsteady", "passed", "skipped", "xfailed", "xpassed", "error")


class Report:
    """Collects what a run's tests said and writes it at the end."""

    def __init__(self, file: Path, *, whole: bool) -> None:
        self._file, self._whole = file, whole
        self.failed: dict[str, str] = {}
        self.passed: dict[str, str] = {}
        self.uncollected: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        text = "\n".join([report.longreprtext, *(body for _, body in report.sections)]).strip()
        if report.failed:
            self.failed[report.nodeid] = f"{self.failed.get(report.nodeid, '')}{text}\n"
        elif report.when == "call" and report.passed and not self._whole:
            self.passed[report.nodeid] = f"{text}\npassed in {report.duration:.2f} s\n".lstrip()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.uncollected.append(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        stats = {kind: len(terminalreporter.stats.get(kind, [])) for kind in KINDS}
        said = {"failed": self.failed, "passed": self.passed, "uncollected": self.uncollected}
        self._file.write_text(json.dumps({**said, "stats": stats}), "utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--report-to", type=Path, help="a file that gets what failed")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("report_to")
    if file is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(file, whole=not config.getoption("lf")))


def run(arguments: list[str], folder: Path) -> tuple[int, dict[str, Any]]:
    """Return pytest's exit code and what its tests said: nothing where it died."""
    file = folder / "report.json"
    file.unlink(missing_ok=True)
    ours = ["-p", "tests.support.unsteady", "--report-to", str(file)]
    code = subprocess.run(
        [sys.executable, "-m", "pytest", *ours, *arguments], check=False
    ).returncode
    return code, json.loads(file.read_text("utf-8")) if file.exists() else {}


def line(stats: dict[str, int], took_s: float) -> str:
    """Return the numbers as pytest's last line has them."""
    numbers = ", ".join(f"{stats[kind]} {kind}" for kind in KINDS if stats.get(kind))
    return f" {numbers or 'no tests ran'} in {took_s:.2f}s ".center(WIDTH, "=")


def show_unsteady(unsteady: list[str], first: dict[str, Any], again: dict[str, Any]) -> None:
    for test in unsteady:
        print(f" unsteady: {test} ".center(WIDTH, "="))
        print(f"{'- it failed '.ljust(WIDTH, '-')}\n{first['failed'][test]}")
        print(f"{'- it passed, alone '.ljust(WIDTH, '-')}\n{again['passed'][test]}")


def main(arguments: list[str]) -> int:
    began_s = time.monotonic()
    sums = os.environ.pop("FAIRGATE_SUMS", "")  # for this run alone, not for what its tests start
    with tempfile.TemporaryDirectory() as folder:
        code, first = run(arguments, Path(folder))
        stats, failed = first.get("stats", {}), first.get("failed", {})
        if code == pytest.ExitCode.TESTS_FAILED and not first.get("uncollected") and failed:
            code = 1
            if len(failed) <= AGAIN_MAX:
                alone = [
                    "-n",
                    "0",
                    "--dist",
                    "no",
                    "--last-failed",
                    "--last-failed-no-failures",
                    "none",
                ]
                _, again = run([*arguments, *alone], Path(folder))
                steady = set(failed) - set(again.get("passed", {})) | set(again.get("failed", {}))
                unsteady = sorted(set(failed) - steady)
                show_unsteady(unsteady, first, again)
                code = int(bool(steady) or len(unsteady) > UNSTEADY_MAX)
                stats |= {"failed": len(steady), "unsteady": len(unsteady), "error": 0}
                print(line(stats, time.monotonic() - began_s), flush=True)
    if sums:
        with Path(sums).open("a", encoding="utf-8") as file:
            print(json.dumps([stats, time.monotonic() - began_s]), file=file)
    return code


def total(file: Path) -> str:
    runs = [json.loads(said) for said in file.read_text("utf-8").splitlines()]
    stats: Counter[str] = sum((Counter(numbers) for numbers, _ in runs), Counter())
    return line(stats, sum(took_s for _, took_s in runs))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--sum"]:
        print(total(Path(sys.argv[2])))
    else:
        sys.exit(main(sys.argv[1:]))
