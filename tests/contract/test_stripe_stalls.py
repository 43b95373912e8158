"""Stripe takes the connection and never answers: no call outlasts the request it is made for."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator

import pytest
import stripe  # noqa: F401 loading the library is not what is timed
from msgspec.structs import replace

from fairgate.adapters.payments.stripe_checkout import StripePayments
from fairgate.adapters.payments.watched import WatchedPayments
from fairgate.deadline import within
from fairgate.errors import DependencyUnavailableError, ProviderAwayError
from fairgate.ports.payments import CheckoutRequest
from fairgate.service.shared import provider_circuit
from fairgate.service.shared.provider_circuit import FAILURES_MAX, ProviderCircuit
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import KEYS, MemorySecrets
from tests.support.payment_providers import ORDER
from tests.support.waiting import patience_s
from tests.support.world import World

GIVEN_S = 1.5
TRIED_S = 0.4
BUSY_S = 6  # what a busy machine may add; the library itself would wait for 80
PAGE = "https://checkout.stripe.com/c/pay/cs_test_" + "a" * 24
CALLS: dict[str, Callable[[StripePayments], object]] = {
    "open_checkout": lambda payments: payments.open_checkout(
        CheckoutRequest(
            order=ORDER,
            amount_minor=1_000,
            currency="EUR",
            expires_ms=int(time.time() * 1000) + 300_000,
            return_url="https://shop.example/",
        )
    ),
    "close_checkout": lambda payments: payments.close_checkout(PAGE),
    "find_capture": lambda payments: payments.find_capture(PAGE),
    "refund": lambda payments: payments.refund(payment="pi_1", order=ORDER, amount_minor=1_000),
    "find_refund": lambda payments: payments.find_refund("re_1"),
    "find_refunds": lambda payments: payments.find_refunds(payment="pi_1", order=ORDER),
    "find_dispute": lambda payments: payments.find_dispute("dp_1"),
    "captures": lambda payments: list(payments.captures(0)),
    "disputes": lambda payments: list(payments.disputes(0)),
}


@pytest.fixture
def silent() -> Iterator[StripePayments]:
    """Stripe's adapter before a server that accepts and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        secrets = MemorySecrets(replace(KEYS, payments=b"sk_test_stub"))
        clock = MemoryClock(int(time.time() * 1000))
        yield StripePayments(secrets, clock, f"http://127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("call", CALLS)
def test_no_call_outlasts_its_request(silent: StripePayments, call: str) -> None:
    began = time.monotonic()
    with within(GIVEN_S), pytest.raises(DependencyUnavailableError):
        CALLS[call](silent)
    assert time.monotonic() - began < GIVEN_S + patience_s(BUSY_S)


def test_nothing_is_sent_when_no_time_is_left(silent: StripePayments) -> None:
    with within(0), pytest.raises(DependencyUnavailableError, match="took too long"):
        silent.find_capture(PAGE)


def test_a_provider_that_hangs_is_left_alone_after_five_calls(
    silent: StripePayments, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_circuit, "PATIENCE_S", TRIED_S / 2)  # else this takes 20 s
    circuit = ProviderCircuit(world.table, world.clock)
    payments = WatchedPayments(silent, lambda: None, circuit.call)
    for _ in range(FAILURES_MAX):
        with within(TRIED_S), pytest.raises(DependencyUnavailableError):
            payments.find_capture(PAGE)
    with pytest.raises(ProviderAwayError):
        payments.find_capture(PAGE)
