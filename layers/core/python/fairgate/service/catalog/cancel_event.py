"""Write down that an event is cancelled by its organiser: once, and for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, VersionConflictError
from fairgate.ports.table import TransactionRefusedError
from fairgate.service.shared.event_update import event_update
from fairgate.service.shared.keys import event_key
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 4

#   event   on sale or over ──► cancelled      no checkout begins from CATALOG_CACHE_MS later on


def mark_cancelled(table: Table, clock: Clock, event: str) -> Event:
    """Return the event as it is cancelled: since now, or since an earlier call.

    Its gate is closed before: whoever looks sees one or the other.

    Raises NotFoundError; VersionConflictError: the event keeps being changed by others.
    """
    for _ in range(_ATTEMPTS_MAX):
        sale = table.find(Event, event_key(event))
        if sale is None:
            raise NotFoundError(f"There is no event {event}. `event list` shows what there is.")
        if sale.cancelled_at:
            return sale
        try:
            table.update(event_update(sale, {"cancelledAt": rfc3339(clock.now_ms())}))
        except TransactionRefusedError:
            continue
    raise VersionConflictError(f"Others keep changing {event}. Please try again.")
