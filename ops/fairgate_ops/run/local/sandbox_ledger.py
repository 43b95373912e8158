"""The sandbox provider's books: checkouts, captures, refunds, disputes; in memory, one lock."""

from __future__ import annotations

import secrets
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fairgate_ops.run.local.loopback_server import RefusedError
from fairgate_ops.run.local.sandbox_balance import Balance, Fees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fairgate.ports.payments import DisputeState, RefundState

LISTED = 1_000
RETURNED = "expired_or_canceled_card"  # why a bank sends a refund back
State = Literal["open", "late", "held", "captured", "declined", "expired"]
# What becomes of the shop's next refund: made; under way until it is decided; sent back by the
# bank at once, or after it had succeeded; refused for good; or for now, as the shop's balance is
# short or it asks too often.
RefundPlan = Literal["make", "slow", "fail", "fail-later", "refuse", "short", "busy"]


_LATER = {
    ("late", "captured"),
    ("late", "held"),
    ("held", "captured"),
    ("held", "expired"),
}


@dataclass
class Checkout:
    """One attempt to pay for one order, and what became of its money."""

    id: str
    order: str
    amount_minor: int
    currency: str
    expires_ms: int
    return_url: str
    payment: str
    state: State = "open"
    held: bool = False  # the money is only reserved, until the shop takes or frees it
    card: str = ""  # its fingerprint
    captured_ms: int = 0
    refund_plan: RefundPlan = "make"
    refund: str = ""
    refund_minor: int = 0  # of the one that ends it; parts went back before
    parts: dict[int, dict[str, Any]] = field(default_factory=dict)  # the shop's, by their numbers
    refund_state: RefundState = "succeeded"
    refund_reason: str = ""
    refunded_ms: int = 0
    refunded_elsewhere: bool = False  # outside Fairgate
    came_back: dict[str, Any] = field(default_factory=dict)  # the shop's, where theirs followed it
    dispute: str = ""
    dispute_state: DisputeState = "open"
    disputed_ms: int = 0

    @property
    def refunded_minor(self) -> int:
        """How much went back and stayed there."""
        last = self.refund_minor if self.refund and self.refund_state != "failed" else 0
        return last + self.parts_minor

    @property
    def parts_minor(self) -> int:
        return sum(
            line["amount_minor"] for line in self.parts.values() if line["state"] != "failed"
        )

    @property
    def contested(self) -> bool:
        return bool(self.dispute) and self.dispute_state != "won"


