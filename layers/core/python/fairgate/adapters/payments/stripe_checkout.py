"""Take payments by Stripe Checkout and the ``stripe`` library, in a layer of its own.

Stripe gets an order's id in the metadata of the checkout session, the payment and the refund, and
in the first two also the correlation id of our log. We keep the URL of the page (with the session's
id), and the ids of payments, refunds and disputes.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fairgate.adapters.payments import stripe_balance
from fairgate.adapters.payments.refusals import (
    away,
    came_back,
    refused,
    undecided,
    wrong_setup,
)
from fairgate.adapters.payments.stripe_objects import (
    capture_of_charge,
    capture_of_page,
    card_of_charge,
    correlation_of,
    dispute_of,
    dispute_state,
    id_of,
    is_held,
    listed_capture,
    listed_capture_of_refund,
    listed_dispute,
    order_of,
    part_of,
    payment_event,
    refund_of,
    to_stripe,
)
from fairgate.adapters.payments.stripe_refusals import code, meaning_of_refund, translated
from fairgate.errors import (
    MalformedInputError,
    PaymentRefusedError,
    RefusedForNowError,
    UnauthenticatedError,
)
from fairgate.request_ids import NAME, take_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fairgate.ports.payments import (
        Capture,
        CheckoutRequest,
        Dispute,
        Movement,
        PaymentEvent,
        Payout,
        Refund,
        UnreadableEntry,
    )
    from fairgate.ports.world import Clock, PaymentSecrets

RETRIES = 1  # the library's own, with the same idempotency key
TOLERANCE_S = 300  # of a webhook's time stamp. Source: Stripe, "Receive webhook events"
# A page stays open for at least 30 minutes.
# Source: Stripe API reference, Checkout Session, expires_at.
PAGE_S_MIN = 1_800
MARGIN_S = 60  # of Stripe's clock before ours, and the way there
_PAGE = re.compile(r"cs_[A-Za-z0-9_]{8,200}")
_KEY = re.compile(rb"[!-~]{1,255}")  # an API key, or a secret that signs webhooks
_URL = re.compile(r"https://[^/?#\s]+/[!-~]+")
_LISTED = 100  # a page of a list; the API's maximum
_MINUTE_MS = 60_000


class StripePayments:
    """Implements ports.Payments.

    Args:
        url: of the API, if it is not Stripe's own (tests).
    """

    def __init__(self, secret_store: PaymentSecrets, clock: Clock, url: str = "") -> None:
        self._secrets = secret_store
        self._clock = clock
        self._url = url
        self._made: tuple[bytes, Any] | None = None

    @property
    def _client(self) -> Any:
        """Return the client of the present key; a rotated key gets a new client."""
        key = self._secrets.payments().payments
        if self._made is None or self._made[0] != key:
            self._made = key, _client(key, self._url)
        return self._made[1]

    def open_checkout(self, request: CheckoutRequest) -> str:
        """Open a page. Cost: one call. Stripe keeps it open for at least half an hour.

        Stripe repeats the answer to an idempotency key for a day, even a failure. So the key names
        the attempt, by order, minute and number, and the request depends on these only. At worst
        two pages of one order are open, and the second capture is refunded.
        """
        if request.expires_ms <= self._clock.now_ms():
            raise refused("too-late")
        order, currency = request.order, request.currency
        minute = self._clock.now_ms() // _MINUTE_MS
        known = {"order": order}
        if request.correlation_id:
            known[NAME] = request.correlation_id
        # Source: docs.stripe.com, "Place a hold on a payment method": seven days at most.
        again = f"-{request.attempt}" if request.attempt else ""
        held: Any = {"capture_method": "manual"} if request.held else {}
        client = self._client
        with translated():
            session = client.checkout.sessions.create(
                params={
                    "mode": "payment",
                    "allowed_payment_method_types": ["card"],
                    # Otherwise a setting of the account lets Stripe charge another currency with
                    # its own fee in the price. Source: docs.stripe.com, Adaptive Pricing.
                    "adaptive_pricing": {"enabled": False},
                    "client_reference_id": order,
                    "metadata": known,
                    "payment_intent_data": {"metadata": known} | held,
                    "line_items": [
                        {
                            "quantity": 1,
                            "price_data": {
                                "currency": currency.lower(),
                                "unit_amount": to_stripe(request.amount_minor, currency),
                                "product_data": {"name": f"Tickets, order {order[-8:]}"},
                            },
                        }
                    ],
                    "expires_at": max(
                        request.expires_ms // 1000, (minute + 1) * 60 + PAGE_S_MIN + MARGIN_S
                    ),
                    "success_url": request.return_url,
                    "cancel_url": request.return_url,
                },
                options={"idempotency_key": f"checkout-{order}-{minute}{again}"},
            )
            return _url_of(session)

    def close_checkout(self, page: str) -> Capture | None:
        """Close a page. Cost: one call; two for a page that was over already."""
        import stripe

        page_id, client = _page_id(page), self._client
        with translated():
            try:
                session = client.checkout.sessions.expire(page_id)
            except stripe.InvalidRequestError as error:
                if code(error) == "resource_missing":
                    raise
                session = self._session(page_id)
            if session.status not in ("complete", "expired"):
                raise undecided()
            if is_held(session):
                return self.end_held(id_of(session.payment_intent), take=False)
            return capture_of_page(session)

    def card_of(self, payment: str) -> str:
        """Look at a payment's card. Cost: one call."""
        with translated():
            return card_of_charge(self._charge_of(payment))

    def end_held(self, payment: str, *, take: bool) -> Capture | None:
        """Capture or cancel a payment intent. Cost: one call; two if it was ended before."""
        import stripe

        intents = self._client.payment_intents
        end = intents.capture if take else intents.cancel
        with translated():
            try:
                charge = end(payment, params={"expand": ["latest_charge"]}).latest_charge
            except stripe.InvalidRequestError as error:
                if code(error) != "payment_intent_unexpected_state":
                    raise
                charge = self._charge_of(payment)
            return None if charge is None else capture_of_charge(charge)

    def find_capture(self, page: str) -> Capture | None:
        """Look at a page. Cost: one call."""
        with translated():
            return capture_of_page(self._session(_page_id(page)))

    def refund(
        self, *, payment: str, order: str, amount_minor: int, part: int = 0, attempt: int = 0
    ) -> Refund:
        """Refund once: look for our refund first, and again if Stripe refuses.

        Cost: three calls, four after a refusal, and one for each further hundred refunds of the
        payment.

        Two calls at once do not find each other's refund, but they share an idempotency key, for
        which Stripe makes one refund. The key depends on no clock; ``attempt`` makes the next one.
        """
        import stripe

        client = self._client
        with translated():
            made = self._our_refund(payment, order, part)
            if made is None:
                asked: Any = {"payment_intent": payment, "metadata": {"order": order}}
                if part:
                    asked["metadata"]["part"] = str(part)
                if (amount := self._less_than_left(payment, amount_minor, part)) is not None:
                    asked["amount"] = amount
                key = _refund_key(payment, part, attempt)
                try:
                    made = client.refunds.create(params=asked, options={"idempotency_key": key})
                except stripe.StripeError as error:
                    # A 500 may have made it, and another sender's may have come since we looked.
                    refusal = meaning_of_refund(error)
                    for_now = isinstance(refusal, RefusedForNowError)
                    if not for_now and code(error) != "charge_already_refunded":
                        raise
                    made = self._our_refund(payment, order, part)
                    if made is None:
                        raise refusal from error
            refund = refund_of(made, order)
        if refund.state == "failed":
            raise came_back(refund)
        return refund

    def find_refund(self, refund: str) -> Refund:
        """Look at a refund. Cost: one call."""
        client = self._client
        with translated():
            made = client.refunds.retrieve(refund, params={"expand": ["payment_intent"]})
            order = order_of(made) or order_of(made.payment_intent)
            if not order:
                raise refused("unknown-payment")
            return refund_of(made, order)

    def find_refunds(self, *, payment: str, order: str) -> Sequence[Refund]:
        """List the refunds of a payment. Cost: one call for each hundred."""
        asked = {"payment_intent": payment, "limit": _LISTED}
        client = self._client
        with translated():
            listed = client.refunds.list(params=asked).auto_paging_iter()
            newest_first = [refund_of(one, order) for one in listed]
        return newest_first[::-1]

    def find_dispute(self, dispute: str) -> Dispute:
        """Look at a dispute. Cost: one call."""
        client = self._client
        with translated():
            thing = client.disputes.retrieve(dispute, params={"expand": ["payment_intent"]})
            state, order = dispute_state(str(thing.status)), order_of(thing.payment_intent)
            if state is None or not order:
                raise refused("unknown-payment")
            return dispute_of(thing, order, state)

    def captures(self, since_ms: int) -> Iterator[Capture | UnreadableEntry]:
        """List captures; an unreadable charge is an entry of its own kind.

        Cost: one call for each hundred charges, and for each hundred refunds of older ones.
        """
        since_s = since_ms // 1000
        made = {"created": {"gte": since_s}, "limit": _LISTED}
        client = self._client
        with translated():
            for charge in client.charges.list(params=made).auto_paging_iter():
                if (capture := listed_capture(charge)) is not None:
                    yield capture
            given_back = client.refunds.list(params={**made, "expand": ["data.charge"]})
            for refund in given_back.auto_paging_iter():
                capture = listed_capture_of_refund(refund, since_s)
                if capture is not None:
                    yield capture

    def disputes(self, since_ms: int) -> Iterator[Dispute | UnreadableEntry]:
        """List disputes; an unreadable one is an entry of its own kind.

        Cost: one call for each hundred. An inquiry that becomes a dispute keeps the time of the
        inquiry, and a webhook reports it.
        """
        asked = {
            "created": {"gte": since_ms // 1000},
            "limit": _LISTED,
            "expand": ["data.payment_intent"],
        }
        client = self._client
        with translated():
            for thing in client.disputes.list(params=asked).auto_paging_iter():
                if (dispute := listed_dispute(thing)) is not None:
                    yield dispute

    def movements(self, since_ms: int, until_ms: int) -> Iterator[Movement | UnreadableEntry]:
        """List balance transactions, by whole seconds: a list asked for twice may overlap."""
        asked = {"created": {"gte": since_ms // 1000, "lt": -(-until_ms // 1000)}}
        with translated():
            yield from stripe_balance.movements(self._client, asked, self._order_or_none)

    def payouts(self, since_ms: int) -> Iterator[Payout | UnreadableEntry]:
        with translated():
            yield from stripe_balance.payouts(self._client, since_ms // 1000)

    def movements_of_payout(self, payout: str) -> Iterator[Movement | UnreadableEntry]:
        with translated():
            yield from stripe_balance.movements_of_payout(self._client, payout, self._order_or_none)

    def parse_webhook(self, body: bytes, headers: Mapping[str, str]) -> PaymentEvent:
        """Read a webhook. Cost: one call if it names a payment and not our order.

        Raises ProviderSetupError for an invalid secret: an empty one would verify any webhook.
        """
        import stripe

        named = {name.lower(): value for name, value in headers.items()}
        secret = self._secrets.payments().webhook
        if not _KEY.fullmatch(secret):
            raise wrong_setup()
        try:
            text = body.decode("utf-8")
            signature = named.get("stripe-signature", "")
            # Its tolerance looks at the machine's clock; ours is compared below.
            stripe.WebhookSignature.verify_header(text, signature, secret.decode("ascii"), None)
        except stripe.SignatureVerificationError as error:
            raise UnauthenticatedError("The webhook's signature does not verify.") from error
        except UnicodeDecodeError as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error
        self._refuse_stale(signature)
        try:
            event = stripe.Event.construct_from(json.loads(text), None)
            take_up(correlation_of(event.data.object))
            return payment_event(event, self)
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise MalformedInputError("The webhook's body is not as expected.") from error

    def _refuse_stale(self, signature: str) -> None:
        stamp = re.search(r"(?:^|,)t=([0-9]{1,12})", signature)
        sent_s = int(stamp[1]) if stamp else 0
        if abs(self._clock.now_ms() // 1000 - sent_s) > TOLERANCE_S:
            raise UnauthenticatedError("The webhook's time stamp is too old or ahead of time.")

    def _session(self, page_id: str) -> Any:
        return self._client.checkout.sessions.retrieve(
            page_id, params={"expand": ["payment_intent.latest_charge"]}
        )

    def _charge_of(self, payment: str) -> Any:
        expanded = {"expand": ["latest_charge"]}
        return self._client.payment_intents.retrieve(payment, params=expanded).latest_charge

    def _less_than_left(self, payment: str, amount_minor: int, part: int) -> int | None:
        """Return the amount in Stripe's units; None for the rest of the capture."""
        charge = self._charge_of(payment)
        if charge is None:
            return None  # nothing was taken, and the refund is refused
        amount = to_stripe(amount_minor, str(charge.currency))
        left = int(charge.amount_captured) - int(charge.amount_refunded)
        return amount if part or amount < left else None

    def _our_refund(self, payment: str, order: str, part: int) -> Any:
        """Return our refund of a part of a payment; a failed one only if there is no other."""
        listed = self._client.refunds.list(params={"payment_intent": payment, "limit": _LISTED})
        every = listed.auto_paging_iter()  # an order has as many parts as staff gives back
        ours = [one for one in every if order_of(one) == order and part_of(one) == part]
        ours.sort(key=lambda refund: refund_of(refund, order).state == "failed")
        return ours[0] if ours else None

    def _order_or_none(self, payment: str) -> str:
        """Return the order of a payment; "" also for one that Stripe does not show us."""
        try:
            with translated():
                return order_of(self._client.payment_intents.retrieve(payment))
        except PaymentRefusedError:
            return ""

    def order_of_payment(self, payment: str) -> str:
        """Return the order of a payment; "" for none of ours, and for one that was freed.

        Raises DependencyUnavailableError whatever the refusal: the webhook is sent again.
        """
        if not payment:
            return ""
        try:
            with translated():
                intent = self._client.payment_intents.retrieve(payment)
                return "" if intent.status == "canceled" else order_of(intent)
        except PaymentRefusedError as error:
            raise away() from error

    def newest_refund(self, payment: str) -> Any:
        try:
            with translated():
                listed = self._client.refunds.list(params={"payment_intent": payment, "limit": 1})
                return listed.data[0]
        except PaymentRefusedError as error:
            raise away() from error


def _client(key: bytes, url: str) -> Any:
    """Return a client. Raises ProviderSetupError for what cannot be a key."""
    import stripe

    from fairgate.adapters.payments.stripe_http import BoundedClient

    if not _KEY.fullmatch(key):
        raise wrong_setup()
    return stripe.StripeClient(
        key.decode("ascii"),
        base_addresses={"api": url} if url else None,
        max_network_retries=RETRIES,
        http_client=BoundedClient(),
    ).v1


def _refund_key(payment: str, part: int, attempt: int) -> str:
    return f"refund-{payment}-{part}-{attempt}" if part else f"refund-{payment}-{attempt}"


def _page_id(page: str) -> str:
    page_id = _PAGE.search(page)
    if page_id is None:
        raise refused("unknown-payment")
    return page_id[0]


def _url_of(session: Any) -> str:
    """Return the URL of the payment page. Raises ValueError if it is not of this session.

    Only the URL of a page is kept, and without the session's id the page could not be closed.
    """
    url, name = session.url, session.id
    if not (isinstance(url, str) and isinstance(name, str)):
        raise TypeError("not a text")
    page = _PAGE.search(url)
    if not _URL.fullmatch(url) or page is None or page[0] != name:
        raise ValueError("not the page of this checkout session")
    return url
