"""Marks of the end-to-end tests, and how their rehearsals start commands."""

from __future__ import annotations

import pytest

from fairgate_ops.run.rehearse import runbooks
from fairgate_ops.run.rehearse.day import acts
from tests.support.lengths import LONG
from tests.support.running import Running, system

__all__ = ["system"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/e2e/"):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture
def forked(system: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rehearsals fork their commands as tests do; `make test-long` starts them."""
    if not LONG:
        for module in (runbooks, acts):
            monkeypatch.setattr(module, "typed", lambda words, _file: system.ran(*words))
