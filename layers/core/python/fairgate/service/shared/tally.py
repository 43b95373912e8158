"""Count the results of an event's sessions, orders and refunds in their own transactions.

Each function returns one update of a counter. It has no condition, so it refuses nothing, and no
transaction has two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.ports.record import attribute
from fairgate.ports.table import Update
from fairgate.service.shared.keys import tally_key, tally_partitions
from fairgate.service.shared.records.sessions import SalesTally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.payments import PaymentEvent
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import (
        Order,
        OrderUnit,
        OwedRefund,
        RefundProgress,
    )

_MADE = ("pending", "succeeded")  # a refund is on its way, or has arrived


def order_paid(order: Order, payment: PaymentEvent, now_ms: int) -> Update:
    """Count a paid order, and the delay of its webhook if the provider dates it."""
    heard = {"heard": 1, "lag_ms": max(0, now_ms - payment.at_ms)} if payment.at_ms else {}
    sold = _sold(order.units, 1) | {"revenue_minor": order.total_minor}
    return _count(order.event_id, order.order_id, paid=1, **sold, **heard)


def attempt_declined(order: Order) -> Update:
    return _count(order.event_id, order.order_id, declined=1)


def session_ended(event: str, session: str, *, empty: bool, unpaid: bool) -> Update:
    """Count a session that ended without a purchase.

    Args:
        empty: it held nothing. unpaid: an order ended with it.
    """
    return _count(event, session, ended=1, empty=int(empty), unpaid=int(unpaid))


def refund_owed(
    order: Order, amount_minor: int, *, gone: Sequence[OrderUnit] = (), revenue_minor: int = 0
) -> Update:
    """Count a capture, or a part of it, that is owed back. A pending order counts as unpaid.

    Args:
        gone: the units that are no longer sold. revenue_minor: their revenue.
    """
    unpaid = int(order.state == "pending")
    counts = {"owed": int(amount_minor > 0), "owed_minor": amount_minor, "unpaid": unpaid}
    sold = _sold(gone, -1) | {"revenue_minor": -revenue_minor}
    return _count(order.event_id, order.order_id, **counts, **sold)


def refund_moved(owed: OwedRefund, state: RefundProgress) -> list[Update]:
    """Count a refund that is sent or comes back; [] for any other change."""
    change = (state in _MADE) - (owed.state in _MADE)
    if not change:
        return []
    minor = change * owed.amount_minor
    return [_count(owed.event_id, owed.order_id, made=change, made_minor=minor)]


def desk_decided(event: str, user: str, *, locks: bool) -> Update:
    return _count(event, user, **{"locked" if locks else "flagged": 1})


def read_tally(table: Table, event: str) -> SalesTally:
    """Add all counters up. Each is read strongly.

    Raises DamagedItemError: one of them is damaged, so no sum is known.

    Cost: a query for each partition.
    """
    counters = [c for pk in tally_partitions(event) for c in table.query(SalesTally, pk)]
    names = [name for name in SalesTally.__struct_fields__ if name not in ("pk", "sk")]
    sums = {name: sum(getattr(counter, name) for counter in counters) for name in names}
    return SalesTally(*tally_key(event, ""), **sums)


def _sold(units: Sequence[OrderUnit], sign: int) -> dict[str, int]:
    seats = sum(unit.kind == "seat" for unit in units)
    places = sum(unit.places for unit in units if unit.kind == "area")
    return {
        "tickets": sign * sum(unit.places for unit in units),
        "seats": sign * seats,
        "places": sign * places,
    }


def _count(event: str, name: str, **counts: int) -> Update:
    add = {attribute(field): count for field, count in counts.items() if count}
    return Update("reservations", *tally_key(event, name), add=add)
