"""The running system, for floods, rushes, draws and hostile requests."""

from __future__ import annotations

import pytest

from tests.support.running import system

__all__ = ["system"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("lab/tests/e2e/"):
            item.add_marker(pytest.mark.e2e)
