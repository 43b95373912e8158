"""A real browser for the tests: headless Chromium with a fresh profile, loopback only."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import pytest

from fairgate.domain.shared.times import rfc3339
from fairgate_ops.run.pictures.screenshots import ARGS, installed_chromium
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright, ViewportSize

    from tests.e2e.shopper import Shopper

# Nothing but this machine can be reached, whatever a page asks for.
LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 860}
STEP_S = 15


def missing() -> str | None:
    """Why no browser can be driven here, or None, as far as a look at what is installed tells."""
    try:
        import playwright.sync_api  # noqa: F401 only asked whether it is there
    except ImportError:
        return "Playwright for Python is not installed"
    return None if installed_chromium() else "Chromium is not installed"


@cache
def driver_fault() -> str | None:
    """Why Playwright's driver does not start, or None. It is a Node.js, so no collection asks."""
    command = [sys.executable, "-m", "playwright", "--version"]
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=patience_s(60), check=False
    )
    if said.returncode == 0:
        return None
    if "libatomic" in said.stderr:
        return "Playwright's driver needs libatomic1, which is not installed"
    return f"Playwright's driver does not start: {said.stderr.strip()[-200:]}"


@contextmanager
def started() -> Iterator[Browser]:
    """Chromium with a profile of its own, gone afterwards; skips where nothing can drive it."""
    with _driver() as playwright:
        browser = playwright.chromium.launch(
            executable_path=installed_chromium(), args=[*ARGS, LOOPBACK_ONLY], headless=True
        )
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def _driver() -> Iterator[Playwright]:
    """Playwright; its driver is asked for its fault only where it does not start."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    try:
        playwright = sync_playwright().start()
    except Exception:
        if (reason := driver_fault()) is None:
            raise
        pytest.skip(reason)
    try:
        yield playwright
    finally:
        playwright.stop()


@contextmanager
def window(browser: Browser, *, phone: bool = False, dark: bool = False) -> Iterator[Page]:
    """A buyer's fresh window; uncaught errors and refused resources fail the block."""
    context = browser.new_context(
        reduced_motion="reduce",  # nothing moves while a test waits: frames cost the processor
        viewport=PHONE if phone else DESKTOP,
        has_touch=phone,
        is_mobile=phone,
        device_scale_factor=2 if phone else 1,
        color_scheme="dark" if dark else "light",
        locale="en-GB",
    )
    context.set_default_timeout(1_000 * patience_s(STEP_S))
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: _note_policy(message.text, faults))
    try:
        yield page
    finally:
        context.close()
    assert not faults, faults


def _note_policy(text: str, faults: list[str]) -> None:
    if "Content Security Policy" in text or "Uncaught" in text:
        faults.append(text)


def open_signed_in(page: Page, buyer: Shopper, route: str) -> None:
    """Open a page as somebody who signed in before, within the hour."""
    kept = {
        "token": buyer.auth["authorization"].removeprefix("Bearer "),
        "expires_at": rfc3339((int(time.time()) + 3_600) * 1000),
        "sub": buyer.name,
    }
    page.goto(buyer.base_url)
    page.evaluate("kept => sessionStorage.setItem('fairgate:auth', kept)", json.dumps(kept))
    page.goto(f"{buyer.base_url}/#{route}")
