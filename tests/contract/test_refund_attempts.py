"""A refund's number at Stripe: one key, one answer, and another key only after a refusal.

The use-case, the adapter and Stripe's library over the stand-in of its API.
"""

from __future__ import annotations

from typing import Any

import pytest
import stripe

from fairgate.adapters.payments.stripe_refusals import meaning_of_refund
from fairgate.domain.shared.ids import EventId, OrderId, session_of_order
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import (
    DependencyUnavailableError,
    ProviderBusyError,
    ProviderUndecidedError,
    RefusedForNowError,
)
from fairgate.ports.payments import Refund
from fairgate.ports.table import Put
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import OwedRefund
from tests.contract.test_payments_contract import paid
from tests.support.payment_providers import ORDER, Stripe
from tests.support.stripe_stub import StripeError
from tests.support.world import EVENT, World

REFUND = "POST /v1/refunds"
AMOUNT, PART = 3_000, 1
SESSION = session_of_order(OrderId(ORDER))


class Office:
    """A part of a capture that is owed back, and who sends it."""

    def __init__(self, world: World, provider: Stripe) -> None:
        self.world, self.provider, self.stub = world, provider, provider.stub
        self.payment = paid(provider).payment
        owed = OwedRefund(
            *refund_key(SESSION, ORDER, self.payment, PART),
            order_id=OrderId(ORDER),
            event_id=EventId(EVENT),
            payment_id=self.payment,
            amount_minor=AMOUNT,
            part=PART,
            owed_at=rfc3339(world.clock.now_ms()),
            currency="EUR",
        )
        world.table.transact([Put.of(owed)])
        self.stub.keys.clear()

    def send(self) -> bool:
        refunder = Refunder(self.world.table, self.world.clock, self.provider.payments)
        return refunder.send(SESSION, ORDER, self.payment, PART)

    def refused(self, kind: type[DependencyUnavailableError]) -> None:
        with pytest.raises(DependencyUnavailableError) as caught:
            self.send()
        assert type(caught.value) is kind

    def record(self) -> OwedRefund:
        found = self.world.table.find(OwedRefund, refund_key(SESSION, ORDER, self.payment, PART))
        assert found is not None
        return found

    def numbers(self) -> list[int]:
        """By which the refund was asked for, in turn."""
        prefix = f"refund-{self.payment}-{PART}-"
        assert all(key.startswith(prefix) for key in self.stub.keys)
        return [int(key.removeprefix(prefix)) for key in self.stub.keys]


@pytest.fixture
def office(world: World, stripe_provider: Stripe) -> Office:
    return Office(world, stripe_provider)


