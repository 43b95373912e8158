"""The sandbox provider as the shop and the buyer meet it, over HTTP, with real webhooks."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from fairgate.adapters.payments.sandbox import SandboxPayments, api_key
from fairgate.adapters.system import SystemClock
from fairgate.domain.orders.webhook_signature import sign
from fairgate.errors import PaymentRefusedError, UnauthenticatedError
from fairgate.ports.payments import CheckoutRequest, PaymentEvent
from fairgate_lab.engine.secrets import MemorySecrets
from fairgate_ops.run.local.sandbox_pages import amount_text
from fairgate_ops.run.local.sandbox_provider import SandboxProvider
from tests.support.http_server import Quiet, served
from tests.support.waiting import eventually, patience_s

SECRETS = MemorySecrets()
SECRET = SECRETS.current.webhook
ORDER = "ord_" + "a" * 32 + "_" + "b" * 8
RETURN = "/order.html?order=" + ORDER


@dataclass
class Shop:
    """Takes webhooks; answers 503 as often as told, to be sent them again."""

    payments: SandboxPayments
    url: str = ""
    refusals: int = 0
    taken: list[PaymentEvent] = field(default_factory=list)
    attempts: int = 0

    def kinds(self) -> list[str]:
        return [event.kind for event in self.taken]


@pytest.fixture
def shop() -> Iterator[Shop]:
    shop = Shop(SandboxPayments("", SECRETS, SystemClock()))

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            shop.attempts += 1
            status = 503 if shop.attempts <= shop.refusals else 200
            if status == 200:
                try:
                    shop.taken.append(shop.payments.parse_webhook(body, dict(self.headers)))
                except UnauthenticatedError:
                    status = 401
            self.send_response(status)
            self.send_header("content-length", "0")
            self.end_headers()

    with served(Handler) as url:
        shop.url = f"{url}/api/payments/webhook"
        yield shop


@pytest.fixture
def provider(shop: Shop) -> Iterator[SandboxProvider]:
    provider = SandboxProvider(shop.url, SECRET, retry_s=0.02)
    shop.payments = SandboxPayments(provider.url, SECRETS, SystemClock())
    provider.start()
    yield provider
    provider.stop()


def open_checkout(shop: Shop, *, seconds: float = 300.0, **changes: Any) -> str:
    asked: dict[str, Any] = {
        "order": ORDER,
        "amount_minor": 12_345,
        "currency": "EUR",
        "expires_ms": round((time.time() + seconds) * 1000),
        "return_url": RETURN,
    }
    return shop.payments.open_checkout(CheckoutRequest(**asked | changes))


def call(
    method: str, url: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], str]:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(
        address.hostname or "", address.port, timeout=patience_s(5)
    )
    try:
        connection.request(method, address.path, body or None, headers or {})
        answer = connection.getresponse()
        named = {k.lower(): v for k, v in answer.getheaders()}
        return answer.status, named, answer.read().decode()
    finally:
        connection.close()


def press(url: str, action: str, **fields: str) -> tuple[int, dict[str, str], str]:
    return call("POST", url, urlencode({"action": action, **fields}).encode())


@contextmanager
def refused(reason: str, code: str) -> Iterator[None]:
    with pytest.raises(PaymentRefusedError) as caught:
        yield
    assert (caught.value.reason, caught.value.provider_code) == (reason, code)


def listed(provider: SandboxProvider) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(call("GET", f"{provider.url}/sandbox/v1/payments")[2])
    return found


def test_the_page_shows_what_is_paid_and_that_it_is_a_sandbox(
    shop: Shop, provider: SandboxProvider
) -> None:
    status, headers, text = call("GET", open_checkout(shop))
    assert status == 200
    for wanted in ("EUR 123.45", "Fairgate box office", "no real money", "viewport", ORDER):
        assert wanted in text
    assert "<script" not in text
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert call("GET", f"{provider.url}/sandbox/style.css")[0] == 200


def test_paying_reports_one_signed_success_and_returns_to_the_shop(
    shop: Shop, provider: SandboxProvider
) -> None:
    page = open_checkout(shop)
    status, headers, _ = press(page, "pay")
    assert (status, headers["location"]) == (303, RETURN)
    assert eventually(lambda: bool(shop.taken))
    (event,) = shop.taken
    assert (event.kind, event.order, event.amount_minor) == ("succeeded", ORDER, 12_345)
    (capture,) = listed(provider)["captures"]
    assert (capture["payment"], capture["order"]) == (event.payment, ORDER)
    assert "Paid" in call("GET", page)[2]


def test_nothing_more_is_reported_when_the_buttons_are_pressed_again(
    shop: Shop, provider: SandboxProvider
) -> None:
    page = open_checkout(shop)
    for action in ("pay", "pay", "decline", "late", "twice"):
        assert press(page, action)[0] == 303
    assert eventually(lambda: bool(shop.taken))
    refund(shop)
    assert eventually(lambda: "refunded" in shop.kinds())
    assert shop.kinds() == ["succeeded", "refunded"]


def refund(shop: Shop, amount_minor: int = 12_345) -> None:
    payment = shop.taken[0].payment
    shop.payments.refund(payment=payment, order=ORDER, amount_minor=amount_minor)


def test_the_same_event_comes_twice_when_asked_to(shop: Shop, provider: SandboxProvider) -> None:
    press(open_checkout(shop), "twice")
    assert eventually(lambda: len(shop.taken) == 2)
    assert shop.taken[0] == shop.taken[1]


def test_a_decline_is_reported_and_captures_nothing(shop: Shop, provider: SandboxProvider) -> None:
    page = open_checkout(shop)
    assert press(page, "decline")[0] == 303
    assert eventually(lambda: shop.kinds() == ["failed"])
    assert press(page, "pay")[0] == 303
    assert listed(provider)["captures"] == []


def test_abandoning_reports_nothing_and_may_still_be_paid(
    shop: Shop, provider: SandboxProvider
) -> None:
    page = open_checkout(shop)
    assert press(page, "abandon")[1]["location"] == RETURN
    press(page, "pay")
    assert eventually(lambda: bool(shop.taken))
    assert shop.kinds() == ["succeeded"]


def test_a_late_payment_is_captured_when_the_order_has_expired(
    shop: Shop, provider: SandboxProvider
) -> None:
    page = open_checkout(shop, seconds=0.3)
    expires_s = time.time() + 0.3
    assert press(page, "late", delay_s="0.1")[0] == 303
    assert shop.taken == []
    assert eventually(lambda: bool(shop.taken))
    assert shop.kinds() == ["succeeded"]
    assert time.time() > expires_s


def test_an_unpaid_checkout_expires_and_can_no_longer_be_paid(
    shop: Shop, provider: SandboxProvider
) -> None:
    page = open_checkout(shop, seconds=0.05)
    assert eventually(lambda: shop.kinds() == ["expired"])
    assert "Too late" in call("GET", page)[2]
    press(page, "pay")
    assert listed(provider)["captures"] == []


def test_paying_is_refused_after_the_expiry_even_before_it_is_noticed(
    shop: Shop, provider: SandboxProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "_expire", lambda _checkout: None)
    page = open_checkout(shop, seconds=0.05)
    assert eventually(lambda: call("GET", page)[0] == 410)
    assert call("GET", page)[0] == 410
    for action in ("pay", "twice"):
        assert press(page, action)[0] == 410
    assert listed(provider)["captures"] == []


def test_a_webhook_is_sent_again_when_the_shop_is_down(
    shop: Shop, provider: SandboxProvider
) -> None:
    shop.refusals = 3
    press(open_checkout(shop), "pay")
    assert eventually(lambda: bool(shop.taken))
    assert shop.attempts == 4


def test_a_checkout_is_the_same_when_it_is_opened_again(
    shop: Shop, provider: SandboxProvider
) -> None:
    assert open_checkout(shop) == open_checkout(shop)
    assert open_checkout(shop) != open_checkout(shop, order=ORDER[:-1] + "c")
    with refused("invalid", "409"):
        open_checkout(shop, amount_minor=1)


def test_a_refund_happens_once_when_it_is_asked_for_twice(
    shop: Shop, provider: SandboxProvider
) -> None:
    press(open_checkout(shop), "pay")
    assert eventually(lambda: bool(shop.taken))
    refund(shop)
    (line,) = listed(provider)["refunds"]
    assert line["amount_minor"] == 12_345
    refund(shop)
    assert listed(provider)["refunds"] == [line]
    assert eventually(lambda: "refunded" in shop.kinds())
    assert shop.kinds() == ["succeeded", "refunded"]
    with refused("invalid", "422"):
        refund(shop, amount_minor=1)


def test_a_refund_is_refused_when_nothing_was_captured(
    shop: Shop, provider: SandboxProvider
) -> None:
    open_checkout(shop)
    with refused("unknown-payment", "404"):
        shop.payments.refund(payment="pay_x", order=ORDER, amount_minor=1)


def test_a_call_is_refused_when_the_shop_did_not_sign_it(
    shop: Shop, provider: SandboxProvider
) -> None:
    press(open_checkout(shop), "pay")
    assert eventually(lambda: bool(shop.taken))
    asked = {"payment": shop.taken[0].payment, "order": ORDER, "amount_minor": 12_345}
    body = json.dumps(asked).encode()
    for header in ("", sign(body, secret=SECRET, now_s=int(time.time()))):
        headers = {"x-sandbox-signature": header}
        assert call("POST", f"{provider.url}/sandbox/v1/refunds", body, headers)[0] == 401
    assert listed(provider)["refunds"] == []


@pytest.mark.parametrize(
    "return_url",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "javascript:alert(1)",
        "http://127.0.0.1@evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1\\.evil.example/",
        "http://evil.example\\@127.0.0.1/",
        "http://[::1",
        "/ok\r\nset-cookie: a=b",
        "",
    ],
)
def test_a_checkout_is_refused_when_it_would_lead_elsewhere(
    shop: Shop, provider: SandboxProvider, return_url: str
) -> None:
    with refused("invalid", "400"):
        open_checkout(shop, return_url=return_url)


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
def test_the_form_may_end_at_another_port_of_this_machine(
    shop: Shop, provider: SandboxProvider, host: str
) -> None:
    page = open_checkout(shop, return_url=f"http://{host}/order")
    policy = call("GET", page)[1]["content-security-policy"]
    assert policy.endswith(f"form-action 'self' http://{host}")


def test_what_the_shop_sends_is_escaped_on_the_page(shop: Shop, provider: SandboxProvider) -> None:
    page = open_checkout(shop, return_url='/"><script>alert(1)</script>')
    press(page, "decline")
    text = call("GET", page)[2]
    assert "<script" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/sandbox/pay/co_" + "0" * 32, b"", 404),
        ("GET", "/sandbox/pay/../v1", b"", 404),
        ("GET", "/", b"", 404),
        ("POST", "/sandbox/v1/checkouts", b"{}", 401),
        ("POST", "/sandbox/v1/checkouts", b"x" * 20_000, 413),
    ],
)
def test_a_bad_request_is_answered_plainly(
    provider: SandboxProvider, method: str, path: str, body: bytes, status: int
) -> None:
    assert call(method, provider.url + path, body)[0] == status


@pytest.mark.parametrize(
    "form", [b"", b"action=steal", b"action=late&delay_s=x", b"action=late&delay_s=9999"]
)
def test_an_unknown_button_is_refused(shop: Shop, provider: SandboxProvider, form: bytes) -> None:
    assert call("POST", open_checkout(shop), form)[0] == 400


@pytest.mark.parametrize("body", [b"", b"[]", b'{"order":"a"}', b"\xff", b"[" * 9000])
def test_a_signed_call_is_refused_when_its_body_is_malformed(
    provider: SandboxProvider, body: bytes
) -> None:
    signature = sign(body, secret=api_key(SECRET), now_s=int(time.time()))
    headers = {"x-sandbox-signature": signature}
    assert call("POST", f"{provider.url}/sandbox/v1/checkouts", body, headers)[0] == 400


def test_amounts_read_as_the_currency_writes_them() -> None:
    assert amount_text(123_450, "EUR") == "EUR 1,234.50"
    assert amount_text(5, "EUR") == "EUR 0.05"
    assert amount_text(1_000, "JPY") == "JPY 1,000"
    assert amount_text(1_005, "KWD") == "KWD 1.005"
