"""Count the places of an event that go to one postal address or card, whatever the accounts.

The count is written in the transaction that takes or frees the places, so it is exact at every
moment; with a condition on it, no two checkouts pass the limit together. It is kept under a keyed
hash, which is another one in every event.

pending order ──► + its places, if the limit allows       paid: they stay
ended unpaid, refunded, cancelled, erased ──► − its places
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import epoch_ms
from fairgate.ports.table import Update
from fairgate.service.shared.conditions import SHARED_COUNT_ALLOWS
from fairgate.service.shared.keys import shared_count_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Order

# The states of an order whose places are counted, as they are for its user's limit.
COUNTED = ("pending", "paid", "ticketed", "disputed", "charged_back")
CARD = "c."  # how the tags of cards begin; those of addresses: domain.orders.postal_address
_KEPT_S = 30 * 86_400  # after the performance; orders are cancelled and refunded until then
_UNDATED_S = 366 * 86_400  # after the order, where the event has no date


def places_counted(order: Order, tag: str, limit: int) -> Update:
    """Return the write that counts the order's places, refused if they pass the limit."""
    return Update(
        "reservations",
        *shared_count_key(order.event_id, tag),
        condition=SHARED_COUNT_ALLOWS,
        values={"room": limit - order.places},
        set={"ttl": _ttl(order)},
        add={"places": order.places},
    )


def places_uncounted(order: Order, places: int, tags: Sequence[str] | None = None) -> list[Update]:
    """Return the writes that take so many of the order's places from what is counted.

    Args:
        tags: from these counts alone; None: from all of the order's.
    """
    return [
        Update(
            "reservations",
            *shared_count_key(order.event_id, tag),
            set={"ttl": _ttl(order)},
            add={"places": -places},
        )
        for tag in (order.counted_by if tags is None else tags)
    ]


def kept_until_s(starts_at: str, created_at: str) -> int:
    """Return until when the counts of an order are kept. ``starts_at``: its event's; "": none."""
    if starts_at:
        return epoch_ms(starts_at) // 1000 + _KEPT_S
    return epoch_ms(created_at) // 1000 + _UNDATED_S


def _ttl(order: Order) -> int:
    return kept_until_s(order.starts_at, order.created_at)
