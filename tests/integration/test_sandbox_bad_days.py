"""The sandbox's operator lets payments meet what a real provider's meet, by button and by call."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from fairgate.adapters.payments.sandbox import api_key
from fairgate.domain.orders.webhook_signature import sign
from fairgate.errors import DependencyUnavailableError
from fairgate_ops.run.local.sandbox_provider import SandboxProvider
from tests.integration.test_sandbox_provider import (
    ORDER,
    SECRET,
    Shop,
    call,
    listed,
    open_checkout,
    press,
    provider,
    refund,
    refused,
    shop,
)
from tests.support.waiting import eventually

__all__ = ["provider", "shop"]


@pytest.fixture
def page(shop: Shop, provider: SandboxProvider) -> str:
    """The operator's page of a payment that was taken."""
    press(open_checkout(shop), "pay")
    assert eventually(lambda: bool(shop.taken))
    return f"{provider.url}/sandbox/payments/{shop.taken[0].payment}"


def test_the_operator_finds_every_payment(page: str, provider: SandboxProvider) -> None:
    status, headers, text = call("GET", f"{provider.url}/sandbox/payments")
    assert status == 200
    assert page.removeprefix(provider.url) in text
    assert "EUR 123.45" in text
    assert "default-src 'none'" in headers["content-security-policy"]
    assert ORDER in call("GET", page)[2]


def test_a_button_leads_back_to_the_payment(page: str, provider: SandboxProvider) -> None:
    status, headers, _ = press(page, "dispute")
    assert (status, headers["location"]) == (303, page.removeprefix(provider.url))
    assert "Dispute: open" in call("GET", page)[2]


def test_a_refund_is_refused_for_good(shop: Shop, page: str, provider: SandboxProvider) -> None:
    press(page, "refuse")
    with refused("too-old", "422"):
        refund(shop)
    assert listed(provider)["refunds"] == []
    press(page, "make")
    refund(shop)
    assert len(listed(provider)["refunds"]) == 1


def test_a_slow_refund_arrives_when_it_is_let(shop: Shop, page: str) -> None:
    press(page, "slow")
    refund(shop)
    assert eventually(lambda: states(shop) == ["pending"])
    for _ in range(2):
        press(page, "arrive")
    assert eventually(lambda: states(shop) == ["pending", "succeeded"])
    assert "Refund: succeeded" in call("GET", page)[2]


def test_a_refund_fails_later_by_itself(
    shop: Shop, page: str, provider: SandboxProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "_fails_after_s", 0.2)
    press(page, "fail-later")
    refund(shop)
    assert eventually(lambda: sorted(states(shop)) == ["failed", "succeeded"])
    with refused("failed", "expired_or_canceled_card"):
        refund(shop)


def test_a_refund_that_failed_stays_so(shop: Shop, page: str) -> None:
    press(page, "fail")
    with refused("failed", "expired_or_canceled_card"):
        refund(shop)
    for action in ("arrive", "return"):
        press(page, action)
    assert eventually(lambda: states(shop) == ["failed"])
    assert "Refund: failed" in call("GET", page)[2]


def test_a_dispute_is_decided_once(shop: Shop, page: str, provider: SandboxProvider) -> None:
    for action in ("won", "dispute", "dispute", "lost", "won"):
        press(page, action)
    assert eventually(lambda: shop.kinds() == ["succeeded", "disputed", "disputed"])
    decided = [event.dispute.state for event in shop.taken if event.dispute]
    assert sorted(decided) == ["lost", "open"]
    (line,) = listed(provider)["disputes"]
    assert (line["order"], line["state"]) == (ORDER, "lost")
    with refused("disputed", "409"):
        refund(shop)


def test_a_program_does_the_same_by_a_signed_call(
    shop: Shop, page: str, provider: SandboxProvider
) -> None:
    asked = {"payment": shop.taken[0].payment, "action": "dispute"}
    assert incident(provider, asked, secret=b"x" * 32) == 401
    assert listed(provider)["disputes"] == []
    assert incident(provider, asked) == 200
    assert incident(provider, asked | {"action": "explode"}) == 400
    assert incident(provider, asked | {"payment": "pay_none"}) == 404
    assert len(listed(provider)["disputes"]) == 1


def test_a_page_with_a_payment_on_its_way_is_not_called_closed(
    shop: Shop, provider: SandboxProvider
) -> None:
    checkout = open_checkout(shop)
    press(checkout, "late", delay_s="60")
    assert shop.payments.find_capture(checkout) is None
    with pytest.raises(DependencyUnavailableError):
        shop.payments.close_checkout(checkout)


def test_an_unknown_button_is_refused(page: str) -> None:
    assert press(page, "explode")[0] == 400
    assert press(page[:-1] + "!", "dispute")[0] == 404


def states(shop: Shop) -> list[str]:
    return [event.refund.state for event in shop.taken if event.refund]


def incident(provider: SandboxProvider, asked: dict[str, Any], *, secret: bytes = SECRET) -> int:
    body = json.dumps(asked).encode()
    signature = sign(body, secret=api_key(secret), now_s=int(time.time()))
    headers = {"x-sandbox-signature": signature}
    return call("POST", f"{provider.url}/sandbox/v1/incidents", body, headers)[0]
