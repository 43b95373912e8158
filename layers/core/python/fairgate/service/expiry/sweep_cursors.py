"""Keep how far the sweep of an event got, and say whether anything can still come due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Put, TransactionRefusedError, Update
from fairgate.service.shared.conditions import SWEPT_NOT_FURTHER
from fairgate.service.shared.due import KEPT_S, minute_of
from fairgate.service.shared.keys import swept_key
from fairgate.service.shared.records.cursors import SweepCursor

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.catalog.read_catalog import Catalog
    from fairgate.service.shared.records.catalog import Event

MINUTE_MS = 60_000
GRACE_S = 30  # after its minute is over, so that the delayed message can come first
MINUTES_MAX = 120  # in one run: after an outage it catches up two hours a minute
REFUNDS_LOOK_BACK_MS = KEPT_S * 1000  # without a cursor: older entries are deleted
# No outage is longer. A cursor from a clock that was years behind would cost months of minutes.
CURSOR_AGE_MAX_MS = 31 * 86_400_000
QUIET_MS = 86_400_000  # after so long without an entry, a closed event gets none any more


def start_ms_of(minute: str) -> int:
    """Return when a minute begins. Raises ValueError."""
    return epoch_ms(f"{minute}:00.000Z")


def _require_minute(text: str) -> None:
    """Raise ValueError unless the time has the usual form: cursors are compared as texts."""
    if minute_of(rfc3339(start_ms_of(text))) != text:
        raise ValueError(f"{text!r} is a minute in another form")


def created_ms(event: Event, now_ms: int) -> int | None:
    """Return when an event was created; None if that is no time, or in the future."""
    try:
        created = epoch_ms(event.created_at)
    except ValueError:
        return None
    return created if created <= now_ms else None


def find_cursor(table: Table, event: str) -> SweepCursor | None:
    """Read until when an event is swept. Raises DamagedItemError."""
    cursor = table.find(SweepCursor, swept_key(event))
    if cursor is not None:
        try:
            _require_minute(cursor.minute)
            _require_minute(cursor.busy or cursor.minute)
        except ValueError as error:
            raise DamagedItemError(f"A SweepCursor is damaged: {error}") from error
    return cursor


def first_refund_ms(catalog: Catalog, now_ms: int) -> int:
    """Say when a refund may have come due first; nothing was sold before the first event."""
    created = [created_ms(event, now_ms) for event in catalog.events]
    known = [created_at for created_at in created if created_at is not None]
    nobody_knows = catalog.damaged or catalog.left_out or len(known) < len(created)
    return max(0 if nobody_knows else min(known, default=now_ms), now_ms - REFUNDS_LOOK_BACK_MS)


def minutes_due(cursor: SweepCursor | None, start_ms: int, now_ms: int) -> Iterator[str]:
    """List the minutes of a run, the oldest first: from the cursor, or else from this time."""
    at_ms = start_ms if cursor is None else start_ms_of(cursor.minute) + MINUTE_MS
    at_ms = max(at_ms, now_ms - CURSOR_AGE_MAX_MS)
    for _ in range(MINUTES_MAX):
        minute = minute_of(rfc3339(at_ms))
        if start_ms_of(minute) + MINUTE_MS + GRACE_S * 1000 > now_ms:
            return
        yield minute
        at_ms += MINUTE_MS


def begin_anew(table: Table, event: str, start_ms: int) -> SweepCursor:
    """Replace a damaged cursor, so that everything due from then on is looked at."""
    before = minute_of(rfc3339(start_ms - MINUTE_MS))
    cursor = SweepCursor(*swept_key(event), minute=before)
    table.transact([Put.of(cursor, condition="")])  # no condition holds on a damaged item
    return cursor


def remember(table: Table, event: str, minute: str, busy: str) -> None:
    """Note that a minute is swept, unless an overlapping run got further."""
    cursor = Update(
        "reservations",
        *swept_key(event),
        condition=SWEPT_NOT_FURTHER,
        values={"minute": minute},
        set={"minute": minute, "busy": busy, "reached": ""},
    )
    with suppress(TransactionRefusedError):
        table.update(cursor)


def at_rest(event: Event, cursor: SweepCursor) -> bool:
    """Say whether an event had nothing due for so long that nothing will come due.

    A closed event opens no session, and sessions are due within hours.
    """
    if event.state != "closed" or not cursor.busy:
        return False
    return start_ms_of(cursor.minute) - start_ms_of(cursor.busy) >= QUIET_MS


def resting_events(table: Table, events: Sequence[Event]) -> set[EventId]:
    """Return those that are at rest. Cost: a read a closed event."""
    return {event.id for event in events if event.state == "closed" and rests(table, event)}


def rests(table: Table, event: Event) -> bool:
    """Say of a closed event whether it is at rest. Cost: a read."""
    try:
        cursor = find_cursor(table, event.id)
    except DamagedItemError:
        return False  # the sweeper reports it
    return cursor is not None and at_rest(event, cursor)
