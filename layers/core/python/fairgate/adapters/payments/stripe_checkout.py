"""Take payments by Stripe Checkout and the ``stripe`` library, which only its users carry.

What Stripe knows of us: an order's id in the metadata of the checkout session and of its payment.
What we keep of Stripe: the URL of the page (which holds the session's id) and the payment's id.
"""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.ids import ORDER_ID
from fairgate.errors import DependencyUnavailableError, MalformedInputError, UnauthenticatedError
from fairgate.ports.payments import Capture, PaymentEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fairgate.ports.world import Clock, SecretStore

CONNECT_S, READ_S = 2.0, 6.0
RETRIES = 1  # the library's own, with the same idempotency key
TOLERANCE_S = 300  # of a webhook's time stamp. Source: Stripe, "Receive webhook events"
# A page may be told to close no earlier than 30 minutes from its opening.
# Source: Stripe API reference, Checkout Session, expires_at.
PAGE_S_MIN = 1_800
_PAGE = re.compile(r"cs_[A-Za-z0-9_]{8,200}")
_LISTED = 100  # a page of a list; the API's maximum

# Stripe takes these in hundredths although ISO 4217 gives them no minor unit.
# Source: Stripe, "Supported currencies", special cases.
_HUNDREDFOLD = frozenset({"ISK", "UGX"})


