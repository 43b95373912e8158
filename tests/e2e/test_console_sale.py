"""A whole sale on the console in a real browser, without a command; and its acts by keyboard."""

from __future__ import annotations

import asyncio
import csv
import json
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

import pytest

from fairgate.domain.seating.dump_venue import dump_venue
from fairgate_ops.operate.importers.demo import demo_venue
from fairgate_ops.run.crowd.arrivals import Crowd
from tests.e2e import browser, test_browser_journey
from tests.e2e.shopper import call
from tests.e2e.test_console_orders import refund_it, see_a_refund
from tests.e2e.test_console_prepare import (
    begin,
    choose_the_chart,
    create,
    go_on,
    preview,
    set_prices,
)
from tests.support.waiting import patience_s, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page

    from fairgate_ops.run.crowd.buyer import Outcome
    from tests.support.running import Running

    Role = Literal["button", "link", "searchbox", "spinbutton", "textbox"]

BUYERS = 300
ARRIVE_S = 30
SEATS = 1_200  # enough for all of them
REPORTED_WITHIN_S = 60
SHOWN_WITHIN_S = 60  # figures are made every ten seconds, and pages ask for words every 30
REFUND_MINOR = 250
TABS_MAX = 60
# Of the control that has the focus: is all of it in view, on top, and outlined?
SEEN = """node => {
  const { top, bottom, left, right } = node.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(node);
  const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return {
    inside: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
    onTop: node.contains(front),
    outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
  };
}"""


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Page]:
    with browser.window(chromium) as opened:
        yield opened


def _hall(folder: Path) -> Path:
    """A chart with a seat for everybody."""
    hall = folder / "hall.json"
    hall.write_text(json.dumps(dump_venue(demo_venue(SEATS))), "utf-8")
    return hall


def _crowd(system: Running, event: str) -> list[Outcome]:
    crowd = Crowd(system.base_url, event, patience_s=patience_s(300), think_s=0.2)
    return asyncio.run(crowd.arrive(BUYERS, ARRIVE_S))


def _orders(page: Page, system: Running, event: str) -> list[dict[str, Any]]:
    """The paid orders of the event's tables, oldest first."""
    orders: list[dict[str, Any]] = []
    after = None
    while after != "":
        wanted = {"event": event} | ({"after": after} if after else {})
        part = _as_signed_in(
            page, system, "POST", "acts", {"act": "orders list", "arguments": wanted}
        )["result"]
        orders += [order for order in part["orders"] if order.get("paid_at")]
        after = part["after"] or ""
    return orders


def _bought(
    page: Page, system: Running, event: str, outcomes: list[Outcome]
) -> list[dict[str, Any]]:
    """The orders of a crowd, as many as it says."""
    assert {one.kind for one in outcomes} <= {"ticket", "message", "refusal"}, outcomes
    orders = _orders(page, system, event)
    bought = sum(one.kind == "ticket" for one in outcomes)
    assert len(orders) == bought > BUYERS / 2, outcomes
    return orders


def _as_signed_in(page: Page, system: Running, method: str, what: str, body: Any = None) -> Any:
    kept = page.evaluate("sessionStorage.getItem('fairgate-console:signed-in')")
    headers = {"authorization": f"Bearer {json.loads(kept)['token']}"}
    answers: list[Any] = []

    def taken() -> bool:
        answers.append(call(system.base_url, method, f"/api/operator/{what}", body, headers))
        return answers[-1].status != 429

    wait_until(taken, what, every_s=0.5)
    assert answers[-1].status == 200, answers[-1]
    return answers[-1].body


def _tile(page: Page, name: str) -> Locator:
    return page.locator(".tile").filter(has=page.get_by_text(name, exact=True))


def _shows(page: Page, name: str, value: str) -> None:
    shown = _tile(page, name).get_by_text(value, exact=True)
    shown.wait_for(timeout=1000 * patience_s(SHOWN_WITHIN_S))


