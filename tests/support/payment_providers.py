"""Every payment provider with its adapter, as the contract's tests drive them."""

from __future__ import annotations

import json
import queue
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal, Protocol

import stripe
from msgspec.structs import replace

from fairgate.adapters.payments.sandbox import SandboxPayments
from fairgate.adapters.payments.stripe_checkout import StripePayments
from fairgate.domain.orders import webhook_signature
from fairgate.ports.payments import Payments
from fairgate_lab.engine.clock import MemoryClock
from fairgate_lab.engine.secrets import KEYS, MemorySecrets
from fairgate_ops.run.local.sandbox_provider import SandboxProvider
from tests.support.http_server import Quiet, served
from tests.support.stripe_server import serving
from tests.support.stripe_stub import KEY, StripeError, StripeStub
from tests.support.waiting import patience_s

ORDER = "ord_" + "a" * 32 + "_" + "b" * 8
OTHER = "ord_" + "c" * 32 + "_" + "d" * 8
WHSEC = b"whsec_stub"
Garbage = tuple[int, bytes]


@dataclass
class Delivery:
    body: bytes
    headers: dict[str, str]


class Provider(Protocol):
    """A provider and its adapter. Each act returns what the webhook then carries."""

    clock: MemoryClock
    secrets: MemorySecrets

    @property
    def payments(self) -> Payments: ...

    def pay(self, page: str, *, card: str = "4242") -> Delivery: ...

    def decline(self, page: str) -> Delivery: ...

    def plan_refund(self, state: Literal["pending", "failed"]) -> None:
        """What becomes of every refund from now on, of payments that are taken by now."""
        ...

    def return_refund(self, payment: str) -> Delivery:
        """The bank sends a refund back."""
        ...

    def refund_elsewhere(self, payment: str) -> Delivery: ...

    def dispute(self, payment: str) -> Delivery: ...

    def decide(self, payment: str, state: Literal["won", "lost"]) -> Delivery: ...

    def pay_out(self) -> None:
        """The provider sends what is on the balance to the bank."""
        ...

    def wait(self, seconds: int) -> None:
        """Let our clock go on, where the provider's own does not have to agree with it."""
        ...

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery: ...

    def revoke_key(self) -> None: ...

    def answer_with(self, garbage: Garbage) -> None:
        """Every call from now on is answered with this status and body."""
        ...

    def go_away(self) -> None: ...


class Stripe:
    def __init__(self, stack: ExitStack) -> None:
        self.stub = stack.enter_context(serving(StripeStub()))
        self.clock = stopped_clock()
        self.secrets = MemorySecrets(replace(KEYS, webhook=WHSEC, payments=KEY.encode()))
        self.payments = StripePayments(self.secrets, self.clock, self.stub.url)

    def pay(self, page: str, *, card: str = "4242") -> Delivery:
        return self.signed(self.stub.pay(page, card=card))

    def decline(self, page: str) -> Delivery:
        return self.signed(self.stub.decline(page))

    def plan_refund(self, state: Literal["pending", "failed"]) -> None:
        self.stub.refund_status = state
        self.stub.failure_reason = "expired_or_canceled_card"

    def return_refund(self, payment: str) -> Delivery:
        (refund,) = _of(payment, self.stub.refunds)
        return self.signed(self.stub.decide_refund(refund, "failed", "expired_or_canceled_card"))

    def refund_elsewhere(self, payment: str) -> Delivery:
        return self.signed(self.stub.refund_elsewhere(payment))

    def dispute(self, payment: str) -> Delivery:
        return self.signed(self.stub.dispute(payment))

    def decide(self, payment: str, state: Literal["won", "lost"]) -> Delivery:
        (dispute,) = _of(payment, self.stub.disputes)
        return self.signed(self.stub.decide_dispute(dispute, state))

    def pay_out(self) -> None:
        self.stub.pay_out()

    def wait(self, seconds: int) -> None:
        self.clock.tick(seconds)

    def signed(self, event: dict[str, Any]) -> Delivery:
        return self.sign(json.dumps(event).encode())

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery:
        at_s = int(time.time()) - ago_s
        signed = stripe.WebhookSignature._compute_signature(
            f"{at_s}.{body.decode()}", secret.decode()
        )
        return Delivery(body, {"Stripe-Signature": f"t={at_s},v1={signed}"})

    def revoke_key(self) -> None:
        self.stub.keys_taken.clear()

    def answer_with(self, garbage: Garbage) -> None:
        status, body = garbage
        self.stub.refuse["any"] = StripeError(status, raw=body)

    def go_away(self) -> None:
        self.stub.down = True


