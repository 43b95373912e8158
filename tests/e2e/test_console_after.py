"""What comes after a sale, on the real system: its report, its proof, its books, and the end."""

from __future__ import annotations

import csv
import secrets
from typing import TYPE_CHECKING, Any

import pytest

from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.e2e.selling import sell
from tests.e2e.shopper import Shopper, free_seats
from tests.e2e.test_console import enter
from tests.e2e.test_console_sale import Keys
from tests.support.waiting import patience_s

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from tests.support.running import Running

pytest.importorskip("duckdb", reason="DuckDB is not installed (requirements/dev.txt)")

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa'] })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))"""
JOB_S = 60
CALLED_OFF = "off"


@pytest.fixture
def office(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def shown(place: Locator) -> Locator:
    """Wait for what a job ends with."""
    place.wait_for(timeout=1000 * patience_s(JOB_S))
    return place


def card(page: Page, title: str) -> Locator:
    return page.locator(".card").filter(has=page.get_by_role("heading", name=title, exact=True))


def saved(page: Page, button: Locator, to: Path) -> list[dict[str, str]]:
    with page.expect_download() as download:
        button.click()
    download.value.save_as(to)
    with to.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def barriers(page: Page) -> list[str]:
    page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(FOUND)
    return found


def test_the_report_of_a_sale_is_made_drawn_saved_and_printed(
    system: Running, office: Page, tmp_path: Path
) -> None:
    first = Shopper(system.base_url, system.event).walk_in()
    second = Shopper(system.base_url, system.event).walk_in()
    seat = free_seats(system.base_url, system.event, 1)[0]
    assert (first.hold([seat]).status, second.hold([seat]).status) == (201, 409)
    enter(office, system, "Viewer", f"#/e/{system.event}/after")
    office.get_by_role("button", name="Make the report").click()
    office.get_by_role("link", name="Live", exact=True).click()  # it goes on
    office.get_by_role("heading", name="Shoppers against the target").wait_for()
    office.get_by_role("link", name="After", exact=True).click()
    shown(office.get_by_role("button", name="Make it again"))
    office.reload()
    shown(office.get_by_role("button", name="Make it again"))
    funnel = office.locator(".funnel")
    for step in ("Joined", "Came in", "Asked for places", "Held a place", "Paid"):
        funnel.get_by_text(step, exact=True).wait_for()
    seats = card(office, "Seats by minute: asked for, held, taken by others")
    seats.locator("canvas").wait_for()
    rows = saved(office, seats.get_by_role("button", name="save as CSV"), tmp_path / "seats.csv")
    assert sum(int(row["held"]) for row in rows) >= 1
    assert sum(int(row["taken"]) for row in rows) >= 1
    assert barriers(office) == []
    office.emulate_media(media="print")
    office.get_by_role("heading", name="From arrival to ticket").wait_for()
    assert office.get_by_role("button").filter(visible=True).count() == 0


def test_an_auditor_checks_every_admission_and_gets_the_log(
    system: Running, office: Page, tmp_path: Path
) -> None:
    Shopper(system.base_url, system.event).walk_in()
    enter(office, system, "Auditor", f"#/e/{system.event}/after/proof")
    check = card(office, "Check every admission")
    check.get_by_role("button", name="Check now").click()
    shown(check.get_by_text("Every one is as the rules say."))
    assert check.get_by_role("table").count() == 0
    assert office.get_by_role("button", name="Publish the key").count() == 0
    export = card(office, "Log and rules as files")
    export.get_by_role("button", name="Make the files").click()
    link = shown(export.get_by_role("list", name="Files").get_by_role("link").first)
    with office.expect_download() as download:
        link.click()
    download.value.save_as(tmp_path / "log")
    assert (tmp_path / "log").read_bytes().startswith(b"\x1f\x8b")
    assert barriers(office) == []


def test_an_owner_publishes_the_key_after_the_end_and_not_before(
    system: Running, office: Page
) -> None:
    sell(system, "proved")
    Shopper(system.base_url, "proved").walk_in()
    enter(office, system, "Owner", "#/e/proved/after/proof")
    office.get_by_text("It stays secret until the sale has ended").wait_for()
    system.fairgate("event", "close", "proved", "--yes")
    reveal = card(office, "Reveal the key")
    publish = shown(reveal.get_by_role("button", name="Publish the key"))  # once figures say so
    publish.click()
    office.get_by_role("dialog", name="This cannot be undone").get_by_text("Do it").click()
    reveal.get_by_text("Published", exact=True).wait_for()
    key = reveal.locator("code").inner_text()
    assert key in system.fairgate("draw", "show", "proved", "--json")


def test_an_organiser_calls_an_event_off_by_keyboard(system: Running, office: Page) -> None:
    sell(system, CALLED_OFF)
    Shopper(system.base_url, CALLED_OFF).buy(1, f"wren-{secrets.token_hex(4)}@example.com")
    enter(office, system, "Owner", f"#/e/{CALLED_OFF}/prepare")
    keys = Keys(office)
    keys.use("link", "Call it off")
    keys.write("textbox", "Why", "Storm")
    keys.use("button", "See what it does")
    shown(office.get_by_role("row", name="Paid orders 1 0"))
    keys.write("textbox", f"Type {CALLED_OFF} to go on", CALLED_OFF)
    keys.press("Enter")
    keys.use("button", "Do it")
    shown(office.get_by_text("All of it has been sent."))
    office.locator("strong", has_text="Cancelled since").wait_for()
    office.get_by_role("link", name=f"{CALLED_OFF}-cancelled.csv").wait_for()
    assert not keys.lost
    assert '"settled": true' in system.fairgate(
        "event", "cancel", CALLED_OFF, "--refund-all", "--reason", "Storm", "--dry-run", "--json"
    )


def test_the_books_are_compared_and_what_is_kept_is_saved(
    system: Running, office: Page, tmp_path: Path
) -> None:
    buyer = Shopper(system.base_url, system.event).buy(1, f"jay-{secrets.token_hex(4)}@example.com")
    enter(office, system, "Owner", f"#/e/{system.event}/after/books")
    ledger = card(office, "Check this event’s ledger")
    ledger.get_by_role("button", name="Compare").click()
    shown(ledger.get_by_role("row", name="Captured"))
    office.get_by_role("link", name="Files", exact=True).click()
    orders = card(office, "Orders, with their buyers")
    orders.get_by_role("button", name="Make the file").click()
    rows = saved(
        office,
        shown(orders.get_by_role("list", name="Files").get_by_role("link")),
        tmp_path / "orders.csv",
    )
    assert buyer.order in {row["order"] for row in rows}
    sales = saved(
        office,
        office.get_by_role("button", name="Sales by day, tier and VAT"),
        tmp_path / "sales.csv",
    )
    assert sales
    entrance = card(office, "For the entrance")
    entrance.get_by_role("button", name="Make the void list").click()
    shown(entrance.get_by_role("list", name="Files"))
    assert barriers(office) == []


def test_every_long_act_has_its_form(system: Running, office: Page) -> None:
    enter(office, system, "Owner", f"#/e/{system.event}/acts")
    one: Any = office.locator("details.card", has_text="audit items")
    one.locator("summary").first.click()
    one.get_by_role("button", name="Audit items").click()
    shown(one.locator(".job").get_by_text("Done"))
