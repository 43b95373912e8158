"""A browser and a stub of the service for the tests of the pages, and a running local edge."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fairgate_ops.run.local.nginx import edge_available
from tests.e2e import browser
from tests.e2e.stub.server import Stub
from tests.edge.gate_tools import missing_tool
from tests.edge.running_edge import MINUTE, Edge, running_edge, stubs
from tests.edge.web_tools import Open

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub().start()
    yield made
    made.stop()


class Shared:
    """One browser, which a module hands on to the next one that needs it.

    Nobody else may have it running: Playwright's loop would be in the way of ``asyncio.run``.
    """

    def __init__(self) -> None:
        self._held = ExitStack()
        self._running: Browser | None = None

    def taken(self) -> Browser:
        if self._running is None or not self._running.is_connected():
            self.close()
            self._running = self._held.enter_context(browser.started())
        return self._running

    def close(self) -> None:
        self._running = None
        self._held.close()


SHARED = Shared()


def goes_on(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Whether the browser stays for the test that follows on this worker."""
    if following is None or following.path.parent != HERE:
        return False
    return following.path == item.path or "chromium" in getattr(following, "fixturenames", ())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, Any, Any]:
    try:
        return (yield)
    finally:
        if not goes_on(item, nextitem):
            SHARED.close()


def pytest_sessionfinish() -> None:
    SHARED.close()  # a run that was ended early, too


@pytest.fixture(scope="module")
def chromium() -> Browser:
    return SHARED.taken()


@pytest.fixture
def window(chromium: Browser) -> Open:
    return lambda **options: browser.window(chromium, **options)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium, phone=True) as opened:
        yield opened


@pytest.fixture(params=[True, False], ids=["phone", "desktop"])
def either(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    with browser.window(chromium, phone=request.param) as opened:
        yield opened


@pytest.fixture(scope="module", params=["nginx", "node"])
def started_edge(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Edge]:
    """The edge of this machine by either server, in front of a stub of the API."""
    reason = missing_tool() or (edge_available() if request.param == "nginx" else None)
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(request.param)
    with stubs(["desk", "sessions"]) as servers:
        yield from running_edge(folder, request.param, servers)


@pytest.fixture
def edge(started_edge: Edge) -> Iterator[Edge]:
    """Let each test change how the API answers."""
    yield started_edge
    api = started_edge.api
    api.cache_control, api.tag, api.status, api.own = MINUTE, "", 200, {}
