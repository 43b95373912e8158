"""What only Stripe's adapter has to do: its refusals, its lists, its idempotency, its clock."""

from __future__ import annotations

import time
from typing import Any

import pytest
import stripe
from msgspec.structs import replace

from fairgate.adapters.payments.refusals import LOW_BALANCE, NO_SENSE, TEXTS
from fairgate.adapters.payments.stripe_checkout import PAGE_S_MIN
from fairgate.adapters.payments.stripe_objects import from_stripe, to_stripe
from fairgate.adapters.payments.stripe_refusals import (
    FINAL,
    SETUP,
    TEMPORARY,
    meaning,
)
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    ProviderBusyError,
    ProviderSetupError,
    ProviderUndecidedError,
    RefusedForNowError,
)
from fairgate.ports.payments import Capture, Dispute, Refund, UnreadableEntry
from tests.contract.test_payments_contract import books, open_page, paid, refund, refused
from tests.support.payment_providers import ORDER, OTHER, Stripe
from tests.support.stripe_stub import StripeError, like

REFUND = "POST /v1/refunds"
OPEN = "POST /v1/checkout/sessions"


def expires_at(provider: Stripe) -> list[int]:
    return [session["expires_at"] for session in provider.stub.sessions.values()]


# --- pages


def test_a_page_ends_with_the_order_where_stripe_lets_it(stripe_provider: Stripe) -> None:
    now_s = stripe_provider.clock.now_ms() // 1000
    open_page(stripe_provider, in_s=2 * 3_600)
    assert expires_at(stripe_provider) == [now_s + 2 * 3_600]


def test_a_page_of_a_shorter_order_ends_as_soon_as_stripe_lets_it(
    stripe_provider: Stripe,
) -> None:
    open_page(stripe_provider, in_s=5)
    (ends_s,) = expires_at(stripe_provider)
    assert 60 <= ends_s - time.time() - PAGE_S_MIN <= 121  # the minute's rest, and a margin


def test_an_attempt_repeated_within_the_minute_sends_the_same(stripe_provider: Stripe) -> None:
    clock = stripe_provider.clock
    clock.tick(60 - clock.now_ms() / 1000 % 60)  # a minute begins
    first = open_page(stripe_provider, in_s=300)
    clock.tick(59)
    assert open_page(stripe_provider, in_s=300 - 59) == first
    clock.tick(1)
    assert open_page(stripe_provider, in_s=300 - 60) != first


def test_held_money_that_is_freed_is_no_refund(stripe_provider: Stripe) -> None:
    """Stripe tells it as one: the charge and a refund of ours that nobody made."""
    stub = stripe_provider.stub
    page = open_page(stripe_provider, held=True)
    stub.pay(page)
    (charge,), (payment,) = stub.charges.values(), stub.intents
    assert stripe_provider.payments.end_held(payment, take=False) is None
    freed = like("refund", id="re_freed", charge=charge["id"], payment_intent=payment)
    for event in (stub.event("charge.refunded", charge), stub.event("refund.created", freed)):
        told = stripe_provider.signed(event)
        assert stripe_provider.payments.parse_webhook(told.body, told.headers).kind == "other"


def test_a_page_charges_the_price_in_the_currency_that_the_buyer_was_shown(
    stripe_provider: Stripe,
) -> None:
    """Whatever the account's own setting: one that converts adds a fee to the first price shown."""
    open_page(stripe_provider)
    [form] = [form for _, path, form in stripe_provider.stub.sent if path.endswith("sessions")]
    assert form["adaptive_pricing[enabled]"] == "false"


def test_a_page_that_ends_too_soon_for_stripe_is_too_late(stripe_provider: Stripe) -> None:
    stripe_provider.clock.tick(-600)  # our clock is slow, and our margin does not reach
    with refused("too-late"):
        open_page(stripe_provider)


def test_a_complete_page_whose_money_is_on_its_way_is_asked_again(
    stripe_provider: Stripe,
) -> None:
    page = open_page(stripe_provider)
    stripe_provider.stub.pay(page)
    (session,) = stripe_provider.stub.sessions.values()
    session["payment_status"] = "unpaid"
    for ask in (stripe_provider.payments.close_checkout, stripe_provider.payments.find_capture):
        with pytest.raises(ProviderUndecidedError):  # an answer, which opens no circuit
            ask(page)
    session["payment_status"] = "no_payment_required"
    assert stripe_provider.payments.close_checkout(page) is None


