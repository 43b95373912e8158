"""What a handler answers is what its model says, and so do docs/openapi.json and docs/api.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairgate.domain.shared.auth_token import issue_auth_token
from fairgate.http import paths
from fairgate.http.views.availability import BlocksView, CountsView, SeatsView
from fairgate.http.views.events import EventSummary, EventsView, EventView
from fairgate.http.views.holds import AreaView, HoldView, SeatView
from fairgate.http.views.orders import OrderView
from fairgate.http.views.payments import CheckoutView, SettledView
from fairgate.http.views.sessions import LiveSessionView
from fairgate.http.views.waiting import PlaceView
from fairgate.service.gate.exchange_identity import IdentityExchanged
from fairgate.service.sessions.read_figures import Figures
from fairgate.service.shared.records.catalog import Beacon, Fees
from fairgate_ops.build.openapi import ANSWERS
from infra.routes import ROUTES
from tests.contract.http import function, request
from tests.contract.shapes import conforms, documented, fits, names_of
from tests.support.world import EVENT, START_MS, World

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
DOCUMENTED: dict[str, type] = {
    "Events": EventsView,
    "EventSummary": EventSummary,
    "Event": EventView,
    "Counts": CountsView,
    "Blocks": BlocksView,
    "Seats": SeatsView,
    "Session": LiveSessionView,
    "Hold": HoldView,
    "Seat": SeatView,
    "Area": AreaView,
    "Checkout": CheckoutView,
    "Order": OrderView,
    "Settled": SettledView,
    "Identity": IdentityExchanged,
    "Place": PlaceView,
    "Figures": Figures,
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


class Caller:
    """Ann, an operator, at the real handlers; remembers which routes have answered."""

    def __init__(self, world: World) -> None:
        self.world = world
        mine = world.session()
        self.names = {"event": EVENT, "section": "s", "session": str(mine.session)}
        key = world.secrets.current.auth["1"]
        operator = issue_auth_token("ann", ["operators"], key, "1", START_MS // 1000, 3600)
        self.headers = {"authorization": f"Bearer {operator}"}
        self.headers |= {"x_fairgate_session": world.signed(mine)}
        self.answered: set[tuple[str, str]] = set()

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


def test_each_route_answers_its_model(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    beacon = Beacon(source="drand", at="2027-01-15T07:59:00.000Z", announced_at="", value="0" * 64)
    fees = Fees(order_minor=250, ticket_minor=100)
    world.put(replace(world.event, fees=fees, beacon=beacon))
    world.container.__dict__["payments"] = world.payments
    ann = Caller(world)
    ann.call("GET", paths.EVENTS)
    shown = ann.call("GET", paths.EVENT)
    assert shown["draw_beacon"]
    assert shown["draw_key_revealed"] is None
    assert ann.call("GET", paths.AVAILABILITY)["areas"]
    assert ann.call("GET", paths.AVAILABILITY, query="section=s")["blocks"]
    ann.call("GET", paths.SECTION_SEATS)
    assert ann.call("GET", paths.OPERATOR_EVENT)["epochs"]
    held = ann.call("POST", paths.HOLDS, {"seats": ["s-1-1"], "areas": {"floor": 2}})
    assert {unit["kind"] for unit in held["units"]} == {"seat", "area"}
    assert "order" not in ann.call("GET", paths.LIVE_SESSION)
    begun = ann.call("POST", paths.CHECKOUT, {"email": "ann@example.org"})
    assert ann.call("GET", paths.LIVE_SESSION)["order"]
    ann.names["order"] = begun["order"]["order"]
    assert ann.call("GET", paths.ORDER)["last_attempt"] is None
    event = {"id": "e-1", "kind": "other", "order": begun["order"]["order"], "payment": "p-1"}
    event |= {"amount_minor": begun["order"]["total_minor"], "currency": "EUR"}
    ann.call("POST", paths.PAYMENT_WEBHOOK, event)
    assert ann.answered == JSON_ROUTES - ELSEWHERE


# The same models, filled by the same functions; what it takes to be answered is shown by
# test_problems.py, tests/unit/identity, tests/unit/gate, tests/unit/holds and tests/unit/orders.
ELSEWHERE = {
    ("POST", paths.QUEUE),
    ("POST", paths.DESK),
    ("POST", paths.ADMISSION),
    ("POST", paths.BEST_AVAILABLE),
    ("POST", paths.ORDER_CANCEL),
    ("POST", paths.AUTH_EXCHANGE),
    ("POST", paths.AUTH_RENEW),
}


def test_an_answer_with_a_name_more_or_less_does_not_fit() -> None:
    area = {"kind": "area", "area": "floor", "quantity": 1, "tier": "t", "label": "Floor"}
    whole = {"hold": "h", "session": "s", "expires_at": "x", "units": [area]}
    assert conforms(whole, HoldView)
    assert not conforms(whole | {"price": 1}, HoldView)
    assert not conforms(whole | {"units": [area | {"shard": 0}]}, HoldView)
    del whole["hold"]
    assert not fits(whole, HoldView)
