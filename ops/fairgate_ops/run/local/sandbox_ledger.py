"""The sandbox provider's books: checkouts, captures and refunds, in memory, under one lock."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fairgate_ops.run.local.loopback_server import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

CAPTURES_PAGE = 1_000
State = Literal["open", "late", "captured", "declined", "expired"]


@dataclass
class Checkout:
    """One attempt to pay for one order."""

    id: str
    order: str
    amount_minor: int
    currency: str
    expires_ms: int
    return_url: str
    payment: str
    state: State = "open"
    captured_ms: int = 0
    refund: str = ""
    refunded_ms: int = 0


class Ledger:
    """Every change happens once, however often it is asked for."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._by_id: dict[str, Checkout] = {}
        self._by_order: dict[str, Checkout] = {}
        self._by_payment: dict[str, Checkout] = {}

    def open(
        self, *, order: str, amount_minor: int, currency: str, expires_ms: int, return_url: str
    ) -> tuple[Checkout, bool]:
        """The order's checkout, and whether it is new: a declined one is followed by another.

        Raises RefusedError for another amount.
        """
        with self._lock:
            known = self._by_order.get(order)
            if known is not None:
                if (known.amount_minor, known.currency) != (amount_minor, currency):
                    raise RefusedError(409, "This order has a checkout of another amount.")
                if known.state != "declined":
                    return known, False
            checkout = Checkout(
                id=f"co_{secrets.token_hex(16)}",
                order=order,
                amount_minor=amount_minor,
                currency=currency,
                expires_ms=expires_ms,
                return_url=return_url,
                payment=f"pay_{secrets.token_hex(16)}",
            )
            self._by_id[checkout.id] = checkout
            self._by_order[order] = checkout
            self._by_payment[checkout.payment] = checkout
            return checkout, True

    def find(self, checkout_id: str) -> Checkout:
        """Raises RefusedError."""
        checkout = self._by_id.get(checkout_id)
        if checkout is None:
            raise RefusedError(404, "There is no such payment page.")
        return checkout

    def move(self, checkout: Checkout, to: State) -> bool:
        """Whether this call made the change: open → anything, late → captured."""
        with self._lock:
            allowed = checkout.state == "open" or (checkout.state, to) == ("late", "captured")
            if not allowed:
                return False
            checkout.state = to
            if to == "captured":
                checkout.captured_ms = self._now_ms()
            return True

    def refund(self, *, payment: str, order: str, amount_minor: int) -> tuple[Checkout, bool]:
        """The refunded checkout, and whether this call did it. Raises RefusedError."""
        with self._lock:
            checkout = self._by_payment.get(payment)
            if checkout is None or checkout.order != order or checkout.state != "captured":
                raise RefusedError(404, "There is no such captured payment of this order.")
            if amount_minor != checkout.amount_minor:
                raise RefusedError(422, "A refund gives back the whole capture.")
            if checkout.refund:
                return checkout, False
            checkout.refund = f"re_{secrets.token_hex(16)}"
            checkout.refunded_ms = self._now_ms()
            return checkout, True

    def captures(self, since_ms: int, skip: int) -> list[dict[str, Any]]:
        """Those made or refunded since then, oldest change first, a page of them after ``skip``."""
        with self._lock:
            captured = [c for c in self._by_id.values() if c.state == "captured"]
        changed = [(max(c.captured_ms, c.refunded_ms), c.id, c) for c in captured]
        found = [c for at_ms, _, c in sorted(changed, key=lambda e: e[:2]) if at_ms >= since_ms]
        return [
            _line(c) | {"at_ms": c.captured_ms, "refunded_minor": c.amount_minor if c.refund else 0}
            for c in found[skip : skip + CAPTURES_PAGE]
        ]

    def payments(self) -> dict[str, list[dict[str, Any]]]:
        """All captures and refunds, for reconciliation."""
        with self._lock:
            captured = [c for c in self._by_id.values() if c.state == "captured"]
        return {
            "captures": [_line(c) | {"at_ms": c.captured_ms} for c in captured],
            "refunds": [
                _line(c) | {"refund": c.refund, "at_ms": c.refunded_ms}
                for c in captured
                if c.refund
            ],
        }


def _line(checkout: Checkout) -> dict[str, Any]:
    return {
        "payment": checkout.payment,
        "order": checkout.order,
        "amount_minor": checkout.amount_minor,
        "currency": checkout.currency,
    }
