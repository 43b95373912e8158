"""Ask the provider what became of a pending order, because its buyer looks at it.

A buyer who comes back from the payment page does not wait for a webhook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, FairgateError, PaymentRefusedError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import ORDER_NOT_ASKED_SINCE
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture
    from fairgate.service.orders.settle_payment import PaymentSettler

ASK_EVERY_S = 5  # an order, however many windows look at it; a provider bounds calls a second


class PaymentAsker(Struct, frozen=True):
    """Asks for captures.

    Cost: one write, and one call to the provider a page, at most once in ASK_EVERY_S an order;
    PaymentSettler's and a read where there is a capture.
    """

    settler: PaymentSettler

    def ask(self, order: Order) -> Order:
        """Return the order as it is after asking; as it was where nobody could be asked."""
        if order.state != "pending" or not order.pages:
            return order
        try:
            if not self._may_ask(order):
                return order
            taken = self._taken(order)
            for capture in taken:
                self.settler.settle_capture(capture)
            return self.settler.table.find(Order, order.key) or order if taken else order
        except FairgateError:
            return order  # its webhook comes, or its end, which asks again

    def _taken(self, order: Order) -> list[Capture]:
        """Ask every page: one of which the provider does not tell hides no other one's payment."""
        captures = []
        for page in order.pages:
            try:
                capture = self.settler.payments.find_capture(page)
            except (DependencyUnavailableError, PaymentRefusedError):
                continue
            if capture is not None:
                captures.append(capture)
        return captures

    def _may_ask(self, order: Order) -> bool:
        now_ms = self.settler.clock.now_ms()
        before = rfc3339(now_ms - ASK_EVERY_S * 1000)
        if order.asked_at > before:
            return False
        asks = Update(
            "reservations",
            *order.key,
            condition=ORDER_NOT_ASKED_SINCE,
            values={"pending": "pending", "before": before},
            set={"askedAt": rfc3339(now_ms)},
        )
        try:
            self.settler.table.update(asks)
        except TransactionRefusedError:
            return False
        return True
