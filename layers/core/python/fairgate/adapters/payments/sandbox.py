"""Call the sandbox provider, ``fairgate_ops.run.local.sandbox_provider``.

Every call is signed like a webhook, with a key derived for calls, so that nobody else can ask for
a refund and no webhook can be replayed as one.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import re
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from fairgate.domain.orders import webhook_signature
from fairgate.domain.shared.ids import ORDER_ID
from fairgate.errors import (
    DependencyUnavailableError,
    MalformedInputError,
    UnauthenticatedError,
)
from fairgate.ports.payments import Capture, Dispute, PaymentEvent, Refund
from fairgate.ports.world import Clock, SecretStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TIMEOUT_S = 2.0  # to connect, and again for each read
ATTEMPTS_MAX = 2  # every call is idempotent per order
ANSWER_BYTES_MAX = 1024 * 1024

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CURRENCY = re.compile(r"[A-Z]{3}")
_AMOUNT_MAX = 10**12


class _Webhook(msgspec.Struct):
    id: str
    kind: Literal["succeeded", "failed", "expired", "refunded"]
    order: str
    amount_minor: int
    currency: str
    payment: str


class _Checkout(msgspec.Struct):
    url: str


class _Captures(msgspec.Struct):
    captures: list[Capture]


def api_key(webhook_secret: bytes) -> bytes:
    """Derive what signs the calls to the provider's API."""
    return hmac.new(webhook_secret, b"sandbox api", hashlib.sha256).digest()


class SandboxRefusedError(RuntimeError):
    """Reports a 4xx of the sandbox: a defect on our side, not something to try again."""


class SandboxPayments:
    """Implements ports.Payments over HTTP on one machine."""

    def __init__(self, url: str, secret_store: SecretStore, clock: Clock) -> None:
        self._url = url
        self._secrets = secret_store
        self._clock = clock

    def open_checkout(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> str:
        answer = self._post(
            "checkouts",
            {
                "order": order,
                "amount_minor": amount_minor,
                "currency": currency,
                "expires_ms": expires_ms,
                "return_url": return_url,
            },
        )
        return msgspec.json.decode(answer, type=_Checkout).url

    def refund(self, *, payment: str, order: str, amount_minor: int) -> Refund:
        self._post("refunds", {"payment": payment, "order": order, "amount_minor": amount_minor})
        return Refund(f"ref_{payment}", payment, order, amount_minor, "succeeded")

    def disputes(self, since_ms: int) -> Iterator[Dispute]:  # noqa: ARG002 nobody disputes here
        return iter(())

    def close_checkout(self, page: str) -> None:
        try:
            self._post("closures", {"checkout": page.rpartition("/")[2]})
        except SandboxRefusedError:
            return  # a page that it does not know is closed

    def captures(self, since_ms: int) -> Iterator[Capture]:
        skip = 0
        while True:
            answer = self._post("captures", {"since_ms": since_ms, "skip": skip})
            page = msgspec.json.decode(answer, type=_Captures).captures
            yield from page
            if not page:
                return
            skip += len(page)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        named = {name.lower(): value for name, value in headers.items()}
        signature = named.get(webhook_signature.HEADER)
        if not signature:
            raise UnauthenticatedError("The webhook carries no signature.")
        webhook_signature.verify(
            signature, body, secret=self._secrets.secrets().webhook, now_s=self._now_s()
        )
        try:
            event = msgspec.json.decode(body, type=_Webhook)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error
        if not (
            _ID.fullmatch(event.id)
            and ORDER_ID.fullmatch(event.order)
            and 0 <= event.amount_minor <= _AMOUNT_MAX
            and _CURRENCY.fullmatch(event.currency)
            and (event.payment == "" or _ID.fullmatch(event.payment))
        ):
            raise MalformedInputError("The webhook's body is not as expected.")
        return PaymentEvent(
            id=event.id,
            kind=event.kind,
            order=event.order,
            amount_minor=event.amount_minor,
            currency=event.currency,
            payment=event.payment,
        )

    def _post(self, what: str, document: Mapping[str, Any]) -> bytes:
        """Return the answer's body. Raises DependencyUnavailableError, SandboxRefusedError."""
        body = msgspec.json.encode(document)
        failure: Exception | None = None
        for _ in range(ATTEMPTS_MAX):
            try:
                status, answer = self._send(f"/sandbox/v1/{what}", body)
            except (OSError, http.client.HTTPException) as error:
                failure = error
                continue
            if status < http.client.BAD_REQUEST:
                return answer
            if status < http.client.INTERNAL_SERVER_ERROR:
                raise SandboxRefusedError(
                    f"{what}: {status} {answer[:200].decode(errors='replace')}"
                )
        raise DependencyUnavailableError(
            "The payment provider does not answer. Nothing was lost; please try again.",
            retry_after_s=3,
        ) from failure

    def _send(self, path: str, body: bytes) -> tuple[int, bytes]:
        key = api_key(self._secrets.secrets().webhook)
        signature = webhook_signature.sign(body, secret=key, now_s=self._now_s())
        address = urlsplit(self._url)
        kind = (
            http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        )
        connection = kind(address.hostname or "", address.port, timeout=TIMEOUT_S)
        try:
            headers = {"content-type": "application/json", webhook_signature.HEADER: signature}
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read(ANSWER_BYTES_MAX)
        finally:
            connection.close()

    def _now_s(self) -> int:
        return self._clock.now_ms() // 1000
