"""Every route that changes something counts its caller, says what is left, and refuses kindly."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate import metrics
from fairgate.domain.gate.edge_header import EdgeWord
from fairgate.domain.shared.rate_limit import LimitName
from fairgate.domain.tickets.offer_token import NamedOffer, offer_token
from fairgate.errors import TooManyRequestsError
from fairgate.http import admission, paths
from fairgate.service.shared.rate_limits import RateLimiter
from infra.routes import ROUTES, Route
from tests.contract.http import request
from tests.contract.test_problems import call, fill, signed_in
from tests.support.world import EVENT, World
from tests.unit.checkout.test_checkout_and_settle import begin, held, settle

# What changes nothing for good, or is limited elsewhere.
NOT_COUNTED = {
    ("POST", "/api/auth/renew"): "writes nothing; at most twelve hours after a sign-in",
    ("POST", "/api/auth/exchange"): "writes nothing; the identity provider limits it",
    ("POST", "/api/events/{event}/queue"): "answered at the edge; the desk counts the sample",
    ("POST", "/api/desk"): "the desk itself counts, by account, address and network",
    ("POST", "/api/payments/webhook"): "the provider's, and signed",
    ("POST", paths.TICKETS_LINK): "by address and mailbox: tests/unit/tickets/test_ask_for_link.py",
    ("POST", paths.TICKETS_OPEN): "writes nothing; the mailed token is what it asks for",
    ("POST", paths.PREVIEW): "writes nothing; nobody guesses its token",
    ("POST", paths.FOUND_SVG): "writes nothing",
    ("POST", paths.FOUND_PNG): "writes nothing",
    ("POST", paths.FOUND_PDF): "writes nothing",
    ("POST", paths.OPERATOR_ACTS): "for operators alone, and each change is in the log",
}
CHANGING = [route for route in ROUTES if route.function and route.method in ("POST", "DELETE")]
COUNTED = [r for r in CHANGING if (r.method, r.path) not in NOT_COUNTED]


def name_of(route: Route) -> str:
    return f"{route.method} {route.path}"


def test_every_changing_route_is_counted_or_says_why_not() -> None:
    left_out = {(r.method, r.path) for r in CHANGING} - {(r.method, r.path) for r in COUNTED}
    assert left_out == set(NOT_COUNTED), "a route of NOT_COUNTED is gone"
    assert len(COUNTED) == 12


def ask(world: World, route: Route, body: object = None) -> dict[str, Any]:
    """As Ann, with a session of her own and a paid order."""
    mine = held(world, "ann", world.seat_ids[0])
    order = begin(world, mine).order
    settle(world, order)
    headers = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    if route.path == paths.TRANSFERS:
        secrets = world.secrets.current
        named = NamedOffer(order.order_id, 1)
        body = {"token": offer_token(named, secrets.session[secrets.session_kid])}
    path = fill(route, session=mine.session, order=order.order_id)
    return call(route, request(route.method, path, body, **headers))


@pytest.mark.parametrize("route", COUNTED, ids=name_of)
def test_a_route_that_changes_something_refuses_who_asks_too_often(
    world: World, route: Route, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[LimitName, str, str, str]] = []

    def take(_: RateLimiter, name: LimitName, event: str, user: str, address: str) -> None:
        seen.append((name, event, user, address))
        raise TooManyRequestsError("That was a lot at once.", retry_after_s=4)

    monkeypatch.setattr(RateLimiter, "take", take)
    monkeypatch.setattr(admission, "verify_edge_header", lambda *_: EdgeWord("admit", "::1"))
    answer = ask(world, route)
    assert answer["statusCode"] == 429, answer
    [(name, event, user, address)] = seen
    assert (event, user) == (EVENT, "u#ann")
    assert address.startswith("a#")
    assert "127.0.0.1" not in address
    assert answer["headers"]["retry-after"] == "4"
    assert answer["headers"]["ratelimit"] == f'"{name}";r=0;t=4'


def test_what_is_left_stands_in_the_answer_whether_it_refuses_or_not(world: World) -> None:
    [route] = [r for r in COUNTED if r.path == paths.HOLDS]
    mine = world.session()
    headers = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    told = []
    for seats in (["s-1-1"], ["s-1-1"], ["s-1-2"], ["s-1-3"]):
        path = fill(route, session=mine.session)
        answer = call(route, request(route.method, path, {"seats": seats}, **headers))
        told.append((answer["statusCode"], answer["headers"]["ratelimit"]))
        assert answer["headers"]["ratelimit-policy"] == '"holds";q=3;w=10'
    assert told == [
        (201, '"holds";r=2;t=4'),
        (409, '"holds";r=1;t=4'),
        (201, '"holds";r=0;t=4'),
        (429, '"holds";r=0;t=4'),
    ]
    world.clock.tick(4)
    answer = call(route, request(route.method, path, {"seats": ["s-1-3"]}, **headers))
    assert answer["statusCode"] == 201


def test_nothing_is_held_by_a_request_that_was_refused(world: World) -> None:
    [route] = [r for r in COUNTED if r.path == paths.HOLDS]
    mine = world.session()
    headers = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    for seat in world.seat_ids[:4]:
        path = fill(route, session=mine.session)
        answer = call(route, request(route.method, path, {"seats": [seat]}, **headers))
    assert json.loads(answer["body"])["code"] == "too-many-requests"
    assert world.seat(world.seat_ids[3])["availability"] == "available"


def test_who_is_not_signed_in_takes_nobodys_tokens(world: World) -> None:
    [route] = [r for r in COUNTED if r.path == paths.HOLDS]
    mine = world.session()
    for _ in range(5):
        path = fill(route, session=mine.session)
        answer = call(route, request(route.method, path, {"seats": ["s-1-1"]}))
        assert answer["statusCode"] == 401
    headers = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    answer = call(route, request(route.method, path, {"seats": ["s-1-1"]}, **headers))
    assert answer["headers"]["ratelimit"] == '"holds";r=2;t=4'


def test_refusals_are_told_to_the_operators(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    test_nothing_is_held_by_a_request_that_was_refused(world)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sum(line.get(metrics.REQUESTS_LIMITED, 0) for line in lines) == 1
