"""Captures that are owed back: each written down once, sent once, and known when it is late.

   order    refund_due, cancelled ──────────────────────► refunded
   refund   owed (in the transaction that decides it) ──► sent (once the provider has accepted it)

A second capture of an order that stays paid is owed back too and leaves the order as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.shared.due import refund_due
from fairgate.service.shared.keys import keyed, order_key, refund_key

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 4

NOT_YET_SENT = "attribute_exists(#PK) AND attribute_not_exists(#sentAt)"
ORDER_WAITS_FOR_IT = "#state = :state AND #paymentId = :payment"


def owed_refund(
    order: Mapping[str, Any], payment: str, amount_minor: int, now_ms: int
) -> list[Action]:
    """What the transaction that decides a refund also writes."""
    item = {
        "orderId": order["orderId"],
        "eventId": order["eventId"],
        "paymentId": payment,
        "amountMinor": amount_minor,
        "owedAt": rfc3339(now_ms),
    }
    key = keyed(refund_key(order["PK"], order["orderId"], payment))
    return [
        Put("reservations", key | item),
        refund_due(order["eventId"], order, payment, now_ms),
    ]


@dataclass(frozen=True)
class Refunder:
    """Cost: two reads, one call to the provider, one TransactWriteItems of at most two items."""

    table: Table
    clock: Clock
    payments: Payments

    def send(self, session: str, order: str, payment: str) -> bool:
        """Whether this call is the one that sent the refund; False when none is owed any more.

        The provider makes one refund of a capture however often it is asked, so a crash between
        its answer and our note only means that it is asked again.

        Raises:
            DependencyUnavailableError: it is still owed, and will be tried again.
        """
        owed = self.table.get("reservations", *refund_key(session, order, payment))
        if owed is None or "sentAt" in owed:
            return False
        self.payments.refund(payment=payment, order=order, amount_minor=owed["amountMinor"])
        return self.sent(session, order, payment)

    def sent(self, session: str, order: str, payment: str) -> bool:
        """Note that the provider has made the refund; False when that was noted before."""
        now = rfc3339(self.clock.now_ms())
        note = Update(
            "reservations",
            *refund_key(session, order, payment),
            condition=NOT_YET_SENT,
            set={"sentAt": now},
        )
        for _ in range(_ATTEMPTS_MAX):
            try:
                self.table.transact([note, *self._order_refunded(session, order, payment, now)])
            except TransactionRefusedError as refused:
                if refused.reasons[0].failed:
                    return False
                continue
            return True
        raise DependencyUnavailableError("The order is being changed; try again.", retry_after_s=2)

    def _order_refunded(self, session: str, order: str, payment: str, now: str) -> list[Action]:
        found = self.table.get("reservations", *order_key(session, order)) or {}
        waits = found.get("state") in ("refund_due", "cancelled")
        if not waits or found.get("paymentId") != payment:
            return []
        return [
            Update(
                "reservations",
                *order_key(session, order),
                condition=ORDER_WAITS_FOR_IT,
                values={"state": found["state"], "payment": payment},
                set={"state": "refunded", "refundedAt": now},
            )
        ]
