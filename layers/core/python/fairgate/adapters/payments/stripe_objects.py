"""Translate Stripe's objects into ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, Protocol

from fairgate.adapters.payments.refusals import undecided
from fairgate.domain.shared.ids import ORDER_ID
from fairgate.ports.payments import Capture, Dispute, PaymentEvent, Refund, UnreadableEntry
from fairgate.request_ids import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.payments import DisputeState, RefundState

# Stripe takes these in hundredths although ISO 4217 gives them no minor unit.
# Source: Stripe, "Supported currencies", special cases.
_HUNDREDFOLD = frozenset({"ISK", "UGX"})

_PART = re.compile(r"[0-9]{1,4}")
_ID = re.compile(r"[A-Za-z0-9_]{1,255}")
# The errors of reading an object of another shape, in our code or in the library.
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
# Source: Stripe API reference, the refund's status.
_REFUND_STATES: Mapping[str, RefundState] = {
    "pending": "pending",
    "requires_action": "pending",
    "succeeded": "succeeded",
    "failed": "failed",
    "canceled": "failed",
}


def to_stripe(amount_minor: int, currency: str) -> int:
    return amount_minor * (100 if currency.upper() in _HUNDREDFOLD else 1)


def from_stripe(amount: int, currency: str) -> int:
    return amount // (100 if currency.upper() in _HUNDREDFOLD else 1)


def order_of(thing: Any) -> str:
    """Return the order in an object's metadata; "" for objects of other businesses."""
    metadata = thing.metadata or {}
    order = str(metadata["order"]) if "order" in metadata else ""
    return order if ORDER_ID.fullmatch(order) else ""


def part_of(thing: Any) -> int:
    """Return the part of a capture in a refund's metadata; 0: the rest, or not ours."""
    metadata = thing.metadata or {}
    part = str(metadata["part"]) if "part" in metadata else ""
    return int(part) if _PART.fullmatch(part) else 0


def correlation_of(thing: Any) -> object:
    """Return the correlation id in an object's metadata."""
    metadata = getattr(thing, "metadata", None) or {}
    return metadata[NAME] if NAME in metadata else ""  # noqa: SIM401 Stripe's objects have no get


def id_of(thing: Any) -> str:
    """Return the id of an object that Stripe gives as an id or expanded; "" for nothing."""
    return str(thing if isinstance(thing, str) else thing.id) if thing else ""


def capture_of_charge(charge: Any) -> Capture | None:
    """Read a capture; None if nothing is captured, or the order is not ours."""
    order = order_of(charge)
    if not order or not charge.captured or charge.status != "succeeded":
        return None
    currency = str(charge.currency).upper()
    return Capture(
        payment=id_of(charge.payment_intent),
        order=order,
        amount_minor=from_stripe(int(charge.amount_captured), currency),
        currency=currency,
        at_ms=int(charge.created) * 1000,
        refunded_minor=from_stripe(int(charge.amount_refunded), currency),
        disputed=bool(charge.disputed),
    )


def listed_capture(charge: Any) -> Capture | UnreadableEntry | None:
    """Read one charge of a list, so that no other is lost for its sake.

    Raises what reading raised where it has not even an id: nobody could be told which it is.
    """
    try:
        return capture_of_charge(charge)
    except UNREADABLE:
        return unreadable(charge)


def listed_capture_of_refund(refund: Any, since_s: int) -> Capture | UnreadableEntry | None:
    """Read the charge of one refund of a list; None for a charge that is not older."""
    try:
        older = refund.charge and refund.charge.created < since_s
    except UNREADABLE:
        return unreadable(refund)
    return listed_capture(refund.charge) if older else None


def unreadable(thing: Any) -> UnreadableEntry:
    """Name an entry that cannot be read. Raises ValueError where it has no id either."""
    name = _id_in(thing, "id")
    if not name:
        raise ValueError("an entry without an id")
    return UnreadableEntry(name, _id_in(thing, "payment_intent"))


def _id_in(thing: Any, name: str) -> str:
    """Return an id, cut to the characters and length of one."""
    try:
        match = _ID.fullmatch(id_of(getattr(thing, name)))
    except UNREADABLE:
        return ""
    return match[0] if match else ""


def capture_of_page(session: Any) -> Capture | None:
    """Read what a page has taken or holds, its payment and charge expanded.

    Raises DependencyUnavailableError if the page is complete and the money has not arrived yet.
    """
    if session.status != "complete" or session.payment_status == "no_payment_required":
        return None
    if session.payment_status != "paid":
        if getattr(session.payment_intent, "status", "") == "canceled":
            return None  # it was held, and was freed
        if not is_held(session):
            raise undecided()
    charge = session.payment_intent.latest_charge
    currency = str(session.currency).upper()
    return Capture(
        payment=id_of(session.payment_intent),
        order=str(session.metadata["order"]),
        amount_minor=from_stripe(int(session.amount_total), currency),
        currency=currency,
        at_ms=int(charge.created) * 1000,
        refunded_minor=from_stripe(int(charge.amount_refunded), currency),
        disputed=bool(charge.disputed),
        held=is_held(session),
    )


def is_held(session: Any) -> bool:
    """Say whether a page's payment, expanded, is authorised and waits for its capture."""
    intent = session.payment_intent
    return session.status == "complete" and getattr(intent, "status", "") == "requires_capture"


