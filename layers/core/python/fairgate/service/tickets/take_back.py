"""Give a ticket that was passed on back to its order's buyer, as staff decides after a fraud.

ticket  another's, good ──► void            in one write of the order
        (none)          ──► its buyer's, good
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.errors import NotFoundError, WrongStateError
from fairgate.service.shared.change import Write
from fairgate.service.shared.order_update import change_order
from fairgate.service.shared.records.orders import Order, TicketEntry
from fairgate.service.tickets.hand_over import hand_over
from fairgate.service.tickets.pass_terms import stands_for, ticket_void

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


class TicketTakenBack(Struct, frozen=True):
    """The order, and the buyer's new ticket; "": the buyer had it already."""

    order: Order
    ticket: str


class TicketTaker(Struct, frozen=True):
    """Takes tickets back. Cost: one conditional write; another read after a conflict."""

    table: Table
    clock: Clock

    def take_back(self, order: Order, ticket: str) -> TicketTakenBack:
        """Give the ticket to its order's buyer with a new code; a repetition changes nothing.

        It still counts towards the limit of the person who had it, against trade in tickets.

        Raises as ``to_take_back``; DependencyUnavailableError: the order keeps being changed.
        """

        def decide(order: Order) -> Write[TicketTakenBack]:
            entry = to_take_back(order, ticket)
            if entry is None:
                return Write(TicketTakenBack(order, ""))
            now_ms = self.clock.now_ms()
            done = hand_over(order, entry, order.user_id, order.offer_changes + 1, now_ms)
            return Write(TicketTakenBack(done.order, done.ticket.ticket), [done.update])

        return change_order(self.table, self.clock, order, decide)


def to_take_back(order: Order, ticket: str) -> TicketEntry | None:
    """Return the present ticket of another holder; None if its buyer has it.

    ``ticket``: the id now, or before it was passed on.

    Raises:
        NotFoundError: the order has no such ticket.
        WrongStateError: it is not valid.
    """
    now = stands_for(order, ticket)
    entry = next((one for one in order.tickets if one.ticket == now), None)
    if entry is None:
        raise NotFoundError(f"{order.order_id} has no ticket {ticket}.")
    if order.state != "ticketed":
        detail = f"The order is {order.state}: its tickets admit nobody."
        raise WrongStateError(detail, state=order.state)
    if entry not in order.admitting:
        raise ticket_void()
    return entry if entry.holder else None
