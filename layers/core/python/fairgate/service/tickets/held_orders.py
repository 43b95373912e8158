"""Read other buyers' orders of which an account has, or had, a ticket."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.errors import NotFoundError
from fairgate.request_ids import follow
from fairgate.service.shared.keys import HELD, own_order_key, user_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import HeldOrder, Order
from fairgate.service.tickets.issue_tickets import concerns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Table

HELD_MAX = 50


def held_orders(table: Table, user: str) -> Sequence[Order]:
    """List those orders, at most ``HELD_MAX``, the newest ticket first.

    Consistency: strong. Cost: a query of all such tickets ever, and one batch.
    """
    listed = table.query(HeldOrder, user_key(user), HELD)
    newest = sorted(listed, key=lambda held: held.at, reverse=True)[:HELD_MAX]
    keys = [own_order_key(held.order_id) for held in newest]
    orders = find_many_readable(table, Order, keys).records if keys else []
    return sorted(orders, key=lambda order: keys.index(order.key))


def read_holders_order(table: Table, order_id: str, user: str) -> Order:
    """Read an order of which the user has or had a ticket, strongly. Raises NotFoundError."""
    order = None
    if ORDER_ID.fullmatch(order_id):
        order = table.find(Order, own_order_key(OrderId(order_id)))
    if order is None or not concerns(order, user):
        raise NotFoundError("There is no such order.")
    follow(order.correlation_id)
    return order
