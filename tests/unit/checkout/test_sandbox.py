"""The sandbox's webhooks as payment events, and what its silence becomes."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from fairgate.adapters.payments.sandbox import SandboxPayments, api_key
from fairgate.domain.orders.webhook_signature import sign
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    UnauthenticatedError,
)
from fairgate.ports.payments import PaymentEvent
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import MemorySecrets
from tests.support.world import START_MS

ORDER = "ord_" + "a" * 32 + "_" + "b" * 8
EVENT = {
    "id": "evt_1",
    "kind": "succeeded",
    "order": ORDER,
    "amount_minor": 12_345,
    "currency": "EUR",
    "payment": "pay_1",
}
SECRET = MemorySecrets().current.webhook


def payments(url: str = "http://127.0.0.1:9") -> SandboxPayments:
    return SandboxPayments(url, MemorySecrets(), MemoryClock())


def parse(document: Any, *, secret: bytes = SECRET, age_s: int = 0) -> PaymentEvent:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    header = sign(body, secret=secret, now_s=START_MS // 1000 - age_s)
    return payments().parse_webhook(body, {"X-Sandbox-Signature": header})


def test_a_webhook_becomes_an_event_when_its_signature_verifies() -> None:
    assert parse(EVENT) == PaymentEvent("evt_1", "succeeded", ORDER, 12_345, "EUR", "pay_1")


def test_a_webhook_is_refused_when_it_is_signed_with_another_key() -> None:
    with pytest.raises(UnauthenticatedError, match="does not verify"):
        parse(EVENT, secret=b"x" * 32)
    with pytest.raises(UnauthenticatedError, match="does not verify"):
        parse(EVENT, secret=api_key(SECRET))


def test_a_webhook_is_refused_when_it_is_stale() -> None:
    with pytest.raises(UnauthenticatedError, match="too old"):
        parse(EVENT, age_s=301)


def test_a_webhook_is_refused_when_it_has_no_signature() -> None:
    with pytest.raises(UnauthenticatedError, match="no signature"):
        payments().parse_webhook(b"{}", {"content-type": "application/json"})


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"\xff",
        b"[" * 10_000,
        [],
        EVENT | {"kind": "won"},
        EVENT | {"id": ""},
        EVENT | {"id": "a#b"},
        EVENT | {"order": "ord_1"},
        EVENT | {"order": ORDER + "#"},
        EVENT | {"amount_minor": -1},
        EVENT | {"amount_minor": 10**13},
        EVENT | {"amount_minor": "1"},
        EVENT | {"amount_minor": True},
        EVENT | {"currency": "eur"},
        EVENT | {"payment": "a b"},
        {k: v for k, v in EVENT.items() if k != "payment"},
    ],
)
def test_a_signed_webhook_is_malformed_when_its_body_is_not_as_agreed(document: Any) -> None:
    with pytest.raises(MalformedInputError):
        parse(document)


def test_checkout_is_unavailable_when_nobody_listens() -> None:
    with socket.socket() as silent:  # until the end, or another server might get its port
        silent.bind(("127.0.0.1", 0))
        adapter = payments(f"http://127.0.0.1:{silent.getsockname()[1]}")
        with pytest.raises(DependencyUnavailableError) as caught:
            adapter.refund(payment="p", order=ORDER, amount_minor=1)
    assert caught.value.retry_after_s == 3
