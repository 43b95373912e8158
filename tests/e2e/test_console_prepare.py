"""Prepare an event on the console in a real browser: steps, faults, and what buyers see."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fairgate_ops.shared.paths import ROOT
from tests.e2e import browser
from tests.e2e.test_console import enter
from tests.support.charts import CHARTS
from tests.unit.operate.test_cli_event_file import ALL_FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

    from tests.support.running import Running

GALA = ROOT / "docs/gala.json"
YEAR = time.gmtime().tm_year + 2  # a sale starts within ten years
TIERS = {"Front rows": 89, "Lower bowl": 65, "Upper bowl": 45, "Balcony": 39, "Standing": 35}


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def begin(page: Page, system: Running, name: str, role: str = "Organiser") -> None:
    enter(page, system, role)
    page.get_by_role("link", name="New event").click()
    page.get_by_role("button", name="Begin a new event").click()
    page.get_by_label("Name (needed)").fill(name)


def go_on(page: Page, step: str) -> None:
    page.get_by_role("link", name=f"Go on to {step}").click()
    page.get_by_role("heading", name=step, exact=True).wait_for(state="attached")


def choose_the_chart(page: Page, file: Path = GALA) -> None:
    go_on(page, "Venue")
    page.get_by_label("File of the chart").set_input_files(file)
    page.get_by_text("The chart is good.").wait_for()


def set_prices(page: Page) -> None:
    go_on(page, "Prices")
    for tier, price in TIERS.items():
        page.get_by_label(f"Price of {tier}").fill(f"{price}.00")
        page.get_by_label(f"VAT of {tier}").fill("7%")
    page.get_by_label("Fee for each ticket").fill("1.50")


def create(page: Page, name: str) -> None:
    page.get_by_role("link", name="8 Summary").click()
    page.get_by_text("can be created:").wait_for()
    page.get_by_text("89.00 EUR Front rows").wait_for()
    page.get_by_role("button", name="Create the event").click()
    page.get_by_role("heading", name=f"Prepare {name}").wait_for()


def preview(page: Page, name: str) -> None:
    with page.expect_popup() as opened:
        page.get_by_role("link", name="See it as a buyer").click()
    opened.value.get_by_role("heading", name=name).wait_for()
    opened.value.get_by_text("€90.50").first.wait_for()
    opened.value.close()


def test_an_event_is_prepared_on_the_page_and_found_by_buyers(system: Running, desk: Page) -> None:
    begin(desk, system, "Prepared Gala")
    assert desk.get_by_label("Id in addresses").input_value() == "prepared-gala"
    desk.get_by_label("Start of the performance").fill(f"{YEAR}-12-13T20:00")
    desk.get_by_label("Time zone").fill("Europe/Berlin")
    choose_the_chart(desk)
    set_prices(desk)
    desk.reload()  # in the middle
    assert desk.get_by_label("Price of Front rows").input_value() == "89.00"
    desk.get_by_role("row", name="Front rows").get_by_text("€90.50").wait_for()
    go_on(desk, "Sale")
    desk.get_by_label("Sale start").fill(f"{YEAR}-06-01T10:00")
    create(desk, "Prepared Gala")
    preview(desk, "Prepared Gala")

    if desk.get_by_role("button", name="Save the changes").count():
        desk.locator("summary", has_text="Event").first.click()
        desk.get_by_label("Performing artist").fill("The Tides")
        desk.get_by_role("button", name="Save the changes").click()
        desk.get_by_text("artist: nothing → The Tides").wait_for()
    desk.get_by_role("button", name="Publish now").click()
    desk.get_by_text("Before the sale").wait_for()
    desk.goto(system.base_url)
    desk.get_by_role("link", name="Prepared Gala").wait_for()
    desk.goto(f"{system.base_url}/console#/new")
    desk.get_by_role("button", name="Begin a new event").wait_for()
    assert desk.get_by_role("link", name="Prepared Gala").count() == 0  # no draft is left


def test_what_is_wrong_is_told_with_its_place(system: Running, desk: Page, tmp_path: Path) -> None:
    chart: dict[str, Any] = json.loads(GALA.read_text("utf-8"))
    chart["sections"][0]["blocks"][0]["rows"][0]["seats"][0]["tier"] = "nowhere"
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(chart), "utf-8")
    begin(desk, system, "Wrong Gala")
    go_on(desk, "Venue")
    desk.get_by_label("File of the chart").set_input_files(bad)
    desk.get_by_text("section 101, row A, seat 1").wait_for()
    desk.get_by_label("File of the chart").set_input_files(GALA)
    desk.get_by_text("The chart is good.").wait_for()
    desk.get_by_role("link", name="8 Summary").click()
    missing = desk.get_by_text("The start of the sale:")
    missing.get_by_role("link", name="Sale").click()
    desk.get_by_label("Sale start").fill(f"{YEAR}-06-01T10:00")
    desk.get_by_role("link", name="8 Summary").click()
    desk.get_by_role("link", name="Price, front").click()
    desk.get_by_label("Price of Front rows").wait_for()

    desk.get_by_role("link", name="All drafts").click()
    desk.get_by_role("link", name="Wrong Gala").wait_for()
    desk.get_by_role("button", name="Delete Wrong Gala").click()
    desk.get_by_role("button", name="Delete it").click()
    desk.get_by_role("link", name="Wrong Gala").wait_for(state="detached")
    desk.reload()
    desk.get_by_role("button", name="Begin a new event").wait_for()
    assert desk.get_by_role("link", name="Wrong Gala").count() == 0


PICTURES = ("logo", "picture")
# Of fields: the step in which each is, and what it is called there.
FIELDS_JS = """
import { titled } from './edge/console/js/format.js';
import { LABELS, stepOf } from './edge/console/js/prepare/steps.js';
const at = (name) => [name, [stepOf(name).name, LABELS[name] ?? titled(name)]];
console.log(JSON.stringify(Object.fromEntries(JSON.parse(process.argv[1]).map(at))));
"""


def _places_of(names: list[str]) -> dict[str, list[str]]:
    """The step and the label of each field."""
    command = ["node", "--input-type=module", "-e", FIELDS_JS, json.dumps(names)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    places: dict[str, list[str]] = json.loads(done.stdout)
    return places


def _fill(page: Page, label: str, value: Any) -> None:
    """Set a control by its label to a value of an event's file."""
    if value is True:
        page.get_by_role("checkbox", name=re.compile(f"^{re.escape(label)}")).check()
        return
    control: Locator = page.get_by_label(re.compile(rf"^{re.escape(label)}( \(needed\))?$"))
    if isinstance(value, dict):
        control.fill(json.dumps(value))
    elif control.evaluate("node => node.tagName") == "SELECT":
        control.select_option(value)
    else:
        control.fill(" ".join(value) if isinstance(value, list) else str(value))


