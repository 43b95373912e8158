"""Count double bookings, which must stay zero: units of a paid order that are not its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.shared.keys import seat_key
from fairgate.service.shared.records.seats import SeatRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import Order


def double_bookings(table: Table, order: Order) -> int:
    """Count the seats of an order just paid that do not stand as sold to its session.

    The transaction that made it paid has written them; so this looks at what is, and trusts no
    condition. Cost: one BatchGetItem. Raises DependencyUnavailableError.
    """
    keys = [seat_key(order.event_id, unit.seat) for unit in order.units if unit.kind == "seat"]
    if not keys:
        return 0
    seats = table.find_many(SeatRecord, keys)
    ours = [s for s in seats if s.availability == "reserved" and s.session_id == order.session]
    return len(keys) - len(ours)
