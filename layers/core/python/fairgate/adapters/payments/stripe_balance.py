"""Read Stripe's balance transactions with their fees, and its payouts.

A transaction is listed with its ``source``. A charge and our own refunds name our order; for
disputes, and refunds outside Fairgate, the payment is asked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from fairgate.adapters.payments.stripe_objects import (
    UNREADABLE,
    from_stripe,
    id_of,
    order_of,
    unreadable,
)
from fairgate.ports.payments import Movement, Payout, UnreadableEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    OrderOfPayment = Callable[[str], str]

LISTED = 100  # a page of a list; the API's maximum
_WORD = re.compile(r"[a-z_]{1,64}")
_NAME = re.compile(r"[A-Za-z0-9_]{1,255}")
_CURRENCY = re.compile(r"[A-Z]{3}")
# Source: Stripe API reference, balance transaction, type; "Balance transaction types".
_KINDS: Mapping[str, str] = {
    "charge": "capture",
    "payment": "capture",
    "refund": "refund",
    "payment_refund": "refund",
    "refund_failure": "refund-returned",
    "payout": "payout",
    "payout_failure": "payout-failed",
    "payout_cancel": "payout-failed",
}
# An adjustment says by its category what made it: a dispute, or a refund that came back.
# Source: "Reporting categories and types".
_ADJUSTMENTS: Mapping[str, str] = {
    "dispute": "dispute",
    "dispute_reversal": "dispute-won",
    "refund_failure": "refund-returned",
}
_PARTS: Mapping[str, Literal["known", "later", "never"]] = {
    "completed": "known",
    "in_progress": "later",
    "not_applicable": "never",
}
_PAYOUTS = ("payout", "payout-failed")
_ABOUT_PAYMENTS = (
    *("capture", "refund", "refund-returned", "dispute", "dispute-won"),
    "payment_failure_refund",  # a payment that failed later: it takes money away
)


def movements(
    client: Any, asked: Mapping[str, Any], order_of_payment: OrderOfPayment
) -> Iterator[Movement | UnreadableEntry]:
    """List balance transactions; an unreadable one is an entry of its own kind.

    Cost: a call for each hundred, and one for each payment that does not name its order.
    """
    known: dict[str, str] = {}

    def order(payment: str) -> str:
        if payment not in known:
            known[payment] = order_of_payment(payment)
        return known[payment]

    params = {**asked, "limit": LISTED, "expand": ["data.source"]}
    for entry in client.balance_transactions.list(params=params).auto_paging_iter():
        try:
            moved, ask = _movement(entry)
        except UNREADABLE:
            yield unreadable(entry)
            continue
        if ask:
            moved = _of_order(moved, order(moved.payment))
        yield moved


def movements_of_payout(
    client: Any, payout: str, order_of_payment: OrderOfPayment
) -> Iterator[Movement | UnreadableEntry]:
    """List the transactions of a payout, without the payout's own."""
    for one in movements(client, {"payout": payout}, order_of_payment):
        if isinstance(one, UnreadableEntry) or one.kind not in _PAYOUTS or one.thing != payout:
            yield one


def payouts(client: Any, since_s: int) -> Iterator[Payout | UnreadableEntry]:
    """List payouts. Cost: a call for each hundred."""
    params = {"created": {"gte": since_s}, "limit": LISTED}
    for entry in client.payouts.list(params=params).auto_paging_iter():
        try:
            yield _payout(entry)
        except UNREADABLE:
            yield unreadable(entry)


def _movement(entry: Any) -> tuple[Movement, bool]:
    """Read one, and say whether its payment has to be asked for the order.

    Raises ValueError if its figures do not add up.
    """
    currency, word = _checked(_CURRENCY, str(entry.currency).upper()), str(entry.type)
    kind = _KINDS.get(word) or _checked(_WORD, word)
    if word == "adjustment":
        kind = _ADJUSTMENTS.get(str(entry.reporting_category), kind)
    amount, fee = int(entry.amount), int(entry.fee)
    if amount - fee != int(entry.net):
        raise ValueError("its net is not its amount less its fee")
    source = entry.source
    thing = id_of(source)
    payment, order = "", ""
    if kind in _ABOUT_PAYMENTS and source and not isinstance(source, str):
        payment = id_of(getattr(source, "payment_intent", None))
        order = order_of(source)
    ask = bool(payment) and not order and kind != "capture"
    return Movement(
        id=_checked(_NAME, str(entry.id)),
        kind=kind,
        amount_minor=from_stripe(amount, currency),
        fee_minor=from_stripe(fee, currency),
        currency=currency,
        at_ms=int(entry.created) * 1000,
        payment=payment,
        order=order,
        thing=thing,
    ), ask


def _of_order(moved: Movement, order: str) -> Movement:
    from msgspec.structs import replace

    return replace(moved, order=order)


def _payout(entry: Any) -> Payout:
    currency = _checked(_CURRENCY, str(entry.currency).upper())
    parts = _PARTS.get(str(getattr(entry, "reconciliation_status", "")), "later")
    return Payout(
        id=_checked(_NAME, str(entry.id)),
        amount_minor=from_stripe(int(entry.amount), currency),
        currency=currency,
        state=_checked(_WORD, str(entry.status)),
        at_ms=int(entry.created) * 1000,
        arrives_ms=int(entry.arrival_date) * 1000,
        parts=parts if entry.automatic else "never",
    )


def _checked(allowed: re.Pattern[str], text: str) -> str:
    if not allowed.fullmatch(text):
        raise ValueError("not as Stripe writes it")
    return text
