"""Find the orders that an event has sold lately, in its list of due sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.deadline import require_left
from fairgate.domain.orders.order import DELAY_MAX_S
from fairgate.domain.shared.times import rfc3339
from fairgate.service.books.books import STOP_S
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.failures import Failure
from fairgate.service.shared.keys import order_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.orders import Order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fairgate.ports.record import Key
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event

SOLD = ("paid", "ticketed")
_READ_TOGETHER = 100  # BatchGetItem's limit
_MINUTE_MS = 60_000


class SaleWindow(Struct, frozen=True):
    """The time in which an event can have sold something, as far as that is known.

    ``checkout_ms`` is the shortest and the longest checkout.
    """

    event: str
    opened_at: str = ""
    checkout_ms: tuple[int, int] | None = None

    @classmethod
    def of(cls, event: Event) -> SaleWindow:
        """Build it from the event, whose time to pay never changes; a turn may come later."""
        longest_s = event.checkout_s + DELAY_MAX_S
        return cls(event.id, event.sale_starts_at, (event.checkout_s * 1000, longest_s * 1000))


def sold_orders(
    table: Table,
    event: str,
    start_ms: int,
    until_ms: int,
    *,
    checkout_ms: tuple[int, int],
    failures: list[Failure],
) -> Iterator[Order]:
    """List the orders begun from ``start_ms`` on and paid until ``until_ms``.

    An order is due at its checkout's end.

    Args:
        checkout_ms: the shortest and the longest that a checkout of the event may take.
        failures: collects the damaged items.

    Raises DependencyUnavailableError, also if the run has no time left.

    Cost: four queries for each minute of the window and of the difference between checkouts; a
    hundredth of a read for each order.
    """
    shortest_ms, longest_ms = checkout_ms
    keys: list[Key] = []
    damaged: list[Key] = []
    first_ms = start_ms + shortest_ms
    for at_ms in range(first_ms - first_ms % _MINUTE_MS, until_ms + longest_ms + 1, _MINUTE_MS):
        require_left(STOP_S)
        due = due_entries(table, event, minute_of(rfc3339(at_ms)))
        damaged += due.damaged
        keys += [
            order_key(entry.session_id, entry.order_id)
            for entry in due.records
            if entry.order_id and entry.payment_id is None
        ]
    keys = list(dict.fromkeys(keys))  # an order that was put off is due twice
    since, until = rfc3339(start_ms), rfc3339(until_ms)
    for start in range(0, len(keys), _READ_TOGETHER):
        read = find_many_readable(table, Order, keys[start : start + _READ_TOGETHER])
        damaged += read.damaged
        for order in read.records:
            if order.state in SOLD and order.created_at >= since and order.paid_at <= until:
                yield order
    failures += [Failure(f"{event}: {key.sk}", "DamagedItemError", "") for key in damaged]
