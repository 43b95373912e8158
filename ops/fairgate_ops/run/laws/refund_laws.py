"""What the provider's books say of refunds: each part once, and never more than was taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairgate_ops.run.laws.violation import Found, Violation

if TYPE_CHECKING:
    from fairgate_ops.run.laws.snapshot import Item, Snapshot


def amounts(snapshot: Snapshot) -> Found:
    """A capture that is kept is of its order's total, and no payment is refunded twice."""
    payments = snapshot.payments or ()
    made = [payment for payment in payments if payment["kind"] == "refund"]
    refunds = Counter((refund["payment"], refund.get("part", 0)) for refund in made)
    for (payment_id, part), count in refunds.items():
        if count > 1:
            yield Violation("refunded-twice", payment_id, f"{count} refunds of part {part}")
    back: Counter[str] = Counter()
    for refund in (one for one in made if one.get("state") != "failed"):
        back[refund["payment"]] += refund["amount_minor"]
    for capture in (payment for payment in payments if payment["kind"] == "capture"):
        if back[capture["payment"]] > capture["amount_minor"]:
            what = f"{back[capture['payment']]} of {capture['amount_minor']}"
            yield Violation("refunded-twice", capture["payment"], what)
    totals = {order["orderId"]: order["totalMinor"] for order in snapshot.orders}
    for payment in kept(payments):
        order, amount = payment["order"], payment["amount_minor"]
        if totals.get(order, amount) != amount:
            yield Violation("money-amount", order, f"captured {amount}, total {totals[order]}")


def kept(payments: Sequence[Item]) -> list[Item]:
    """The captures that have not been refunded: a refund that the bank returned is none.

    What goes back while the order stands, a part, leaves the capture kept.
    """
    refunds = (
        payment for payment in payments if payment["kind"] == "refund" and not payment.get("part")
    )
    refunded = {refund["payment"] for refund in refunds if refund.get("state") != "failed"}
    captures = (payment for payment in payments if payment["kind"] == "capture")
    return [payment for payment in captures if payment["payment"] not in refunded]
