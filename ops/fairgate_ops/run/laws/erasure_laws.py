"""An order that was erased names no address, and no other lacks one."""

from __future__ import annotations

from fairgate.domain.orders.erasure import ERASED
from fairgate_ops.run.laws.snapshot import Snapshot
from fairgate_ops.run.laws.violation import Found, Violation


def erased(snapshot: Snapshot) -> Found:
    """An address is gone exactly where the order says since when."""
    for order in snapshot.orders:
        if (order["email"] == ERASED) != bool(order.get("erasedAt")):
            what = f"has {'no' if order['email'] == ERASED else 'an'} address"
            yield Violation(
                "erased", order["orderId"], f"{what}, erased at {order.get('erasedAt')}"
            )
