"""Do each minute what should have been done by now and was not: the backstop.

Expiry needs nobody to be correct: a lock that is past its time is free for whoever asks. What a
lost message leaves behind is a seat that looks taken, places of an area that stay away, a user who
counts as inside. Another list says which refunds are to be sent or looked at.

No entry stops another one: what may succeed later is entered again for a later minute, and what
will not becomes a person's duty besides. A run that has no time for all refunds of a minute says
how far it got, and the next one goes on there. What was sold or went back gets its invoice or
credit note here, as this comes by all of it anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairgate.deadline import each
from fairgate.domain.shared.ids import EventId, OrderId, SessionId
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, PaymentRefusedError
from fairgate.ports.record import DamagedItemError
from fairgate.ports.table import Put, Update
from fairgate.request_ids import take_up
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.checkout.end_checkout import CheckoutEnder, is_stuck
from fairgate.service.checkout.settle_payment import PaymentSettler
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
from fairgate.service.ledger.manual_tasks import ManualTasks
from fairgate.service.shared.due import due_entries, minute_of, refund_due, session_due
from fairgate.service.shared.failures import Failure, failure_of
from fairgate.service.shared.keys import (
    REFUNDS,
    order_named_in,
    refund_key,
    session_key,
    swept_key,
)
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.cursors import SweepCursor
from fairgate.service.shared.records.orders import OwedRefund
from fairgate.service.shared.records.sessions import DueEntry, Session

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.catalog.read_catalog import Catalog
    from fairgate.service.holds.release_seats import SeatReleaser
    from fairgate.service.refunds.refunds import Refunder
    from fairgate.service.shared.records.catalog import Event

ENTRIES_MAX = 2_000  # stop after the minute in which this many have been seen
# One entry takes some 50 ms, so a minute alone ends about six hundred: the rest is handed over.
HAND_OVER_MS = 20_000  # with less than this left of the run
STOP_MS = 8_000  # with less than this, the run ends, and the next one begins at this minute
AGAIN_S = 120  # what may succeed later
# A queue delivers what was handed over within seconds, its function's tries take some minutes. What
# is still there then was lost, or its provider is away; as such a message does not go on by itself,
# there is one for each time.
HANDED_AGAIN_S = 300
MUCH_LATER_S = 3_600  # what will not until somebody mends it
# A write may be under way for longer than the session that it opens, and land in a minute that is
# swept already. After so long AWS takes no request any more, so a second look then finds it.
# Source: IAM User Guide, "Signature Version 4": within five minutes, by clocks five minutes apart.
LANDED_MS = 15 * MINUTE_MS
# A page of which the provider will not tell keeps its seats until their locks run out.
_PASSING = (DependencyUnavailableError, PaymentRefusedError)
_HANDED_TOGETHER = 50
_READ_TOGETHER = 100  # BatchGetItem's limit
_DUE, _LANDED = "due", "landed"  # in this order
_LOOK_BACK_MS = 2 * 86_400_000
DAMAGED_LOOK_BACK_MS = MINUTES_MAX * MINUTE_MS  # of an event: one run catches it up
AHEAD_LOOK_BACK_MS = LANDED_MS  # of a mark that is ahead by no more, as clocks may differ

#   minutes   … swept │ due: looked at now … │ still running


class OutOfTimeError(Exception):
    """Ends a run before its function is ended: what is left is done by the next one."""

    def __init__(self) -> None:
        super().__init__("the rest of the minute is left to the next run")


def _unbounded() -> int:
    return 1 << 40


class Swept(Struct, frozen=True):
    """What one run found and did for one event."""

    event: EventId
    until: str = ""  # the last minute that was looked at; "" when there was none to look at
    expired: int = 0
    refunded: int = 0  # sent, or further than they were
    overdue: int = 0  # refunds that are still owed, five minutes and more after they should be
    postponed: int = 0  # sessions that could not be ended now; looked at again in two minutes
    handed: int = 0  # sessions that were given to the expiry queue
    failures: tuple[Failure, ...] = ()

    @property
    def eventful(self) -> bool:
        """Say whether there was anything to do."""
        return self != Swept(self.event, self.until)


# What was done so far, and the last refund of the minute that was looked at; "" where none was.
_Steps: TypeAlias = Generator[tuple[Swept, str], None, Swept]


class ExpirySweeper(Struct, frozen=True):
    """Sweeps minutes that are over.

    Cost of a quiet minute: nine reads, one write. Each entry: a fiftieth of a read, more if left
    behind; of a sold session another read. A closed event at rest: one read a run.

    Attributes:
        queue: takes the sessions for which a run has no time; None: it ends all by itself.
        left_ms: says how much is left of the run.
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
        """Look at every refund that is due: to be sent, or to be asked about.

        Args:
            catalog: its oldest event is where it begins where no mark says so.
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
        """By the time after it was read: the read may take long, and others go on meanwhile."""
        return start_ms_of(cursor.minute) - self.clock.now_ms()

    def _sweep_again(
        self, swept: Swept, cursor: SweepCursor, ahead_ms: int, unknown_ms: int
    ) -> Swept:
        """Begin anew, as a mark ahead of the clock says nothing of what came due since.

        Args:
            ahead_ms: by the one time that it was compared with: a clock may be put right meanwhile.
            unknown_ms: where to begin where nobody knows since when it is wrong.
        """
        near_ms = start_ms_of(cursor.minute) - ahead_ms - AHEAD_LOOK_BACK_MS
        start_ms = max(unknown_ms, near_ms) if ahead_ms <= AHEAD_LOOK_BACK_MS else unknown_ms
        what = f"{swept.event}: swept until {cursor.minute}"
        return self._sweep_anew(swept, start_ms, Failure(what, "CursorAheadError", ""))

    def _sweep_anew(self, swept: Swept, start_ms: int, why: Failure | None = None) -> Swept:
        """Begin then, and write another mark over the damaged one."""
        what = f"{swept.event}: the mark until when it is swept"
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
                for key in () if reached else read.damaged:  # told by the run that ended there
                    swept = self._unreadable(swept, f"due entry {key.sk}")
                for step in self._steps(minute, read.records, swept, reached):
                    swept, reached = step  # what was done is told, whatever ends a later one
                # A mark from before busy minutes were kept says nothing of them: any may have been.
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

    def _steps(
        self, minute: str, entries: Sequence[DueEntry], swept: Swept, reached: str
    ) -> _Steps:
        """Look at a minute, and again at one that was swept before: what was under way has landed.

        Args:
            reached: where a run that did not end its minute ended, perhaps this one.
        """
        earlier = minute_of(rfc3339(start_ms_of(minute) - LANDED_MS))
        if swept.event == REFUNDS:
            swept = yield from self._refunds(f"{minute} {_DUE}", entries, swept, reached)
            when = f"{minute} {_LANDED}"
            reached = max(reached, when)
            yield swept, reached
            landed = due_entries(self.table, REFUNDS, earlier).records
            return (yield from self._refunds(when, landed, swept, reached))
        swept = yield from self._sessions(entries, swept)
        landed = due_entries(self.table, swept.event, earlier).records
        return (yield from self._sessions(landed, swept))

    def _refunds(
        self, when: str, entries: Sequence[DueEntry], swept: Swept, reached: str
    ) -> _Steps:
        """Look at refunds; one that landed late and was sent lacks its credit note at most."""
        names = {f"{when} {entry.pk} {entry.sk}": entry for entry in entries}
        for name in each([name for name in sorted(names) if name > reached]):
            if self.left_ms() < STOP_MS:
                raise OutOfTimeError
            swept = self._refund(names[name], swept, when)
            yield swept, name
        return swept

    def _sessions(self, entries: Sequence[DueEntry], swept: Swept) -> _Steps:
        """End sessions; none is left behind any more once it is ended, so none is remembered."""
        sessions = [entry.session_id for entry in entries]
        left_behind, swept = self._left_behind(sessions, swept)
        yield swept, ""
        while left_behind:
            if self.left_ms() < STOP_MS:
                raise OutOfTimeError
            if self.queue is not None and self.left_ms() < HAND_OVER_MS:
                handed = [left_behind.pop().id for _ in left_behind[:_HANDED_TOGETHER]]
                swept = self._hand_over(self.queue, handed, swept)
            else:
                swept = self._expire(left_behind.pop(), swept)
            yield swept, ""
        return swept

    def _is_sent(self, entry: DueEntry) -> bool:
        about = (entry.session_id, entry.order_id, entry.payment_id or "", entry.part)
        owed = self.table.find(OwedRefund, refund_key(*about))
        return owed is None or not owed.waits

    def _left_behind(
        self, sessions: Sequence[SessionId], swept: Swept
    ) -> tuple[list[Session], Swept]:
        now = rfc3339(self.clock.now_ms())
        left: list[Session] = []
        for start in range(0, len(sessions), _READ_TOGETHER):
            keys = [session_key(s) for s in sessions[start : start + _READ_TOGETHER]]
            read = find_many_readable(self.table, Session, keys)
            for key in read.damaged:
                swept = self._unreadable(swept, f"session {key.pk}")
                self._enter_again(swept.event, [SessionId(key.pk)], MUCH_LATER_S)
            swept = self._bill([s for s in read.records if s.state == "finalised"], swept)
            # A checkout is due at its order's end, which only its order says.
            left += [
                session
                for session in read.records
                if session.state in LIVE_STATES
                and (session.state == "checkout" or session.expires_at <= now)
            ]
        return left[::-1], swept

    def _bill(self, sold: Sequence[Session], swept: Swept) -> Swept:
        """Number the invoices of sold sessions that have none; those of before an index have none.

        One that is sold in this very run is looked at again with what landed late.
        """
        if not sold:
            return swept
        orders = [order_named_in(session.gsi1_sk)[0] for session in sold if session.gsi1_sk]
        try:
            DocumentOffice(self.table, self.clock).invoices(swept.event, orders)
        except Exception as error:  # noqa: BLE001 invoices hold nobody's seats up
            swept = self._failed(swept, f"{len(orders)} invoices of {swept.event}", error)
            self._enter_again(swept.event, [session.id for session in sold], _again_s(error))
        return swept

    def _expire(self, session: Session, swept: Swept) -> Swept:
        take_up(session.correlation_id)
        payments = self.refunder.payments
        settler = PaymentSettler(self.table, self.clock, payments)
        ender = CheckoutEnder(self.table, self.clock, payments, self.releaser, settler)
        try:
            ended = ender.end(session.id) == "ended"
        except Exception as error:  # noqa: BLE001 one session holds no other one up
            stuck = is_stuck(session, self.clock.now_ms())
            swept = self._failed(swept, f"session {session.id}", error, lasting=stuck)
            in_s = MUCH_LATER_S if stuck else _again_s(error)
            self._enter_again(swept.event, [session.id], in_s)
            return replace(swept, postponed=swept.postponed + 1)
        return replace(swept, expired=swept.expired + ended)

    def _hand_over(self, queue: ExpiryQueue, sessions: Sequence[SessionId], swept: Swept) -> Swept:
        """Give sessions to the queue; they stay due, so that a queue that loses them loses none."""
        self._enter_again(swept.event, sessions, HANDED_AGAIN_S)
        try:
            queue.remind_all(sessions)
        except Exception as error:  # noqa: BLE001 they are due again, and nothing is lost
            self._enter_again(swept.event, sessions, AGAIN_S)
            return self._failed(swept, f"{len(sessions)} sessions for the queue", error)
        return replace(swept, handed=swept.handed + len(sessions))

    def _enter_again(self, event: EventId, sessions: Sequence[SessionId], in_s: int) -> None:
        now_ms = self.clock.now_ms()
        due = rfc3339(now_ms + in_s * 1000)
        again: list[Put] = [session_due(event, session, due, now_ms) for session in sessions]
        self.table.transact(again)

    def _refund(self, entry: DueEntry, swept: Swept, when: str) -> Swept:
        take_up()
        again = when.endswith(_LANDED)
        payment = entry.payment_id or ""
        about = (entry.session_id, entry.order_id, payment, entry.part)
        try:
            moved = not (again and self._is_sent(entry)) and self.refunder.look(*about)
            office = DocumentOffice(self.table, self.clock)
            office.credit_note(OrderId(entry.order_id), payment, entry.part)
        except Exception as error:  # noqa: BLE001 one refund holds no other one up
            swept = self._failed(swept, f"refund {entry.order_id} {payment}", error)
            # Behind the minute that is looked at, where the clock has gone back meanwhile.
            now_ms = max(self.clock.now_ms(), start_ms_of(minute_of(when)) + MINUTE_MS)
            in_s = _again_s(error)
            order = OrderId(entry.order_id)
            self.table.transact([refund_due(order, payment, now_ms, part=entry.part, in_s=in_s)])
            return replace(swept, overdue=swept.overdue + 1)
        return replace(swept, refunded=swept.refunded + moved)

    def _failed(self, swept: Swept, what: str, error: Exception, *, lasting: bool = False) -> Swept:
        """Count a failure; what will fail again, or has failed for hours, is a person's duty."""
        failure = failure_of(what, error)
        if lasting or not isinstance(error, _PASSING):
            self._task(swept, what, f"{failure.error} at {failure.where}")
        return replace(swept, failures=(*swept.failures, failure))

    def _unreadable(self, swept: Swept, what: str) -> Swept:
        self._task(swept, what, "an item is damaged")
        failure = Failure(what, "DamagedItemError", "")
        return replace(swept, failures=(*swept.failures, failure))

    def _task(self, swept: Swept, what: str, why: str) -> None:
        text = (
            f"The sweeper cannot do this ({why}), and tries again each hour: {what}. Look for what"
            " is damaged among its items and the seats that it holds, and put that right."
        )
        event = "" if swept.event == REFUNDS else swept.event
        ManualTasks(self.table, self.clock).note("entry-failed", text, event=event, thing=what)

    def _stop_within(self, event: str, minute: str, busy: str, reached: str) -> list[Failure]:
        """Note how far a run got; of overlapping ones, each has done all that is before its end."""
        before = minute_of(rfc3339(start_ms_of(minute) - MINUTE_MS))
        try:
            remember(self.table, event, before, busy)  # where there is no mark yet
            self.table.update(Update("reservations", *swept_key(event), set={"reached": reached}))
        except Exception as error:  # noqa: BLE001 the next run does again what this one did
            return [failure_of(f"{event} {minute}: how far it got", error)]
        return []


def _again_s(error: Exception) -> int:
    return AGAIN_S if isinstance(error, _PASSING) else MUCH_LATER_S
