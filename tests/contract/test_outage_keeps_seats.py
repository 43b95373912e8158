"""A dependency that is down costs nobody their seats, and the answer says until when."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairgate.adapters.payments.refusals import RETRY_AFTER_S
from fairgate.domain.shared.credential import Credential
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.service.checkout.payment_turns import PaymentTurns
from fairgate_lab.engine.payments import MemoryPayments
from tests.contract.http import function, request
from tests.contract.test_problems import assert_problem, signed_in
from tests.support.payment_providers import Stripe
from tests.support.stripe_stub import StripeError
from tests.support.world import World
from tests.unit.checkout.test_checkout_and_settle import held

pytestmark = pytest.mark.through_boto3


class Throttled:
    """A table that takes no transactions."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def transact(self, *_args: Any, **_options: Any) -> None:
        raise DependencyUnavailableError("The booking system is busy.", retry_after_s=2)


def check_out(world: World, mine: Credential, user: str = "ann") -> dict[str, Any]:
    event = request(
        "POST",
        f"/api/sessions/{mine.session}/checkout",
        {"email": "ann@example.org"},
        authorization=signed_in(world, user),
        x_fairgate_session=world.signed(mine),
        idempotency_key="k",
    )
    answer: dict[str, Any] = function("checkout").handler(event, object())
    return answer


def assert_kept_until(answer: dict[str, Any], until: str) -> None:
    assert_problem(answer, 503)
    body = json.loads(answer["body"])
    assert body["held_until"] == until
    assert f"until {until[11:19]} UTC" in body["detail"]
    assert body["retry_after"]


@pytest.fixture
def mine(world: World) -> Credential:
    return held(world)


def test_seats_stay_for_the_payment_window_when_the_provider_is_down(
    world: World, mine: Credential
) -> None:
    until = rfc3339(world.clock.ms + 300 * 1000)
    assert_kept_until(check_out(world, mine), until)  # nobody listens where the sandbox should
    seat = world.seat(world.seat_ids[0])
    assert (seat["availability"], seat["expiresAt"] > until) == ("locked", True)
    world.container.__dict__["payments"] = MemoryPayments()
    answer = check_out(world, mine)
    assert answer["statusCode"] == 201
    order = json.loads(answer["body"])["order"]
    assert check_out(world, mine)["body"] == answer["body"]
    assert len(world.items("reservations", mine.session, "O#")) == 1
    assert order["expires_at"] == rfc3339(world.clock.ms + 300_000)


def test_seats_stay_until_the_session_ends_when_the_table_is_throttled(
    world: World, mine: Credential
) -> None:
    world.container.__dict__["payments"] = MemoryPayments()
    table = world.container.table
    world.container.__dict__["table"] = Throttled(table)
    assert_kept_until(check_out(world, mine), mine.expires_at)
    seat = world.seat(world.seat_ids[0])
    assert (seat["availability"], seat["sessionId"]) == ("locked", mine.session)
    world.container.__dict__["table"] = table
    assert check_out(world, mine)["statusCode"] == 201


def test_seats_stay_when_the_reminder_cannot_be_sent(
    world: World, mine: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.container.__dict__["payments"] = MemoryPayments()

    def refuse(_session: str, _delay_s: int) -> None:
        raise DependencyUnavailableError("The expiry queue is unavailable.")

    with monkeypatch.context() as outage:
        outage.setattr(world.reminders, "remind", refuse)
        assert_kept_until(check_out(world, mine), mine.expires_at)
    assert world.seat(world.seat_ids[0])["availability"] == "locked"
    assert check_out(world, mine)["statusCode"] == 201


def test_the_page_of_an_order_that_was_not_paid_is_closed(world: World, mine: Credential) -> None:
    payments = MemoryPayments()
    world.container.__dict__["payments"] = payments
    page = json.loads(check_out(world, mine)["body"])["pay_url"]
    event = request(
        "DELETE",
        f"/api/sessions/{mine.session}",
        authorization=signed_in(world),
        x_fairgate_session=world.signed(mine),
    )
    assert function("checkout").handler(event, object())["statusCode"] == 204
    assert payments.closed == [page]


def test_leaving_waits_while_a_page_may_be_paid_and_the_provider_is_down(
    world: World, mine: Credential
) -> None:
    payments = MemoryPayments()
    world.container.__dict__["payments"] = payments
    check_out(world, mine)
    payments.fail = DependencyUnavailableError("away")
    event = request(
        "DELETE",
        f"/api/sessions/{mine.session}",
        authorization=signed_in(world),
        x_fairgate_session=world.signed(mine),
    )
    assert_problem(function("checkout").handler(event, object()), 503)
    assert world.seat(world.seat_ids[0])["sessionId"] == mine.session
    payments.fail = None
    assert function("checkout").handler(event, object())["statusCode"] == 204
    assert world.seat(world.seat_ids[0])["availability"] == "available"


def test_the_other_device_is_shown_the_order_when_in_checkout(
    world: World, mine: Credential
) -> None:
    world.container.__dict__["payments"] = MemoryPayments()
    order = json.loads(check_out(world, mine)["body"])["order"]
    path = f"/api/events/{mine.event}/session"
    event = request("GET", path, authorization=signed_in(world))
    answer = json.loads(function("sessions").handler(event, object())["body"])
    assert (answer["state"], answer["order"]) == ("checkout", order)
    assert answer["order"]["last_attempt"] is None
    assert len(answer["holds"]) == 1


def test_a_provider_that_takes_no_more_calls_has_the_buyer_wait_for_a_turn(
    world: World, mine: Credential, stripe_provider: Stripe
) -> None:
    world.container.__dict__["payments"] = stripe_provider.payments
    stripe_provider.clock.ms = world.clock.ms
    stripe_provider.stub.refuse["any"] = StripeError(429, "rate_limit")
    answer = check_out(world, mine)
    assert_problem(answer, 429)
    body = json.loads(answer["body"])
    assert (body["code"], body["reason"]) == ("payment-waits", "busy")
    assert body["held_until"] == rfc3339(world.clock.ms + 300_000)
    assert int(answer["headers"]["retry-after"]) == RETRY_AFTER_S
    stripe_provider.stub.refuse.clear()
    calls = len(stripe_provider.stub.calls)
    assert_problem(check_out(world, mine), 429)
    assert len(stripe_provider.stub.calls) == calls, "the provider is asked at the turn, not before"
    world.clock.tick(RETRY_AFTER_S)
    assert check_out(world, mine)["statusCode"] == 201


def test_checkouts_beyond_the_providers_rate_wait_in_line(world: World, mine: Credential) -> None:
    world.container.__dict__["payments"] = MemoryPayments()
    world.container.__dict__["payment_turns"] = PaymentTurns(world.table, world.clock, 1)
    other = held(world, "bob", world.seat_ids[2])
    assert check_out(world, mine)["statusCode"] == 201
    answer = check_out(world, other, "bob")
    assert_problem(answer, 429)
    assert answer["headers"]["retry-after"] == "1"
    world.clock.tick(1)
    assert check_out(world, other, "bob")["statusCode"] == 201
