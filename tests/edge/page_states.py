"""Every state of the buyers' pages, for the tests and pictures that go through all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from fairgate.adapters.tickets.ticket_files import ticket_svg
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import TicketFace
from tests.e2e.stub import bought as listed
from tests.e2e.stub import found
from tests.e2e.stub.answers import ORDER, Refused, stamp
from tests.e2e.stub.event import event_summary
from tests.e2e.stub.passing import TOKEN as OFFER
from tests.e2e.stub.passing import ticket, transfer
from tests.e2e.stub.server import Stub
from tests.edge.brand import branded
from tests.edge.web_tools import arrive

if TYPE_CHECKING:
    from playwright.sync_api import Page

NOW_S = datetime(2026, 12, 4, 9, 0, tzinfo=UTC).timestamp()  # of pictures: 10:00 in Hamburg
DAY_S = 86_400
HELD = ["102-A-1", "102-A-2"]
EVENT_NAME = "Lights over the Harbour"


def nothing(*_: Any) -> None:
    """Change nothing."""


def several(stub: Stub) -> None:
    now = stub.world.now()
    others = {
        "derby": {"name": "Harbour Derby", "artist": "Handball", "category": "Sport"},
        "loud": {"name": "Out Loud", "artist": "Six comedians", "state": "soldout"},
        "choir": {"name": "Winter Choir", "artist": "", "sale_starts_at": stamp(now + 3 * DAY_S)},
    }
    stub.world.listed = [
        event_summary(stub.world) | {"event": event, "subtitle": "", **facts}
        for event, facts in others.items()
    ]


def waiting(stub: Stub) -> None:
    stub.world.polls_before_admission, stub.world.backoff_s = 99, 30


def early(stub: Stub) -> None:
    waiting(stub)
    stub.world.sale_starts_at = stub.world.now() + 850


def days_before(stub: Stub) -> None:
    stub.world.sale_starts_at = stub.world.now() + 1.9 * DAY_S


def paused(stub: Stub) -> None:
    waiting(stub)
    stub.world.state = "paused"


def locked_out(stub: Stub) -> None:
    stub.world.polls_before_admission = 0
    stub.world.lock = {
        "level": 2,
        "until": stamp(stub.world.now() + 560),
        "noticed": "In the last ten minutes this account asked before the time that was given"
        " about 24 times.",
        "by": "rules",
        "appealed": False,
    }


def sold_out(stub: Stub) -> None:
    stub.world.state = "soldout"


def over_while_waiting(stub: Stub) -> None:
    sold_out(stub)
    stub.world.refuse["queue"] = Refused(410, "sale-over", state="soldout")
    stub.world.refuse_times = 99


def inside(stub: Stub) -> None:
    stub.inside()


def turn(stub: Stub) -> None:
    stub.world.polls_before_admission = 0


def holding(stub: Stub) -> None:
    stub.inside()
    stub.hold({"seats": HELD})


def unpaid(stub: Stub) -> None:
    holding(stub)
    stub.world.session_state, stub.world.order_state = "checkout", "pending"


def declined(stub: Stub) -> None:
    unpaid(stub)
    stub.world.last_attempt = "declined"


def bought(stub: Stub) -> None:
    holding(stub)
    stub.world.session_state, stub.world.order_state = "finalised", "ticketed"
    stub.world.mailed_at = stamp(stub.world.now())
    passable(stub)


def passable(stub: Stub) -> None:
    labels = ("102 · Row A · Seat 1", "102 · Row A · Seat 2")
    tickets = [ticket(n, label) for n, label in enumerate(labels)]
    stub.world.transfer = transfer(*tickets) | {"until": stamp(stub.world.now() + 2 * DAY_S)}


def cancellable(stub: Stub) -> None:
    bought(stub)
    places = [
        {
            "tickets": [one["ticket"]],
            "seat": seat,
            "label": one["label"],
            "places": 1,
            "refund_minor": 11_600,
            "fee_minor": 500,
        }
        for seat, one in zip(HELD, (stub.world.transfer or {})["tickets"], strict=True)
    ]
    until = {"until": stamp(stub.world.now() + DAY_S), "places": places}
    stub.world.cancellation = until | {"refund_minor": 23_200, "fee_minor": 1_000}


def several_bought(stub: Stub) -> None:
    bought(stub)
    made, day = stub.order(), stub.world.now() - DAY_S
    other = {"created_at": stamp(day), "state": "refunded", "returned_minor": made["total_minor"]}
    stub.world.bought = [
        listed.of_order(made, EVENT_NAME, created_at=stamp(stub.world.now() - 60)),
        listed.of_order(made | {"order": ORDER[:-1] + "2"}, "Winter Gala", **other),
    ]


def held(stub: Stub) -> None:
    bought(stub)
    stub.world.held = [
        {
            "order": ORDER,
            "event": "demo",
            "event_name": EVENT_NAME,
            "good": True,
            "event_cancelled": False,
            "transfer": stub.world.transfer,
        }
    ]


def lost(stub: Stub) -> None:
    stub.world.found = [found.found_order(created_at=stamp(stub.world.now() - 60))]


def failing(stub: Stub) -> None:
    stub.world.refuse["events"], stub.world.refuse_times = Refused(500, "internal"), 99


def used_up(stub: Stub) -> None:
    stub.world.sessions_left = 0


@cache
def ticket_picture() -> str:
    """Return a ticket as the service draws it."""
    face = TicketFace(
        event_name=EVENT_NAME,
        venue_name="Harbour Hall",
        label="102 · Row A · Seat 1",
        tier="Gold",
        ticket="tkt_0000000000000001",
        code=f"FG1.{'x' * 60}.{'y' * 86}",
        number=1,
        total=2,
        starts="Thu 4 Mar 2027, 20:00 CET",
        venue_address="Quay 1, 20457 Hamburg",
    )
    return ticket_svg(face).decode()


def minutes_later(page: Page, stub: Stub) -> None:
    """Let nine minutes pass where clocks stand still, and await the next estimate."""
    if stub.world.frozen_s is None:
        return
    stub.world.frozen_s += 540
    page.clock.set_fixed_time(rfc3339(round(stub.world.frozen_s * 1000)))
    page.get_by_text("10:29", exact=True).wait_for()


def draw_sheet(page: Page, _: Stub) -> None:
    """Draw the sheet of a phone up."""
    grip = page.locator(".grip[aria-expanded=false]")
    if grip.is_visible():
        grip.click()


def show_list(page: Page, _: Stub) -> None:
    """Show a section's seats as a list, with its first row."""
    page.locator(".sale-head button").click()  # in any language
    page.locator(".seat-list summary").first.click()
    page.locator(".seat-button").first.wait_for()