class StripePayments:
    """Implements ports.Payments.

    Args:
        url: of the API, when it is not Stripe's own (tests).
    """

    def __init__(self, secret_store: SecretStore, clock: Clock, url: str = "") -> None:
        self._secrets = secret_store
        self._clock = clock
        self._url = url

    @cached_property
    def _client(self) -> Any:
        import stripe

        return stripe.StripeClient(
            self._secrets.secrets().payments.decode("ascii"),
            base_addresses={"api": self._url} if self._url else None,
            max_network_retries=RETRIES,
            http_client=stripe.RequestsClient(timeout=(CONNECT_S, READ_S)),
        ).v1

    def open_checkout(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> str:
        """Open a page. Cost: one call. It outlives the order; ``close_checkout`` ends it.

        Stripe repeats an answer to the same idempotency key for a day, a failed one too, so the
        key is the attempt's: the order and the minute. Two pages of one order may be open at
        worst, and the second capture is given back like any other that buys nothing.
        """
        minute = self._clock.now_ms() // 60_000
        known = {"order": order}
        with _translated():
            session = self._client.checkout.sessions.create(
                params={
                    "mode": "payment",
                    "payment_method_types": ["card"],
                    "client_reference_id": order,
                    "metadata": known,
                    "payment_intent_data": {"metadata": known},
                    "line_items": [
                        {
                            "quantity": 1,
                            "price_data": {
                                "currency": currency.lower(),
                                "unit_amount": to_stripe(amount_minor, currency),
                                "product_data": {"name": f"Tickets, order {order[-8:]}"},
                            },
                        }
                    ],
                    "expires_at": expires_ms // 1000 + PAGE_S_MIN,
                    "success_url": return_url,
                    "cancel_url": return_url,
                },
                options={"idempotency_key": f"checkout-{order}-{minute}"},
            )
        return str(session.url)

    def close_checkout(self, page: str) -> None:
        import stripe

        page_id = _PAGE.search(page)
        if page_id is None:
            return
        with _translated():
            try:
                self._client.checkout.sessions.expire(page_id[0])
            except stripe.InvalidRequestError:
                return  # paid, or over already

    def refund(self, *, payment: str, order: str, amount_minor: int) -> None:  # noqa: ARG002 the port's; a refund here is always the whole capture
        """Refund once: by its key for a day, and after that because nothing is left to refund."""
        import stripe

        with _translated():
            try:
                self._client.refunds.create(
                    params={"payment_intent": payment, "metadata": {"order": order}},
                    options={"idempotency_key": f"refund-{payment}"},
                )
            except stripe.InvalidRequestError as error:
                if error.code != "charge_already_refunded":
                    raise

    def captures(self, since_ms: int) -> Iterator[Capture]:
        """List captures.

        Cost: one call for each hundred charges, and for each hundred refunds of older ones.
        """
        since_s = since_ms // 1000
        made = {"created": {"gte": since_s}, "limit": _LISTED}
        with _translated():
            for charge in self._client.charges.list(params=made).auto_paging_iter():
                if (capture := _capture(charge)) is not None:
                    yield capture
            given_back = self._client.refunds.list(params={**made, "expand": ["data.charge"]})
            for refund in given_back.auto_paging_iter():
                if refund.charge and refund.charge.created < since_s:
                    capture = _capture(refund.charge)
                    if capture is not None:
                        yield capture

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        import stripe

        named = {name.lower(): value for name, value in headers.items()}
        secret = self._secrets.secrets().webhook.decode("ascii")
        try:
            text = body.decode("utf-8")
            signature = named.get("stripe-signature", "")
            # Its tolerance looks at the machine's clock; ours is compared below.
            stripe.WebhookSignature.verify_header(text, signature, secret, None)
        except stripe.SignatureVerificationError as error:
            raise UnauthenticatedError("The webhook's signature does not verify.") from error
        except UnicodeDecodeError as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error
        self._refuse_stale(signature)
        try:
            event = stripe.Event.construct_from(json.loads(text), None)
            return _payment_event(event)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error

    def _refuse_stale(self, signature: str) -> None:
        stamp = re.search(r"(?:^|,)t=([0-9]{1,12})", signature)
        sent_s = int(stamp[1]) if stamp else 0
        if abs(self._clock.now_ms() // 1000 - sent_s) > TOLERANCE_S:
            raise UnauthenticatedError("The webhook's time stamp is too old or ahead of time.")


def to_stripe(amount_minor: int, currency: str) -> int:
    return amount_minor * (100 if currency.upper() in _HUNDREDFOLD else 1)


def from_stripe(amount: int, currency: str) -> int:
    return amount // (100 if currency.upper() in _HUNDREDFOLD else 1)


def _payment_event(event: Any) -> PaymentEvent:
    """Translate Stripe's event into our words.

    Raises when it is about an order and lacks what it must say.
    """
    thing = event.data.object
    kind, amount, payment = "other", 0, ""
    match event.type:
        case "checkout.session.completed" | "checkout.session.async_payment_succeeded":
            kind = "succeeded" if thing.payment_status == "paid" else "other"
            amount, payment = thing.amount_total, thing.payment_intent
        case "checkout.session.async_payment_failed":
            kind, amount, payment = "failed", thing.amount_total, thing.payment_intent
        case "checkout.session.expired":
            kind, amount = "expired", thing.amount_total
        case "payment_intent.payment_failed":
            kind, amount, payment = "failed", thing.amount, thing.id
        case "charge.refunded":
            kind, amount, payment = "refunded", thing.amount_refunded, thing.payment_intent
        case _:
            return PaymentEvent(str(event.id), "other", "", 0, "", "")
    order = str((thing.metadata or {})["order"]) if "order" in (thing.metadata or {}) else ""
    if not ORDER_ID.fullmatch(order):  # another business of the same account
        return PaymentEvent(str(event.id), "other", "", 0, "", "")
    currency = str(thing.currency).upper()
    return PaymentEvent(
        id=str(event.id),
        kind=kind,  # type: ignore[arg-type] # one of the port's, as above
        order=order,
        amount_minor=from_stripe(int(amount), currency),
        currency=currency,
        payment=str(payment or ""),
    )


def _capture(charge: Any) -> Capture | None:
    """Read a capture; None for what is not captured, or not of an order of ours."""
    metadata = charge.metadata or {}
    order = str(metadata["order"]) if "order" in metadata else ""
    if not charge.captured or charge.status != "succeeded" or not ORDER_ID.fullmatch(order):
        return None
    currency = str(charge.currency).upper()
    return Capture(
        payment=str(charge.payment_intent),
        order=order,
        amount_minor=from_stripe(int(charge.amount_captured), currency),
        currency=currency,
        at_ms=int(charge.created) * 1000,
        refunded_minor=from_stripe(int(charge.amount_refunded), currency),
    )


@contextmanager
def _translated() -> Iterator[None]:
    """Turn outages into DependencyUnavailableError; our defects (keys, parameters) propagate."""
    import stripe

    try:
        yield
    except (stripe.APIConnectionError, stripe.RateLimitError) as error:
        raise _away() from error
    except stripe.StripeError as error:
        if error.http_status is not None and error.http_status < 500:  # noqa: PLR2004 a refusal
            raise
        raise _away() from error


def _away() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "The payment provider does not answer. Nothing was lost; please try again.",
        retry_after_s=3,
    )
