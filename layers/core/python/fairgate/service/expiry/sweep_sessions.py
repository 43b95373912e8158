"""End the sessions that are due in a minute, and give sold ones their invoices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.ids import EventId, SessionId
from fairgate.domain.shared.session import LIVE_STATES
from fairgate.domain.shared.times import rfc3339
from fairgate.request_ids import take_up
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.checkout.end_checkout import CheckoutEnder, is_stuck
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.expiry.swept import (
    AGAIN_S,
    MUCH_LATER_S,
    STOP_MS,
    OutOfTimeError,
    Steps,
    Swept,
    Teller,
    again_s,
)
from fairgate.service.shared.due import session_due
from fairgate.service.shared.keys import order_named_in, session_key
from fairgate.service.shared.readable import find_many_readable
from fairgate.service.shared.records.sessions import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Put, Table
    from fairgate.ports.world import Clock
    from fairgate.service.holds.release_seats import SeatReleaser
    from fairgate.service.shared.records.sessions import DueEntry

# One session takes some 50 ms, so a minute alone ends about six hundred. The queue takes the rest.
HAND_OVER_MS = 20_000  # with less than this left of the run
# A queue delivers within seconds, and its function's tries take some minutes. A session that is
# still there then was lost, or its provider is away. It is handed over again each time.
HANDED_AGAIN_S = 300
_HANDED_TOGETHER = 50
_READ_TOGETHER = 100  # BatchGetItem's limit


class SessionSweep(Struct, frozen=True):
    """Ends sessions.

    Attributes:
        queue: takes the sessions for which a run has no time; None: the run ends all of them.
        left_ms: returns how much time the run has left.
    """

    table: Table
    clock: Clock
    releaser: SeatReleaser
    payments: Payments
    queue: ExpiryQueue | None
    left_ms: Callable[[], int]

    def steps(self, entries: Sequence[DueEntry], swept: Swept) -> Steps:
        """End sessions. A session that is ended is not found again."""
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

    def _left_behind(
        self, sessions: Sequence[SessionId], swept: Swept
    ) -> tuple[list[Session], Swept]:
        now = rfc3339(self.clock.now_ms())
        left: list[Session] = []
        for start in range(0, len(sessions), _READ_TOGETHER):
            keys = [session_key(s) for s in sessions[start : start + _READ_TOGETHER]]
            read = find_many_readable(self.table, Session, keys)
            for key in read.damaged:
                swept = self._teller.unreadable(swept, f"session {key.pk}")
                self._enter_again(swept.event, [SessionId(key.pk)], MUCH_LATER_S)
            swept = self._bill([s for s in read.records if s.state == "finalised"], swept)
            # A session in checkout is due at the end of its order.
            left += [
                session
                for session in read.records
                if session.state in LIVE_STATES
                and (session.state == "checkout" or session.expires_at <= now)
            ]
        return left[::-1], swept

    def _bill(self, sold: Sequence[Session], swept: Swept) -> Swept:
        """Number the invoices of sold sessions that have none.

        Sessions that are older than the index are not in it. A session that is sold during this run
        is looked at again with the late writes.
        """
        if not sold:
            return swept
        orders = [order_named_in(session.gsi1_sk)[0] for session in sold if session.gsi1_sk]
        try:
            DocumentOffice(self.table, self.clock).invoices(swept.event, orders)
        except Exception as error:  # noqa: BLE001 a failed invoice does not stop the sweep
            swept = self._teller.failed(swept, f"{len(orders)} invoices of {swept.event}", error)
            self._enter_again(swept.event, [session.id for session in sold], again_s(error))
        return swept

    def _expire(self, session: Session, swept: Swept) -> Swept:
        take_up(session.correlation_id)
        settler = PaymentSettler(self.table, self.clock, self.payments)
        ender = CheckoutEnder(self.table, self.clock, self.releaser, settler)
        try:
            ended = ender.end(session.id) == "ended"
        except Exception as error:  # noqa: BLE001 one session does not stop the others
            stuck = is_stuck(session, self.clock.now_ms())
            swept = self._teller.failed(swept, f"session {session.id}", error, lasting=stuck)
            in_s = MUCH_LATER_S if stuck else again_s(error)
            self._enter_again(swept.event, [session.id], in_s)
            return replace(swept, postponed=swept.postponed + 1)
        return replace(swept, expired=swept.expired + ended)

    def _hand_over(self, queue: ExpiryQueue, sessions: Sequence[SessionId], swept: Swept) -> Swept:
        """Give sessions to the queue. They stay due, in case the queue loses them."""
        self._enter_again(swept.event, sessions, HANDED_AGAIN_S)
        try:
            queue.remind_all(sessions)
        except Exception as error:  # noqa: BLE001 they are due again, and nothing is lost
            self._enter_again(swept.event, sessions, AGAIN_S)
            return self._teller.failed(swept, f"{len(sessions)} sessions for the queue", error)
        return replace(swept, handed=swept.handed + len(sessions))

    def _enter_again(self, event: EventId, sessions: Sequence[SessionId], in_s: int) -> None:
        now_ms = self.clock.now_ms()
        due = rfc3339(now_ms + in_s * 1000)
        again: list[Put] = [session_due(event, session, due, now_ms) for session in sessions]
        self.table.transact(again)

    @property
    def _teller(self) -> Teller:
        return Teller(self.table, self.clock)
