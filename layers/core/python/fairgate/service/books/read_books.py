"""Read the comparison's cursor, and our side of many captures at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.times import epoch_ms
from fairgate.ports.record import DamagedItemError
from fairgate.request_ids import take_up
from fairgate.service.shared.failures import Failure
from fairgate.service.shared.keys import own_order_key, reconciled_key, refund_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.cursors import ReconcileCursor
from fairgate.service.shared.records.orders import Order, OwedRefund

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.ports.payments import Capture
    from fairgate.ports.table import Table

TOGETHER = 100  # BatchGetItem's limit


class OurBooks(Struct, frozen=True):
    """What the table knows of some captures."""

    orders: Mapping[str, Order]
    refunds: Mapping[tuple[str, str], OwedRefund]  # by order and payment


def read_cursor(table: Table) -> tuple[int | None, Failure | None]:
    """Read until when all is compared, None if unknown, and the damage of the cursor."""
    try:
        cursor = table.find(ReconcileCursor, reconciled_key())
        return (None if cursor is None else epoch_ms(cursor.until)), None
    except (DamagedItemError, ValueError):
        return None, Failure("the cursor of what is compared", "DamagedItemError", "")


def read_books(table: Table, captures: Sequence[Capture]) -> OurBooks:
    """Read orders, then refunds; an order with a damaged item is left out.

    In this order a cancelled order is never read without the refund of the same transaction.

    Cost: two batches for up to a hundred captures.
    """
    known = {(c.order, c.payment) for c in captures if ORDER_ID.fullmatch(c.order)}
    of_orders = {own_order_key(OrderId(order)) for order, _ in known}
    of_refunds = {
        refund_key(session_of_order(OrderId(order)), order, payment) for order, payment in known
    }
    orders = find_many_readable(table, Order, sorted(of_orders))
    refunds = find_many_readable(table, OwedRefund, sorted(of_refunds))
    damaged = {key.pk for key in refunds.damaged}
    return OurBooks(
        {order.order_id: order for order in orders.records if order.pk not in damaged},
        {(owed.order_id, owed.payment_id): owed for owed in refunds.records},
    )


def find_order(table: Table, order: str) -> Order | None:
    """Read an order strongly and log with its correlation id; None for a text that names none."""
    if not ORDER_ID.fullmatch(order):
        return None
    record = table.find(Order, own_order_key(OrderId(order)))
    take_up("" if record is None else record.correlation_id)
    return record


def asks_provider(capture: Capture, owed: OwedRefund | None) -> bool:
    """Say whether a comparison has to ask the provider again."""
    if owed is not None and owed.state == "pending":
        return True
    in_part = 0 < capture.refunded_minor < capture.amount_minor
    return in_part or (owed is None and capture.refunded_minor > 0)
