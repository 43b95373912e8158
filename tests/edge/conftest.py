"""A browser and a stub of the service, for the tests of the pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.e2e import browser
from tests.e2e.stub.server import Stub
from tests.edge.web_tools import Open

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub().start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser.started() as running:
        yield running


@pytest.fixture
def window(chromium: Browser) -> Open:
    return lambda **options: browser.window(chromium, **options)