def test_every_field_of_an_events_file_can_be_set_on_the_page(
    system: Running, desk: Page, tmp_path: Path
) -> None:
    shutil.copy(CHARTS / "little-hall.venue.json", tmp_path / "hall.json")
    text = ALL_FIELDS.replace("2027-", f"{YEAR}-").replace('"final"', '"all-fields"')
    written = tomllib.loads(text)
    places = _places_of([name.replace("-", "_") for name in written])
    begin(desk, system, "Every Field", "Owner")
    choose_the_chart(desk, tmp_path / "hall.json")
    tiers = {
        tier["id"]: tier["name"]
        for tier in json.loads((tmp_path / "hall.json").read_text())["tiers"]
    }
    for step in dict.fromkeys(step for step, _ in places.values()):
        desk.get_by_role("link", name=re.compile(rf"^\d {re.escape(step)}$")).click()
        desk.get_by_role("heading", name=step, exact=True).wait_for(state="attached")
        for name, value in written.items():
            place, label = places[name.replace("-", "_")]
            if place != step or name == "venue":
                continue
            if name in PICTURES:
                file = ROOT / "edge/web/assets/card.png"
                desk.get_by_label(f"{label} (optional)").set_input_files(file)
            elif name in {"price", "vat"}:
                for tier, one in value.items():
                    of = "Price" if name == "price" else "VAT"
                    desk.get_by_label(f"{of} of {tiers[tier]}", exact=True).fill(one)
            else:
                _fill(desk, label, value)
    desk.get_by_role("link", name="8 Summary").click()
    desk.get_by_text("can be created:").wait_for()
    desk.get_by_role("button", name="Create the event").click()
    desk.get_by_role("heading", name="Prepare Das").wait_for()
    shown = tomllib.loads(system.fairgate("event", "show", "all-fields", "--toml"))
    assert all(shown.pop(name) for name in PICTURES)
    assert shown == {name: value for name, value in written.items() if name not in PICTURES}
