"""Make tickets void without money going back: what staff decides, for good.

ticket  admits ──► void     in one write of the order; its place stays sold
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import (
    AND_MOVES_AS_READ,
    AND_VOID_AS_READ,
    USERS_ORDER_AND_PARTS_AS_READ,
)
from fairgate.service.shared.idempotency import under_way
from fairgate.service.shared.records.orders import Order, VoidTicket

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 4
# A bank that gives up makes a disputed order's tickets good again: they can be made void, too.
_VOIDABLE = ("ticketed", "disputed", "charged_back")
_ENDED = ("cancelled", "refunded")  # with all their tickets, for good


class TicketsVoided(Struct, frozen=True):
    """The order, and those of its tickets that this call made void; none: they were before."""

    order: Order
    tickets: Sequence[str]


class TicketVoider(Struct, frozen=True):
    """Makes tickets void. Cost: one conditional write; a read more where another was first."""

    table: Table
    clock: Clock

    def void(self, order: Order, ticket: str = "") -> TicketsVoided:
        """Leave all tickets of the order void, or the one that is named; again changes nothing.

        Raises:
            NotFoundError: the order has no such ticket.
            WrongStateError: it has no tickets.
            DependencyUnavailableError: it keeps being changed; nothing was written.
        """
        for _ in range(_ATTEMPTS_MAX):
            tickets = still_good(order, ticket)
            if not tickets:
                return TicketsVoided(order, ())
            now = rfc3339(self.clock.now_ms())
            voided = [*order.voided, *(VoidTicket(ticket=one, at=now) for one in tickets)]
            if self._commit(order, voided, now):
                done = msgspec.structs.replace(order, voided=voided, updated_at=now)
                return TicketsVoided(done, tickets)
            current = self.table.find(Order, order.key)
            if current is None or current.user_id != order.user_id:
                raise NotFoundError("There is no such order.")
            order = current
        raise under_way()

    def _commit(self, order: Order, voided: Sequence[VoidTicket], now: str) -> bool:
        """Write it; False where something of the order has changed since it was read."""
        try:
            self.table.update(
                Update(
                    "reservations",
                    *order.key,
                    condition=USERS_ORDER_AND_PARTS_AS_READ + AND_VOID_AS_READ + AND_MOVES_AS_READ,
                    values={
                        "state": order.state,
                        "user": order.user_id,
                        "parts": order.parts,
                        "voided": [one.as_map() for one in order.voided],
                        "moves": order.moves,
                    },
                    set={"voided": [one.as_map() for one in voided], "updatedAt": now},
                )
            )
        except TransactionRefusedError:
            return False
        return True


def still_good(order: Order, ticket: str = "") -> list[str]:
    """Return which tickets are to be made void: all of the order, or the one that is named.

    None where they are void for good already: made so, given back, passed on, or of an order that
    ended.

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
