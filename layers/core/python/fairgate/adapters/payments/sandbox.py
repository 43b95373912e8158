"""Call the sandbox provider, ``fairgate_ops.run.local.sandbox_provider``.

Every call is signed like a webhook, with a key derived for calls, so that nobody else can ask for
a refund and no webhook can be replayed as one.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import re
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from fairgate.adapters.payments.refusals import (
    NO_SENSE,
    TEXTS,
    away,
    busy,
    came_back,
    refused,
    refused_for_now,
    undecided,
    wrong_setup,
)
from fairgate.deadline import take
from fairgate.domain.orders import webhook_signature
from fairgate.domain.shared.ids import ORDER_ID
from fairgate.errors import MalformedInputError, UnauthenticatedError
from fairgate.ports.payments import Capture, Dispute, Movement, PaymentEvent, Payout, Refund
from fairgate.ports.record import decode_json
from fairgate.ports.world import Clock, PaymentSecrets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from fairgate.errors import FairgateError
    from fairgate.ports.payments import CheckoutRequest

TIMEOUT_S = 2.0  # to connect, and again for each read
ATTEMPTS_MAX = 2  # every call is idempotent per order
ANSWER_BYTES_MAX = 1024 * 1024

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_AMOUNT_MAX = 10**12
_NO_BALANCE = "no-balance"  # the shop has to pay in first
_SETUP = (http.client.UNAUTHORIZED, http.client.FORBIDDEN)
_TEMPORARY = (http.client.REQUEST_TIMEOUT, http.client.TOO_MANY_REQUESTS)

Answer = TypeVar("Answer")
Thing = TypeVar("Thing")


class _Webhook(msgspec.Struct):
    id: str
    kind: Literal["succeeded", "held", "failed", "expired", "refunded", "disputed"]
    order: str
    amount_minor: int
    currency: str
    payment: str
    refund: Refund | None = None
    dispute: Dispute | None = None
    at_ms: int = 0  # when it happened


class _Checkout(msgspec.Struct):
    url: str


class _Page(msgspec.Struct):
    capture: Capture | None
    state: str = ""


class _Card(msgspec.Struct):
    card: str


class _Refund(msgspec.Struct):
    refund: Refund


class _Refunds(msgspec.Struct):
    refunds: list[Refund]


class _Dispute(msgspec.Struct):
    dispute: Dispute


class _Captures(msgspec.Struct):
    captures: list[Capture]


class _Disputes(msgspec.Struct):
    disputes: list[Dispute]


class _Movements(msgspec.Struct):
    movements: list[Movement]


class _Payouts(msgspec.Struct):
    payouts: list[Payout]


class _Refusal(msgspec.Struct):
    reason: str = ""


def api_key(webhook_secret: bytes) -> bytes:
    """Derive the key that signs the calls to the provider's API."""
    return hmac.new(webhook_secret, b"sandbox api", hashlib.sha256).digest()


