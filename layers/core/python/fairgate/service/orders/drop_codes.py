"""Drop the codes that older versions stored with tickets; each is signed again when it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.service.shared.change import Write
from fairgate.service.shared.order_update import change_order, order_changed

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.orders import Order


class CodeDropper(Struct, frozen=True):
    """Drops codes. Cost: one conditional write; another read after a conflict."""

    table: Table
    clock: Clock

    def drop(self, order: Order) -> bool:
        """Say whether the order has no code now. One that could not be signed the same stays.

        Raises DependencyUnavailableError: the order keeps being changed.
        """

        def decide(order: Order) -> Write[bool]:
            after, update = order_changed(order)
            dropped = [] if after.tickets == order.tickets else [update]
            return Write(not has_codes(after), dropped)

        return change_order(self.table, self.clock, order, decide)


def has_codes(order: Order) -> bool:
    return any(entry.code for entry in order.tickets)
