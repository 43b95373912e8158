"""A checkout's end over HTTP: what the buyer is told, and what a repeated request is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.domain.orders.order import SETTLING_S
from fairgate.domain.shared.credential import Credential, verify_credential
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.payments import Capture
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.http import function, request
from tests.contract.test_problems import assert_problem, signed_in
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import expire, held


@pytest.fixture
def mine(world: World) -> Credential:
    world.payments = MemoryPayments()
    world.container.__dict__["payments"] = world.payments
    return held(world)


def ask(world: World, mine: Credential, function_name: str, *asked: Any, key: str = "") -> Any:
    headers = {"authorization": signed_in(world), "x_fairgate_session": world.signed(mine)}
    if key:
        headers["idempotency_key"] = key
    return function(function_name).handler(request(*asked, **headers), object())


def check_out(world: World, mine: Credential, key: str = "") -> Any:
    path = f"/api/sessions/{mine.session}/checkout"
    return ask(world, mine, "checkout", "POST", path, {"email": "ann@example.org"}, key=key)


def leave(world: World, mine: Credential) -> Any:
    return ask(world, mine, "checkout", "DELETE", f"/api/sessions/{mine.session}")


def pay(world: World, checkout: dict[str, Any]) -> None:
    order = checkout["order"]
    world.payments.paid[checkout["pay_url"]] = Capture(
        "pay1", order["order"], order["total_minor"], order["currency"], world.clock.ms
    )


def test_the_buyers_clock_ends_with_the_order_and_the_credential_with_the_session(
    world: World, mine: Credential
) -> None:
    checkout = json.loads(check_out(world, mine)["body"])
    until = rfc3339(world.clock.ms + 300_000)
    assert (checkout["expires_at"], checkout["order"]["expires_at"]) == (until, until)
    keys = world.secrets.current.session
    credential = verify_credential(checkout["credential"], keys, world.clock.ms)
    assert credential.expires_at == rfc3339(world.clock.ms + (300 + SETTLING_S) * 1000)
    live = json.loads(ask(world, mine, "sessions", "GET", "/api/events/show/session")["body"])
    assert (live["expires_at"], live["order"]["expires_at"]) == (until, until)
    assert {hold["expires_at"] for hold in live["holds"]} == {until}


def test_a_look_at_the_order_settles_what_was_paid(world: World, mine: Credential) -> None:
    checkout = json.loads(check_out(world, mine)["body"])
    path = f"/api/orders/{checkout['order']['order']}"
    assert json.loads(ask(world, mine, "orders", "GET", path)["body"])["state"] == "pending"
    pay(world, checkout)
    world.clock.tick(5)
    assert json.loads(ask(world, mine, "orders", "GET", path)["body"])["state"] == "paid"


def test_leaving_says_so_when_the_seats_have_just_been_paid(world: World, mine: Credential) -> None:
    pay(world, json.loads(check_out(world, mine)["body"]))
    answer = leave(world, mine)
    assert_problem(answer, 409)
    assert json.loads(answer["body"])["state"] == "finalised"
    assert world.seat(world.seat_ids[0])["availability"] == "reserved"


def test_leaving_waits_for_a_provider_that_is_away(world: World, mine: Credential) -> None:
    order = json.loads(check_out(world, mine)["body"])["order"]
    world.payments.fail = DependencyUnavailableError("away")
    answer = leave(world, mine)
    assert_problem(answer, 503)
    told = json.loads(answer["body"])
    assert told["settling_until"] == order["settling_until"]
    assert told["detail"].startswith("The payment provider does not say at the moment whether")
    world.payments.fail = None
    assert leave(world, mine)["statusCode"] == 204
    assert leave(world, mine)["statusCode"] == 204
    assert world.seat(world.seat_ids[0])["availability"] == "available"


def test_a_payment_that_is_tried_again_too_late_is_no_error_of_ours(
    world: World, mine: Credential
) -> None:
    check_out(world, mine)
    late = PaymentRefusedError("expires_at must be later", reason="too-late")
    world.payments.refuse["open_checkout"] = late
    assert json.loads(check_out(world, mine)["body"])["code"] == "session-expired"
    world.payments.refuse.clear()
    world.clock.tick(301)
    assert json.loads(check_out(world, mine)["body"])["code"] == "session-expired"


def test_a_repeated_checkout_is_answered_as_it_was_when_the_session_is_over(
    world: World, mine: Credential
) -> None:
    first = json.loads(check_out(world, mine, "k")["body"])
    world.clock.tick(300 + SETTLING_S)  # past the end of every credential
    assert expire(world, mine.session) == "ended"
    answer = check_out(world, mine, "k")
    assert answer["statusCode"] == 201
    again = json.loads(answer["body"])
    assert again["order"] == {**first["order"], "state": "expired"}
    assert (again["pay_url"], again["expires_at"]) == (first["pay_url"], first["expires_at"])
    assert_problem(check_out(world, mine, "another"), 410)
    assert_problem(check_out(world, mine), 410)


def test_a_repeated_hold_is_answered_as_it_was_when_the_session_is_over(
    world: World, mine: Credential
) -> None:
    path, wish = f"/api/sessions/{mine.session}/holds", {"seats": [world.seat_ids[3]]}
    first = ask(world, mine, "holds", "POST", path, wish, key="k")
    assert first["statusCode"] == 201
    world.clock.tick(601)
    assert expire(world, mine.session) == "ended"
    theirs = held(world, "bob", world.seat_ids[3])
    assert ask(world, mine, "holds", "POST", path, wish, key="k")["body"] == first["body"]
    assert_problem(ask(world, mine, "holds", "POST", path, wish, key="another"), 410)
    assert_problem(ask(world, mine, "holds", "POST", path, wish), 410)
    assert world.seat(world.seat_ids[3])["sessionId"] == theirs.session
