"""What every payment provider's adapter promises, for the sandbox and for Stripe."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from fairgate.adapters.payments.refusals import TEXTS
from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.adapters.payments.stripe_checkout import StripePayments
from fairgate.adapters.payments.watched import WatchedPayments
from fairgate.bootstrap import Container
from fairgate.errors import (
    DependencyUnavailableError,
    PaymentRefusedError,
    ProviderSetupError,
)
from fairgate.ports.payments import (
    Capture,
    CheckoutRequest,
    Dispute,
    PaymentEvent,
    Payments,
    Refund,
)
from fairgate.settings import PAYMENTS_PROVIDER, SettingsError, from_environment
from tests.support.payment_providers import ORDER, OTHER, Delivery, Provider

AMOUNT = 10_000


def open_page(
    provider: Provider, order: str = ORDER, *, in_s: int = 300, held: bool = False, attempt: int = 0
) -> str:
    request = CheckoutRequest(
        order=order,
        amount_minor=AMOUNT,
        currency="EUR",
        expires_ms=provider.clock.now_ms() + in_s * 1000,
        return_url="http://127.0.0.1/#/order/x",
        held=held,
        attempt=attempt,
    )
    return provider.payments.open_checkout(request)


def event_of(provider: Provider, delivery: Delivery) -> PaymentEvent:
    return provider.payments.parse_webhook(delivery.body, delivery.headers)


def paid(provider: Provider, order: str = ORDER) -> PaymentEvent:
    return event_of(provider, provider.pay(open_page(provider, order)))


def books(provider: Provider, since_ms: int = 0) -> list[Capture]:
    """What the provider lists, every entry of it readable."""
    found = list(provider.payments.captures(since_ms))
    readable = [entry for entry in found if isinstance(entry, Capture)]
    assert readable == found
    return readable


def refund(provider: Provider, payment: str, order: str = ORDER, *, attempt: int = 0) -> Refund:
    return provider.payments.refund(
        payment=payment, order=order, amount_minor=AMOUNT, attempt=attempt
    )


def refused(reason: str) -> AbstractContextManager[Any]:
    return pytest.raises(PaymentRefusedError, match=TEXTS[reason], check=_says(reason))


def _says(reason: str) -> Callable[[PaymentRefusedError], bool]:
    return lambda error: error.reason == reason


# --- pages


def test_a_page_is_the_same_when_the_attempt_is_asked_for_again(provider: Provider) -> None:
    first = open_page(provider)
    assert open_page(provider) == first
    assert open_page(provider, OTHER) != first


@pytest.mark.parametrize("in_s", [0, -1, -3_600])
def test_a_page_is_not_opened_when_the_time_to_pay_is_over(provider: Provider, in_s: int) -> None:
    provider.go_away()  # for no call is made
    with refused("too-late"):
        open_page(provider, in_s=in_s)


def test_a_page_is_opened_in_the_last_seconds(provider: Provider) -> None:
    assert paid_on(provider, open_page(provider, in_s=3)).amount_minor == AMOUNT


def paid_on(provider: Provider, page: str) -> Capture:
    provider.pay(page)
    capture = provider.payments.find_capture(page)
    assert capture is not None
    return capture


def test_a_closed_page_takes_no_payment_and_closing_it_again_is_harmless(
    provider: Provider,
) -> None:
    page = open_page(provider)
    assert provider.payments.close_checkout(page) is None
    assert provider.payments.close_checkout(page) is None
    assert provider.payments.find_capture(page) is None
    with pytest.raises(AssertionError):
        paid_on(provider, page)
    assert books(provider) == []


def test_closing_a_paid_page_tells_the_payment_and_leaves_it(provider: Provider) -> None:
    page = open_page(provider)
    event = event_of(provider, provider.pay(page))
    for _ in range(2):
        capture = provider.payments.close_checkout(page)
        assert capture is not None
        assert capture == Capture(event.payment, ORDER, AMOUNT, "EUR", capture.at_ms)
    assert books(provider) == [capture]


def test_looking_at_a_page_leaves_it_open(provider: Provider) -> None:
    page = open_page(provider)
    assert provider.payments.find_capture(page) is None
    capture = paid_on(provider, page)
    assert abs(capture.at_ms - time.time_ns() // 1_000_000) < 60_000
    assert provider.payments.find_capture(page) == capture


def test_what_went_back_is_told_with_the_page(provider: Provider) -> None:
    page = open_page(provider)
    event = event_of(provider, provider.pay(page))
    refund(provider, event.payment)
    capture = provider.payments.find_capture(page)
    assert capture is not None
    assert capture.refunded_minor == AMOUNT
    assert provider.payments.close_checkout(page) == capture


@pytest.mark.parametrize(
    "page", ["", "https://elsewhere.example/page!", "https://shop.example/cs_test_00009999"]
)
def test_a_page_of_nobody_is_neither_looked_at_nor_called_closed(
    provider: Provider, page: str
) -> None:
    with refused("unknown-payment"):
        provider.payments.close_checkout(page)
    with refused("unknown-payment"):
        provider.payments.find_capture(page)


# --- refunds


def test_a_capture_is_refunded_once_however_often_it_is_asked(provider: Provider) -> None:
    payment = paid(provider).payment
    first = refund(provider, payment)
    assert first == Refund(first.id, payment, ORDER, AMOUNT, "succeeded")
    for _ in range(2):
        provider.wait(90_000)  # an idempotency key lives for a day
        assert refund(provider, payment) == first
        assert provider.payments.find_refund(first.id) == first
    (capture,) = books(provider)
    assert capture.refunded_minor == AMOUNT


def test_parts_of_a_capture_go_back_each_once_and_never_more_than_is_left(
    provider: Provider,
) -> None:
    payment = paid(provider).payment

    def part(number: int, amount_minor: int) -> Refund:
        return provider.payments.refund(
            payment=payment, order=ORDER, amount_minor=amount_minor, part=number
        )

    first, second = part(1, 3_000), part(2, 2_500)
    assert part(1, 3_000) == first == provider.payments.find_refund(first.id)
    assert (first.amount_minor, first.part, second.part) == (3_000, 1, 2)
    assert list(provider.payments.find_refunds(payment=payment, order=ORDER)) == [first, second]
    with refused("invalid"):
        part(3, 4_501)
    rest = provider.payments.refund(payment=payment, order=ORDER, amount_minor=4_000)
    assert (rest.amount_minor, rest.part) == (4_000, 0)
    (capture,) = books(provider)
    assert capture.refunded_minor == 9_500
    assert part(2, 2_500) == second


def test_a_refund_may_be_under_way(provider: Provider) -> None:
    payment = paid(provider).payment
    provider.plan_refund("pending")
    made = refund(provider, payment)
    assert made.state == "pending"
    assert provider.payments.find_refund(made.id) == made


def test_a_refund_that_fails_at_once_is_refused(provider: Provider) -> None:
    payment = paid(provider).payment
    provider.plan_refund("failed")
    for _ in range(2):
        with refused("failed") as caught:
            refund(provider, payment)
    assert caught.value.provider_code == "expired_or_canceled_card"
    (capture,) = books(provider)
    assert capture.refunded_minor == 0


def test_a_refund_that_fails_later_is_told_and_found_and_not_sent_again(
    provider: Provider,
) -> None:
    payment = paid(provider).payment
    made = refund(provider, payment)
    event = event_of(provider, provider.return_refund(payment))
    failed = Refund(made.id, payment, ORDER, AMOUNT, "failed", "expired_or_canceled_card")
    assert (event.kind, event.refund, event.order) == ("refunded", failed, ORDER)
    assert provider.payments.find_refund(made.id) == failed
    with refused("failed") as caught:
        refund(provider, payment)
    assert caught.value.refund_id == made.id
    (capture,) = books(provider)
    assert capture.refunded_minor == 0


def test_a_refund_by_another_hand_is_told_and_refuses_ours(provider: Provider) -> None:
    payment = paid(provider).payment
    event = event_of(provider, provider.refund_elsewhere(payment))
    assert event.refund is not None
    assert (event.kind, event.order, event.payment) == ("refunded", ORDER, payment)
    assert provider.payments.find_refund(event.refund.id) == event.refund
    with refused("already-refunded"):
        refund(provider, payment)


def test_every_refund_of_a_payment_is_found_whoever_made_it(provider: Provider) -> None:
    payment = paid(provider).payment
    assert list(provider.payments.find_refunds(payment=payment, order=ORDER)) == []
    ours = refund(provider, payment)
    event_of(provider, provider.return_refund(payment))
    theirs = event_of(provider, provider.refund_elsewhere(payment)).refund
    found = provider.payments.find_refunds(payment=payment, order=ORDER)
    assert [(one.id, one.state) for one in found[:-1]] == [(ours.id, "failed")]
    assert theirs is not None
    assert theirs.id != ours.id
    assert found[-1] == theirs
    assert provider.payments.find_refund(ours.id) == found[0]


def test_a_refund_of_a_disputed_payment_is_refused_until_the_dispute_is_won(
    provider: Provider,
) -> None:
    payment = paid(provider).payment
    provider.dispute(payment)
    with refused("disputed"):
        refund(provider, payment)
    provider.decide(payment, "won")
    assert refund(provider, payment, attempt=1).state == "succeeded"


def test_a_refund_of_a_payment_that_there_is_not_is_refused(provider: Provider) -> None:
    with refused("unknown-payment"):
        refund(provider, "pay_none")
    with refused("unknown-payment"):
        provider.payments.find_refund("re_none")


# --- the books


def test_the_books_list_what_was_captured_since(provider: Provider) -> None:
    before_ms = time.time_ns() // 1_000_000 - 2_000
    orders = [f"ord_{n:032x}_{n:08x}" for n in range(5)]
    payments = [paid(provider, order).payment for order in orders]
    listed = {c.payment: c for c in books(provider, before_ms)}
    assert set(listed) == set(payments)
    assert {c.order for c in listed.values()} == set(orders)
    first = listed[payments[0]]
    assert first == Capture(payments[0], orders[0], AMOUNT, "EUR", first.at_ms, 0)
    assert books(provider, time.time_ns() // 1_000_000 + 60_000) == []


def test_the_books_list_the_disputes_opened_since(provider: Provider) -> None:
    orders = [f"ord_{n:032x}_{n:08x}" for n in range(3)]
    payments = [paid(provider, order).payment for order in orders]
    told = [event_of(provider, provider.dispute(payment)).dispute for payment in payments]
    listed = list(provider.payments.disputes(0))
    assert sorted(listed, key=lambda d: d.order) == told
    assert isinstance(told[0], Dispute)
    assert (told[0].state, told[0].amount_minor, told[0].currency) == ("open", AMOUNT, "EUR")
    assert all(capture.disputed for capture in books(provider))
    assert list(provider.payments.disputes(time.time_ns() // 1_000_000 + 60_000)) == []


@pytest.mark.parametrize("state", ["won", "lost"])
def test_a_dispute_is_told_until_it_is_decided(provider: Provider, state: Any) -> None:
    payment = paid(provider).payment
    opened = event_of(provider, provider.dispute(payment))
    assert (opened.kind, opened.order, opened.payment) == ("disputed", ORDER, payment)
    decided = event_of(provider, provider.decide(payment, state))
    assert opened.dispute is not None
    assert decided.dispute is not None
    assert (opened.dispute.state, decided.dispute.state) == ("open", state)
    assert decided.dispute.id == opened.dispute.id
    assert list(provider.payments.disputes(0)) == [decided.dispute]
    assert provider.payments.find_dispute(opened.dispute.id) == decided.dispute


def test_a_dispute_that_there_is_not_is_refused(provider: Provider) -> None:
    with refused("unknown-payment"):
        provider.payments.find_dispute("dp_none")


# --- troubles

CALLS: dict[str, Callable[[Payments], object]] = {
    "close_checkout": lambda p: p.close_checkout("https://pay.example/cs_test_00000001"),
    "find_capture": lambda p: p.find_capture("https://pay.example/cs_test_00000001"),
    "refund": lambda p: p.refund(payment="pi_1", order=ORDER, amount_minor=AMOUNT),
    "find_refund": lambda p: p.find_refund("re_1"),
    "find_refunds": lambda p: p.find_refunds(payment="pi_1", order=ORDER),
    "find_dispute": lambda p: p.find_dispute("dp_1"),
    "captures": lambda p: list(p.captures(0)),
    "disputes": lambda p: list(p.disputes(0)),
}
GARBAGE = [
    (200, b""),
    (200, b"{"),
    (200, b"[]"),
    (200, b"17"),
    (200, b"{}"),
    (200, b"\xff\xfe"),
    (200, b"[" * 100_000),
    (200, b'{"object":"list","data":[{"object":"charge"}],"has_more":false}'),
    (200, b'{"object":"list","data":17}'),
    (200, b'{"status":"complete","payment_status":"paid","payment_intent":"pi_1"}'),
    (500, b"<html>"),
    (502, b""),
    (429, b"slow down"),
]


@pytest.mark.parametrize("call", CALLS)
def test_an_outage_is_said_as_one(provider: Provider, call: str) -> None:
    provider.go_away()
    with pytest.raises(DependencyUnavailableError) as caught:
        CALLS[call](provider.payments)
    assert type(caught.value) is DependencyUnavailableError
    assert caught.value.retry_after_s


def test_a_page_is_not_opened_in_an_outage(provider: Provider) -> None:
    provider.go_away()
    with pytest.raises(DependencyUnavailableError):
        open_page(provider)


@pytest.mark.parametrize("call", CALLS)
def test_a_key_that_is_not_taken_is_for_a_person_to_mend(provider: Provider, call: str) -> None:
    provider.revoke_key()
    with pytest.raises(ProviderSetupError):
        CALLS[call](provider.payments)
    with pytest.raises(ProviderSetupError):
        open_page(provider)


@pytest.mark.parametrize("garbage", GARBAGE)
def test_an_answer_that_makes_no_sense_is_temporary(
    provider: Provider, garbage: tuple[int, bytes]
) -> None:
    provider.answer_with(garbage)
    for call in CALLS.values():
        with pytest.raises(DependencyUnavailableError):
            call(provider.payments)
    with pytest.raises(DependencyUnavailableError):
        open_page(provider)


def test_a_refusal_that_nobody_knows_is_final(provider: Provider) -> None:
    provider.answer_with((400, b'{"error":{"code":"a_new_one","type":"invalid_request_error"}}'))
    for call in CALLS.values():
        with refused("invalid"):
            call(provider.payments)
    with refused("invalid"):
        open_page(provider)


# --- which of them


def chosen(made: Container) -> Payments:
    """The adapter behind the watch over it."""
    assert isinstance(made.payments, WatchedPayments)
    return made.payments.payments


def test_the_setting_chooses_the_provider() -> None:
    made = Container(from_environment({PAYMENTS_PROVIDER: "stripe"}))
    assert isinstance(chosen(made), StripePayments)
    made = Container(from_environment({PAYMENTS_PROVIDER: "sandbox"}))
    assert isinstance(chosen(made), SandboxPayments)


def test_nobody_takes_payments_when_nothing_says_who() -> None:
    with pytest.raises(SettingsError, match=f"{PAYMENTS_PROVIDER} is not set.*no default"):
        _ = Container(from_environment({})).payments
    with pytest.raises(SettingsError, match=f"{PAYMENTS_PROVIDER} is 'paypal'.*sandbox or stripe"):
        from_environment({PAYMENTS_PROVIDER: "paypal"})


# --- money that is only held


def held(provider: Provider, order: str = ORDER, card: str = "4242") -> PaymentEvent:
    return event_of(provider, provider.pay(open_page(provider, order, held=True), card=card))


def test_held_money_is_taken_once_however_often_it_is_said(provider: Provider) -> None:
    event = held(provider)
    assert (event.kind, event.order, event.amount_minor) == ("held", ORDER, AMOUNT)
    assert books(provider) == []
    taken = provider.payments.end_held(event.payment, take=True)
    assert taken is not None
    assert not taken.held
    assert (taken.payment, taken.order, taken.amount_minor) == (event.payment, ORDER, AMOUNT)
    for take in (True, False):
        assert provider.payments.end_held(event.payment, take=take) == taken
    assert [one.payment for one in books(provider)] == [event.payment]


def test_held_money_that_is_freed_is_never_taken(provider: Provider) -> None:
    event = held(provider)
    for take in (False, True):
        assert provider.payments.end_held(event.payment, take=take) is None
    assert books(provider) == []
    again = open_page(provider, held=True, attempt=3)
    assert event_of(provider, provider.pay(again, card="4000")).kind == "held"


def test_a_page_that_is_looked_at_tells_what_it_holds_and_frees_nothing(
    provider: Provider,
) -> None:
    page = open_page(provider, held=True)
    event = event_of(provider, provider.pay(page))
    found = provider.payments.find_capture(page)
    assert found is not None
    assert (found.held, found.payment, found.order) == (True, event.payment, ORDER)
    assert (found.amount_minor, found.currency) == (AMOUNT, event.currency)
    taken = provider.payments.end_held(event.payment, take=True)
    assert provider.payments.find_capture(page) == taken


def test_a_page_that_is_closed_frees_what_it_holds(provider: Provider) -> None:
    page = open_page(provider, held=True)
    event = event_of(provider, provider.pay(page))
    assert provider.payments.close_checkout(page) is None
    assert provider.payments.end_held(event.payment, take=True) is None
    assert provider.payments.close_checkout(page) is None


def test_a_page_that_is_closed_tells_what_it_has_taken(provider: Provider) -> None:
    page = open_page(provider, held=True)
    event = event_of(provider, provider.pay(page))
    taken = provider.payments.end_held(event.payment, take=True)
    assert provider.payments.close_checkout(page) == taken


def test_a_card_has_one_fingerprint_in_all_orders(provider: Provider) -> None:
    names = [
        provider.payments.card_of(held(provider, order, card).payment)
        for order, card in ((ORDER, "4242"), (OTHER, "4242"), (OTHER[:-1] + "e", "4000"))
    ]
    assert names[0] == names[1] != names[2]
    assert all(names)