class SandboxPayments:
    """Implements ports.Payments over HTTP on one machine."""

    def __init__(self, url: str, secret_store: PaymentSecrets, clock: Clock) -> None:
        self._url = url
        self._secrets = secret_store
        self._clock = clock

    def open_checkout(self, request: CheckoutRequest) -> str:
        if request.expires_ms <= self._clock.now_ms():
            raise refused("too-late")
        asked = {
            "order": request.order,
            "amount_minor": request.amount_minor,
            "currency": request.currency,
            "expires_ms": request.expires_ms,
            "return_url": request.return_url,
        } | ({"held": True} if request.held else {})
        return self._post("checkouts", asked, _Checkout).url

    def close_checkout(self, page: str) -> Capture | None:
        """Close a page. Raises DependencyUnavailableError while a payment there is on its way."""
        closed = self._post("closures", {"checkout": _page_id(page)}, _Page)
        if closed.state == "late":
            raise undecided()
        return closed.capture

    def find_capture(self, page: str) -> Capture | None:
        return self._post("pages", {"checkout": _page_id(page)}, _Page).capture

    def card_of(self, payment: str) -> str:
        return self._post("cards", {"payment": payment}, _Card).card

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        return self._post("held-ends", {"payment": payment, "take": take}, _Page).capture

    def refund(
        self,
        *,
        payment: str,
        order: str,
        amount_minor: int,
        part: int = 0,
        attempt: int = 0,  # noqa: ARG002 it makes one refund of each part, whatever the number
    ) -> Refund:
        asked = {"payment": payment, "order": order, "amount_minor": amount_minor, "part": part}
        refund = self._post("refunds", asked, _Refund).refund
        if refund.state == "failed":
            raise came_back(refund)
        return refund

    def find_refund(self, refund: str) -> Refund:
        return self._post("refund-states", {"refund": refund}, _Refund).refund

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        asked = {"payment": payment, "order": order}
        return self._post("refunds-of-payment", asked, _Refunds).refunds

    def find_dispute(self, dispute: str) -> Dispute:
        return self._post("dispute-states", {"dispute": dispute}, _Dispute).dispute

    def captures(self, since_ms: int) -> Iterator[Capture]:
        return self._all("captures", {"since_ms": since_ms}, _Captures, lambda page: page.captures)

    def disputes(self, since_ms: int) -> Iterator[Dispute]:
        return self._all("disputes", {"since_ms": since_ms}, _Disputes, lambda page: page.disputes)

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement]:
        return self._moved("movements", {"since_ms": since_ms, "until_ms": until_ms})

    def payouts(self, since_ms: int) -> Iterator[Payout]:
        return self._all("payouts", {"since_ms": since_ms}, _Payouts, lambda page: page.payouts)

    def movements_of_payout(self, payout: str) -> Iterator[Movement]:
        return self._moved("movements-of-payout", {"payout": payout})

    def _moved(self, what: str, asked: Mapping[str, Any]) -> Iterator[Movement]:
        return self._all(what, asked, _Movements, lambda page: page.movements)

    def _all(
        self,
        what: str,
        asked: Mapping[str, Any],
        answer: type[Answer],
        read: Callable[[Answer], Sequence[Thing]],
    ) -> Iterator[Thing]:
        """Ask for one page after another, until a page is empty."""
        skip = 0
        while page := read(self._post(what, {**asked, "skip": skip}, answer)):
            yield from page
            skip += len(page)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        named = {name.lower(): value for name, value in headers.items()}
        signature = named.get(webhook_signature.HEADER)
        if not signature:
            raise UnauthenticatedError("The webhook carries no signature.")
        secret = self._secrets.payments().webhook
        if not secret:
            raise wrong_setup()
        webhook_signature.verify(signature, body, secret=secret, now_s=self._now_s())
        try:
            event = decode_json(body, _Webhook)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error
        if not _makes_sense(event):
            raise MalformedInputError("The webhook's body is not as expected.")
        return PaymentEvent(
            id=event.id,
            kind=event.kind,
            order=event.order,
            amount_minor=event.amount_minor,
            currency=event.currency,
            payment=event.payment,
            refund=event.refund,
            dispute=event.dispute,
            at_ms=event.at_ms,
        )

    def _post(self, what: str, document: Mapping[str, Any], answer: type[Answer]) -> Answer:
        """Return the answer. Raises DependencyUnavailableError, PaymentRefusedError."""
        body = msgspec.json.encode(document)
        failure: Exception | None = None
        for _ in range(ATTEMPTS_MAX):
            try:
                status, text = self._send(f"/sandbox/v1/{what}", body)
            except (OSError, http.client.HTTPException) as error:
                failure = error
                continue
            if status < http.client.BAD_REQUEST:
                return _read(text, answer)
            if status < http.client.INTERNAL_SERVER_ERROR:
                raise _meaning(status, text)
        raise away() from failure

    def _send(self, path: str, body: bytes) -> tuple[int, bytes]:
        key = api_key(self._secrets.payments().webhook)
        signature = webhook_signature.sign(body, secret=key, now_s=self._now_s())
        address = urlsplit(self._url)
        kind = (
            http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        )
        timeout_s = take(TIMEOUT_S, waits=2)
        connection = kind(address.hostname or "", address.port, timeout=timeout_s)
        try:
            headers = {"content-type": "application/json", webhook_signature.HEADER: signature}
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read(ANSWER_BYTES_MAX)
        finally:
            connection.close()

    def _now_s(self) -> int:
        return self._clock.now_ms() // 1000


def _page_id(page: str) -> str:
    page_id = page.rpartition("/")[2]
    if not _ID.fullmatch(page_id):
        raise refused("unknown-payment")
    return page_id


def _makes_sense(event: _Webhook) -> bool:
    """Say whether the event has the fields of its kind, all about one payment."""
    if (event.refund is not None) != (event.kind == "refunded"):
        return False
    if (event.dispute is not None) != (event.kind == "disputed"):
        return False
    part = event.refund or event.dispute
    return bool(
        _ID.fullmatch(event.id)
        and ORDER_ID.fullmatch(event.order)
        and 0 <= event.amount_minor <= _AMOUNT_MAX
        and _CURRENCY.fullmatch(event.currency)
        and (event.payment == "" or _ID.fullmatch(event.payment))
        and (
            part is None
            or (
                _ID.fullmatch(part.id)
                and (part.payment, part.order) == (event.payment, event.order)
                and part.amount_minor == event.amount_minor
            )
        )
    )


def _read(text: bytes, answer: type[Answer]) -> Answer:
    try:
        return decode_json(text, answer)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise away(NO_SENSE) from error


def _meaning(status: int, text: bytes) -> FairgateError:
    """Return the error for a refusal, with the ``reason`` in the body."""
    if status in _SETUP:
        return wrong_setup()
    if status in _TEMPORARY:
        return busy() if status == http.client.TOO_MANY_REQUESTS else away()
    try:
        reason = decode_json(text, _Refusal).reason
    except (msgspec.DecodeError, UnicodeDecodeError):
        reason = ""
    if reason == _NO_BALANCE:
        return refused_for_now()
    if reason not in TEXTS:
        reason = "unknown-payment" if status == http.client.NOT_FOUND else "invalid"
    return refused(reason, str(status))
