"""Give the whole of a cancelled event's orders back, one at a time; each step once.

   order    paid, ticketed ──► cancelled, all of it owed back     in one transaction
   refund   owed ──► sent                                         as any other (refunds.py)
   session  open ──► ended; what its payment page took is settled first, and then given back, too

Whoever is ended between two steps leaves in the tables all that the next one needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.ports.table import TransactionRefusedError
from fairgate.service.checkout.end_checkout import CheckoutEnder
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.keys import refund_prefix, task_id
from fairgate.service.shared.records.orders import OwedRefund, TaskKind

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.checkout.end_checkout import Ending
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order

_TASK: TaskKind = "event-cancelled"


class AllGiver(Struct, frozen=True):
    """Gives a cancelled event's orders back.

    Cost of an order: a query, a read, one TransactWriteItems of 6 + 2n items, a query, and what
    Refunder costs.
    """

    table: Table
    clock: Clock
    payments: Payments

    def decide(self, event: Event, order: Order) -> Order:
        """Return the order as it is once all of it is owed back and its tickets are void.

        Raises:
            WrongStateError: the event is not cancelled.
            DependencyUnavailableError: to be tried again; nothing was lost.
        """
        return OrderCanceller(self.table, self.clock, self.payments).cancel_for_event(event, order)

    def refunds(self, order: Order) -> Sequence[OwedRefund]:
        """Read all that is owed back of an order, sent or not; the newest state of each."""
        return self.table.query(OwedRefund, order.session, refund_prefix(order.order_id))

    def send(self, owed: OwedRefund) -> bool:
        """Send one that waits, and say whether this call did.

        Raises DependencyUnavailableError (ProviderSetupError among them): it is still owed.
        """
        refunder = Refunder(self.table, self.clock, self.payments)
        return refunder.send(owed.pk, owed.order_id, owed.payment_id, owed.part)

    def end(self, session: str) -> Ending:
        """End an open session now. Raises as CheckoutEnder."""
        return CheckoutEnder.of(self.table, self.clock, self.payments).end(session, "cancelled")

    def begun(self, event: str) -> None:
        """Put on the list of tasks that the event's money is going back, until all of it has."""
        what = (
            "Its event is cancelled and not all of its money has gone back: begin again with"
            f" `fairgate event cancel {event} --refund-all`."
        )
        ManualTasks(self.table, self.clock).note(_TASK, what, event=event)

    def ended(self, event: str) -> None:
        """Tick that task off."""
        name = task_id(_TASK, event, "", "", "")
        how = "Everything has been sent; what was refused is a task of its own."
        if tick := ManualTasks(self.table, self.clock).settled(name, how):
            with suppress(TransactionRefusedError):  # somebody else did at the same moment
                self.table.transact(tick)
