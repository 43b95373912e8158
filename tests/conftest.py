"""Nothing in a test may reach beyond this machine, or know real credentials."""

from __future__ import annotations

import os

import pytest
from pytest_socket import socket_allow_hosts

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
    )
    os.environ.pop("AWS_PROFILE", None)


@pytest.fixture(autouse=True)
def _loopback_only() -> None:
    socket_allow_hosts(_LOOPBACK, allow_unix_socket=True)
