"""Send captures back that are owed: each written down once, sent once, and known when it is late.

   order    refund_due, cancelled ──────────────────────► refunded
   refund   owed (in the transaction that decides it) ──► sent (once the provider has accepted it)

A second capture of an order that stays paid is owed back too and leaves the order as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import ORDER_WAITS_FOR_REFUND, REFUND_NOT_YET_SENT
from fairgate.service.shared.due import refund_due
from fairgate.service.shared.keys import order_key, refund_key
from fairgate.service.shared.records.orders import Order, OwedRefund

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 4


def owed_refund(order: Order, payment: str, amount_minor: int, now_ms: int) -> list[Action]:
    """Return what the transaction that decides a refund also writes."""
    owed = OwedRefund(
        *refund_key(order.session, order.order_id, payment),
        order_id=order.order_id,
        event_id=order.event_id,
        payment_id=payment,
        amount_minor=amount_minor,
        owed_at=rfc3339(now_ms),
    )
    return [Put.of(owed), refund_due(order.event_id, order.order_id, payment, now_ms)]


@dataclass(frozen=True)
class Refunder:
    """Sends refunds.

    Cost: two reads, one call to the provider, one TransactWriteItems of at most two items.
    """

    table: Table
    clock: Clock
    payments: Payments

    def send(self, session: str, order: str, payment: str) -> bool:
        """Send the refund, and say whether this call did; False when none is owed any more.

        The provider makes one refund of a capture however often it is asked, so a crash between
        its answer and our note only means that it is asked again.

        Raises:
            DependencyUnavailableError: it is still owed, and will be tried again.
        """
        owed = self.table.find(OwedRefund, refund_key(session, order, payment))
        if owed is None or owed.sent_at:
            return False
        self.payments.refund(payment=payment, order=order, amount_minor=owed.amount_minor)
        return self.sent(session, order, payment)

    def sent(self, session: str, order: str, payment: str) -> bool:
        """Note that the provider has made the refund; False when that was noted before."""
        now = rfc3339(self.clock.now_ms())
        note = Update(
            "reservations",
            *refund_key(session, order, payment),
            condition=REFUND_NOT_YET_SENT,
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

    def _order_refunded(self, session: str, order_id: str, payment: str, now: str) -> list[Action]:
        order = self.table.find(Order, order_key(session, order_id))
        if order is None or order.state not in ("refund_due", "cancelled"):
            return []
        if order.payment_id != payment:
            return []
        return [
            Update(
                "reservations",
                *order.key,
                condition=ORDER_WAITS_FOR_REFUND,
                values={"state": order.state, "payment": payment},
                set={"state": "refunded", "refundedAt": now},
            )
        ]
