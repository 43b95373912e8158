"""List a buyer's orders by their index, the newest first."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.errors import MalformedInputError
from fairgate.ports.table import Table
from fairgate.service.shared.keys import ORDER, orders_index, own_order_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import Order, OrderInIndex

PAGE_ORDERS = 20


class OrdersPage(Struct, frozen=True):
    """Some of a user's orders, the newest first.

    Attributes:
        after: the last of them if there are older ones; names the next page.
    """

    orders: Sequence[Order]
    after: str = ""


def list_orders(table: Table, user: str, after: str = "") -> OrdersPage:
    """Read a page of the user's orders, of every event and in every state.

    The newest may be missing, because an index lags. Damaged and erased orders are left out.

    Raises MalformedInputError: ``after`` is not an order of this user.

    Cost: a query of the index, an eighth of a read unit for each order there has ever been, and one
    batch of ``PAGE_ORDERS``.
    """
    index = table.query(OrderInIndex, orders_index(user), index=True)
    keys = [entry.key for entry in sorted(index, key=lambda one: one.gsi1_sk, reverse=True)]
    first = 0
    if after:
        last = own_order_key(OrderId(after)) if ORDER_ID.fullmatch(after) else None
        if last not in keys:
            raise MalformedInputError("There is no such place in your orders: begin again.")
        first = keys.index(last) + 1
    page = keys[first : first + PAGE_ORDERS]
    read = find_many_readable(table, Order, page).records if page else []
    more = len(keys) > first + len(page)
    return OrdersPage(
        sorted(
            (order for order in read if not order.erased_at),
            key=lambda order: page.index(order.key),
        ),
        page[-1].sk.removeprefix(ORDER) if more else "",
    )
