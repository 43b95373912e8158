"""A signed webhook of every payment provider is read; anything else is refused."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import time
from typing import Any

import pytest
from msgspec.structs import replace

from fairgate.domain.orders import webhook_signature
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    ProviderSetupError,
    UnauthenticatedError,
)
from tests.contract.http import function, request
from tests.contract.test_payments_contract import event_of, open_page, paid
from tests.support.payment_providers import ORDER, Delivery, Provider, Stripe
from tests.support.stripe_stub import StripeError
from tests.support.world import World


def test_a_payment_is_told_with_its_order_and_amount(provider: Provider) -> None:
    event = event_of(provider, provider.pay(open_page(provider)))
    assert (event.kind, event.order) == ("succeeded", ORDER)
    assert (event.amount_minor, event.currency) == (10_000, "EUR")
    assert event.id
    assert event.payment


def test_a_decline_is_told_as_one(provider: Provider) -> None:
    event = event_of(provider, provider.decline(open_page(provider)))
    assert (event.kind, event.order) == ("failed", ORDER)


def test_a_webhook_is_refused_when_it_is_not_the_providers(provider: Provider) -> None:
    body = provider.pay(open_page(provider)).body
    for delivery in (
        Delivery(body, {}),
        provider.sign(body, secret=b"whsec_other"),
        provider.sign(body, ago_s=400),
        provider.sign(body, ago_s=-400),
        Delivery(body + b" ", provider.sign(body).headers),
    ):
        with pytest.raises(UnauthenticatedError):
            event_of(provider, delivery)
    assert event_of(provider, provider.sign(body, ago_s=200)).order == ORDER


def test_a_secret_that_cannot_be_one_is_for_a_person_to_mend(provider: Provider) -> None:
    delivery = provider.pay(open_page(provider))
    unfit = [b""]
    if isinstance(provider, Stripe):
        unfit += [b"\xff\xfe", b"whsec_\n", "whsec_\u00fc".encode(), b" "]
    for secret in unfit:
        provider.secrets.current = replace(provider.secrets.current, webhook=secret)
        with pytest.raises(ProviderSetupError):
            event_of(provider, delivery)
        nothing = sign_with_nothing(delivery.body)
        with pytest.raises(ProviderSetupError):
            event_of(provider, nothing)


@pytest.mark.parametrize("secret", [b"", b"\xff\xfe"])
def test_webhooks_are_answered_503_and_logged_by_name_until_their_secret_is_mended(
    world: World,
    stripe_provider: Stripe,
    secret: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    delivery = stripe_provider.pay(open_page(stripe_provider))
    secrets = stripe_provider.secrets
    secrets.current = replace(secrets.current, webhook=secret)
    world.container.__dict__["payments"] = stripe_provider.payments
    event = request("POST", "/api/payments/webhook", delivery.body.decode(), **delivery.headers)
    answer = function("orders").handler(event, None)
    assert (answer["statusCode"], json.loads(answer["body"])["retry_after"]) == (503, 60)
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [vars(record).get("error") for record in warned] == ["ProviderSetupError"]


def sign_with_nothing(body: bytes) -> Delivery:
    """What anybody could sign where the secret were empty."""
    at_s = str(int(time.time()))
    mac = hmac.new(b"", at_s.encode() + b"." + body, hashlib.sha256).hexdigest()
    value = f"t={at_s},v1={mac}"
    return Delivery(body, {"Stripe-Signature": value, webhook_signature.HEADER: value})


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"{}", b'{"id":"evt_1"}', b"\xff\xfe"])
def test_a_signed_body_that_makes_no_sense_is_malformed(provider: Provider, body: bytes) -> None:
    try:
        delivery = provider.sign(body)
    except UnicodeDecodeError:
        delivery = Delivery(body, provider.sign(b"").headers)
        with pytest.raises((MalformedInputError, UnauthenticatedError)):
            event_of(provider, delivery)
        return
    with pytest.raises(MalformedInputError):
        event_of(provider, delivery)


@pytest.mark.parametrize("part", ["refund", "dispute"])
def test_a_webhook_of_a_part_that_makes_no_sense_is_malformed(
    provider: Provider, part: str
) -> None:
    payment = paid(provider).payment
    told = provider.dispute(payment) if part == "dispute" else provider.refund_elsewhere(payment)
    document = json.loads(told.body)
    thing = document["data"]["object"] if isinstance(provider, Stripe) else document[part]
    thing.clear()
    with pytest.raises(MalformedInputError):
        event_of(provider, provider.sign(json.dumps(document).encode()))


# --- what only Stripe tells

REFUND_EVENTS = ("refund.created", "refund.updated", "refund.failed", "charge.refund.updated")
DISPUTE_EVENTS = ("created", "updated", "closed", "funds_withdrawn", "funds_reinstated")


@pytest.mark.parametrize("kind", REFUND_EVENTS)
@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("pending", "pending"),
        ("requires_action", "pending"),
        ("succeeded", "succeeded"),
        ("failed", "failed"),
        ("canceled", "failed"),
    ],
)
def test_every_state_of_a_refund_is_told(
    stripe_provider: Stripe, kind: str, status: str, state: str
) -> None:
    payment = paid(stripe_provider).payment
    stripe_provider.refund_elsewhere(payment)
    (thing,) = stripe_provider.stub.refunds.values()
    thing["status"] = status
    event = event_of(
        stripe_provider, stripe_provider.signed(stripe_provider.stub.event(kind, thing))
    )
    assert event.refund is not None
    assert (event.kind, event.refund.state, event.order) == ("refunded", state, ORDER)


def test_our_own_refund_is_told_without_asking(stripe_provider: Stripe) -> None:
    payment = paid(stripe_provider).payment
    made = stripe_provider.payments.refund(payment=payment, order=ORDER, amount_minor=10_000)
    (thing,) = stripe_provider.stub.refunds.values()
    told = stripe_provider.signed(stripe_provider.stub.event("refund.created", thing))
    stripe_provider.go_away()
    assert event_of(stripe_provider, told).refund == made


@pytest.mark.parametrize("kind", DISPUTE_EVENTS)
@pytest.mark.parametrize(
    ("status", "state"),
    [
        ("needs_response", "open"),
        ("under_review", "open"),
        ("appeal_under_review", "open"),
        ("a_new_one", "open"),
        ("won", "won"),
        ("lost", "lost"),
        ("warning_needs_response", None),
        ("warning_under_review", None),
        ("warning_closed", None),
        ("prevented", None),
    ],
)
def test_every_state_of_a_dispute_is_told_and_an_inquiry_is_none(
    stripe_provider: Stripe, kind: str, status: str, state: str | None
) -> None:
    payment = paid(stripe_provider).payment
    stripe_provider.dispute(payment)
    (dispute,) = stripe_provider.stub.disputes
    told = stripe_provider.stub.decide_dispute(dispute, status, kind)
    event = event_of(stripe_provider, stripe_provider.signed(told))
    assert (event.dispute.state if event.dispute else None) == state
    assert event.kind == ("disputed" if state else "other")
    listed = list(stripe_provider.payments.disputes(0))
    assert listed == ([event.dispute] if state else [])


@pytest.mark.parametrize(
    "trouble",
    [
        StripeError(503, "down", "api_error"),
        StripeError(404, "resource_missing"),
        StripeError(403, "", "invalid_request_error"),
        StripeError(200, raw=b"[]"),
    ],
)
def test_a_webhook_is_sent_again_when_its_order_cannot_be_asked_for(
    stripe_provider: Stripe, trouble: StripeError
) -> None:
    payment = paid(stripe_provider).payment
    told = stripe_provider.dispute(payment)
    stripe_provider.stub.refuse[f"GET /v1/payment_intents/{payment}"] = trouble
    with pytest.raises(DependencyUnavailableError):
        event_of(stripe_provider, told)
    stripe_provider.stub.refuse.clear()
    assert event_of(stripe_provider, told).order == ORDER


def test_a_charge_given_back_is_sent_again_when_its_refund_cannot_be_asked_for(
    stripe_provider: Stripe,
) -> None:
    told = stripe_provider.refund_elsewhere(paid(stripe_provider).payment)
    stripe_provider.stub.refuse["GET /v1/refunds"] = StripeError(404, "resource_missing")
    with pytest.raises(DependencyUnavailableError):
        event_of(stripe_provider, told)


@pytest.mark.parametrize("kind", ["refund.created", "charge.dispute.created", "charge.refunded"])
@pytest.mark.parametrize("payment", [None, "pi_of_another_business"])
def test_what_is_about_another_business_is_not_ours(
    stripe_provider: Stripe, kind: str, payment: str | None
) -> None:
    stub = stripe_provider.stub
    stub.dispute(paid(stripe_provider).payment)
    stub.refund_elsewhere(next(iter(stub.intents)))
    ours = {"refund": stub.refunds, "charge": stub.charges, "dispute": stub.disputes}
    books = ours["dispute" if "dispute" in kind else kind.partition(".")[0]]
    (thing,) = books.values()
    (intent,) = stub.intents.values()
    stub.intents["pi_of_another_business"] = intent | {"metadata": {}}
    event = stub.event(kind, thing | {"payment_intent": payment, "metadata": {}})
    assert event_of(stripe_provider, stripe_provider.signed(event)).kind == "other"


def test_events_about_other_things_are_neither_refused_nor_acted_on(
    stripe_provider: Stripe,
) -> None:
    thing: dict[str, Any] = {"id": "x", "metadata": {}, "amount": 5, "currency": "eur"}
    for kind in ("customer.created", "payment_intent.payment_failed", "balance.available"):
        told = stripe_provider.signed(stripe_provider.stub.event(kind, thing))
        event = event_of(stripe_provider, told)
        assert (event.kind, event.order) == ("other", "")


def test_a_page_completed_without_money_is_not_paid(stripe_provider: Stripe) -> None:
    told = stripe_provider.stub.pay(open_page(stripe_provider))
    told["data"]["object"]["payment_status"] = "unpaid"
    assert event_of(stripe_provider, stripe_provider.signed(told)).kind == "held"


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("checkout.session.async_payment_succeeded", "succeeded"),
        ("checkout.session.async_payment_failed", "failed"),
        ("checkout.session.expired", "expired"),
    ],
)
def test_what_becomes_of_a_page_is_told(stripe_provider: Stripe, kind: str, ours: str) -> None:
    told = stripe_provider.stub.pay(open_page(stripe_provider)) | {"type": kind}
    assert event_of(stripe_provider, stripe_provider.signed(told)).kind == ours
