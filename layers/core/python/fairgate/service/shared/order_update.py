"""Change an order, which many write: each write needs the version that was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from fairgate.errors import NotFoundError
from fairgate.ports.table import Update
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import ORDER_AS_READ
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")


def change_order(
    table: Table, clock: Clock, order: Order, decide: Callable[[Order], Write[Done]]
) -> Done:
    """Write what ``decide`` makes of the order, and return its result (``change``).

    Args:
        order: as the caller has just read it.

    Raises NotFoundError; DependencyUnavailableError: others keep changing the order.
    """
    return change(table, clock, lambda: read_again(table, order), decide, seen=order)


def read_again(table: Table, order: Order) -> Order:
    """Read an order again. Raises NotFoundError, also if it belongs to another user now."""
    current = table.find(Order, order.key)
    if current is None or current.user_id != order.user_id:
        raise NotFoundError("There is no such order.")
    return current


def order_changed(order: Order, **fields: Any) -> tuple[Order, Update]:
    """Return the order with these fields, and the write for it.

    The write is refused if the order has changed since it was read, or belongs to another user.
    Every write of an order is made here, advances its version, and drops the codes of its tickets.
    """
    after = msgspec.structs.replace(order, **fields, version=order.version + 1)
    if any(entry.code for entry in after.tickets):
        from fairgate.service.shared.ticket_codes import without_codes

        after = msgspec.structs.replace(after, tickets=without_codes(after))
    names = zip(Order.__struct_fields__, Order.__struct_encode_fields__, strict=True)
    changes = {
        attribute: msgspec.to_builtins(getattr(after, field))
        for field, attribute in names
        if getattr(after, field) != getattr(order, field)
    }
    values = {"user": order.user_id, "version": order.version}
    return after, Update(
        "reservations", *order.key, condition=ORDER_AS_READ, values=values, set=changes
    )
