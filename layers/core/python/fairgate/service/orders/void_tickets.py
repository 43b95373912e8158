"""Make tickets void for good without a refund, as staff decides.

ticket  valid ──► void     in one write of the order; its place stays sold
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.service.shared.change import Write
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order, VoidTicket

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

# A dispute that is won makes its tickets valid again, so these can be made void too.
_VOIDABLE = ("ticketed", "disputed", "charged_back")
_ENDED = ("cancelled", "refunded")  # with all their tickets, for good


class TicketsVoided(Struct, frozen=True):
    """The order, and the tickets that this call made void; none: they were void before."""

    order: Order
    tickets: Sequence[str]


class TicketVoider(Struct, frozen=True):
    """Makes tickets void. Cost: one conditional write; another read after a conflict."""

    table: Table
    clock: Clock

    def void(self, order: Order, ticket: str = "") -> TicketsVoided:
        """Make all tickets of the order void, or the named one; a repetition changes nothing.

        Raises:
            NotFoundError: the order has no such ticket.
            WrongStateError: it has no tickets.
            DependencyUnavailableError: it keeps being changed; nothing was written.
        """

        def decide(order: Order) -> Write[TicketsVoided]:
            tickets = still_good(order, ticket)
            if not tickets:
                return Write(TicketsVoided(order, ()))
            now = rfc3339(self.clock.now_ms())
            voided = [*order.voided, *(VoidTicket(ticket=one, at=now) for one in tickets)]
            after, update = order_changed(order, voided=voided, updated_at=now)
            return Write(TicketsVoided(after, tickets), [update])

        return change_order(self.table, self.clock, order, decide)


def still_good(order: Order, ticket: str = "") -> list[str]:
    """Return the tickets to make void: all of the order, or the named one.

    None if they are void for good already: made void, given back, passed on, or of an ended order.

    Raises NotFoundError, WrongStateError.
    """
    gone = [one for place in order.returned for one in place.tickets]
    gone += [one.ticket for one in order.passed]
    if ticket and ticket not in [*gone, *(entry.ticket for entry in order.tickets)]:
        raise NotFoundError(f"{order.order_id} has no ticket {ticket}.")
    if order.state in _ENDED or ticket in gone:
        return []
    if order.state not in _VOIDABLE or not order.tickets:
        detail = f"The order is {order.state}: it has no tickets."
        raise WrongStateError(detail, state=order.state)
    return [entry.ticket for entry in order.admitting if ticket in ("", entry.ticket)]