class Ledger:
    """Every change happens once, however often it is asked for."""

    def __init__(self, now_ms: Callable[[], int], fees: Fees | None = None) -> None:
        self._now_ms = now_ms
        self._balance = Balance(now_ms, fees or Fees())
        self._lock = threading.Lock()
        self._by_id: dict[str, Checkout] = {}
        self._by_order: dict[str, Checkout] = {}
        self._by_payment: dict[str, Checkout] = {}
        self._by_refund: dict[str, Checkout] = {}

    def open(
        self,
        *,
        order: str,
        amount_minor: int,
        currency: str,
        expires_ms: int,
        return_url: str,
        held: bool = False,
    ) -> tuple[Checkout, bool]:
        """The order's checkout, and whether it is new: a declined one is followed by another.

        Raises RefusedError for another amount.
        """
        with self._lock:
            known = self._by_order.get(order)
            if known is not None:
                if (known.amount_minor, known.currency) != (amount_minor, currency):
                    raise RefusedError(409, "This order has a checkout of another amount.")
                if known.state != "declined" and not (known.held and known.state == "expired"):
                    return known, False
            checkout = Checkout(
                id=f"co_{secrets.token_hex(16)}",
                order=order,
                amount_minor=amount_minor,
                currency=currency,
                expires_ms=expires_ms,
                return_url=return_url,
                held=held,
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

    def of_payment(self, payment: str) -> Checkout:
        """Raises RefusedError."""
        if payment not in self._by_payment:
            raise RefusedError(404, "There is no such payment.")
        return self._by_payment[payment]

    def captured(self, payment: str) -> Checkout:
        """Raises RefusedError."""
        checkout = self._by_payment.get(payment)
        if checkout is None or checkout.state != "captured":
            raise RefusedError(404, "There is no such captured payment.")
        return checkout

    def refund_as_it_is(self, refund: str) -> dict[str, Any]:
        """Raises RefusedError."""
        checkout = self._by_refund.get(refund)
        if checkout is None:
            raise RefusedError(404, "There is no such refund.")
        return next(line for line in self.refunds_of(checkout) if line["id"] == refund)

    def refunds_of(self, checkout: Checkout) -> list[dict[str, Any]]:
        """Every refund of a payment, the newest last."""
        lines = [*checkout.parts.values(), *([checkout.came_back] if checkout.came_back else [])]
        return [*lines, refund_line(checkout)] if checkout.refund else lines

    def disputed(self, dispute: str) -> Checkout:
        """Raises RefusedError."""
        for checkout in self.all_captured():
            if dispute and checkout.dispute == dispute:
                return checkout
        raise RefusedError(404, "There is no such dispute.")

    def move(self, checkout: Checkout, to: State) -> bool:
        """Whether this call made the change: open → anything, late or held → captured or freed."""
        with self._lock:
            allowed = checkout.state == "open" or (checkout.state, to) in _LATER
            if not allowed:
                return False
            checkout.state = to
            if to == "captured":
                checkout.captured_ms = self._now_ms()
                self._move("capture", checkout, checkout.amount_minor)
            return True

    def refund(self, *, payment: str, order: str, amount_minor: int) -> tuple[Checkout, bool]:
        """The refunded checkout, and whether this call did it. Raises RefusedError."""
        checkout = self.captured(payment)
        with self._lock:
            if checkout.order != order:
                raise RefusedError(404, "There is no such captured payment of this order.")
            if checkout.refunded_elsewhere:
                raise RefusedError(409, "It is given back already.", reason="already-refunded")
            if checkout.refund and checkout.refund_minor == amount_minor:
                return checkout, False
            _refuse(checkout, amount_minor)
            self._give_back(checkout, amount_minor)
            return checkout, True

    def refund_part(
        self, *, payment: str, order: str, amount_minor: int, part: int
    ) -> tuple[Checkout, dict[str, Any], bool]:
        """The checkout, its refund of this number, and whether this call made it.

        Raises RefusedError.
        """
        checkout = self.captured(payment)
        with self._lock:
            if checkout.order != order:
                raise RefusedError(404, "There is no such captured payment of this order.")
            if part in checkout.parts:
                return checkout, checkout.parts[part], False
            _refuse(checkout, amount_minor)
            state, reason = _begins_as(checkout.refund_plan)
            line = {
                "id": f"re_{secrets.token_hex(16)}",
                "payment": checkout.payment,
                "order": checkout.order,
                "amount_minor": amount_minor,
                "state": state,
                "reason": reason,
                "part": part,
            }
            checkout.parts[part] = line
            checkout.refunded_ms = self._now_ms()
            self._by_refund[str(line["id"])] = checkout
            if state != "failed":
                self._move("refund", checkout, -amount_minor, str(line["id"]))
            return checkout, line, True

    def refund_elsewhere(self, checkout: Checkout) -> bool:
        """Whether this call gave it back, as a person may in the provider's own pages.

        What the shop has refunded, a person may refund once more when it came back.
        """
        with self._lock:
            left = checkout.amount_minor - checkout.refunded_minor
            taken = checkout.refund and checkout.refund_state != "failed"
            if not left or taken or checkout.refunded_elsewhere or checkout.contested:
                return False
            if checkout.refund:
                checkout.came_back = refund_line(checkout)
            checkout.refunded_elsewhere = True
            self._give_back(checkout, left)
            return True

    def decide_refund(self, checkout: Checkout, state: RefundState, reason: str = "") -> bool:
        """Whether this call did: pending → any, succeeded → failed. Failed stays so."""
        with self._lock:
            before = checkout.refund_state
            if not checkout.refund or before in (state, "failed") or state == "pending":
                return False
            checkout.refund_state, checkout.refund_reason = state, reason
            checkout.refunded_ms = self._now_ms()
            if state == "failed":
                self._move("refund-returned", checkout, checkout.refund_minor, checkout.refund)
            return True

    def contest(self, checkout: Checkout) -> bool:
        """Whether this call opened a dispute: one a payment."""
        with self._lock:
            if checkout.dispute:
                return False
            checkout.dispute = f"dp_{secrets.token_hex(16)}"
            checkout.disputed_ms = self._now_ms()
            self._move("dispute", checkout, -checkout.amount_minor, checkout.dispute)
            return True

    def decide_dispute(self, checkout: Checkout, state: DisputeState) -> bool:
        """Whether this call decided it: open → won or lost."""
        with self._lock:
            if not checkout.dispute or checkout.dispute_state != "open" or state == "open":
                return False
            checkout.dispute_state = state
            if state == "won":
                self._move("dispute-won", checkout, checkout.amount_minor, checkout.dispute)
            return True

    def captures(self, since_ms: int, skip: int) -> list[dict[str, Any]]:
        """Those made or refunded since then, oldest change first, a page of them after ``skip``."""
        changed = [(max(c.captured_ms, c.refunded_ms), c.id, c) for c in self.all_captured()]
        found = [c for at_ms, _, c in sorted(changed, key=lambda e: e[:2]) if at_ms >= since_ms]
        return [capture_line(c) for c in found[skip : skip + LISTED]]

    def disputes(self, since_ms: int, skip: int) -> list[dict[str, Any]]:
        """Those opened since then, oldest first, a page of them after ``skip``."""
        contested = [c for c in self.all_captured() if c.dispute and c.disputed_ms >= since_ms]
        contested.sort(key=lambda c: (c.disputed_ms, c.id))
        return [dispute_line(c) for c in contested[skip : skip + LISTED]]

    @contextmanager
    def balance(self) -> Iterator[Balance]:
        """The balance, while nothing else moves on it."""
        with self._lock:
            yield self._balance

    def payments(self) -> dict[str, list[dict[str, Any]]]:
        """All captures, refunds and disputes, for reconciliation."""
        captured = self.all_captured()
        return {
            "captures": [_line(c) | {"at_ms": c.captured_ms} for c in captured],
            "refunds": [
                _line(c)
                | {"refund": c.refund, "at_ms": c.refunded_ms, "state": c.refund_state}
                | {"amount_minor": c.refund_minor}
                for c in captured
                if c.refund
            ]
            + [
                _line(c) | line | {"refund": line["id"], "at_ms": c.refunded_ms}
                for c in captured
                for line in c.parts.values()
            ],
            "disputes": [dispute_line(c) for c in captured if c.dispute],
        }

    def all_captured(self) -> Sequence[Checkout]:
        with self._lock:
            return [c for c in self._by_id.values() if c.state == "captured"]

    def _give_back(self, checkout: Checkout, amount_minor: int) -> None:
        checkout.refund = f"re_{secrets.token_hex(16)}"
        checkout.refund_minor = amount_minor
        checkout.refund_state, checkout.refund_reason = _begins_as(checkout.refund_plan)
        checkout.refunded_ms = self._now_ms()
        self._by_refund[checkout.refund] = checkout
        if checkout.refund_state != "failed":
            self._move("refund", checkout, -amount_minor, checkout.refund)

    def _move(self, kind: str, checkout: Checkout, amount_minor: int, thing: str = "") -> None:
        ids = {"payment": checkout.payment, "order": checkout.order, "thing": thing}
        self._balance.moves(kind, amount_minor, checkout.currency, **ids)


def _refuse(checkout: Checkout, amount_minor: int) -> None:
    """Raises RefusedError where a provider would not refund so much."""
    if checkout.contested:
        raise RefusedError(409, "This payment is disputed.", reason="disputed")
    if checkout.refund_plan == "refuse":
        raise RefusedError(422, "This payment is too old.", reason="too-old")
    if checkout.refund_plan == "short":
        raise RefusedError(402, "Your balance is too low.", reason="no-balance")
    if checkout.refund_plan == "busy":
        raise RefusedError(429, "You ask too often.")
    left = checkout.amount_minor - checkout.refunded_minor
    if checkout.refund:
        raise RefusedError(422, "The last of this payment was given back as another amount.")
    if not left:
        raise RefusedError(409, "It is given back already.", reason="already-refunded")
    if not 0 < amount_minor <= left:
        raise RefusedError(422, f"{amount_minor} is not within the {left} that are left.")


def _begins_as(plan: RefundPlan) -> tuple[RefundState, str]:
    """How a refund begins, and why it is sent back at once where it is."""
    if plan == "fail":
        return "failed", RETURNED
    return ("pending" if plan == "slow" else "succeeded"), ""


def capture_line(checkout: Checkout) -> dict[str, Any]:
    return _line(checkout) | {
        "at_ms": checkout.captured_ms,
        "refunded_minor": checkout.refunded_minor,
        "disputed": bool(checkout.dispute),
    }


def refund_line(checkout: Checkout) -> dict[str, Any]:
    return {
        "id": checkout.refund,
        "payment": checkout.payment,
        "order": checkout.order,
        "amount_minor": checkout.refund_minor,
        "state": checkout.refund_state,
        "reason": checkout.refund_reason,
    }


def dispute_line(checkout: Checkout) -> dict[str, Any]:
    return _line(checkout) | {
        "id": checkout.dispute,
        "state": checkout.dispute_state,
        "at_ms": checkout.disputed_ms,
        "reason": "fraudulent",
    }


def _line(checkout: Checkout) -> dict[str, Any]:
    return {
        "payment": checkout.payment,
        "order": checkout.order,
        "amount_minor": checkout.amount_minor,
        "currency": checkout.currency,
    }
