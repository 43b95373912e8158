"""Count double bookings, which must stay zero: seats of a paid order that others have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.ports.record import Key
from fairgate.service.shared.keys import seat_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.seats import SeatRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import Order


class Bookings(Struct, frozen=True):
    """How many seats of an order others have, and the keys of damaged seats."""

    doubled: int
    damaged: Sequence[Key]


def look_at_bookings(table: Table, order: Order) -> Bookings:
    """Check that the seats of an order that was just paid are sold to its session.

    The transaction that paid it has conditions for that; this checks the result. Cost: one
    BatchGetItem; two if a seat is damaged. Raises DependencyUnavailableError.
    """
    keys = [seat_key(order.event_id, unit.seat) for unit in order.units if unit.kind == "seat"]
    if not keys:
        return Bookings(0, ())
    seats = find_many_readable(table, SeatRecord, keys)
    ours = [
        seat
        for seat in seats.records
        if seat.availability == "reserved" and seat.session_id == order.session
    ]
    return Bookings(len(keys) - len(ours) - len(seats.damaged), seats.damaged)
