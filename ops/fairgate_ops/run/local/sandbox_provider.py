"""A payment provider for one machine: hosted page, signed webhooks, refunds; no money.

It does what a real one may do on a bad day: capture after the order has expired, report twice,
report again until it is heard, refuse a refund or send it back, take a payment back for a
cardholder's bank. The shop's operator presses for that at /sandbox/payments. Mounted at /sandbox/.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from fairgate.adapters.payments.sandbox import api_key
from fairgate.domain.orders import webhook_signature
from fairgate.domain.shared.jws import from_b64url
from fairgate.errors import UnauthenticatedError
from fairgate.ports.record import decode_json
from fairgate_ops.run.local.loopback_server import (
    LoopbackServer,
    RefusedError,
    Reply,
    Request,
    json_reply,
    see_other,
    serve_until_told,
    stylesheet,
)
from fairgate_ops.run.local.sandbox_balance import Fees
from fairgate_ops.run.local.sandbox_calls import (
    CardRequest,
    CheckoutRequest,
    DisputeStateRequest,
    EndHeldRequest,
    IncidentRequest,
    ListRequest,
    MovementsRequest,
    PageRequest,
    PayoutIncidentRequest,
    PayoutPartsRequest,
    RefundRequest,
    RefundsRequest,
    RefundStateRequest,
)
from fairgate_ops.run.local.sandbox_checks import check_return_url, delay_s
from fairgate_ops.run.local.sandbox_ledger import (
    RETURNED,
    Checkout,
    Ledger,
    capture_line,
    dispute_line,
    refund_line,
)
from fairgate_ops.run.local.sandbox_pages import (
    checkout_page,
    closed_page,
    payment_page,
    payments_page,
)
from fairgate_ops.run.local.webhook_sender import JobQueue, WebhookSender

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CARD = "4242424242424242"  # where none is typed
_PAY = re.compile(r"/sandbox/pay/(co_[0-9a-f]{32})")
_PAYMENT = re.compile(r"/sandbox/payments/(pay_[0-9a-f]{32})")

Kind = Literal["succeeded", "held", "failed", "expired", "refunded", "disputed"]
Wanted = TypeVar("Wanted")


class SandboxProvider:
    """Serves from ``start`` to ``stop``; forgets everything when it ends.

    Args:
        webhook_url: where events go, ``http://127.0.0.1:…/api/payments/webhook``.
        secret: signs the webhooks, and the calls that the API accepts.
        port: on 127.0.0.1; 0 takes a free one.
        public_url: the origin that browsers see, when that is a proxy's and not this server's.
        retry_s: before the second attempt of a webhook; doubled from there.
        fails_after_s: until the bank sends back what it is told to send back later.
        fees: what it keeps; None: 1.4 % and 25 of each capture.
    """

    def __init__(
        self,
        webhook_url: str,
        secret: bytes,
        port: int = 0,
        *,
        public_url: str = "",
        retry_s: float = 0.5,
        fails_after_s: float = 5.0,
        fees: Fees | None = None,
    ) -> None:
        self._secret = secret
        self._fails_after_s = fails_after_s
        self._server = LoopbackServer(self._answer, port)
        self._ledger = Ledger(_now_ms, fees)
        self._jobs = JobQueue()
        self._webhooks = WebhookSender(webhook_url, secret, self._jobs, retry_s=retry_s)
        self.port = self._server.port
        self.url = self._server.url
        self._public_url = (public_url or self.url).rstrip("/")

    def start(self) -> None:
        self._jobs.start()
        self._server.start()

    def stop(self) -> None:
        self._server.stop()
        self._jobs.stop()

    def _answer(self, request: Request) -> Reply:
        if request.method == "POST" and request.path.startswith("/sandbox/v1/"):
            return json_reply(200, self._call(request))
        if paid := _PAY.fullmatch(request.path):
            checkout = self._ledger.find(paid[1])
            if request.method == "POST":
                return self._act(checkout, request.form())
            return checkout_page(checkout)
        if operated := _PAYMENT.fullmatch(request.path):
            return self._operate(self._ledger.captured(operated[1]), request)
        if (request.method, request.path) == ("POST", "/sandbox/payments"):
            self._pay_out(request.form().get("action", ""))
            return see_other(request.path)
        return self._show(request)

    def _show(self, request: Request) -> Reply:
        match request.method, request.path:
            case "GET", "/sandbox/v1/payments":
                return json_reply(200, self._ledger.payments())
            case "GET", "/sandbox/payments":
                return payments_page(self._ledger.all_captured())
            case "GET", "/sandbox/style.css":
                return stylesheet()
        raise RefusedError(404, "There is nothing here.")

    def _operate(self, checkout: Checkout, request: Request) -> Reply:
        if request.method != "POST":
            return payment_page(checkout)
        self._meet(checkout, request.form().get("action", ""))
        return see_other(request.path)

    def _call(self, request: Request) -> dict[str, Any]:
        """One call of the shop to the API."""
        answers: dict[str, Callable[[Request], dict[str, Any]]] = {
            "checkouts": self._open_checkout,
            "closures": self._close,
            "pages": self._look,
            "cards": self._card,
            "held-ends": self._end_held,
            "refunds": self._refund,
            "refund-states": self._refund_state,
            "refunds-of-payment": self._refunds_of_payment,
            "dispute-states": self._dispute_state,
            "captures": lambda asked: {"captures": self._listed(asked, self._ledger.captures)},
            "disputes": lambda asked: {"disputes": self._listed(asked, self._ledger.disputes)},
            "incidents": self._incident,
            "movements": self._movements,
            "payouts": self._payouts,
            "movements-of-payout": self._movements_of_payout,
            "payout-incidents": self._payout_incident,
        }
        name = request.path.removeprefix("/sandbox/v1/")
        if name not in answers:
            raise RefusedError(404, "There is nothing here.")
        return answers[name](request)

    def _open_checkout(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, CheckoutRequest, self._secret)
        check_return_url(wanted.return_url, self._public_url)
        checkout, new = self._ledger.open(
            order=wanted.order,
            amount_minor=wanted.amount_minor,
            currency=wanted.currency,
            expires_ms=wanted.expires_ms,
            return_url=wanted.return_url,
            held=wanted.held,
        )
        if new:
            self._jobs.after(_until_s(checkout.expires_ms), lambda: self._expire(checkout))
        url = f"{self._public_url}/sandbox/pay/{checkout.id}"
        return {"id": checkout.id, "url": url, "state": checkout.state}

    def _close(self, request: Request) -> dict[str, Any]:
        checkout = self._ledger.find(_signed(request, PageRequest, self._secret).checkout)
        self._expire(checkout)
        return _taken(checkout)

    def _look(self, request: Request) -> dict[str, Any]:
        checkout = self._ledger.find(_signed(request, PageRequest, self._secret).checkout)
        if checkout.state == "held":
            return _taken(checkout) | {"capture": capture_line(checkout) | {"held": True}}
        return _taken(checkout)

    def _card(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, CardRequest, self._secret)
        return {"card": self._ledger.of_payment(wanted.payment).card}

    def _end_held(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, EndHeldRequest, self._secret)
        checkout = self._ledger.of_payment(wanted.payment)
        if checkout.state == "held":
            self._ledger.move(checkout, "captured" if wanted.take else "expired")
        return _taken(checkout)

    def _refund(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, RefundRequest, self._secret)
        if wanted.part:
            checkout, line, new = self._ledger.refund_part(
                payment=wanted.payment,
                order=wanted.order,
                amount_minor=wanted.amount_minor,
                part=wanted.part,
            )
            if new:
                self._report("refunded", checkout, refund=line)
            return {"refund": line}
        checkout, new = self._ledger.refund(
            payment=wanted.payment, order=wanted.order, amount_minor=wanted.amount_minor
        )
        if new:
            self._report("refunded", checkout)
            if checkout.refund_plan == "fail-later":
                self._jobs.after(self._fails_after_s, lambda: self._meet(checkout, "return"))
        return {"refund": refund_line(checkout)}

    def _refund_state(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, RefundStateRequest, self._secret)
        return {"refund": self._ledger.refund_as_it_is(wanted.refund)}

    def _refunds_of_payment(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, RefundsRequest, self._secret)
        checkout = self._ledger.captured(wanted.payment)
        if checkout.order != wanted.order:
            raise RefusedError(404, "There is no such captured payment of this order.")
        return {"refunds": self._ledger.refunds_of(checkout)}

    def _dispute_state(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, DisputeStateRequest, self._secret)
        return {"dispute": dispute_line(self._ledger.disputed(wanted.dispute))}

    def _listed(
        self, request: Request, listed: Callable[[int, int], list[dict[str, Any]]]
    ) -> list[dict[str, Any]]:
        wanted = _signed(request, ListRequest, self._secret)
        return listed(wanted.since_ms, wanted.skip)

    def _incident(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, IncidentRequest, self._secret)
        self._meet(self._ledger.captured(wanted.payment), wanted.action)
        return {}

    def _movements(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, MovementsRequest, self._secret)
        with self._ledger.balance() as balance:
            page = balance.movements(wanted.since_ms, wanted.until_ms, wanted.skip)
        return {"movements": page}

    def _payouts(self, request: Request) -> dict[str, Any]:
        with self._ledger.balance() as balance:
            return {"payouts": self._listed(request, balance.payouts)}

    def _movements_of_payout(self, request: Request) -> dict[str, Any]:
        wanted = _signed(request, PayoutPartsRequest, self._secret)
        with self._ledger.balance() as balance:
            return {"movements": balance.movements_of(wanted.payout, wanted.skip)}

    def _payout_incident(self, request: Request) -> dict[str, Any]:
        self._pay_out(_signed(request, PayoutIncidentRequest, self._secret).action)
        return {}

    def _pay_out(self, action: str) -> None:
        with self._ledger.balance() as balance:
            (balance.fail_newest if action == "fail" else balance.pay_out)()

    def _meet(self, checkout: Checkout, action: str) -> None:
        """Let a payment meet what the operator says, once, and report it."""
        ledger = self._ledger
        kind: Kind = "refunded"
        match action:
            case "make" | "slow" | "fail" | "fail-later" | "refuse" | "short" | "busy":
                checkout.refund_plan = action
                return
            case "arrive":
                changed = ledger.decide_refund(checkout, "succeeded")
            case "return":
                changed = ledger.decide_refund(checkout, "failed", RETURNED)
            case "elsewhere":
                changed = ledger.refund_elsewhere(checkout)
            case "dispute":
                changed, kind = ledger.contest(checkout), "disputed"
            case "won" | "lost":
                changed, kind = ledger.decide_dispute(checkout, action), "disputed"
            case _:
                raise RefusedError(400, "There is no such incident.")
        if changed:
            self._report(kind, checkout)

    def _act(self, checkout: Checkout, form: dict[str, str]) -> Reply:
        """Do what the button says, once, and send the buyer back to the shop."""
        action = form.get("action")
        expired = checkout.expires_ms <= _now_ms()
        card = "".join(form.get("card", "").split()) or _CARD
        checkout.card = checkout.card or hashlib.sha256(card.encode()).hexdigest()[:16]
        if checkout.state == "open" and expired and action in ("pay", "twice"):
            return closed_page(checkout, 410)
        if action in ("pay", "twice"):
            self._capture(checkout, reports=2 if action == "twice" else 1)
        elif action == "decline":
            if self._ledger.move(checkout, "declined"):
                self._report("failed", checkout)
        elif action == "late":
            after_s = delay_s(form.get("delay_s", "1")) + _until_s(checkout.expires_ms)
            if self._ledger.move(checkout, "late"):
                self._jobs.after(after_s, lambda: self._capture(checkout, reports=1))
        elif action != "abandon":
            raise RefusedError(400, "action is pay, decline, abandon, late or twice.")
        return see_other(checkout.return_url)

    def _capture(self, checkout: Checkout, *, reports: int) -> None:
        if checkout.held and self._ledger.move(checkout, "held"):
            self._report("held", checkout, times=reports)
        elif not checkout.held and self._ledger.move(checkout, "captured"):
            self._report("succeeded", checkout, times=reports)

    def _expire(self, checkout: Checkout) -> None:
        if self._ledger.move(checkout, "expired"):
            self._report("expired", checkout)

    def _report(
        self,
        kind: Kind,
        checkout: Checkout,
        *,
        times: int = 1,
        refund: dict[str, Any] | None = None,
    ) -> None:
        if kind == "refunded" and refund is None:
            refund = refund_line(checkout)
        event = {
            "id": f"evt_{secrets.token_hex(16)}",
            "kind": kind,
            "order": checkout.order,
            "amount_minor": refund["amount_minor"] if refund else checkout.amount_minor,
            "currency": checkout.currency,
            "payment": checkout.payment,
            "refund": refund,
            "dispute": dispute_line(checkout) if kind == "disputed" else None,
            "at_ms": time.time_ns() // 1_000_000,
        }
        for _ in range(times):
            self._webhooks.send(event)


def _taken(checkout: Checkout) -> dict[str, Any]:
    """What a page has taken; its state ``late`` says that a payment is on its way."""
    capture = capture_line(checkout) if checkout.state == "captured" else None
    return {"id": checkout.id, "state": checkout.state, "capture": capture}


def _signed(request: Request, model: type[Wanted], secret: bytes) -> Wanted:
    """The body of an API call that the shop made. Raises RefusedError."""
    signature = request.headers.get(webhook_signature.HEADER, "")
    try:
        webhook_signature.verify(
            signature, request.body, secret=api_key(secret), now_s=int(time.time())
        )
    except UnauthenticatedError as error:
        raise RefusedError(401, "The call is not signed by the shop.") from error
    try:
        return decode_json(request.body, model)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RefusedError(400, f"The request is not as expected: {error}") from error


def _until_s(epoch_ms: int) -> float:
    return max(0.0, (epoch_ms - _now_ms()) / 1000)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--webhook-url", required=True)
    parser.add_argument("--secret-file", type=Path, required=True, help="its field webhook signs")
    parser.add_argument("--public-url", default="", help="the origin that browsers see")
    fees = Fees()
    parser.add_argument(
        "--fee-bp", type=int, default=fees.basis_points, help="of a capture, in hundredths of 1 %%"
    )
    parser.add_argument(
        "--fee-fixed",
        type=int,
        default=fees.fixed_minor,
        help="fixed part, minor units",
    )
    parser.add_argument(
        "--fee-dispute", type=int, default=fees.dispute_minor, help="of a dispute, minor units"
    )
    options = parser.parse_args(arguments)
    secret = from_b64url(json.loads(options.secret_file.read_text())["webhook"])
    provider = SandboxProvider(
        options.webhook_url,
        secret,
        options.port,
        public_url=options.public_url,
        fees=Fees(options.fee_bp, options.fee_fixed, options.fee_dispute),
    )
    serve_until_told(provider, f"ready: sandbox payments on {provider.url}/sandbox/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