def test_a_page_that_stripe_will_not_close_is_not_called_closed(stripe_provider: Stripe) -> None:
    page = open_page(stripe_provider)
    (name,) = stripe_provider.stub.sessions
    stripe_provider.stub.refuse[f"{OPEN}/{name}/expire"] = StripeError(400)
    with pytest.raises(ProviderUndecidedError):
        stripe_provider.payments.close_checkout(page)


@pytest.mark.parametrize(
    "changes",
    [
        {"url": None},
        {"url": ""},
        {"url": "http://checkout.stripe.example/c/pay/{id}"},
        {"url": "https:///c/pay/{id}"},
        {"url": "javascript:alert(1)//{id}"},
        {"url": "https://checkout.stripe.example/c/pay/{id}\n"},
        {"url": "https://checkout.stripe.example/c/pay/"},
        {"url": "https://checkout.stripe.example/c/pay/cs_test_00009999"},
        {"id": "pi_00000001"},
        {"id": None},
    ],
)
def test_no_buyer_is_sent_to_what_is_not_the_page_of_the_session(
    stripe_provider: Stripe, changes: dict[str, Any]
) -> None:
    stripe_provider.stub.opens_with = changes
    with pytest.raises(DependencyUnavailableError, match=NO_SENSE) as caught:
        open_page(stripe_provider)
    assert type(caught.value) is DependencyUnavailableError
    stripe_provider.stub.opens_with = {"url": "https://pay.shop.example/c/pay/{id}#fid"}
    assert open_page(stripe_provider, OTHER).startswith("https://pay.shop.example/")


# --- lists


@pytest.mark.parametrize(
    ("kind", "changes", "payment"),
    [
        ("charges", {"created": None}, True),
        ("charges", {"amount_captured": "much"}, True),
        ("charges", {"currency": None, "amount_refunded": []}, True),
        ("charges", {"metadata": 7}, True),
        ("charges", {"payment_intent": 7}, False),
        ("disputes", {"created": None}, True),
        ("disputes", {"amount": "much"}, True),
        ("disputes", {"status": None, "amount": []}, True),
        ("disputes", {"payment_intent": 7}, False),
    ],
)
def test_other_entries_are_listed_when_one_cannot_be_read(
    stripe_provider: Stripe, kind: str, changes: dict[str, Any], payment: bool
) -> None:
    payments = [paid(stripe_provider, f"ord_{n:032x}_{n:08x}").payment for n in range(3)]
    for one in payments if kind == "disputes" else ():
        stripe_provider.dispute(one)
    entries = list(getattr(stripe_provider.stub, kind).values())
    entries[1].update(changes)
    listed = (
        stripe_provider.payments.captures
        if kind == "charges"
        else (stripe_provider.payments.disputes)
    )
    found = list(listed(0))
    assert [one for one in found if isinstance(one, UnreadableEntry)] == [
        UnreadableEntry(entries[1]["id"], payments[1] if payment else "")
    ]
    readable = [one.payment for one in found if isinstance(one, (Capture, Dispute))]
    assert sorted(readable) == sorted([payments[0], payments[2]])


def test_a_charge_of_another_business_is_not_read_at_all(stripe_provider: Stripe) -> None:
    paid(stripe_provider)
    (charge,) = stripe_provider.stub.charges.values()
    charge.update(metadata={}, captured=None, amount_captured="much")
    assert list(stripe_provider.payments.captures(0)) == []


def test_an_older_charge_that_cannot_be_read_stands_alone_too(stripe_provider: Stripe) -> None:
    stripe_provider.stub.pay(open_page(stripe_provider), at_s=int(time.time()) - 90_000)
    (old,) = books(stripe_provider)
    refund(stripe_provider, old.payment)
    (charge,) = stripe_provider.stub.charges.values()
    charge["amount_captured"] = "much"
    since_ms = time.time_ns() // 1_000_000 - 60_000
    found = list(stripe_provider.payments.captures(since_ms))
    assert found == [UnreadableEntry(charge["id"], old.payment)]


# --- refunds


