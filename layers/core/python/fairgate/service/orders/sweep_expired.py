"""Do each minute what should have been done by now and was not: the backstop.

Expiry needs nobody to be correct: a lock that is past its time is free for whoever asks. What a
lost message leaves behind is a seat that looks taken, places of an area that stay away, a user who
counts as inside. The same list says which refunds are owed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import EventId, OrderId, SessionId
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import FairgateError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.orders.end_checkout import CheckoutEnder
from fairgate.service.orders.settle_payment import PaymentSettler
from fairgate.service.shared.conditions import SWEPT_NOT_FURTHER
from fairgate.service.shared.due import due_entries, minute_of, refund_due, session_due
from fairgate.service.shared.keys import session_key, swept_key
from fairgate.service.shared.records.orders import SweptMark
from fairgate.service.shared.records.sessions import DueEntry, Session

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.holds.release_seats import SeatReleaser
    from fairgate.service.orders.refunds import Refunder
    from fairgate.service.shared.records.catalog import Event

GRACE_S = 30  # after its minute is over, so that the delayed message gets its chance first
MINUTES_MAX = 120  # looked at in one run: after an outage it catches up two hours a minute
ENTRIES_MAX = 2_000  # stop after the minute in which this many have been seen
_READ_TOGETHER = 100  # BatchGetItem's limit
_MINUTE_MS = 60_000
_LOOK_BACK_MS = 2 * 86_400_000

#   minutes   … swept │ due: looked at now … │ still running


@dataclass(frozen=True)
class Swept:
    """What one run found and did for one event."""

    event: EventId
    until: str = ""  # the last minute that was looked at; "" when there was none to look at
    expired: int = 0
    refunded: int = 0
    overdue: int = 0  # refunds that are still owed, five minutes and more after they should be
    postponed: int = 0  # sessions that could not be ended now; looked at again in two minutes


@dataclass(frozen=True)
class ExpirySweeper:
    """Sweeps minutes that are over.

    Cost of a quiet minute: two reads. Each entry: a hundredth of a read, more if left behind.
    """

    table: Table
    clock: Clock
    releaser: SeatReleaser
    refunder: Refunder

    def sweep(self, event: Event) -> Swept:
        """Look at every minute that is over and was not looked at, oldest first, within bounds.

        A failure of one entry is written down again for a later minute and holds nobody up.
        """
        swept = Swept(event.id)
        entry_count = 0
        for minute in self._minutes(event):
            entries = due_entries(self.table, event.id, minute)
            swept = self._look_at(entries, replace(swept, until=minute))
            entry_count += len(entries)
            if entry_count >= ENTRIES_MAX:
                break
        if swept.until:
            self._remember(event.id, swept.until)
        return swept

    def _minutes(self, event: Event) -> Iterator[str]:
        now_ms = self.clock.now_ms()
        mark = self.table.find(SweptMark, swept_key(event.id))
        if mark is not None:
            at_ms = _start_ms(mark.minute) + _MINUTE_MS
        else:
            at_ms = max(epoch_ms(event.created_at), now_ms - _LOOK_BACK_MS)
        for _ in range(MINUTES_MAX):
            minute = minute_of(rfc3339(at_ms))
            if _start_ms(minute) + _MINUTE_MS + GRACE_S * 1000 > now_ms:
                return
            yield minute
            at_ms += _MINUTE_MS

    def _look_at(self, entries: Sequence[DueEntry], swept: Swept) -> Swept:
        sessions = [entry.session_id for entry in entries if entry.payment_id is None]
        for session in self._left_behind(sessions):
            swept = self._expire(session, swept)
        for entry in entries:
            if entry.payment_id is not None:
                swept = self._refund(entry, entry.payment_id, swept)
        return swept

    def _left_behind(self, sessions: Sequence[SessionId]) -> Iterator[SessionId]:
        now = rfc3339(self.clock.now_ms())
        for start in range(0, len(sessions), _READ_TOGETHER):
            keys = [session_key(s) for s in sessions[start : start + _READ_TOGETHER]]
            for session in self.table.find_many(Session, keys):
                due = session.state == "checkout" or session.expires_at <= now
                if session.state in LIVE_STATES and due:
                    yield session.id

    def _expire(self, session: SessionId, swept: Swept) -> Swept:
        payments = self.refunder.payments
        settler = PaymentSettler(self.table, self.clock, payments)
        ender = CheckoutEnder(self.table, self.clock, payments, self.releaser, settler)
        try:
            ended = ender.end(session) == "ended"
        except FairgateError:
            now_ms = self.clock.now_ms()
            again = session_due(swept.event, session, _later(now_ms), now_ms)
            self.table.transact([again])
            return replace(swept, postponed=swept.postponed + 1)
        return replace(swept, expired=swept.expired + ended)

    def _refund(self, entry: DueEntry, payment: str, swept: Swept) -> Swept:
        try:
            sent = self.refunder.send(entry.session_id, entry.order_id, payment)
        except FairgateError:
            now_ms = self.clock.now_ms()
            order = OrderId(entry.order_id)
            self.table.transact([refund_due(swept.event, order, payment, now_ms)])
            return replace(swept, overdue=swept.overdue + 1)
        return replace(swept, refunded=swept.refunded + sent)

    def _remember(self, event: str, minute: str) -> None:
        mark = Update(
            "reservations",
            *swept_key(event),
            condition=SWEPT_NOT_FURTHER,
            values={"minute": minute},
            set={"minute": minute},
        )
        try:
            self.table.update(mark)
        except TransactionRefusedError:
            return  # a run that overlapped got further


def _start_ms(minute: str) -> int:
    return epoch_ms(f"{minute}:00.000Z")


def _later(now_ms: int) -> str:
    return rfc3339(now_ms + 2 * _MINUTE_MS)
