"""What holds for every test: it reaches nothing beyond this machine, and no real credentials."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import socket_allow_hosts

from fairgate.adapters.aws.retries import budget_of
from fairgate.request_ids import begin_call
from tests.support import needs, sdk_files, workers

_LOOPBACK = ["127.0.0.1", "::1", "localhost"]
# How fast a machine is decides no test. CI tries the same examples in each run; a run by hand, or
# `--hypothesis-profile=seeking`, looks for new ones.
settings.register_profile("seeking", deadline=None)
settings.register_profile(
    "busy",
    deadline=None,
    derandomize=True,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("busy" if os.environ.get("CI") else "seeking")


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


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[needs.IMPORTED_SLOWLY] = needs.SLOW_IMPORTS & set(sys.modules)


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
