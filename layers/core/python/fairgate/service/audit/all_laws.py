"""List every law that stored items keep, in a stable order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.service.audit import (
    ledger,
    orders,
    payments,
    refunds,
    seats,
    sessions,
    tally,
    tickets,
)
from fairgate.service.audit.law import Law, law

if TYPE_CHECKING:
    from fairgate.service.audit.law import Found
    from fairgate.service.audit.snapshot import Snapshot


@law("Restore the item from the table's backup, or repair it by hand.", "delivered")
def data(seen: Snapshot) -> Found:
    """Every item is of a known kind and has its attributes, of their types, and no other."""
    yield from seen.unreadable()


LAWS: tuple[Law, ...] = (
    data,
    *(
        one
        for module in (seats, sessions, orders, tickets, payments, refunds, ledger, tally)
        for one in vars(module).values()
        if isinstance(one, Law)
    ),
)
