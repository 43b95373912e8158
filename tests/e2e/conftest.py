"""Marks of the end-to-end tests, and how their rehearsals start commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fairgate_ops.run.rehearse import runbooks
from fairgate_ops.run.rehearse.day import acts
from tests.e2e import browser
from tests.support.lengths import LONG
from tests.support.running import Running, system

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["system"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/e2e/"):
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser.started() as running:
        yield running


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium, phone=True) as opened:
        yield opened


@pytest.fixture
def forked(system: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rehearsals fork their commands as tests do; `make test-long` starts them."""
    if not LONG:
        for module in (runbooks, acts):
            monkeypatch.setattr(module, "typed", lambda words, _file: system.ran(*words))
