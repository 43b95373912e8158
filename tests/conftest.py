"""Nothing in a test may reach beyond this machine, or know real credentials.

What was skipped is summed at the end: a line for each reason, with how many tests it cost.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any

import pytest
from pytest_socket import socket_allow_hosts

from fairgate.adapters.aws.retries import budget_of
from fairgate.request_ids import begin_call
from tests.support import sdk_files, workers

_LOOPBACK = ["127.0.0.1", "::1", "localhost"]


def pytest_configure() -> None:
    os.environ.update(
        AWS_ACCESS_KEY_ID="testing",
        AWS_SECRET_ACCESS_KEY="testing",
        AWS_DEFAULT_REGION="eu-central-1",
        AWS_EC2_METADATA_DISABLED="true",
        POWERTOOLS_SERVICE_NAME="test",
        POWERTOOLS_METRICS_NAMESPACE="fairgate",
        POWERTOOLS_LOG_LEVEL="WARNING",
        LANGUAGE="C",  # commands say the same everywhere, and look for no translation of each word
    )
    os.environ.pop("AWS_PROFILE", None)
    sdk_files.read_once()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collect without looking for garbage: what ten thousand tests are made of stays to the end.

    Nor is it looked through later.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return workers.scheduling(config, log)


@pytest.fixture(autouse=True)
def _loopback_only() -> None:
    socket_allow_hosts(_LOOPBACK, allow_unix_socket=True)


@pytest.fixture(autouse=True)
def _budgets_of_its_own() -> None:
    """Give each test the retries of a new process: none spends another's."""
    budget_of.cache_clear()


@pytest.fixture(autouse=True)
def _request_of_its_own() -> None:
    """Give each test the ids of no request: none writes another's into what it keeps or sends."""
    begin_call(None)


def skip_lines(reasons: Iterable[str]) -> list[str]:
    """Return a line for each reason with its count, the most frequent first."""
    counts = Counter(reason.removeprefix("Skipped: ") for reason in reasons)
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [f"{count:>5} × {reason}" for reason, count in ordered]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    # A skip's report carries (file, line, reason).
    skipped = terminalreporter.stats.get("skipped", [])
    lines = skip_lines(str(report.longrepr[2]) for report in skipped)
    if lines:
        terminalreporter.section(f"{len(skipped)} skipped")
    for line in lines:
        terminalreporter.write_line(line)