def _go(page: Page, tab: str, heading: str) -> None:
    page.get_by_role("link", name=tab, exact=True).click()
    page.get_by_role("heading", name=heading).first.wait_for()


def test_an_owner_runs_a_whole_sale_by_the_page(
    system: Running, desk: Page, chromium: Browser, tmp_path: Path
) -> None:
    event = "whole-gala"
    begin(desk, system, "Whole Gala", "Owner")
    choose_the_chart(desk, _hall(tmp_path))
    set_prices(desk)
    go_on(desk, "Sale")
    desk.get_by_label("Pace τ").fill("1")
    desk.get_by_role("link", name="7 All fields").click()
    desk.get_by_label("Seconds until the sale starts").fill(f"{patience_s(8):.0f}")
    desk.get_by_label("Proof of work, in bits").fill("8")
    desk.get_by_label("Least and most time between two requests").fill("1 2")
    create(desk, "Whole Gala")
    preview(desk, "Whole Gala")
    desk.get_by_role("button", name="Publish now").click()
    desk.get_by_role("button", name="Publish now").wait_for(state="detached")

    with browser.window(chromium) as shop, ThreadPoolExecutor(1) as beside:
        crowd = beside.submit(_crowd, system, event)
        test_browser_journey.enter(shop, SimpleNamespace(base_url=system.base_url, event=event))
        orders = _bought(desk, system, event, crowd.result())
        _live_shows(desk, system, event, orders)
        _steer(desk, shop)

    order = orders[0]["order"]
    _go(desk, "Orders", "Orders")
    desk.get_by_label("Name, mail address").fill(order)
    desk.get_by_label("Name, mail address").press("Enter")
    see_a_refund(desk, f"{REFUND_MINOR / 100:.2f}", "Late start")
    refund_it(desk)
    desk.get_by_role("listitem").filter(has_text="Refunded in part").first.wait_for()

    _after_shows(desk, tmp_path, orders)
    _close(desk)
    _go(desk, "Log", "Log")
    desk.get_by_text("Every entry is as it was signed.").wait_for()
    for act in ("create", "publish", "tau", "pause", "say", "resume", "order refund", "close"):
        assert desk.get_by_role("cell", name=act).count() >= 1, act


def _live_shows(page: Page, system: Running, event: str, orders: list[dict[str, Any]]) -> None:
    sold = sum(unit.get("quantity", 1) for order in orders for unit in order["units"])
    takings = sum(order["total_minor"] for order in orders)
    _go(page, "Live", "Whole Gala")
    _shows(page, "Sold", f"{sold:,}")
    page.get_by_text(f"{len(orders):,} orders", exact=True).wait_for()
    figures = _as_signed_in(page, system, "GET", f"events/{event}")
    assert figures["seats"]["sold"] == sold
    assert figures["sale"]["paid"] == len(orders)
    assert figures["sale"]["revenue_minor"] == takings
    _shows(page, "Takings", f"€{(takings + 50) // 100:,}")


def _steer(page: Page, shop: Page) -> None:
    _go(page, "Steer", "Steer")
    page.get_by_label("Words for the room").fill("The band is late: ten minutes.")
    page.get_by_role("button", name="Pause", exact=True).click()
    page.get_by_role("button", name="Resume", exact=True).wait_for()
    heard = shop.get_by_text("The band is late: ten minutes.").first
    heard.wait_for(timeout=1000 * patience_s(SHOWN_WITHIN_S))
    page.get_by_role("button", name="Resume", exact=True).click()
    told = page.locator(".told")
    told.get_by_text("goes on").wait_for()
    page.get_by_role("spinbutton", name="τ in seconds").fill("30")
    page.get_by_role("row", name="let in a second").get_by_text("→").wait_for()
    page.get_by_role("button", name="Set τ to 30 s").click()
    asked = page.get_by_role("dialog", name="This cannot be undone")
    asked.get_by_text("30 times as slow").wait_for()
    asked.get_by_role("button", name="Do it").click()
    told.get_by_text("τ 30 s").wait_for()


