"""Ask the provider what became of a pending order, because its buyer looks at it.

A buyer who comes back from the payment page does not wait for a webhook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, FairgateError, PaymentRefusedError
from fairgate.service.shared.change import Write
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture
    from fairgate.service.checkout.settle_payment import PaymentSettler

ASK_S = 3.0  # a page of an order does not wait longer for the provider
ASK_EVERY_S = 5  # for each order, because a provider limits calls a second


class PaymentAsker(Struct, frozen=True):
    """Asks for captures.

    Cost: one write, and one call to the provider a page, at most once in ASK_EVERY_S an order;
    PaymentSettler's and a read if there is a capture.
    """

    settler: PaymentSettler

    def ask(self, order: Order) -> Order:
        """Return the order after asking, or unchanged if nobody could be asked."""
        if order.state != "pending" or not order.pages:
            return order
        try:
            asking = self._noted(order)
            if asking is None:
                return order
            taken = self._taken(asking)
            for capture in taken:
                self.settler.settle_capture(capture)
            return self.settler.table.find(Order, order.key) or order if taken else order
        except FairgateError:
            return order  # its webhook comes, or its end, which asks again

    def _taken(self, order: Order) -> list[Capture]:
        """Ask about every page; an error for one page does not hide the payment of another."""
        captures = []
        for page in order.pages:
            try:
                capture = self.settler.payments.find_capture(page)
            except (DependencyUnavailableError, PaymentRefusedError):
                continue
            if capture is not None:
                captures.append(capture)
        return captures

    def _noted(self, order: Order) -> Order | None:
        """Note that its pages are asked now; None if they were just asked, or need not be."""

        def decide(order: Order) -> Write[Order | None]:
            now_ms = self.settler.clock.now_ms()
            asked_before = order.asked_at > rfc3339(now_ms - ASK_EVERY_S * 1000)
            if order.state != "pending" or asked_before:
                return Write(None)
            after, update = order_changed(order, asked_at=rfc3339(now_ms))
            return Write(after, [update])

        return change_order(self.settler.table, self.settler.clock, order, decide)