def _of(payment: str, books: dict[str, dict[str, Any]]) -> list[str]:
    return [name for name, thing in books.items() if thing["payment_intent"] == payment]


class Sandbox:
    def __init__(self, stack: ExitStack) -> None:
        self._heard: queue.Queue[Delivery] = queue.Queue()
        url = stack.enter_context(_listening(self._heard))
        self._provider = SandboxProvider(url, WHSEC, retry_s=0.05)
        self._provider.start()
        self._running = True
        stack.callback(self.go_away)
        self.clock = stopped_clock()
        self.secrets = MemorySecrets(replace(KEYS, webhook=WHSEC))
        self.payments = SandboxPayments(self._provider.url, self.secrets, self.clock)

    def pay(self, page: str, *, card: str = "4242") -> Delivery:
        return self._press(page, "pay", card=card)

    def decline(self, page: str) -> Delivery:
        return self._press(page, "decline")

    def plan_refund(self, state: Literal["pending", "failed"]) -> None:
        for capture in self.payments.captures(0):
            self._press(self._page(capture.payment), "slow" if state == "pending" else "fail", 0)

    def return_refund(self, payment: str) -> Delivery:
        self._forget()
        return self._press(self._page(payment), "return")

    def refund_elsewhere(self, payment: str) -> Delivery:
        return self._press(self._page(payment), "elsewhere")

    def dispute(self, payment: str) -> Delivery:
        return self._press(self._page(payment), "dispute")

    def decide(self, payment: str, state: Literal["won", "lost"]) -> Delivery:
        return self._press(self._page(payment), state)

    def pay_out(self) -> None:
        self._press(f"{self._provider.url}/sandbox/payments", "pay", 0)

    def wait(self, seconds: int) -> None:
        """Nothing of the sandbox's depends on our clock, but it refuses a stale signature."""

    def sign(self, body: bytes, *, ago_s: int = 0, secret: bytes = WHSEC) -> Delivery:
        value = webhook_signature.sign(body, secret=secret, now_s=int(time.time()) - ago_s)
        return Delivery(body, {webhook_signature.HEADER: value})

    def revoke_key(self) -> None:
        self.secrets.current = replace(self.secrets.current, webhook=b"another")

    def answer_with(self, garbage: Garbage) -> None:
        vars(self.payments)["_send"] = lambda _path, _body: garbage

    def go_away(self) -> None:
        if self._running:
            self._running = False
            self._provider.stop()

    def _page(self, payment: str) -> str:
        return f"{self._provider.url}/sandbox/payments/{payment}"

    def _press(self, page: str, action: str, reports: int = 1, **fields: str) -> Delivery:
        form = urllib.parse.urlencode({"action": action, **fields}).encode()
        opener = urllib.request.build_opener(_NoRedirect)
        try:
            opener.open(page, form, timeout=patience_s(5))
        except urllib.error.HTTPError as answer:
            answer.close()
        return self._heard.get(timeout=patience_s(10)) if reports else Delivery(b"", {})

    def _forget(self) -> None:
        """Take what the refund itself has reported."""
        self._heard.get(timeout=patience_s(10))


def stopped_clock() -> MemoryClock:
    """Stand at the real time, as the providers have clocks of their own."""
    return MemoryClock(time.time_ns() // 1_000_000)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_options: Any) -> None:
        return None


@contextmanager
def _listening(heard: queue.Queue[Delivery]) -> Iterator[str]:
    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard.put(Delivery(body, dict(self.headers.items())))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

    with served(Handler) as url:
        yield f"{url}/hook"
