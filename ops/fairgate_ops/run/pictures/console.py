"""The pictures of the console: an owner's way by its screens, on a desktop and on a phone."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate_ops.shared.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

GALA = ROOT / "docs/gala.json"
PRICES = {"Front rows": 89, "Lower bowl": 65, "Upper bowl": 45, "Balcony": 39, "Standing": 35}
CROWD = 40
CROWD_ARRIVES_S = 20
CROWD_TAU_S = 40  # so slow that somebody waits while the pictures are taken
CROWD_BUYS_MS = 180_000
REHEARSED = 60
FORECAST = {  # as the crowd of these pictures is
    "Before share": "0.1",
    "Wave share": "0.9",
    "Wave (seconds)": "40",
    "Choose (seconds)": "10",
    "Pay (seconds)": "10",
    "Hours": "0.2",
}
JOB_MS = 60_000
_SOME_ORDERS = re.compile(r"^[1-9]\d orders$")


@dataclass(frozen=True)
class Desk:
    """Where the owner sits, what they look at, and how a picture of it is taken."""

    page: Page
    base_url: str
    event: str
    shoot: Callable[[str, str], None]

    def take(self, screen: str, at: str = "") -> None:
        """Take the screen, from the top or from ``at``, a selector, on.

        The cursor and the message of the last act are hidden.
        """
        told = self.page.locator(".told button")
        if told.count():
            told.click()
        self.page.evaluate("document.activeElement.blur()")
        self.page.mouse.move(0, 0)
        self.shoot(screen, at)

    def enter(self) -> None:
        self.page.goto(f"{self.base_url}/console")
        self.page.get_by_role("button", name="Sign in").click()
        self.page.get_by_role("button", name="Owner", exact=True).click()
        self.page.get_by_role("heading", name="Events", exact=True).wait_for()

    def go(self, tab: str, heading: str, event: str = "") -> None:
        at = f"#/e/{event or self.event}/{tab}"
        self.page.evaluate("at => { location.hash = at }", at)
        self.page.get_by_role("heading", name=heading).first.wait_for()

    def go_on(self, step: str) -> None:
        self.page.get_by_role("link", name=f"Go on to {step}").click()
        self.page.get_by_role("heading", name=step, exact=True).wait_for(state="attached")


def slow_down(desk: Desk) -> None:
    """Set a pace at which those who come from now on wait for a while."""
    desk.go("steer", "Steer")
    desk.page.get_by_role("spinbutton", name="τ in seconds").fill(f"{CROWD_TAU_S}")
    desk.page.get_by_role("button", name=f"Set τ to {CROWD_TAU_S} s").click()
    desk.page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    desk.page.get_by_role("button", name="Back to").wait_for(state="detached")


def new_event(desk: Desk) -> str:
    """The steps, until the prices; creates the event as a draft and returns its id."""
    page, year = desk.page, time.gmtime().tm_year + 1
    event = f"spring-{time.time_ns() // 1_000_000}"
    page.evaluate("location.hash = '#/new'")
    page.get_by_role("button", name="Begin a new event").click()
    page.get_by_label("Name (needed)").fill("Spring Gala")
    page.get_by_label("Id in addresses").fill(event)
    page.get_by_label("Start of the performance").fill(f"{year}-12-13T20:00")
    page.get_by_label("Time zone").fill("Europe/Berlin")
    desk.go_on("Venue")
    chart_faults(desk)
    page.get_by_label("File of the chart").set_input_files(GALA)
    page.get_by_text("The chart is good.").wait_for()
    desk.go_on("Prices")
    for tier, price in PRICES.items():
        page.get_by_label(f"Price of {tier}").fill(f"{price}.00")
        page.get_by_label(f"VAT of {tier}").fill("7%")
    page.get_by_label("Fee for each ticket").fill("1.50")
    page.locator(".map-holder[aria-busy=false]").wait_for()
    page.get_by_role("button", name="All tiers").click()
    desk.take("new-event")
    desk.go_on("Sale")
    page.get_by_label("Sale start").fill(f"{year}-06-01T10:00")
    page.get_by_role("link", name="8 Summary").click()
    page.get_by_text("can be created:").wait_for()
    page.get_by_role("button", name="Create the event").click()
    page.get_by_role("heading", name="Prepare Spring Gala").wait_for()
    page.get_by_role("link", name="See it as a buyer").wait_for()
    desk.take("prepare")
    return event


def rehearse(desk: Desk) -> None:
    """A rehearsal of the sale's event, before it and while its crowd buys; then it is ended."""
    page = desk.page
    desk.go("prepare", "Prepare")
    page.get_by_label("Simulated buyers").fill(f"{REHEARSED}")
    page.get_by_label("Sale starts after").fill("30")
    page.get_by_text("Nothing is done").wait_for()
    desk.take("rehearse", 'section:has-text("Rehearse this event")')
    page.get_by_role("button", name="Rehearse it").click()
    page.locator(".tile .more", has_text=_SOME_ORDERS).wait_for(timeout=CROWD_BUYS_MS)
    page.locator(".chart canvas").nth(5).wait_for()
    desk.take("rehearsal")
    page.get_by_role("button", name="End the rehearsal").click()
    page.get_by_role("dialog").get_by_role("button", name="Do it").click()
    page.get_by_text("All have gone.").wait_for()