def test_refunds_of_older_charges_are_in_the_books(stripe_provider: Stripe) -> None:
    page = open_page(stripe_provider)
    stripe_provider.stub.pay(page, at_s=int(time.time()) - 90_000)
    (old,) = books(stripe_provider)
    since_ms = time.time_ns() // 1_000_000 - 60_000
    assert books(stripe_provider, since_ms) == []
    refund(stripe_provider, old.payment)
    (again,) = books(stripe_provider, since_ms)
    assert (again.payment, again.refunded_minor) == (old.payment, 10_000)


def test_a_refund_that_came_between_is_found_and_not_made_again(
    stripe_provider: Stripe, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = paid(stripe_provider).payment
    made = refund(stripe_provider, payment)
    listed = stripe_provider.payments._our_refund
    looks = iter([lambda *_: None, listed])  # the first one is too early

    def look(payment: str, order: str, part: int) -> Any:
        return next(looks)(payment, order, part)

    monkeypatch.setattr(stripe_provider.payments, "_our_refund", look)
    assert refund(stripe_provider, payment, attempt=1) == made
    assert len(stripe_provider.stub.refunds) == 1


def test_a_refund_for_want_of_balance_is_made_by_the_next_number_alone(
    stripe_provider: Stripe,
) -> None:
    payment = paid(stripe_provider).payment
    stripe_provider.stub.refuse[REFUND] = StripeError(400, "balance_insufficient")
    with pytest.raises(RefusedForNowError, match=LOW_BALANCE):
        refund(stripe_provider, payment)
    stripe_provider.stub.refuse.clear()
    with pytest.raises(RefusedForNowError, match=LOW_BALANCE):
        refund(stripe_provider, payment)  # Stripe repeats what it said to this key
    assert refund(stripe_provider, payment, attempt=1).state == "succeeded"


def test_a_refund_of_a_payment_that_took_nothing_is_refused(stripe_provider: Stripe) -> None:
    stripe_provider.stub.decline(open_page(stripe_provider))
    (intent,) = stripe_provider.stub.intents
    with refused("unknown-payment"):
        refund(stripe_provider, intent)


def test_a_refund_of_another_business_is_not_found(stripe_provider: Stripe) -> None:
    stripe_provider.refund_elsewhere(paid(stripe_provider).payment)
    (name,) = stripe_provider.stub.refunds
    (intent,) = stripe_provider.stub.intents.values()
    intent["metadata"] = {}
    with refused("unknown-payment"):
        stripe_provider.payments.find_refund(name)


# --- the key


def test_a_rotated_key_is_taken_up(stripe_provider: Stripe) -> None:
    open_page(stripe_provider)
    stripe_provider.stub.keys_taken = {"sk_test_next"}
    with pytest.raises(ProviderSetupError):
        open_page(stripe_provider, OTHER)
    secrets = stripe_provider.secrets
    secrets.current = replace(secrets.current, payments=b"sk_test_next")
    assert open_page(stripe_provider, OTHER)


def test_a_client_is_made_once_for_a_key(stripe_provider: Stripe) -> None:
    assert stripe_provider.payments._client is stripe_provider.payments._client


@pytest.mark.parametrize("key", [b"", b"sk test", b"sk_\r\nx: y", b"\xff" * 8])
def test_what_cannot_be_a_key_is_for_a_person_to_mend(stripe_provider: Stripe, key: bytes) -> None:
    secrets = stripe_provider.secrets
    secrets.current = replace(secrets.current, payments=key)
    with pytest.raises(ProviderSetupError):
        open_page(stripe_provider)
    assert stripe_provider.stub.calls == []


# --- every class of refusal


def answered(status: int, code: str = "", kind: str = "invalid_request_error") -> StripeError:
    return StripeError(status, code, kind)


@pytest.mark.parametrize("call", [REFUND, OPEN])
@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        (answered(400, "charge_disputed"), PaymentRefusedError, "disputed"),
        (answered(400, "refund_disputed_payment"), PaymentRefusedError, "disputed"),
        (answered(400, "charge_already_refunded"), PaymentRefusedError, "already-refunded"),
        (answered(404, "resource_missing"), PaymentRefusedError, "unknown-payment"),
        (answered(400, "payment_intent_unexpected_state"), PaymentRefusedError, "unknown-payment"),
        (answered(400, "amount_too_small"), PaymentRefusedError, "invalid"),
        (answered(400, "amount_too_large"), PaymentRefusedError, "invalid"),
        (answered(400), PaymentRefusedError, "invalid"),
        (answered(402, "card_declined", "card_error"), PaymentRefusedError, "invalid"),
        (answered(400, "balance_insufficient"), RefusedForNowError, ""),
        (answered(400, "lock_timeout"), ProviderUndecidedError, ""),
        (answered(400, "rate_limit"), ProviderBusyError, ""),
        (answered(400, "", "idempotency_error"), ProviderUndecidedError, ""),
        (answered(409, "idempotency_key_in_use"), DependencyUnavailableError, ""),
        (answered(429, "rate_limit"), ProviderBusyError, ""),
        (answered(500, "", "api_error"), DependencyUnavailableError, ""),
        (answered(503, "", "api_error"), RefusedForNowError, ""),  # tried twice, and repeated
        (answered(418), DependencyUnavailableError, ""),
        (StripeError(400, raw=b"<html>"), DependencyUnavailableError, ""),
        (StripeError(400, raw=b'{"error":"invalid_client"}'), DependencyUnavailableError, ""),
        (StripeError(400, raw=b'{"error":[]}'), DependencyUnavailableError, ""),
        (StripeError(400, raw=b'{"error":{"code":[1]}}'), PaymentRefusedError, "invalid"),
        (answered(401, "invalid_api_key"), ProviderSetupError, ""),
        (answered(403, "more_permissions_required"), ProviderSetupError, ""),
        (answered(400, "livemode_mismatch"), ProviderSetupError, ""),
        (answered(400, "testmode_charges_only"), ProviderSetupError, ""),
    ],
)
def test_every_refusal_becomes_one_of_ours(
    stripe_provider: Stripe, call: str, answer: StripeError, error: type[Exception], reason: str
) -> None:
    payment = paid(stripe_provider).payment
    stripe_provider.stub.refuse[call] = answer
    if call == OPEN and error is RefusedForNowError:  # a page's key is its minute's: no number
        error = ProviderUndecidedError if answer.status == 400 else DependencyUnavailableError
    with pytest.raises(error) as caught:
        refund(stripe_provider, payment) if call == REFUND else open_page(stripe_provider, OTHER)
    assert type(caught.value) is error
    assert getattr(caught.value, "reason", "") == reason


