"""Mark an event as cancelled by its organiser, once and for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update
from fairgate.service.shared.records.catalog import Event

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

#   event   on sale or over ──► cancelled      no checkout begins from CATALOG_CACHE_MS later on


def mark_cancelled(table: Table, clock: Clock, event: str) -> Event:
    """Return the cancelled event, cancelled now or by an earlier call. Close its gate before.

    Raises NotFoundError; VersionConflictError: others keep changing the event.
    """

    def decide(sale: Event) -> Write[Event]:
        if sale.cancelled_at:
            return Write(sale)
        now = rfc3339(clock.now_ms())
        cancelled = replace(sale, cancelled_at=now, version=sale.version + 1)
        return Write(cancelled, [event_update(sale, {"cancelledAt": now})])

    return change_event(table, clock, event, decide)
