"""Make the pictures of docs/organising.md: `make pictures`, beside `make up`.

    python -m fairgate_ops.run.pictures --run-file .run/local.json --out docs/pictures

puts an event of its own on sale, lets a buyer and a friend of theirs go their way on a phone in
headless Chromium, then an owner by the console with a crowd outside, on a desktop and a phone,
and writes a small WebP a page; with ``--png`` also one to look at closely.
"""

from __future__ import annotations

import argparse
import base64
import email
import email.policy
import json
import re
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.local.demo_event import Sale, put_on_sale
from fairgate_ops.run.local.environment import base_environment, python_module
from fairgate_ops.run.local.processes import start_child
from fairgate_ops.run.pictures import console, scripts
from fairgate_ops.run.pictures.fonts import UNHINTED, font_environment
from fairgate_ops.run.pictures.screenshots import ARGS, NO_CHROMIUM, STEP_MS, installed_chromium
from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

PHONE: ViewportSize = {"width": 390, "height": 844}
SCALE = 2
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
QUALITY = 60  # of WebP: text stays sharp, and a page takes less than 60 kB
SEATS = 300
SALE_START_IN_S = (
    100.0  # from before it is written, so that a busy machine sees the waiting room, too
)
ADMISSION_MS = 180_000
MAILED_WITHIN_S = 60.0
DAY_S = 86_400


@dataclass
class Album:
    """Where the pictures go, each named for its page."""

    out: Path
    png: Path | None

    def take(self, page: Page, name: str, at: str = "") -> None:
        """Take what the phone shows, from the top or with ``at`` near the top."""
        if at:
            page.locator(at).first.evaluate(
                "it => scrollTo(0, it.getBoundingClientRect().top + scrollY - 12)"
            )
        else:
            page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(400)  # what moves has come to rest
        wanted = {"format": "webp", "quality": QUALITY}
        made = page.context.new_cdp_session(page).send("Page.captureScreenshot", wanted)
        (self.out / f"{name}.webp").write_bytes(base64.b64decode(made["data"]))
        if self.png:
            page.screenshot(path=str(self.png / f"{name}.png"))


