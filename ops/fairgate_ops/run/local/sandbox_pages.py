"""The sandbox provider's pages: what a buyer pays on, and what the shop's operator presses."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fairgate.domain.shared.amount_text import amount_text as digits_of
from fairgate.domain.shared.times import rfc3339
from fairgate_ops.run.local.loopback_server import Reply, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate_ops.run.local.sandbox_ledger import Checkout

MERCHANT = "Fairgate box office"
SHOWN = 100  # the newest payments


def amount_text(amount_minor: int, currency: str) -> str:
    """``EUR 1,234.50``."""
    return f"{currency} {digits_of(amount_minor, currency)}"


def checkout_page(checkout: Checkout) -> Reply:
    if checkout.state != "open":
        return closed_page(checkout, 200)
    if checkout.expires_ms <= time.time_ns() // 1_000_000:
        return closed_page(checkout, 410)
    values = {
        "merchant": MERCHANT,
        "amount": amount_text(checkout.amount_minor, checkout.currency),
        "order": checkout.order,
        "expires": rfc3339(checkout.expires_ms)[11:19],
        "id": checkout.id,
    }
    return page("pay.html", values, form_to=origin(checkout.return_url))


def closed_page(checkout: Checkout, status: int) -> Reply:
    title, text = {
        "open": ("Too late", "The time to pay for this order is over. You have not been charged."),
        "expired": ("Too late", "The time to pay is over. You have not been charged."),
        "held": ("Paid", "Your card is being checked. Thank you!"),
        "captured": ("Paid", "This payment is complete. Thank you!"),
        "declined": ("Declined", "The card was declined. You have not been charged."),
        "late": ("On its way", "This payment will arrive after the order has expired."),
    }[checkout.state]
    values = {"title": title, "text": text, "return_url": checkout.return_url}
    return page("closed.html", values, status=status)


def payments_page(captured: Sequence[Checkout]) -> Reply:
    """The newest first, each with a link to its own page."""
    newest = sorted(captured, key=lambda c: c.captured_ms, reverse=True)[:SHOWN]
    links = [
        (
            f"/sandbox/payments/{one.payment}",
            f"{amount_text(one.amount_minor, one.currency)} · order …{one.order[-8:]}",
        )
        for one in newest
    ]
    return page("payments.html", {"count": str(len(captured))}, links=links)


def payment_page(checkout: Checkout) -> Reply:
    state = checkout.refund_state
    hand = " outside Fairgate" if checkout.refunded_elsewhere else ""
    values = {
        "payment": checkout.payment,
        "order": checkout.order,
        "amount": amount_text(checkout.amount_minor, checkout.currency),
        "plan": checkout.refund_plan,
        "refund": f"{state}{hand}" if checkout.refund else "none",
        "dispute": checkout.dispute_state if checkout.dispute else "none",
    }
    return page("payment.html", values)


def origin(url: str) -> str:
    address = urlsplit(url)
    return f"{address.scheme}://{address.netloc}" if address.scheme else ""
