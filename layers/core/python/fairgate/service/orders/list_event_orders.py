"""List an event's orders by their index, the oldest first, a part at a time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice

from fairgate.domain.orders.find_words import have_words
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
PAGE_ENTRIES = 2_000  # of each partition of the index, held in memory at once


def event_orders(
    table: Table,
    event: str,
    *,
    email: str = "",
    state: OrderState | None = None,
    words: Sequence[str] = (),
    after: str = "",
) -> Iterator[Readable[Order]]:
    """Yield the orders of an event, up to ``TOGETHER`` at a time.

    The newest may be missing, because an index lags. A damaged one is named by its key.

    Args:
        email: only those of this address, in any case.
        state: only those in this state.
        words: only those that have all of them, as ``domain/orders/find_words.py`` says.
        after: begin behind this ``Readable.after``.

    Cost: some 0.02 read units for each order of the event, in the index, and one for each 4 KB of
    every order that is read; with ``email`` only one in 65,536 of the others is read.
    """
    tag = email_tag(email) if email else ""
    wanted = _email(email)
    entries = _entries(table, event, tag, after)
    while part := list(islice(entries, TOGETHER)):
        some = [own_order_key(order_named_in(entry)[0]) for entry in part]
        read = find_many_readable(table, Order, some)
        place = {key: number for number, key in enumerate(some)}
        orders = [
            order
            for order in sorted(read.records, key=lambda order: place[order.key])
            if (not wanted or _email(order.email) == wanted)
            and (state is None or order.state == state)
            and have_words(_texts(order), words)
        ]
        behind = part[-1] if len(part) == TOGETHER else ""
        yield Readable(orders, read.damaged, behind, looked_at=len(part))


def of_address(table: Table, event: str, email: str) -> Iterator[Key]:
    """Return the ids of orders that may have this address: by 16 bits of its hash.

    Orders whose address was erased are included.
    """
    for entry in _entries(table, event, email_tag(email)):
        yield own_order_key(order_named_in(entry)[0])


def _texts(order: Order) -> Iterator[str]:
    """Yield what a buyer, or a mail, may say of an order."""
    yield from (order.order_id, order.user_id, order.email, order.payment_id or "")
    yield from (entry.ticket for entry in order.tickets)
    yield from (one.ticket for one in order.voided)
    for unit in order.units:
        yield from (unit.label, unit.seat, unit.tier)
    if order.postal_address:
        yield from order.postal_address.lines


def _email(email: str) -> str:
    return email.strip().lower()


def _entries(table: Table, event: str, tag: str, after: str = "") -> Iterator[str]:
    """Yield the sort keys that name orders from all of the event's partitions, by time."""
    entries = heapq.merge(*(_partition(table, pk, after) for pk in event_orders_indexes(event)))
    return (entry for entry in entries if not tag or order_named_in(entry)[1] == tag)


def _partition(table: Table, pk: str, after: str) -> Iterator[str]:
    """Return the rest of a page."""
    page: Sequence[OrderOfEvent]
    for page in table.pages(OrderOfEvent, pk, size=PAGE_ENTRIES, after=after, index=True):
        yield from [entry.gsi1_sk for entry in page]
