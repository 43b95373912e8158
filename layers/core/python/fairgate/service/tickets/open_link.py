"""Show what a link opens: the orders of its mailbox, and the tickets of one of them.

It only reads. The order itself, strongly read, has to name the mailbox, so an order whose address
was erased is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, Mailbox, OrderId
from fairgate.domain.tickets.ticket import Sign, TicketFace
from fairgate.errors import NotFoundError
from fairgate.ports.table import Table
from fairgate.service.shared.keys import event_key, own_order_key
from fairgate.service.shared.mailbox_keys import mailbox_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import face_of, faces_of, require_valid_tickets

ORDERS_MAX = 50


class FoundOrders(Struct, frozen=True):
    """The newest orders of a mailbox, the newest first; ``older``: there are more than these."""

    orders: Sequence[Order]
    older: bool


def find_orders(table: Table, mailbox: Mailbox) -> FoundOrders:
    """Read the paid orders, in any later state; a damaged one is left out.

    Consistency: strong. Cost: a query and one batch.
    """
    entries = table.query(MailboxOrder, mailbox_key(mailbox), "ord_")[::-1]  # ids grow with time
    keys = [own_order_key(entry.order_id) for entry in entries[:ORDERS_MAX]]
    read = find_many_readable(table, Order, keys).records if keys else []
    ours = [order for order in read if order.mailbox == mailbox]
    ours.sort(key=lambda order: keys.index(order.key))
    return FoundOrders(ours, older=len(entries) > ORDERS_MAX)


def found_tickets(table: Table, sign: Sign, mailbox: Mailbox, order: str) -> list[TicketFace]:
    """Read every ticket of one of the mailbox's orders.

    Raises:
        NotFoundError: no such order, or another mailbox's.
        WrongStateError: the order has no valid tickets.

    Consistency: strong. Cost: two reads.
    """
    own, event = _found(table, mailbox, order)
    return faces_of(own, event, sign)


def found_ticket(
    table: Table, sign: Sign, mailbox: Mailbox, order: str, unit: int | None
) -> TicketFace:
    """Read one of them. Raises as ``found_tickets``; NotFoundError also for a unit not in it."""
    own, event = _found(table, mailbox, order)
    return face_of(own, event, sign, unit)


def _found(table: Table, mailbox: Mailbox, order: str) -> tuple[Order, Event | None]:
    own = table.find(Order, own_order_key(OrderId(order))) if ORDER_ID.fullmatch(order) else None
    if own is None or own.mailbox != mailbox:
        raise NotFoundError("This link opens no such order.")
    require_valid_tickets(own)
    return own, table.find(Event, event_key(own.event_id))
