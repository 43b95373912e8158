"""What every payment provider's adapter promises, for the sandbox and for Stripe."""

from __future__ import annotations

import json
import queue
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

import pytest
import stripe

from fairgate.adapters.memory.clock import MemoryClock
from fairgate.adapters.memory.secrets import KEYS, MemorySecrets
from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.adapters.payments.stripe_checkout import StripePayments
from fairgate.adapters.payments.stripe_objects import from_stripe, to_stripe
from fairgate.adapters.system import SystemClock
from fairgate.bootstrap import Container
from fairgate.domain.orders import webhook_signature
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    UnauthenticatedError,
)
from fairgate.ports.payments import Capture, PaymentEvent, Payments
from fairgate.settings import PAYMENTS_PROVIDER, SettingsError, from_environment
from fairgate_ops.run.local.sandbox_provider import SandboxProvider
from tests.support import stripe_stub
from tests.support.stripe_stub import StripeStub

ORDER = "ord_" + "a" * 32 + "_" + "b" * 8
OTHER = "ord_" + "c" * 32 + "_" + "d" * 8
WHSEC = b"whsec_stub"


def stopped_clock() -> MemoryClock:
    """Stand at the real time, as the providers have clocks of their own."""
    return MemoryClock(time.time_ns() // 1_000_000)


@dataclass
class Delivery:
    body: bytes
    headers: dict[str, str]


class Provider(Protocol):
    @property
    def payments(self) -> Payments: ...

    def pay(self, page: str) -> Delivery:
        """The buyer pays; what the webhook then carries."""
        ...

    def decline(self, page: str) -> Delivery: ...

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery: ...

    def go_away(self) -> None: ...


class Stripe:
    def __init__(self, stack: ExitStack) -> None:
        self.stub = stack.enter_context(stripe_stub.serving(StripeStub()))
        secrets = MemorySecrets(replace(KEYS, webhook=WHSEC, payments=b"sk_test_stub"))
        self.payments = StripePayments(secrets, stopped_clock(), self.stub.url)

    def pay(self, page: str) -> Delivery:
        return self.sign(json.dumps(self.stub.pay(page)).encode())

    def decline(self, page: str) -> Delivery:
        return self.sign(json.dumps(self.stub.decline(page)).encode())

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery:
        at_s = int(time.time()) - ago_s
        signed = stripe.WebhookSignature._compute_signature(
            f"{at_s}.{body.decode()}", secret.decode()
        )
        return Delivery(body, {"Stripe-Signature": f"t={at_s},v1={signed}"})

    def go_away(self) -> None:
        self.stub.down = True


class Sandbox:
    def __init__(self, stack: ExitStack) -> None:
        self._heard: queue.Queue[Delivery] = queue.Queue()
        url = stack.enter_context(_listening(self._heard))
        self._provider = SandboxProvider(url, WHSEC, retry_s=0.05)
        self._provider.start()
        self._running = True
        stack.callback(self.go_away)
        secrets = MemorySecrets(replace(KEYS, webhook=WHSEC))
        self.payments = SandboxPayments(self._provider.url, secrets, SystemClock())

    def pay(self, page: str) -> Delivery:
        return self._press(page, "pay")

    def decline(self, page: str) -> Delivery:
        return self._press(page, "decline")

    def _press(self, page: str, action: str) -> Delivery:
        form = urllib.parse.urlencode({"action": action}).encode()
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            opener.open(page, form, timeout=5)
        except urllib.error.HTTPError as answer:
            answer.close()
        return self._heard.get(timeout=10)

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery:
        value = webhook_signature.sign(body, secret=secret, now_s=int(time.time()) - ago_s)
        return Delivery(body, {webhook_signature.HEADER: value})

    def go_away(self) -> None:
        if self._running:
            self._running = False
            self._provider.stop()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_options: Any) -> None:
        return None


