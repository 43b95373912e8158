"""Compare every live hold and sold order of an event with its seats and the counters of its areas.

A read while the sale goes on is no transaction, so what looks wrong is read again with the items
that it concerns. What is wrong both times while its seat has not changed is a violation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.service.audit import seats as about
from fairgate.service.audit.law import Law, Violation, violations
from fairgate.service.audit.read_inventory import InventoryReader

if TYPE_CHECKING:
    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.audit.read_inventory import Inventory
    from fairgate.service.shared.records.catalog import Event

# What two buyers may have: the alarm DoubleBooking counts these.
DOUBLES = (about.two_live_holds, about.sold_twice, about.order_without_seat)
_OF_AN_AREA = (about.area_bounds, about.area_balance, about.area_capacity)
# Seats that nobody has or can buy, and counters that sell too much or too little.
LOSSES = (
    about.reserved_without_order,
    about.locked_without_hold,
    about.hold_without_lock,
    *_OF_AN_AREA,
)
LAWS = (*DOUBLES, *LOSSES)
_OF_A_SEAT = tuple(law for law in LAWS if law not in _OF_AN_AREA)
LOOKS = 3  # at a seat that changes each time; then the next run decides


class Compared(Struct, frozen=True):
    """The result for one event.

    Attributes:
        broken: what breaks a law, in a stable order.
        undecided: things that changed at each look, and are left to the next run.
        damaged: keys of items that cannot be read.
    """

    event: str
    broken: Sequence[Violation]
    undecided: int
    damaged: Sequence[Key]

    def count(self, laws: Iterable[Law]) -> int:
        """Count the seats, orders and counters that break one of these laws."""
        names = {law.name for law in laws}
        return len({one.thing for one in self.broken if one.law in names})


def compare_inventory(table: Table, clock: Clock, event: Event) -> Compared:
    """Compare one event; the cost is that of ``InventoryReader.whole``.

    Raises DependencyUnavailableError.
    """
    reader = InventoryReader(table, clock, event)
    seen = reader.whole()
    suspects = violations(seen.snapshot, _OF_A_SEAT)
    broken = violations(seen.snapshot, _OF_AN_AREA)
    for _ in range(LOOKS):
        if not suspects:
            break
        found, suspects = _looked_at(reader, seen, suspects)
        broken += found
    return Compared(event.id, sorted(set(broken)), len(suspects), sorted(seen.damaged))


def _looked_at(
    reader: InventoryReader, seen: Inventory, suspects: Sequence[Violation]
) -> tuple[list[Violation], list[Violation]]:
    """Return what is surely broken, and what has to be looked at again."""
    seats = {one.thing: seen.seats_of(one.thing) for one in suspects}
    wanted = set().union(*seats.values())
    claims = {session for seat in wanted for session in seen.claims.get(seat, ())}
    near, moved = reader.near(wanted, claims)
    unreadable = {key.pk for key in near.damaged}
    names = {(one.law, one.thing) for one in suspects}
    found = [
        one
        for one in violations(near.snapshot, _OF_A_SEAT)
        if (one.law, one.thing) in names and not seats[one.thing] & (moved | unreadable)
    ]
    return found, [one for one in suspects if seats[one.thing] & moved]