def all_errors(base: type[stripe.StripeError]) -> list[type[stripe.StripeError]]:
    kinds = {base}.union(*(all_errors(kind) for kind in base.__subclasses__()))
    return sorted(kinds, key=lambda kind: (kind.__module__, kind.__qualname__))


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, id=kind.__name__) for kind in all_errors(stripe.StripeError)]
)
def test_every_class_of_the_librarys_errors_has_a_meaning(kind: Any) -> None:
    error = kind.__new__(kind)
    stripe.StripeError.__init__(error, "refused")
    error.param = None
    ours = meaning(error)
    assert isinstance(ours, (DependencyUnavailableError, PaymentRefusedError))
    assert isinstance(ours, ProviderSetupError) == issubclass(
        kind, (stripe.AuthenticationError, stripe.PermissionError)
    )


def test_every_code_and_reason_is_one_that_there_is() -> None:
    theirs = str(stripe.PaymentIntent.LastPaymentError.__annotations__["code"])
    for code in (*FINAL, *TEMPORARY, *SETUP):
        assert f"'{code}'" in theirs
    assert set(FINAL.values()) <= set(TEXTS)


def test_currencies_that_stripe_counts_in_hundredths_keep_their_value() -> None:
    assert (to_stripe(500, "ISK"), to_stripe(500, "JPY"), to_stripe(500, "EUR")) == (
        50_000,
        500,
        500,
    )
    assert from_stripe(to_stripe(500, "ISK"), "ISK") == 500


def test_a_refund_is_found_behind_many_others_and_not_made_again(
    stripe_provider: Stripe,
) -> None:
    payment = paid(stripe_provider).payment

    def give_back(part: int, attempt: int = 0) -> Refund:
        return stripe_provider.payments.refund(
            payment=payment, order=ORDER, amount_minor=100, part=part, attempt=attempt
        )

    first, *_ = [give_back(part) for part in range(1, 4)]  # more than a page of a list
    assert give_back(1, attempt=1) == first  # Stripe would take it for another one
    assert len(stripe_provider.stub.refunds) == 3
