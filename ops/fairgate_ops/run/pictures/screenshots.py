"""Pictures of the buyers' pages, for people to look at.

    python -m fairgate_ops.run.pictures.screenshots --url http://127.0.0.1:8080 --out shots

drives headless Chromium through a whole purchase at phone and desktop size, in light and dark,
and writes one PNG a step. The system must be running (``make up``).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

NO_CHROMIUM = "Chromium is not installed. On Debian: apt-get install chromium-headless-shell"
# The whole browser starts a page of its own interface for each window: twice the processor time.
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STEP_MS = 20_000
SHOWN = ".map-holder[aria-busy=false]"  # the seats, and what is free
ADMISSION_MS = 300_000


@dataclass(frozen=True)
class Look:
    name: str
    options: dict[str, Any]


LOOKS: tuple[Look, ...] = (
    Look(
        "phone",
        {
            "viewport": {"width": 360, "height": 740},
            "is_mobile": True,
            "has_touch": True,
            "device_scale_factor": 2,
        },
    ),
    Look("desktop", {"viewport": {"width": 1280, "height": 860}}),
    Look("desktop-dark", {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"}),
)


@dataclass
class Camera:
    """Numbers the pictures in the order in which they were taken."""

    page: Page
    out: Path
    look: str
    taken: int = 0

    def shoot(self, step: str, *, full: bool = False) -> Path:
        self.taken += 1
        path = self.out / f"{self.look}-{self.taken:02d}-{step}.png"
        self.page.screenshot(path=str(path), full_page=full)
        return path


def purchase(camera: Camera, url: str, event: str) -> None:
    """One buyer's way from the list of events to the ticket, a picture at each step."""
    page = camera.page
    page.goto(url)
    page.locator(".events a").first.wait_for()
    camera.shoot("events")
    page.goto(f"{url}/#/e/{event}")
    page.locator(".map-stage").scroll_into_view_if_needed()
    page.locator(SHOWN).wait_for()
    camera.shoot("landing", full=True)
    page.locator(".way .primary").click()
    page.get_by_role("button", name="Continue as a new guest").click()
    page.locator(".wait, .turn").first.wait_for()
    camera.shoot("waiting")
    page.locator(".turn .primary").click(timeout=ADMISSION_MS)
    page.locator(".sale-head").wait_for()
    page.locator(SHOWN).wait_for()
    camera.shoot("venue", full=True)
    _open_section(page)
    camera.shoot("section", full=True)
    page.get_by_role("button", name="Show as a list").click()
    camera.shoot("list")
    page.get_by_role("button", name="Show the map").click()
    _draw_sheet(page)
    page.get_by_role("button", name="Find and hold seats").click()
    page.get_by_text("Held for you:").wait_for()
    camera.shoot("held", full=True)
    page.locator("a[href$='/checkout']:visible").first.click()
    page.get_by_label("E-mail for your tickets").fill("guest@example.org")
    camera.shoot("checkout", full=True)
    page.get_by_role("button", name="Pay ").click()
    page.get_by_role("button", name="Pay", exact=True).wait_for()
    camera.shoot("payment")
    page.get_by_role("button", name="Pay", exact=True).click()
    page.locator("img.ticket").first.wait_for()
    camera.shoot("ticket", full=True)


def _open_section(page: Page) -> None:
    """A section that still has seats; on a phone from the sheet."""
    if _draw_sheet(page):
        page.get_by_text("Sections as a list").click()
    page.locator(".place-button[data-kind=section]:enabled").nth(1).click()
    page.wait_for_timeout(1_000)  # it is flown to, and its numbers are loaded


def _draw_sheet(page: Page) -> bool:
    """Draw the phone's sheet up; return whether there is one."""
    grip = page.locator(".grip[aria-expanded=false]")
    if shown := grip.is_visible():
        grip.click()
    return shown


def installed_chromium() -> str | None:
    return next((path for name in CHROMIUM if (path := shutil.which(name))), None)


def shoot_all(url: str, event: str, out: Path) -> None:
    from playwright.sync_api import sync_playwright

    chromium = installed_chromium()
    if chromium is None:
        raise SystemExit(NO_CHROMIUM)
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=list(ARGS), headless=True
        )
        for look in LOOKS:
            print(f"{look.name} …", flush=True)
            context = browser.new_context(**look.options)
            context.set_default_timeout(STEP_MS)
            purchase(Camera(context.new_page(), out, look.name), url.rstrip("/"), event)
            context.close()
        browser.close()
    print(f"Pictures are in {out}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Take pictures of the buyers' pages.")
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="where the system answers")
    parser.add_argument("--event", default="demo", help="the event's id")
    parser.add_argument("--out", type=Path, default=Path("build/screenshots"), help="the folder")
    chosen = parser.parse_args(arguments)
    shoot_all(chosen.url, chosen.event, chosen.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