@pytest.mark.parametrize("part", [0, 1])  # 0: a fee is kept of the order
def test_two_senders_make_one_refund_when_the_hour_turns_between_them(
    stripe_provider: Stripe, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    payment = paid(stripe_provider).payment
    payments = stripe_provider.payments
    look = payments._our_refund
    first: list[Refund] = []

    def sends() -> Refund:
        return payments.refund(payment=payment, order=ORDER, amount_minor=AMOUNT, part=part)

    def delayed(*asked: Any) -> Any:
        """The second one has found none when the first one sends."""
        monkeypatch.setattr(payments, "_our_refund", look)
        listed = look(*asked)
        first.append(sends())
        stripe_provider.clock.tick(3_600)
        return listed

    monkeypatch.setattr(payments, "_our_refund", delayed)
    assert [sends()] == first
    assert len(stripe_provider.stub.refunds) == 1


def test_a_refund_is_sent_as_soon_as_the_balance_is_there(office: Office) -> None:
    office.stub.refuse[REFUND] = StripeError(400, "balance_insufficient")
    office.refused(RefusedForNowError)
    office.refused(RefusedForNowError)
    office.stub.refuse.clear()
    assert office.send()
    assert office.numbers() == [0, 1, 2]
    assert (office.record().state, office.record().attempt) == ("succeeded", 2)
    (refund,) = office.stub.refunds.values()
    assert refund["amount"] == AMOUNT


def test_a_500_is_left_behind_once_stripe_repeats_it_and_shows_no_refund(office: Office) -> None:
    office.stub.refuse[REFUND] = StripeError(500, kind="api_error")
    office.refused(DependencyUnavailableError)
    assert office.record().attempt == 0
    office.stub.refuse.clear()
    office.stub.calls.clear()
    office.refused(RefusedForNowError)
    assert office.record().attempt == 1
    assert office.stub.calls[-2:] == [REFUND, "GET /v1/refunds"]
    assert office.send()
    assert office.numbers() == [0, 0, 1]
    assert len(office.stub.refunds) == 1


def test_a_500_of_a_refund_that_was_made_is_no_reason_for_another(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    payments = office.provider.payments
    look = payments._our_refund
    office.stub.breaks[REFUND] = StripeError(500, kind="api_error")
    office.refused(DependencyUnavailableError)
    office.stub.breaks.clear()

    def too_early(*_asked: Any) -> None:
        monkeypatch.setattr(payments, "_our_refund", look)

    monkeypatch.setattr(payments, "_our_refund", too_early)
    assert office.send()
    assert office.numbers() == [0, 0]
    assert (office.record().state, office.record().attempt) == ("succeeded", 0)
    assert len(office.stub.refunds) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (StripeError(429, "rate_limit"), ProviderBusyError),
        (StripeError(429, "lock_timeout"), ProviderBusyError),
        (StripeError(409, "idempotency_key_in_use"), DependencyUnavailableError),
        (StripeError(400, kind="idempotency_error"), ProviderUndecidedError),
        (StripeError(500, kind="api_error"), DependencyUnavailableError),
        (StripeError(200, raw=b"<html>"), DependencyUnavailableError),
    ],
)
def test_what_says_nothing_of_the_refund_keeps_its_number(
    office: Office, answer: StripeError, kind: type[DependencyUnavailableError]
) -> None:
    office.stub.refuse[REFUND] = answer
    office.refused(kind)
    assert office.record().attempt == 0


def test_a_provider_that_is_away_keeps_the_number(office: Office) -> None:
    office.stub.down = True
    office.refused(DependencyUnavailableError)
    assert office.record().attempt == 0
    office.stub.down = False
    assert office.send()
    assert office.numbers() == [0]


def test_other_terms_under_the_same_number_are_not_taken_for_a_refusal(office: Office) -> None:
    """Of a whole refund the amount depends on what is left of the capture."""
    payments, payment = office.provider.payments, office.payment
    office.stub.refuse[REFUND] = StripeError(500, kind="api_error")
    with pytest.raises(DependencyUnavailableError):
        payments.refund(payment=payment, order=ORDER, amount_minor=10_000)
    office.stub.refuse.clear()
    with pytest.raises(DependencyUnavailableError) as caught:
        payments.refund(payment=payment, order=ORDER, amount_minor=9_000)
    assert type(caught.value) is ProviderUndecidedError


@pytest.mark.parametrize(
    ("error", "kept"),
    [
        (stripe.APIError, True),
        (stripe.RateLimitError, True),
        (stripe.AuthenticationError, True),
        (stripe.IdempotencyError, False),  # of the first call by this key it says nothing
    ],
)
@pytest.mark.parametrize("name", ["Idempotent-Replayed", "idempotent-replayed"])
def test_whatever_stripe_repeats_for_a_key_is_no_refund_by_it(
    error: type[stripe.StripeError], name: str, *, kept: bool
) -> None:
    repeated = meaning_of_refund(error("refused", headers={name: "true"}))
    assert isinstance(repeated, RefusedForNowError) is kept
    for headers in ({name: "false"}, {}, None):
        assert not isinstance(
            meaning_of_refund(error("refused", headers=headers)), RefusedForNowError
        )
