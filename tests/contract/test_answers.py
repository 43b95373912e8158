"""What a handler answers is what its model says, and so do docs/openapi.json and docs/api.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairgate.domain.gate.edge_header import sign_edge_header
from fairgate.domain.gate.gate_config import dump_gate, gate_key
from fairgate.domain.gate.preview import preview_token
from fairgate.domain.gate.waiting_token import encode_waiting_token, issue_waiting_token
from fairgate.domain.orders.order import PostalAddress
from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.domain.tickets.ticket_link import TicketLink, sign_link
from fairgate.http import paths
from fairgate.http.views.acts import ActDoneView, ActInfo, ActsView
from fairgate.http.views.availability import (
    AreaChange,
    BlocksView,
    ChangesWindow,
    CountsView,
    SeatChange,
    SeatsView,
    SectionChange,
)
from fairgate.http.views.events import EventSummary, EventsView, EventView
from fairgate.http.views.found import FoundOrderView, FoundView, LinkAskedView
from fairgate.http.views.holds import AreaView, HoldView, SeatView
from fairgate.http.views.orders import OrderSummaryView, OrdersView, OrderView
from fairgate.http.views.passes import SaveLinkView
from fairgate.http.views.payments import CheckoutView, SettledView
from fairgate.http.views.sessions import LiveSessionView
from fairgate.http.views.transfers import (
    AcceptedView,
    HeldOrderView,
    HeldTicketsView,
    OfferView,
    PassedTicketView,
    TransferView,
)
from fairgate.http.views.waiting import AppealView, PlaceView, WaitingView
from fairgate.ports.world import GooglePassKeys
from fairgate.service.gate.exchange_identity import IdentityExchanged
from fairgate.service.shared.keys import user_status_key
from fairgate.service.shared.records.catalog import Beacon, Fees
from fairgate.service.shared.records.sessions import UserStatus
from fairgate.service.tickets.issue_tickets import TicketOffice, issue_tickets
from fairgate.service.watch import figures
from fairgate.service.watch.figures import Figures
from fairgate.service.watch.history import History
from fairgate.service.watch.make_figures import FigureMaker
from fairgate.service.watch.sections import AreaFigures, SectionFigures, Sections
from fairgate_lab.engine.outside import MemoryMailQueue
from fairgate_ops.build.openapi_tables import ANSWERS
from fairgate_ops.operate.gate_check.rows import Row, read_rows
from infra.routes import ROUTES
from tests.contract.http import function, request
from tests.contract.shapes import conforms, documented, fits, names_of
from tests.support.pass_certificates import rsa_key
from tests.support.two_rows import draw_two_rows
from tests.support.world import EVENT, START_MS, World, gate

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
DOCUMENTED: dict[str, type] = {
    "Events": EventsView,
    "EventSummary": EventSummary,
    "Event": EventView,
    "Counts": CountsView,
    "Blocks": BlocksView,
    "Seats": SeatsView,
    "SectionChange": SectionChange,
    "AreaChange": AreaChange,
    "SeatChange": SeatChange,
    "ChangesWindow": ChangesWindow,
    "Session": LiveSessionView,
    "Hold": HoldView,
    "Seat": SeatView,
    "Area": AreaView,
    "Checkout": CheckoutView,
    "Order": OrderView,
    "Orders": OrdersView,
    "OrderSummary": OrderSummaryView,
    "PostalAddress": PostalAddress,
    "Transfer": TransferView,
    "PassedTicket": PassedTicketView,
    "Offer": OfferView,
    "Accepted": AcceptedView,
    "HeldTickets": HeldTicketsView,
    "HeldOrder": HeldOrderView,
    "Settled": SettledView,
    "LinkAsked": LinkAskedView,
    "SaveLink": SaveLinkView,
    "Found": FoundView,
    "FoundOrder": FoundOrderView,
    "Identity": IdentityExchanged,
    "Place": PlaceView,
    "Waiting": WaitingView,
    "Appeal": AppealView,
    "Figures": Figures,
    "History": History,
    "Sections": Sections,
    "SectionFigures": SectionFigures,
    "AreaFigures": AreaFigures,
    "Acts": ActsView,
    "ActInfo": ActInfo,
    "ActDone": ActDoneView,
    **{
        kind.__name__: kind
        for kind in (
            figures.PlannedPace,
            figures.Act,
            figures.GateFigures,
            figures.RoomFigures,
            figures.SaleFigures,
            figures.SeatFigures,
            figures.EdgeFigures,
            figures.DeskFigures,
            figures.KeyFigures,
            figures.ActFigures,
        )
    },
}
JSON_ROUTES = {
    key for key, told in ANSWERS.items() if any(isinstance(a, tuple) for a in told.values())
}


def shapes() -> dict[str, set[str]]:
    """Each definition of docs/api.md; ``A + {…}`` has A's names as well."""
    block = PAGE.partition("## Shapes")[2]
    found: dict[str, set[str]] = {}
    for name, text in re.findall(r"^ {4}(\w+) *= (.*(?:\n {5,}.*)*)", block, re.MULTILINE):
        base = re.match(r"(\w+) \+ ", text)
        found[name] = documented(text) | (found[base[1]] if base else set())
    return found


