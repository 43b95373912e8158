"""Keep an event's last change until all ticket holders have been told of it.

event edited, with the change in the same write ──► mails queued, one for each order ──► told
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.service.shared.change import Write
from fairgate.service.shared.event_update import change_event, event_update
from fairgate.service.shared.records.catalog import Event, LastChange

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

TOLD = ("name", "artist", "starts_at", "time_zone", "venue_name", "venue_address")


def is_told(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Say whether ticket holders are to be told of a change."""
    return any(before.get(name) != after.get(name) for name in TOLD)


def last_change(sale: Event, now_ms: int) -> LastChange:
    """Return the change that is about to be written, with the event as ticket holders know it.

    If not everybody was told of the change before, this one includes it.
    """
    untold = untold_change(sale)
    known = sale if untold is None else untold
    return LastChange(
        number=sale.version + 1,
        at=rfc3339(now_ms),
        name=known.name,
        artist=known.artist,
        starts_at=known.starts_at,
        time_zone=known.time_zone,
        venue_name=known.venue_name,
        venue_address=known.venue_address,
    )


def untold_change(sale: Event) -> LastChange | None:
    """Return the change that not everybody was told of yet; None: there is none."""
    change = sale.last_change
    return None if change is None or change.told_at else change


def mark_told(table: Table, clock: Clock, event: str, number: int) -> bool:
    """Note that all mails about a change are queued; return False if another change followed.

    Raises NotFoundError; VersionConflictError: others keep changing the event. Telling again does
    no harm.
    """

    def decide(sale: Event) -> Write[bool]:
        untold = untold_change(sale)
        if untold is None or untold.number != number:
            return Write(done=False)
        as_told = untold.as_map() | {"toldAt": rfc3339(clock.now_ms())}
        return Write(done=True, actions=[event_update(sale, {"lastChange": as_told})])

    return change_event(table, clock, event, decide)