def _after_shows(page: Page, folder: Path, orders: list[dict[str, Any]]) -> None:
    takings = sum(order["total_minor"] for order in orders)
    _go(page, "After", "After the sale")
    _shows(page, "Takings", f"€{takings / 100:,.2f}")
    page.get_by_role("button", name="Make the report").click()
    _reported(page)
    paid = page.locator(".funnel li").filter(has=page.get_by_text("Paid", exact=True))
    paid.get_by_text(f"{len(orders):,}", exact=True).wait_for()
    page.get_by_role("link", name="Files", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Sales by day, tier and VAT").click()
    saved.value.save_as(folder / "sales.csv")
    with (folder / "sales.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(round(100 * float(row["amount"])) for row in rows) in (
        takings,
        takings - REFUND_MINOR,
    )  # until it is booked


def _reported(page: Page) -> None:
    again = page.get_by_role("button", name="Make it again")
    again.wait_for(timeout=1000 * patience_s(REPORTED_WITHIN_S))


def _close(page: Page) -> None:
    _go(page, "Steer", "Steer")
    page.locator("summary", has_text="Close the sale").click()
    page.get_by_role("button", name="Close the sale").click()
    asked = page.get_by_role("dialog", name="This cannot be undone")
    asked.get_by_text("for good").wait_for()
    typed = asked.get_by_role("textbox")
    if typed.count():
        typed.fill("whole-gala")
    asked.get_by_role("button", name="Do it").click()
    page.locator(".told").get_by_text("closed").wait_for()


class Keys:
    """Someone who has a keyboard alone."""

    def __init__(self, page: Page) -> None:
        self._page, self.press = page, page.keyboard.press
        self.lost: list[str] = []

    def keep(self, after: str) -> None:
        """Note where a person would have to begin at the page's top again."""
        if self._page.evaluate("document.activeElement === document.body"):
            self.lost.append(after)

    def to(self, role: Role, name: str, key: str = "Tab") -> Locator:
        """Tab until the control has the focus, and look whether it can be seen."""
        return self.reach(
            self._page.get_by_role(role, name=name, exact=True), f"{role} {name}", key
        )

    def reach(self, wanted: Locator, called: str, key: str = "Tab") -> Locator:
        """As ``to``, for a control without a role."""
        wanted.wait_for()
        focused = wanted.and_(self._page.locator(":focus"))
        for _ in range(TABS_MAX):
            if focused.count():
                break
            self.press(key)
        else:
            at = self._page.locator(":focus").evaluate_all("all => all.map(one => one.outerHTML)")
            raise AssertionError(f"{called} is not reached; the focus is at {at}")
        wait_until(lambda: all(focused.evaluate(SEEN).values()), f"{called} to be seen", within_s=2)
        return wanted

    def use(self, role: Role, name: str, key: str = "Enter") -> None:
        self.to(role, name)
        self.press(key)

    def write(self, role: Role, name: str, text: str) -> None:
        self.to(role, name)
        self.press("ControlOrMeta+A")
        self._page.keyboard.type(text)


def _prepare_by_keyboard(desk: Page, keys: Keys, name: str, hall: Path) -> None:
    keys.use("link", "New event")
    keys.use("button", "Begin a new event")
    keys.write("textbox", "Name (needed)", name)
    keys.use("link", "Go on to Venue")
    heading = desk.get_by_role("heading", name="Venue", exact=True)
    heading.and_(desk.locator(":focus")).wait_for(state="attached")
    with desk.expect_file_chooser() as asked:
        keys.reach(desk.get_by_label("File of the chart"), "the chart")
        keys.press("Enter")
    asked.value.set_files(hall)
    desk.get_by_text("The chart is good.").wait_for()
    keys.use("link", "Go on to Prices")
    keys.use("button", "Standing no price yet")
    desk.keyboard.type("35")
    desk.get_by_role("button", name="Standing €35.00").wait_for()
    keys.write("textbox", "Price of all other tiers", "50")
    keys.use("link", "Go on to Sale")
    keys.write("textbox", "Pace τ", "1")
    keys.use("link", "7 All fields")
    keys.write("textbox", "Seconds until the sale starts", f"{patience_s(8):.0f}")
    keys.write("textbox", "Proof of work, in bits", "8")
    keys.write("textbox", "Least and most time between two requests", "1 2")
    keys.use("link", "8 Summary")
    desk.get_by_text("can be created:").wait_for()
    keys.use("button", "Create the event")
    desk.get_by_role("heading", name=f"Prepare {name}").wait_for()
    keys.use("button", "Publish now")
    desk.get_by_role("button", name="Publish now").wait_for(state="detached")
    keys.keep("publish")


def _end_by_keyboard(desk: Page, keys: Keys) -> None:
    keys.use("link", "After")
    keys.use("button", "Make the report")
    _reported(desk)
    keys.keep("make the report")

    keys.use("link", "Steer")
    keys.reach(desk.locator("summary", has_text="Close the sale"), "closing")
    keys.press("Enter")
    keys.use("button", "Close the sale")
    if desk.get_by_role("dialog").get_by_role("textbox").count():
        keys.write("textbox", "Type keyed to go on", "keyed")
    keys.use("button", "Do it")
    desk.locator(".told").get_by_text("closed").wait_for()
    keys.keep("close")


def _steer_by_keyboard(desk: Page, keys: Keys) -> None:
    keys.use("link", "Steer")
    keys.write("spinbutton", "τ in seconds", "1.5")
    desk.get_by_role("row", name="let in a second").get_by_text("→").wait_for()
    keys.use("button", "Set τ to 1.5 s", "Space")
    desk.get_by_text("τ 1.5 s").first.wait_for()
    keys.keep("set τ")
    keys.write("textbox", "Words for the room (optional)", "Wait a moment.")
    keys.use("button", "Pause")
    keys.use("button", "Resume", "Space")
    desk.get_by_role("button", name="Pause", exact=True).wait_for()
    keys.keep("resume")

    keys.use("link", "A word to the room")
    keys.write("textbox", "English", "The doors are open.")
    keys.use("button", "Say it")
    desk.get_by_role("definition").filter(has_text="The doors are open.").wait_for()
    keys.keep("say it")


def test_a_sale_is_run_reported_and_closed_by_keyboard(
    system: Running, desk: Page, tmp_path: Path
) -> None:
    keys = Keys(desk)
    desk.goto(f"{system.base_url}/console")
    keys.use("button", "Sign in")
    keys.use("button", "Owner")
    _prepare_by_keyboard(desk, keys, "Keyed", _hall(tmp_path))
    with ThreadPoolExecutor(1) as beside:
        crowd = beside.submit(_crowd, system, "keyed")
        _steer_by_keyboard(desk, keys)
        found = _bought(desk, system, "keyed", crowd.result())[0]
    order = found["order"]

    keys.use("link", "Orders")
    keys.write("searchbox", "Name, mail address, order, ticket, seat or payment", found["email"])
    keys.press("Enter")
    keys.use("link", f"Order {order}")
    desk.get_by_role("button", name="Refund a part").wait_for()
    keys.keep("open an order")
    keys.use("button", "Refund a part", "Space")
    keys.write("textbox", "Amount", "2.50")
    keys.write("textbox", "Why", "Late start")
    keys.press("Enter")
    desk.get_by_role("row", name="Given back €0.00 €2.50").wait_for()
    keys.use("button", "Refund it")
    keys.use("button", "Do it")
    desk.get_by_role("listitem").filter(has_text="Refunded in part").first.wait_for()
    keys.keep("refund it")

    _end_by_keyboard(desk, keys)
    keys.use("link", "Log")
    keys.write("searchbox", "Show only", "refund")
    desk.get_by_role("cell", name="order refund").first.wait_for()
    desk.get_by_text("Every entry is as it was signed.").wait_for()
    assert not keys.lost, keys.lost
