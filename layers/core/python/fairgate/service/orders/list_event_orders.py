"""List an event's orders by their index, the oldest first, without ever holding all of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice

from fairgate.domain.orders.order import OrderState
from fairgate.ports.record import Key
from fairgate.ports.table import Table
from fairgate.service.shared.keys import (
    email_tag,
    event_orders_indexes,
    order_named_in,
    own_order_key,
)
from fairgate.service.shared.readable import Readable, find_many_readable
from fairgate.service.shared.records.orders import Order, OrderOfEvent

TOGETHER = 100  # orders that are read at once: BatchGetItem's limit
PAGE_ENTRIES = 2_000  # of each partition of the index, held while the orders they name are read


def event_orders(
    table: Table, event: str, *, email: str = "", state: OrderState | None = None
) -> Iterator[Readable[Order]]:
    """Read the orders of an event, up to ``TOGETHER`` whenever the next are asked for.

    Each is as it is when it is read; one that was made in the last moment may be missing, as
    indexes lag. What is damaged is named by its key instead.

    Args:
        email: only those of this address, in capital letters or small ones.
        state: only those in this state.

    Cost: some 0.02 read units for each order of the event, in the index; and one for each 4 KB of
    every order that is read: with ``email`` only of those whose address has the same mark, one in
    65,536 of the others.
    """
    tag = email_tag(email) if email else ""
    wanted = _email(email)
    keys = _keys(table, event, tag)
    while some := list(islice(keys, TOGETHER)):
        read = find_many_readable(table, Order, some)
        place = {key: number for number, key in enumerate(some)}
        orders = [
            order
            for order in sorted(read.records, key=lambda order: place[order.key])
            if (not wanted or _email(order.email) == wanted)
            and (state is None or order.state == state)
        ]
        yield Readable(orders, read.damaged)


def of_address(table: Table, event: str, email: str) -> Iterator[Key]:
    """Name the orders of the event whose address may be this one: by 16 bits of its hash.

    An order that was erased is among them, though its address is not there any more.
    """
    yield from _keys(table, event, email_tag(email))


def _email(email: str) -> str:
    return email.strip().lower()


def _keys(table: Table, event: str, tag: str) -> Iterator[Key]:
    """Name the orders of all of the event's partitions in the order of their time."""
    entries = heapq.merge(*(_partition(table, pk) for pk in event_orders_indexes(event)))
    for entry in entries:
        order, its_tag = order_named_in(entry)
        if not tag or its_tag == tag:
            yield own_order_key(order)


def _partition(table: Table, pk: str) -> Iterator[str]:
    """Keep of a page only what is to come of it."""
    page: Sequence[OrderOfEvent]
    for page in table.pages(OrderOfEvent, pk, size=PAGE_ENTRIES, index=True):
        yield from [entry.gsi1_sk for entry in page]