def chart_faults(desk: Desk) -> None:
    """The chart with some faults, on its map."""
    chart = json.loads(GALA.read_text("utf-8"))
    first, _, third, *_ = chart["sections"]
    first["blocks"][0]["rows"][1]["seats"][0]["tier"] = "nowhere"
    for seat in third["blocks"][1]["rows"][0]["seats"]:
        seat["number"] = "1"
    chart["sections"][4]["name"] = ""
    page, body = desk.page, json.dumps(chart).encode()
    page.get_by_label("File of the chart").set_input_files(
        {"name": GALA.name, "mimeType": "application/json", "buffer": body}
    )
    page.locator(".faulty .map-holder[aria-busy=false]").wait_for()
    desk.take("chart", "details summary")


def house_seats(desk: Desk, event: str) -> None:
    """Two rows of the draft, chosen by the keyboard, with what blocking them would do."""
    page = desk.page
    desk.go("house", "House seats", event)
    page.locator(".map-front").focus()
    for key in ("ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
        page.wait_for_timeout(300)
    page.get_by_role("textbox", name="Reason").fill("sound desk")
    page.get_by_role("button", name="See what would be blocked").click()
    page.get_by_text("Dry run, nothing written.").wait_for()
    desk.take("house-seats")


def forecast(desk: Desk) -> None:
    """How the sale of the crowd may go, kept for the live screen."""
    page = desk.page
    desk.go("forecast", "Forecast")
    page.get_by_role("textbox", name="Buyers").fill(f"{CROWD}")
    page.get_by_text("What else is assumed").click()
    for name, value in FORECAST.items():
        page.get_by_role("textbox", name=name, exact=True).fill(value)
    page.get_by_text("What else is assumed").click()
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("heading", name=f"For {CROWD} buyers").wait_for()
    page.locator(".chart canvas").nth(3).wait_for()
    desk.take("forecast")


def live(desk: Desk) -> None:
    """The sale while the crowd is in it, beside its forecast."""
    desk.go("live", "Winter Gala")
    desk.page.locator(".tile .more", has_text=_SOME_ORDERS).wait_for(timeout=CROWD_BUYS_MS)
    desk.page.locator(".chart canvas").nth(5).wait_for()
    desk.page.get_by_text("Against the forecast").wait_for()
    desk.take("live")


def steer(desk: Desk) -> None:
    """Another pace, with what would follow."""
    desk.go("steer", "Steer")
    desk.page.get_by_role("spinbutton", name="τ in seconds").fill("20")
    desk.page.locator(".ahead tbody tr", has_text="shoppers").locator("td").last.filter(
        has_not_text="–"
    ).wait_for()
    desk.take("steer")


def word(desk: Desk) -> None:
    """What is said, and what could be said next."""
    page = desk.page
    desk.go("word", "A word to the room")
    if not page.get_by_role("button", name="Take it away").count():
        page.get_by_label("English").fill("The band arrives late.")
        page.get_by_role("button", name="Say it").click()
        page.get_by_role("button", name="Take it away").wait_for()
    page.get_by_label("English").fill("The band is here.")
    desk.take("word")


def orders(desk: Desk, address: str) -> None:
    """All orders, and one of them with a part that may go back."""
    page = desk.page
    desk.go("orders", "Orders")
    page.get_by_role("link", name="ord_").first.wait_for()
    desk.take("orders")
    page.get_by_label("Name, mail address").fill(address)
    page.get_by_label("Name, mail address").press("Enter")
    page.locator("main", has_text=address).get_by_role("link", name="ord_").first.click()
    page.get_by_role("button", name="Refund a part").click()
    page.get_by_label("Amount").fill("12.00")
    page.get_by_label("Why").fill("Late start")
    page.get_by_role("button", name="See what it does").click()
    page.get_by_role("row", name="Given back").wait_for()
    desk.take("order")


def people(desk: Desk, address: str) -> None:
    desk.go("people", "People")
    desk.page.get_by_label("Mail address or account").fill(address)
    desk.page.get_by_role("button", name="Look them up").click()
    desk.page.get_by_role("heading", name="What is stored").wait_for()
    desk.take("people")


def after(desk: Desk) -> None:
    """The report as the logs have it, the proof and the books."""
    page = desk.page
    desk.go("after", "After the sale")
    again = page.get_by_role("button", name="Make it again")
    page.wait_for_timeout(1_500)  # an earlier one may be there
    if not again.count():
        page.get_by_role("button", name="Make the report").click()
        again.wait_for(timeout=JOB_MS)
    page.locator(".funnel").get_by_text("Went to pay").wait_for()
    desk.take("after")
    desk.go("after/proof", "Commitment")
    _run(desk, "Check every admission", re.compile("Check (now|again)"))
    desk.take("proof")
    desk.go("after/books", "Enter what moved")
    _run(desk, "Check this event’s ledger", re.compile("Compare"))
    desk.take("books")


def _run(desk: Desk, title: str, button: re.Pattern[str]) -> None:
    """Do a long act, and wait for its end."""
    page = desk.page
    card = page.locator(".card").filter(has=page.get_by_role("heading", name=title))
    card.get_by_role("button", name=button).first.click()
    card.locator(".job", has_text="Done").wait_for(timeout=JOB_MS)


def call_off(desk: Desk) -> None:
    """What calling the event off would give back; nothing is called off."""
    desk.go("after/call-off", "Cancel the event")
    desk.page.get_by_label("Why").fill("Storm")
    desk.page.get_by_role("button", name="See what it does").click()
    desk.page.get_by_role("row", name="Paid orders").wait_for(timeout=JOB_MS)
    desk.take("call-off")


def log(desk: Desk) -> None:
    desk.go("log", "Log")
    desk.page.get_by_text("Every entry is as it was signed.").wait_for()
    desk.take("log")


def events(desk: Desk) -> None:
    desk.page.evaluate("location.hash = '#/'")
    desk.page.locator(".event", has_text="Takings").first.wait_for()
    desk.page.wait_for_timeout(3_000)  # the figures of each event come one after the other
    desk.take("events")


def walk(desk: Desk, address: str) -> None:
    """Every screen; those of the sale when some of the crowd have bought."""
    draft = new_event(desk)
    house_seats(desk, draft)
    word(desk)
    forecast(desk)
    live(desk)
    rehearse(desk)
    steer(desk)
    orders(desk, address)
    people(desk, address)
    after(desk)
    call_off(desk)
    log(desk)
    events(desk)