def nearly_cancel(page: Page, _: Stub) -> None:
    """Press once what cancels the order at the second time."""
    folded = page.locator("details.cancel").last
    folded.locator("summary").click()
    folded.get_by_role("button").last.click()
    page.locator("button.danger").scroll_into_view_if_needed()


@dataclass(frozen=True)
class State:
    """A page as a buyer sees it.

    Attributes:
        route: the address.
        there: a selector of what shows that the page is whole.
        prepare: brings the service to it.
        act: what the buyer does then.
        signed_in: whether the buyer is.
    """

    route: str
    there: str
    prepare: Callable[[Stub], None] = nothing
    act: Callable[[Page, Stub], None] = nothing
    signed_in: bool = True


MAP = ".map-holder[aria-busy=false]"
CARD = ".card.narrow"
STATES: dict[str, State] = {
    "events": State("/", ".event", several),
    "event": State("/e/demo", ".map-stage"),
    "event-early": State("/e/demo", ".countdown", days_before),
    "event-branded": State("/e/demo", "img.picture", branded),
    "event-sold-out": State("/e/demo", ".way .notice-warn", sold_out),
    "event-used-up": State("/e/demo", ".way .notice-warn", used_up),
    "rules": State("/e/demo/rules", ".rules", days_before, signed_in=False),
    "preview": State("/e/demo/preview/draft", ".way .notice-info"),
    "waiting-early": State("/e/demo/wait", ".countdown", early),
    "waiting": State("/e/demo/wait", ".facts > div", waiting, minutes_later),
    "waiting-paused": State("/e/demo/wait", ".facts > div", paused),
    "locked-out": State("/e/demo/wait", ".appeal", locked_out),
    "sold-out": State("/e/demo/wait", f"{CARD} .button", over_while_waiting),
    "turn": State("/e/demo/wait", ".turn .primary", turn),
    "sale": State("/e/demo/sale", MAP, inside),
    "section": State("/e/demo/sale/102", MAP, holding),
    "list": State("/e/demo/sale/102", MAP, holding, show_list),
    "sheet": State("/e/demo/sale", MAP, holding, draw_sheet),
    "checkout": State("/e/demo/checkout", "#email", holding),
    "declined": State(f"/o/{ORDER}", ".words .notice", declined),
    "order": State(f"/o/{ORDER}", "img.ticket", bought),
    "cancel": State(f"/o/{ORDER}", "img.ticket >> nth=1", cancellable, nearly_cancel),
    "orders": State("/orders", ".event", several_bought),
    "orders-none": State("/orders", ".card"),
    "held": State(f"/t/{ORDER}", "img.ticket", held),
    "accept": State(f"/a/{OFFER}", f"{CARD} .primary", inside),
    "find": State("/find", "#email"),
    "found": State(f"/found/{found.TOKEN}", "img.ticket", lost),
    "sign-in": State("/orders", f"{CARD} .primary", signed_in=False),
    "over": State("/e/demo/sale", CARD),
    "failed": State("/", ".notice-bad", failing),
    "not-found": State("/e/nothing", ".notice-bad"),
}


def opened(page: Page, stub: Stub, name: str) -> None:
    """Open a state, and wait until all of it is there."""
    state = STATES[name]
    state.prepare(stub)
    if state.signed_in:
        arrive(page, stub, state.route)
    else:
        page.goto(f"{stub.base_url}/#{state.route}")
    page.locator(state.there).first.wait_for()
    state.act(page, stub)


def at_rest(stub: Stub, page: Page) -> None:
    """Stop the clocks of the service and of the page, for a picture that is the same each time."""
    stub.world.frozen_s = NOW_S
    stub.world.sale_starts_at = NOW_S - 540
    stub.world.ticket = ticket_picture()
    page.clock.set_fixed_time(rfc3339(round(NOW_S * 1000)))