def test_every_model_is_defined_in_the_page_and_nothing_else() -> None:
    assert set(shapes()) == set(DOCUMENTED)
    shown = {
        m for told in ANSWERS.values() for a in told.values() if isinstance(a, tuple) for m in a
    }
    assert shown <= set(DOCUMENTED.values()), "define it in docs/api.md, then name it in DOCUMENTED"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_page_names_each_field_of_the_model(name: str) -> None:
    assert shapes()[name] == names_of(DOCUMENTED[name], DOCUMENTED), (
        f"{name} in docs/api.md and {DOCUMENTED[name].__name__} have different fields"
    )


def test_a_field_that_only_the_model_has_is_noticed() -> None:
    more = msgspec.defstruct("More", [("price", int)], bases=(HoldView,), frozen=True)
    assert names_of(more, DOCUMENTED) - shapes()["Hold"] == {"price"}


def test_nested_and_optional_names_are_told_apart() -> None:
    told = documented('{a, b: [{c, d?}], e: {<id>: {f}} | null, g: "x", h: [Hold | Area]}')
    assert told == {"a", "b", "b.c", "b.d?", "e", "e.f", "g", "h"}


# --- the table of routes in docs/api.md

NAMES = {model: name for name, model in DOCUMENTED.items()}
_ROW = re.compile(r"^\| `(\w+) ([^?`]+)[^`]*` \|[^|]*\| (.*) \|$", re.MULTILINE)
_TOLD = re.compile(r"\b[23]\d\d(?: `[A-Z]\w+`)?|`\[?[A-Z]\w+\]?`|`\w+/[\w.+-]+`|`\w+` message")


def routes_told(page: str) -> dict[tuple[str, str], set[str]]:
    """What the page says that each route answers: ``200 Hold``, ``204``, ``image/png`` …"""
    told: dict[tuple[str, str], set[str]] = {}
    for method, path, text in _ROW.findall(page):
        if path.startswith("/layouts/"):
            continue  # files, and no route of a function
        ends = path.removeprefix("…")  # which stands for what the rows above begin with
        [route] = [
            (verb, known)
            for verb, known in ANSWERS
            if verb == method and (known == path or (ends != path and known.endswith(ends)))
        ]
        found = {re.sub(r"[`\[\]]| message", "", answer) for answer in _TOLD.findall(text)}
        told[route] = told.get(route, set()) | found
    return told


def routes_meant() -> dict[tuple[str, str], set[str]]:
    return {
        route: {line for status, answer in answers.items() for line in _meant(status, answer)}
        for route, answers in ANSWERS.items()
    }


def _meant(status: int, answer: Any) -> set[str]:
    if isinstance(answer, dict):
        models = {getattr(model, "__args__", (model,))[0] for model in answer.values()}
        return {"text/event-stream", *answer, *(NAMES[model] for model in models)}
    if isinstance(answer, tuple):
        return {f"{status} {NAMES[model]}" for model in answer}
    return {answer or str(status)}


def test_the_page_says_of_each_route_what_it_answers() -> None:
    assert routes_told(PAGE) == routes_meant()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("| 201 `Hold` |", "| 201 `Order` |"),
        ("| 201 `Hold` |", "| 200 `Hold` |"),
        ("before: 202 `Waiting`, ", "before: "),
        ("`image/png`", "`image/gif`"),
        ("(`[SeatChange]`)", ""),
        ("| `DELETE …/holds/{hold}` | | 204 |\n", ""),
    ],
)
def test_a_row_that_says_something_else_is_noticed(before: str, after: str) -> None:
    assert before in PAGE
    assert routes_told(PAGE.replace(before, after, 1)) != routes_meant()


# --- through the handlers


GROUPS = ("operators", "fairgate-owner")
FOREVER = "2099-01-01T00:00:00.000Z"
DRAWN = gate(beacon_key=b"b" * 32)  # the event of the test announces a beacon