def gala(event: str, sale_start_in_s: float) -> Sale:
    """The event of the pictures: with all that docs/organising.md says at its creation."""
    now_s = int(time.time())

    def in_days(days: int) -> str:
        return rfc3339((now_s // DAY_S + days) * DAY_S * 1000 + 19 * 3_600_000)

    return Sale(
        event,
        name="Winter Gala",
        sale_starts_in_s=sale_start_in_s,
        tau_s=2,
        live_max=60,
        backoff_max_s=3,
        fee_order_minor=250,
        fee_ticket_minor=100,
        starts_at=in_days(40),
        time_zone="Europe/Berlin",
        venue_name="Harbour Hall",
        venue_address="Quay 1, Hamburg",
        artist="The Tides",
        category="Gala",
        text="Doors at seven.",
        cancel_until=in_days(30),
        cancel_fee_minor=500,
        transfer_until=in_days(39),
    )


def sign_in(page: Page) -> None:
    page.get_by_role("button", name="Continue as a new guest").click()


def wait(page: Page, album: Album, base_url: str, event: str) -> None:
    """From the event's page to the waiting room, before the sale starts."""
    page.goto(f"{base_url}/#/e/{event}")
    page.locator(".map-stage").wait_for()
    album.take(page, "event")
    page.locator(".way .primary").click()
    sign_in(page)
    page.get_by_role("heading", name="You are early, and your place is safe").wait_for()
    album.take(page, "waiting-room")


def buy(page: Page, album: Album, address: str) -> None:
    """Two tickets, from the seat map to the codes."""
    page.locator(".turn .primary").click(timeout=ADMISSION_MS)
    page.locator(".sale-head").wait_for()
    page.locator(".map-holder[aria-busy=false]").wait_for()
    album.take(page, "seat-map")
    page.locator(".grip").click()
    page.get_by_role("button", name="Find and hold seats").click()
    page.get_by_text("Held for you:").wait_for()
    page.locator(".bar a[href$='/checkout']").click()  # the sheet goes down with its own
    page.get_by_label("E-mail for your tickets").fill(address)
    album.take(page, "checkout")
    page.get_by_role("button", name="Pay ").click()
    page.get_by_role("button", name="Pay", exact=True).click()
    page.locator("img.ticket").nth(1).wait_for()
    album.take(page, "tickets")


def change_their_mind(page: Page, album: Album) -> None:
    """What a cancellation brings, before it is made; then rather a link for a friend."""
    page.get_by_text("Cancel this order or one of its places").click()
    page.get_by_role("button", name=re.compile("^Cancel, .* back: All that is left")).click()
    page.locator("button.danger").wait_for()
    album.take(page, "cancel", at="details.cancel[open]")


def pass_on(page: Page, album: Album) -> str:
    """Return the link of an offer of one ticket."""
    page.get_by_text("Pass a ticket on to somebody else").click()
    page.get_by_role("button", name=re.compile("^Pass on:")).first.click()
    link = page.get_by_label("Link of the offer")
    link.wait_for()
    album.take(page, "pass-on", at="details.cancel[open]")
    return link.input_value()


def take_over(page: Page, album: Album, link: str) -> None:
    """The friend opens the link, and has the ticket."""
    page.goto(link)
    page.locator("#main").get_by_role("button", name="Sign in").click()
    sign_in(page)
    page.get_by_role("heading", name="A ticket for you").wait_for()
    album.take(page, "transfer")
    page.get_by_role("button", name="Take this ticket").click()
    page.locator("img.ticket").wait_for()


def find_again(page: Page, album: Album, base_url: str, address: str, mail_dir: Path) -> None:
    """Somebody without sign-in has the link mailed, and opens it."""
    page.goto(f"{base_url}/#/find")
    page.get_by_label("E-mail of the order").fill(address)
    page.get_by_role("button", name="Send me the link").click()
    page.get_by_role("heading", name="Look into your mailbox").wait_for()
    page.goto(mailed_link(mail_dir, address))
    page.locator("img.ticket").first.wait_for()
    album.take(page, "found-tickets")


def mailed_link(mail_dir: Path, address: str) -> str:
    """Return the link of the mail that finds tickets again. Raises SystemExit: none came."""
    deadline_s = time.monotonic() + MAILED_WITHIN_S
    while time.monotonic() < deadline_s:
        for file in mail_dir.glob("*.eml"):
            mail = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            body = mail.get_body()
            if mail["To"] == address and body is not None:
                found = re.search(r"http\S+/#/found/\S+", body.get_content())
                if found:
                    return found[0]
        time.sleep(0.2)
    raise SystemExit(f"No mail with a link came within {MAILED_WITHIN_S:.0f} s.")


@contextmanager
def phone(browser: Browser) -> Iterator[Page]:
    """A phone of somebody new."""
    context = browser.new_context(
        viewport=PHONE, is_mobile=True, has_touch=True, device_scale_factor=SCALE, locale="en-GB"
    )
    yield from _page_of(context)


@contextmanager
def desktop(browser: Browser) -> Iterator[Page]:
    yield from _page_of(browser.new_context(viewport=DESKTOP, locale="en-GB"))


def _page_of(context: BrowserContext) -> Iterator[Page]:
    context.set_default_timeout(STEP_MS * 2)
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def crowd(base_url: str, event: str, logs_dir: Path) -> Iterator[None]:
    """Simulated buyers who come while the console is looked at."""
    command = python_module(
        "fairgate_ops.run.crowd.arrivals",
        *("--base-url", base_url, "--event", event),
        *("--buyers", str(console.CROWD), "--arrival", str(console.CROWD_ARRIVES_S)),
    )
    child = start_child("pictures", command, logs_dir=logs_dir, env=base_environment(), cwd=ROOT)
    try:
        yield
    finally:
        child.stop()


def steer(browser: Browser, album: Album, system: dict[str, str], event: str, buyer: str) -> None:
    """An owner on the console, while a crowd comes."""

    def at(page: Page, size: str) -> console.Desk:
        take = partial(_take_screen, album, page, size)
        return console.Desk(page, system["public_url"], event, take)

    with desktop(browser) as large, phone(browser) as small:
        desk = at(large, "desktop")
        desk.enter()
        console.slow_down(desk)
        with crowd(desk.base_url, event, Path(system["logs_dir"])):
            console.walk(desk, buyer)
            desk = at(small, "phone")
            desk.enter()
            console.walk(desk, buyer)


def _take_screen(album: Album, page: Page, size: str, screen: str, at: str) -> None:
    album.take(page, f"console-{screen}-{size}", at)


def make_all(run_file: Path, album: Album, sale_start_in_s: float = SALE_START_IN_S) -> None:
    """Take every picture, on the system that ``run_file`` names."""
    from playwright.sync_api import sync_playwright

    chromium = installed_chromium()
    if chromium is None:
        raise SystemExit(NO_CHROMIUM)
    system = json.loads(run_file.read_text("utf-8"))
    base_url, mail_dir = system["public_url"], Path(system["mail_dir"])
    event = f"gala-{int(time.time())}"
    address = f"{event}@example.org"
    with sync_playwright() as playwright, TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[*ARGS, UNHINTED],
            env={**font_environment(Path(folder))},
        )
        put_on_sale(run_file, gala(event, sale_start_in_s), demo_venue(SEATS))
        with phone(browser) as page:
            wait(page, album, base_url, event)
            buy(page, album, address)
            change_their_mind(page, album)
            page.reload()
            page.locator("img.ticket").nth(1).wait_for()
            link = pass_on(page, album)
            with phone(browser) as friends:
                take_over(friends, album, link)
            page.goto(f"{base_url}/#/orders")
            page.get_by_role("heading", name="My orders").wait_for()
            page.locator("ul.events a").first.wait_for()
            album.take(page, "my-orders")
        with phone(browser) as page:
            find_again(page, album, base_url, address, mail_dir)
        steer(browser, album, system, event, address)
        page = browser.new_page(viewport={"width": scripts.WIDTH, "height": 1_550})
        page.set_content(scripts.sheet())
        album.take(page, "scripts")
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make the pictures of docs/organising.md.")
    parser.add_argument("--run-file", type=Path, default=Path(".run/local.json"))
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--png", type=Path, help="a folder for pictures to look at closely")
    chosen = parser.parse_args(arguments)
    for folder in (chosen.out, chosen.png):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
    make_all(chosen.run_file, Album(chosen.out, chosen.png))
    size = sum(file.stat().st_size for file in chosen.out.glob("*.webp"))
    print(f"Pictures are in {chosen.out}: {size / 1000:.0f} kB.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
