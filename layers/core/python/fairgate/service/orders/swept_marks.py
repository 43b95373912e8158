"""Read until when an event is swept, and say whether anything can still come due of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import SWEPT_NOT_FURTHER
from fairgate.service.shared.due import minute_of
from fairgate.service.shared.keys import swept_key
from fairgate.service.shared.records.marks import SweptMark

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event

MINUTE_MS = 60_000
QUIET_MS = 86_400_000  # after so long without an entry, a closed event has none to come


def start_ms_of(minute: str) -> int:
    """Return when a minute begins. Raises ValueError."""
    return epoch_ms(f"{minute}:00.000Z")


def created_ms(event: Event, now_ms: int) -> int | None:
    """Return when an event was created; None where that is no time, or one to come."""
    try:
        created = epoch_ms(event.created_at)
    except ValueError:
        return None
    return created if created <= now_ms else None


def find_mark(table: Table, event: str) -> SweptMark | None:
    """Read until when an event is swept. Raises DamagedItemError."""
    mark = table.find(SweptMark, swept_key(event))
    if mark is not None:
        try:
            start_ms_of(mark.minute)
            start_ms_of(mark.busy or mark.minute)
        except ValueError as error:
            raise DamagedItemError(f"A SweptMark is damaged: {error}") from error
    return mark


def begin_anew(table: Table, event: str, start_ms: int) -> SweptMark:
    """Write a mark over another one, so that what is due from then on is looked at."""
    before = minute_of(rfc3339(start_ms - MINUTE_MS))
    mark = SweptMark(*swept_key(event), minute=before)
    table.transact([Put.of(mark, condition="")])  # no condition on damage would hold
    return mark


def remember(table: Table, event: str, minute: str, busy: str) -> None:
    """Note that a minute is swept, unless a run that overlapped got further."""
    mark = Update(
        "reservations",
        *swept_key(event),
        condition=SWEPT_NOT_FURTHER,
        values={"minute": minute},
        set={"minute": minute, "busy": busy, "reached": ""},
    )
    with suppress(TransactionRefusedError):
        table.update(mark)


def at_rest(event: Event, mark: SweptMark) -> bool:
    """Say whether an event had nothing due for so long that nothing is to come.

    A closed one stays closed and opens no session, and sessions are due within hours.
    """
    if event.state != "closed" or not mark.busy:
        return False
    return start_ms_of(mark.minute) - start_ms_of(mark.busy) >= QUIET_MS


def resting_events(table: Table, events: Sequence[Event]) -> set[EventId]:
    """Return those that are at rest. Cost: a read a closed event."""
    return {event.id for event in events if event.state == "closed" and _rests(table, event)}


def _rests(table: Table, event: Event) -> bool:
    try:
        mark = find_mark(table, event.id)
    except DamagedItemError:
        return False  # the sweeper tells of it
    return mark is not None and at_rest(event, mark)
