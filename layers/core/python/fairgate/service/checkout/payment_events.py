"""Pass each event of the payment provider to the use-case of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import DependencyUnavailableError
from fairgate.service.checkout.settle_payment import PaymentSettler, Settlement
from fairgate.service.refunds.disputes import DisputeKeeper
from fairgate.service.refunds.refunds import Refunder

if TYPE_CHECKING:
    from fairgate.ports.payments import PaymentEvent, Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


class PaymentEvents(Struct, frozen=True):
    """Applies verified webhook events: at least once, in any order, with one effect."""

    table: Table
    clock: Clock
    payments: Payments

    def apply(self, event: PaymentEvent) -> Settlement:
        """Apply one event.

        Raises:
            DependencyUnavailableError: not done yet; the provider will deliver it again.
        """
        if event.kind == "refunded" and event.refund is not None:
            heard = Refunder(self.table, self.clock, self.payments).heard(event.refund)
        elif event.kind == "disputed" and event.dispute is not None:
            heard = DisputeKeeper(self.table, self.clock, self.payments).heard(event.dispute)
        else:
            return PaymentSettler(self.table, self.clock, self.payments).settle(event)
        if heard == "unsettled":
            raise DependencyUnavailableError(
                "Its payment is not known yet; please send this again.", retry_after_s=60
            )
        return heard
