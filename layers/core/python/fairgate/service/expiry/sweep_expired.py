"""Do once a minute what is overdue: end sessions, and send or follow refunds.

Expiry is correct without this: a seat whose lock has run out is free for the next buyer. But a lost
message leaves a seat that looks taken, places of an area that do not come back, or a user who
counts as inside. A second list says which refunds are to be sent or asked about.

No entry stops another one. An entry that may succeed later is entered again for a later minute. One
that will not succeed also becomes a manual task. A run that has no time for all refunds of a minute
stores how far it got, and the next run goes on there. Sold sessions get their invoices here and
refunds their credit notes, because the sweep reads all of them anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.ids import EventId
from fairgate.domain.shared.times import rfc3339
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Update
from fairgate.service.expiry.sweep_cursors import (
    MINUTE_MS,
    MINUTES_MAX,
    at_rest,
    begin_anew,
    created_ms,
    find_cursor,
    first_refund_ms,
    minutes_due,
    remember,
    start_ms_of,
)
from fairgate.service.expiry.sweep_refunds import DUE, LANDED, RefundSweep
from fairgate.service.expiry.sweep_sessions import SessionSweep
from fairgate.service.expiry.swept import Steps, Swept, Teller
from fairgate.service.shared.due import due_entries, minute_of
from fairgate.service.shared.failures import Failure, failure_of
from fairgate.service.shared.keys import REFUNDS, swept_key

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.catalog.read_catalog import Catalog
    from fairgate.service.holds.release_seats import SeatReleaser
    from fairgate.service.refunds.refunds import Refunder
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.cursors import SweepCursor
    from fairgate.service.shared.records.sessions import DueEntry

ENTRIES_MAX = 2_000  # stop after the minute in which this many have been seen
# A write may be under way for longer than the session that it opens, and land in a minute that is
# swept already. After this time AWS takes no request any more, so a second look then finds it.
# Source: IAM User Guide, "Signature Version 4": within five minutes, by clocks five minutes apart.
LANDED_MS = 15 * MINUTE_MS
_LOOK_BACK_MS = 2 * 86_400_000
DAMAGED_LOOK_BACK_MS = MINUTES_MAX * MINUTE_MS  # of an event: one run catches it up
AHEAD_LOOK_BACK_MS = LANDED_MS  # of a cursor that is ahead by no more, as clocks may differ

#   minutes   … swept │ due: looked at now … │ still running


def _unbounded() -> int:
    return 1 << 40


class ExpirySweeper(Struct, frozen=True):
    """Sweeps minutes that are over.

    Cost of a quiet minute: nine reads, one write. Each entry: a fiftieth of a read, more if left
    behind; of a sold session another read. A closed event at rest: one read a run.

    Attributes:
        queue: takes the sessions for which a run has no time; None: the run ends all of them.
        left_ms: returns how much time the run has left.
    """

    table: Table
    clock: Clock
    releaser: SeatReleaser
    refunder: Refunder
    queue: ExpiryQueue | None = None
    left_ms: Callable[[], int] = _unbounded

    def sweep(self, event: Event) -> Swept:
        """Look at every minute that is over and was not looked at, oldest first, within bounds."""
        now_ms = self.clock.now_ms()
        created = created_ms(event, now_ms)
        undated = Failure(f"event {event.id}: when it was created", "DamagedItemError", "")
        swept = Swept(event.id, failures=() if created is not None else (undated,))
        earliest_ms = created or 0
        unknown_ms = max(earliest_ms, now_ms - DAMAGED_LOOK_BACK_MS)
        try:
            cursor = find_cursor(self.table, event.id)
        except DamagedItemError:
            return self._sweep_anew(swept, unknown_ms)
        if cursor is not None and (ahead_ms := self._ahead_ms(cursor)) > 0:
            return self._sweep_again(swept, cursor, ahead_ms, unknown_ms)
        if cursor is not None and at_rest(event, cursor):
            return swept
        return self._sweep(swept, cursor, max(earliest_ms, now_ms - _LOOK_BACK_MS))

    def sweep_refunds(self, catalog: Catalog) -> Swept:
        """Send the refunds that are due, or ask about them.

        Args:
            catalog: without a cursor the sweep begins at its oldest event.
        """
        swept, now_ms = Swept(EventId(REFUNDS)), self.clock.now_ms()
        try:
            cursor = find_cursor(self.table, REFUNDS)
        except DamagedItemError:
            return self._sweep_anew(swept, first_refund_ms(catalog, now_ms))
        if cursor is not None and (ahead_ms := self._ahead_ms(cursor)) > 0:
            return self._sweep_again(swept, cursor, ahead_ms, first_refund_ms(catalog, now_ms))
        return self._sweep(
            swept, cursor, 0 if cursor is not None else first_refund_ms(catalog, now_ms)
        )

    def _ahead_ms(self, cursor: SweepCursor) -> int:
        """Compare with the clock after the read, which may have taken long."""
        return start_ms_of(cursor.minute) - self.clock.now_ms()

    def _sweep_again(
        self, swept: Swept, cursor: SweepCursor, ahead_ms: int, unknown_ms: int
    ) -> Swept:
        """Start again: a cursor ahead of the clock does not say what came due since.

        Args:
            ahead_ms: how far it is ahead, from one reading of the clock.
            unknown_ms: where to begin if it is unknown since when the cursor is wrong.
        """
        near_ms = start_ms_of(cursor.minute) - ahead_ms - AHEAD_LOOK_BACK_MS
        start_ms = max(unknown_ms, near_ms) if ahead_ms <= AHEAD_LOOK_BACK_MS else unknown_ms
        what = f"{swept.event}: swept until {cursor.minute}"
        return self._sweep_anew(swept, start_ms, Failure(what, "CursorAheadError", ""))

    def _sweep_anew(self, swept: Swept, start_ms: int, why: Failure | None = None) -> Swept:
        """Begin there, and replace the damaged cursor."""
        what = f"{swept.event}: the cursor of its sweep"
        why = why or Failure(what, "DamagedItemError", "")
        first = begin_anew(self.table, swept.event, start_ms)
        return self._sweep(replace(swept, failures=(*swept.failures, why)), first, start_ms)

    def _sweep(self, swept: Swept, cursor: SweepCursor | None, start_ms: int) -> Swept:
        event, entry_count = swept.event, 0
        busy, reached = ("", "") if cursor is None else (cursor.busy, cursor.reached)
        for minute in minutes_due(cursor, start_ms, self.clock.now_ms()):
            reached = reached if reached.startswith(minute) else ""
            try:
                read = due_entries(self.table, event, minute)
                for key in () if reached else read.damaged:  # the run that stopped there told it
                    swept = Teller(self.table, self.clock).unreadable(swept, f"due entry {key.sk}")
                for step in self._steps(minute, read.records, swept, reached):
                    swept, reached = step  # counted even if a later step fails
                # A cursor of an earlier version has no busy minute: any may have been busy.
                busy = minute if read.records or not busy else busy
                swept, reached = replace(swept, until=minute), ""
                remember(self.table, event, minute, busy)
            except Exception as error:  # noqa: BLE001 its minute stays; other events go on
                failures = [failure_of(f"{event} {minute}", error)]
                if reached:
                    failures += self._stop_within(event, minute, busy, reached)
                return replace(swept, failures=(*swept.failures, *failures))
            entry_count += len(read.records)
            if entry_count >= ENTRIES_MAX:
                break
        return swept

    def _steps(self, minute: str, entries: Sequence[DueEntry], swept: Swept, reached: str) -> Steps:
        """Look at a minute, and again at an earlier one for writes that came late.

        Args:
            reached: where a run stopped that did not finish its minute, perhaps this run.
        """
        earlier = minute_of(rfc3339(start_ms_of(minute) - LANDED_MS))
        if swept.event == REFUNDS:
            refunds = RefundSweep(self.table, self.clock, self.refunder, self.left_ms)
            swept = yield from refunds.steps(f"{minute} {DUE}", entries, swept, reached)
            when = f"{minute} {LANDED}"
            reached = max(reached, when)
            yield swept, reached
            landed = due_entries(self.table, REFUNDS, earlier).records
            return (yield from refunds.steps(when, landed, swept, reached))
        payments = self.refunder.payments
        sessions = SessionSweep(
            self.table, self.clock, self.releaser, payments, self.queue, self.left_ms
        )
        swept = yield from sessions.steps(entries, swept)
        landed = due_entries(self.table, swept.event, earlier).records
        return (yield from sessions.steps(landed, swept))

    def _stop_within(self, event: str, minute: str, busy: str, reached: str) -> list[Failure]:
        """Store how far a run got. Each of two overlapping runs has done all before its end."""
        before = minute_of(rfc3339(start_ms_of(minute) - MINUTE_MS))
        try:
            remember(self.table, event, before, busy)  # if there is no cursor yet
            self.table.update(Update("reservations", *swept_key(event), set={"reached": reached}))
        except Exception as error:  # noqa: BLE001 the next run repeats what this one did
            return [failure_of(f"{event} {minute}: how far it got", error)]
        return []