@contextmanager
def _listening(heard: queue.Queue[Delivery]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard.put(Delivery(body, dict(self.headers.items())))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/hook"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(params=[Sandbox, Stripe])
def provider(request: pytest.FixtureRequest) -> Iterator[Any]:
    with ExitStack() as stack:
        yield request.param(stack)


def open_page(provider: Provider, order: str = ORDER, amount: int = 10_000) -> str:
    return provider.payments.open_checkout(
        order=order,
        amount_minor=amount,
        currency="EUR",
        expires_ms=time.time_ns() // 1_000_000 + 300_000,
        return_url="http://127.0.0.1/#/order/x",
    )


def event_of(provider: Provider, delivery: Delivery) -> PaymentEvent:
    return provider.payments.parse_webhook(delivery.body, delivery.headers)


def test_a_page_is_the_same_when_the_attempt_is_asked_for_again(provider: Provider) -> None:
    clock_ms = time.time_ns() // 1_000_000 + 300_000
    asked = {
        "order": ORDER,
        "amount_minor": 10_000,
        "currency": "EUR",
        "expires_ms": clock_ms,
        "return_url": "http://127.0.0.1/#/order/x",
    }
    first = provider.payments.open_checkout(**asked)  # type: ignore[arg-type]
    assert provider.payments.open_checkout(**asked) == first  # type: ignore[arg-type]
    assert first != open_page(provider, OTHER)


def test_a_payment_is_told_with_its_order_and_amount(provider: Provider) -> None:
    event = event_of(provider, provider.pay(open_page(provider)))
    assert (event.kind, event.order) == ("succeeded", ORDER)
    assert (event.amount_minor, event.currency) == (10_000, "EUR")
    assert event.id
    assert event.payment


def test_a_decline_is_told_as_one(provider: Provider) -> None:
    event = event_of(provider, provider.decline(open_page(provider)))
    assert (event.kind, event.order) == ("failed", ORDER)


def test_a_capture_is_refunded_once_however_often_it_is_asked(provider: Provider) -> None:
    event = event_of(provider, provider.pay(open_page(provider)))
    for _ in range(3):
        provider.payments.refund(payment=event.payment, order=ORDER, amount_minor=10_000)
    (capture,) = provider.payments.captures(0)
    assert capture.refunded_minor == 10_000


def test_the_books_list_what_was_captured_since(provider: Provider) -> None:
    before_ms = time.time_ns() // 1_000_000 - 2_000
    orders = [f"ord_{n:032x}_{n:08x}" for n in range(5)]
    payments = [event_of(provider, provider.pay(open_page(provider, o))).payment for o in orders]
    books = {c.payment: c for c in provider.payments.captures(before_ms)}
    assert list(map(books.__getitem__, payments))
    assert {c.order for c in books.values()} == set(orders)
    first = books[payments[0]]
    assert first == Capture(payments[0], orders[0], 10_000, "EUR", first.at_ms, 0)
    assert list(provider.payments.captures(time.time_ns() // 1_000_000 + 60_000)) == []


def test_a_closed_page_takes_no_payment_and_closing_it_again_is_harmless(
    provider: Provider,
) -> None:
    page = open_page(provider)
    provider.payments.close_checkout(page)
    provider.payments.close_checkout(page)
    if isinstance(provider, Stripe):
        assert {s["status"] for s in provider.stub.sessions.values()} == {"expired"}
    assert list(provider.payments.captures(0)) == []


def test_closing_a_paid_page_leaves_the_payment(provider: Provider) -> None:
    page = open_page(provider)
    event_of(provider, provider.pay(page))
    provider.payments.close_checkout(page)
    assert len(list(provider.payments.captures(0))) == 1


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


def test_an_outage_is_said_as_one(provider: Provider) -> None:
    event = event_of(provider, provider.pay(open_page(provider)))
    provider.go_away()
    with pytest.raises(DependencyUnavailableError):
        open_page(provider, OTHER)
    with pytest.raises(DependencyUnavailableError):
        provider.payments.refund(payment=event.payment, order=ORDER, amount_minor=10_000)
    with pytest.raises(DependencyUnavailableError):
        list(provider.payments.captures(0))
    with pytest.raises(DependencyUnavailableError):
        provider.payments.close_checkout("https://checkout.example/c/pay/cs_test_00000001")


# --- what only Stripe has


@pytest.fixture
def stripe_provider() -> Iterator[Stripe]:
    with ExitStack() as stack:
        yield Stripe(stack)


def test_refunds_of_older_charges_are_in_the_books(stripe_provider: Stripe) -> None:
    page = open_page(stripe_provider)
    stripe_provider.stub.pay(page, at_s=int(time.time()) - 90_000)
    (old,) = stripe_provider.payments.captures(0)
    since_ms = time.time_ns() // 1_000_000 - 60_000
    assert list(stripe_provider.payments.captures(since_ms)) == []
    stripe_provider.payments.refund(payment=old.payment, order=ORDER, amount_minor=10_000)
    (again,) = stripe_provider.payments.captures(since_ms)
    assert (again.payment, again.refunded_minor) == (old.payment, 10_000)


def test_events_about_other_things_are_neither_refused_nor_acted_on(
    stripe_provider: Stripe,
) -> None:
    thing = {"id": "x", "metadata": {}, "amount": 5, "currency": "eur"}
    for kind in ("customer.created", "payment_intent.payment_failed"):
        delivery = stripe_provider.sign(
            json.dumps(stripe_provider.stub.event(kind, thing)).encode()
        )
        event = event_of(stripe_provider, delivery)
        assert (event.kind, event.order) == ("other", "")


def test_a_page_completed_without_money_is_no_payment(stripe_provider: Stripe) -> None:
    page = open_page(stripe_provider)
    told = stripe_provider.stub.pay(page)
    told["data"]["object"]["payment_status"] = "unpaid"
    event = event_of(stripe_provider, stripe_provider.sign(json.dumps(told).encode()))
    assert event.kind == "other"


def test_currencies_that_stripe_counts_in_hundredths_keep_their_value() -> None:
    assert (to_stripe(500, "ISK"), to_stripe(500, "JPY"), to_stripe(500, "EUR")) == (
        50_000,
        500,
        500,
    )
    assert from_stripe(to_stripe(500, "ISK"), "ISK") == 500


def test_the_setting_chooses_the_provider() -> None:
    made = Container(from_environment({PAYMENTS_PROVIDER: "stripe"}))
    assert isinstance(made.payments, StripePayments)
    made = Container(from_environment({PAYMENTS_PROVIDER: "sandbox"}))
    assert isinstance(made.payments, SandboxPayments)


def test_nobody_takes_payments_when_nothing_says_who() -> None:
    with pytest.raises(SettingsError, match=f"{PAYMENTS_PROVIDER} is not set.*no default"):
        _ = Container(from_environment({})).payments
    with pytest.raises(SettingsError, match=f"{PAYMENTS_PROVIDER} is 'paypal'.*sandbox or stripe"):
        from_environment({PAYMENTS_PROVIDER: "paypal"})