def card_of_charge(charge: Any) -> str:
    """Return the fingerprint of a charge's card, which is one for all of this Stripe account; "".

    Source: Stripe API reference, Charge, payment_method_details.card.fingerprint.
    """
    details = getattr(charge, "payment_method_details", None)
    card = getattr(details, "card", None)
    return str(getattr(card, "fingerprint", None) or "")


def refund_of(refund: Any, order: str) -> Refund:
    currency = str(refund.currency).upper()
    return Refund(
        id=str(refund.id),
        payment=id_of(refund.payment_intent),
        order=order,
        amount_minor=from_stripe(int(refund.amount), currency),
        state=_REFUND_STATES[refund.status],
        reason=str(getattr(refund, "failure_reason", None) or ""),  # absent unless it failed
        part=part_of(refund) if order_of(refund) == order else 0,
    )


def dispute_state(status: str) -> DisputeState | None:
    """Return the state of a dispute; None for inquiries, and if a refund settled it.

    An unknown state counts as open.
    """
    if status.startswith("warning_") or status == "prevented":
        return None
    if status == "won":
        return "won"
    return "lost" if status == "lost" else "open"


def dispute_of(dispute: Any, order: str, state: DisputeState) -> Dispute:
    currency = str(dispute.currency).upper()
    return Dispute(
        id=str(dispute.id),
        payment=id_of(dispute.payment_intent),
        order=order,
        amount_minor=from_stripe(int(dispute.amount), currency),
        currency=currency,
        state=state,
        at_ms=int(dispute.created) * 1000,
        reason=str(dispute.reason or ""),
    )


def listed_dispute(dispute: Any) -> Dispute | UnreadableEntry | None:
    """Read one dispute of a list, so that no other is lost; None for an inquiry, or not of ours.

    Raises what reading raised where it has not even an id: nobody could be told which it is.
    """
    try:
        state = dispute_state(str(dispute.status))
        order = order_of(dispute.payment_intent) if dispute.payment_intent else ""
        return dispute_of(dispute, order, state) if state is not None and order else None
    except UNREADABLE:
        return unreadable(dispute)


class Lookups(Protocol):
    """Asks Stripe for what an event lacks."""

    def order_of_payment(self, payment: str) -> str:
        """Return the order of ours that a payment intent is for; "" for none."""
        ...

    def newest_refund(self, payment: str) -> Any: ...


def payment_event(event: Any, ask: Lookups) -> PaymentEvent:
    """Translate Stripe's event into ours.

    Raises the errors of reading an object of another shape, and those of the lookups.
    """
    thing = event.data.object
    translated: PaymentEvent | None = None
    match event.type.rpartition("."):
        case ["checkout.session", _, word]:
            translated = _about_page(event, word)
        case ["payment_intent", _, "payment_failed"]:
            translated = _about_order("failed", event, int(thing.amount), str(thing.id))
        case ["charge", _, "refunded"]:  # says how much, and not which refund
            # A held payment that is freed is told as a refund, and nothing was taken.
            if thing.captured and (order := order_of(thing)):
                translated = _refunded(event, ask.newest_refund(id_of(thing.payment_intent)), order)
        case ["refund", _, "created" | "updated" | "failed"] | ["charge.refund", _, "updated"]:
            order = order_of(thing) or ask.order_of_payment(id_of(thing.payment_intent))
            translated = _refunded(event, thing, order)
        case ["charge.dispute", _, _]:
            translated = _disputed(event, ask)
    return translated or PaymentEvent(str(event.id), "other", "", 0, "", "")


def _about_page(event: Any, word: str) -> PaymentEvent | None:
    page = event.data.object
    if word == "expired":
        return _about_order("expired", event, int(page.amount_total), "")
    payment = id_of(page.payment_intent)
    if word == "async_payment_failed":
        return _about_order("failed", event, int(page.amount_total), payment)
    if word in ("completed", "async_payment_succeeded") and page.payment_status == "paid":
        return _about_order("succeeded", event, int(page.amount_total), payment)
    if word == "completed" and page.payment_status == "unpaid" and payment:
        # Only cards pay here, and a card is unpaid only while its money is held.
        return _about_order("held", event, int(page.amount_total), payment)
    return None


def _about_order(
    kind: Literal["succeeded", "held", "failed", "expired"], event: Any, amount: int, payment: str
) -> PaymentEvent | None:
    thing = event.data.object
    order = order_of(thing)
    if not order:  # another business of the same account
        return None
    currency = str(thing.currency).upper()
    minor = from_stripe(amount, currency)
    at_ms = 1000 * int(getattr(event, "created", None) or 0)
    return PaymentEvent(str(event.id), kind, order, minor, currency, payment, at_ms=at_ms)


def _refunded(event: Any, thing: Any, order: str) -> PaymentEvent | None:
    if not order:
        return None
    refund = refund_of(thing, order)
    return PaymentEvent(
        id=str(event.id),
        kind="refunded",
        order=order,
        amount_minor=refund.amount_minor,
        currency=str(thing.currency).upper(),
        payment=refund.payment,
        refund=refund,
    )


def _disputed(event: Any, ask: Lookups) -> PaymentEvent | None:
    thing = event.data.object
    state = dispute_state(str(thing.status))
    if state is None:
        return None
    order = order_of(thing) or ask.order_of_payment(id_of(thing.payment_intent))
    if not order:
        return None
    dispute = dispute_of(thing, order, state)
    return PaymentEvent(
        id=str(event.id),
        kind="disputed",
        order=order,
        amount_minor=dispute.amount_minor,
        currency=dispute.currency,
        payment=dispute.payment,
        dispute=dispute,
    )