class Caller:
    """Ann, an operator, at the real handlers; remembers which routes have answered."""

    def __init__(self, world: World) -> None:
        self.world = world
        mine = world.session()
        self.names = {"event": EVENT, "section": "s", "session": str(mine.session)}
        self.headers = {"authorization": self._bearer("ann")}
        self.headers |= {"x_fairgate_session": world.signed(mine)}
        self.answered: set[tuple[str, str]] = set()

    def _bearer(self, user: str) -> str:
        key = self.world.secrets.current.auth["1"]
        return f"Bearer {issue_auth_token(user, GROUPS, key, '1', START_MS // 1000, 3600)}"

    def call(
        self, method: str, path: str, body: object = None, query: str = "", **headers: str
    ) -> Any:
        [route] = [r for r in ROUTES if (r.method, r.path) == (method, path)]
        event = request(method, path.format(**self.names), body, query, **(self.headers | headers))
        answer = function(str(route.function)).handler(event, object())
        models = ANSWERS[method, path].get(answer["statusCode"])
        assert isinstance(models, tuple), answer
        told = json.loads(answer["body"])
        assert any(fits(told, model) for model in models), (
            f"{method} {path} answered what no model of it says: {told}"
        )
        self.answered.add((method, path))
        return told

    def through_the_gate(self, path: str, verdict: str, user: str) -> Any:
        """As the edge sends a request on, with its own word and the caller's waiting token."""
        rules, now_s = DRAWN, START_MS // 1000
        token = issue_waiting_token(
            rules, EVENT, user, request_id=f"r-{user}", ip="", now_ms=START_MS - 60_000
        )
        return self.call(
            "POST",
            path,
            query=f"event={EVENT}",
            authorization=self._bearer(user),
            x_fairgate_edge=sign_edge_header(rules, verdict, EVENT, user, now_s, "::1"),
            x_fairgate_token=encode_waiting_token(token, rules),
            x_fairgate_solution="0",
        )


def test_each_route_answers_its_model(world: World) -> None:
    beacon = Beacon(source="drand", at="2027-01-15T07:59:00.000Z", announced_at="", value="0" * 64)
    fees = Fees(order_minor=250, ticket_minor=100)
    world.put(
        replace(world.event, fees=fees, beacon=beacon, cancel_until="2028", transfer_until=FOREVER)
    )
    world.container.__dict__["payments"] = world.payments
    world.container.__dict__["identity"] = Issuer()
    world.edge_config.values[gate_key(EVENT)] = dump_gate(DRAWN)
    draw_two_rows(world)
    ann = Caller(world)
    ann.call("GET", paths.EVENTS)
    shown = ann.call("GET", paths.EVENT)
    assert shown["draw_beacon"]
    assert shown["draw_key_revealed"] is None
    token = preview_token(DRAWN, EVENT, world.event.created_at)
    assert ann.call("POST", paths.PREVIEW, {"token": token}) == shown
    assert ann.call("GET", paths.AVAILABILITY)["areas"]
    assert ann.call("GET", paths.AVAILABILITY, query="section=s")["blocks"]
    ann.call("GET", paths.SECTION_SEATS)
    FigureMaker(world.table, world.clock).make(world.event)
    assert ann.call("GET", paths.OPERATOR_EVENT)["gate"]["tau_s"]
    assert ann.call("GET", paths.OPERATOR_HISTORY)["tau_s"]
    assert ann.call("GET", paths.OPERATOR_SECTIONS)["areas"]
    [act, *_] = ann.call("GET", paths.OPERATOR_ACTS)["acts"]
    assert ann.call("POST", paths.OPERATOR_ACTS, {"act": act["act"]})["result"]
    code = {"code": "t", "verifier": "v" * 43, "nonce": "nonce-123"}
    guest = ann.call("POST", paths.AUTH_EXCHANGE, code)
    ann.call("POST", paths.AUTH_RENEW, authorization=f"Bearer {guest['token']}")
    enter(ann)
    held = ann.call("POST", paths.HOLDS, {"seats": ["s-1-1"], "areas": {"floor": 2}})
    assert {unit["kind"] for unit in held["units"]} == {"seat", "area"}
    ann.call("POST", paths.BEST_AVAILABLE, {"quantity": 1})
    assert "order" not in ann.call("GET", paths.LIVE_SESSION)
    buy_and_cancel(ann)
    assert ann.answered == JSON_ROUTES


class Issuer:
    def redeem(self, code: str, verifier: str, nonce: str, _page: str = "") -> dict[str, str]:
        return {"sub": f"{code}-{verifier[0]}-{nonce}"}


def enter(ann: Caller) -> None:
    """Come through the gate in each way that the origin answers, flagged by the desk, too."""
    ann.through_the_gate(paths.ADMISSION, "admit", "bob")
    ann.through_the_gate(paths.DESK, "sample-admit", "cleo")
    assert "level" not in ann.through_the_gate(paths.DESK, "sample-queue", "dan")
    ann.world.put(UserStatus(*user_status_key("eve", EVENT), flagged_until="2028"))
    assert "level" not in ann.through_the_gate(paths.QUEUE, "sample-queue", "eve")
    ann.world.put(UserStatus(*user_status_key("fred", EVENT), locked_until="2999"))
    assert ann.call("POST", paths.APPEAL, authorization=ann._bearer("fred"))["appealed"]


def buy_and_cancel(ann: Caller) -> None:
    begun = ann.call("POST", paths.CHECKOUT, {"email": "ann@example.org"})
    assert ann.call("GET", paths.LIVE_SESSION)["order"]
    ann.names["order"] = begun["order"]["order"]
    assert ann.call("GET", paths.ORDER)["last_attempt"] is None
    [listed] = ann.call("GET", paths.ORDERS)["orders"]
    assert (listed["state"], listed["event_name"]) == ("pending", "The Show")
    event = {"id": "e-1", "kind": "succeeded", "order": begun["order"]["order"], "payment": "p-1"}
    event |= {"amount_minor": begun["order"]["total_minor"], "currency": "EUR"}
    ann.call("POST", paths.PAYMENT_WEBHOOK, event)
    find(ann)
    pass_one_on(ann)
    wallet = GooglePassKeys("Tides", "3388000000022", "p@example.org", rsa_key())
    ann.world.secrets.current = replace(ann.world.secrets.current, google_pass=wallet)
    assert ann.call("GET", paths.GOOGLE_WALLET, query="unit=0")["url"]
    assert ann.call("POST", paths.ORDER_EMAIL, {"email": "ann@example.org"})["tickets"]
    assert ann.call("POST", paths.ORDER_CANCEL)["state"] in ("cancelled", "refunded")


def find(ann: Caller) -> None:
    container = ann.world.container
    container.settings = container.settings._replace(mail_sender="box@example.org")
    ann.call("POST", paths.TICKETS_LINK, {"email": "Ann@example.org"})
    [(mailbox, _request)] = ann.world.mail_queue.links
    key = ann.world.secrets.current.links
    token = sign_link(TicketLink(Mailbox(mailbox), START_MS // 1000 + 60), key)
    [order] = ann.call("POST", paths.TICKETS_OPEN, {"token": token})["orders"]
    assert (order["order"], order["event_name"]) == (ann.names["order"], "The Show")


def pass_one_on(ann: Caller) -> None:
    """To a friend, who gives it back, so that all of it can be cancelled."""
    world = ann.world
    office = TicketOffice(world.table, world.clock, MemoryMailQueue())
    issue_tickets(office, OrderId(ann.names["order"]))
    for giver, taker in (("ann", "fay"), ("fay", "ann")):
        bearer = ann._bearer(giver)
        read = ann.call("GET", paths.ORDER)["transfer"] if giver == "ann" else None
        read = (
            read
            or ann.call("GET", paths.HELD_TICKETS, authorization=bearer)["orders"][0]["transfer"]
        )
        ann.names["ticket"] = read["tickets"][0]["ticket"]
        offer = ann.call("POST", paths.TICKET_OFFER, authorization=bearer)
        wish, bearer = {"token": offer["token"]}, ann._bearer(taker)
        looked = ann.call("POST", paths.TRANSFERS, wish | {"look": True}, authorization=bearer)
        assert (looked["ticket"], looked["until"]) == (None, offer["until"])
        assert ann.call("POST", paths.TRANSFERS, wish, authorization=bearer)["ticket"]


def test_an_answer_with_a_name_more_or_less_does_not_fit() -> None:
    area = {"kind": "area", "area": "floor", "quantity": 1, "tier": "t", "label": "Floor"}
    whole = {"hold": "h", "session": "s", "expires_at": "x", "units": [area]}
    assert conforms(whole, HoldView)
    assert not conforms(whole | {"price": 1}, HoldView)
    assert not conforms(whole | {"units": [area | {"shard": 0}]}, HoldView)
    del whole["hold"]
    assert not fits(whole, HoldView)


# --- at the edge, which answers without a handler

DECIDED = [row for row in read_rows() if "body" in row.expect]


@pytest.mark.parametrize("row", DECIDED, ids=lambda row: row.name)
def test_the_edge_answers_the_model_of_its_route(row: Row) -> None:
    path = row.event["request"]["uri"].replace("summer-night", "{event}")
    models = ANSWERS["POST", path][row.expect["status"]]
    assert isinstance(models, tuple)
    assert any(fits(row.expect["body"], model) for model in models)
