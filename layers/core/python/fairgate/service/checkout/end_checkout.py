"""End a session that is over or given back: ask the provider first, then release the seats.

   order past its end ──► close its pages ──► a capture: settle it ──► paid, or given back
                              │                                            │
                              └── none, and none can come any more ────────┴──► release the seats

Each call closes the pages and asks again, so a crash between two steps loses nothing. While the
provider is away, nothing is released. The locks of the seats expire by themselves SETTLING_S after
the order's end, and a capture that finds its seats taken is refunded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from fairgate.domain.shared.session import LIVE_STATES, SessionState
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError, PaymentRefusedError
from fairgate.request_ids import follow
from fairgate.service.checkout.settle_payment import PaymentSettler
from fairgate.service.holds.release_seats import SeatReleaser
from fairgate.service.shared.session_view import SessionView, read_session

if TYPE_CHECKING:
    from fairgate.errors import FairgateError
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.payments import Capture, Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.sessions import Session

# ended: this call ended it, its seats are free. paid: its seats are sold. later: its time is not
# over. over: it had ended before, unpaid.
Ending = Literal["ended", "paid", "later", "over"]

ASK_AGAIN_S = 120
# For so long after its end a session is tried every two minutes: no known outage of a provider
# was longer. Afterwards something is probably damaged, and it becomes a task (sweep_expired.py).
TRIED_S = 6 * 3_600
_ATTEMPTS_MAX = 4


class CheckoutEnder(Struct, frozen=True):
    """Ends sessions, those in checkout only after asking the provider.

    Cost: SeatReleaser's, and a query. In checkout ``PaymentSettler.close`` for each open page, and
    PaymentSettler's where one of them has taken a payment.
    """

    table: Table
    clock: Clock
    releaser: SeatReleaser
    settler: PaymentSettler

    @staticmethod
    def of(table: Table, clock: Clock, payments: Payments) -> CheckoutEnder:
        releaser = SeatReleaser(table, clock)
        return CheckoutEnder(table, clock, releaser, PaymentSettler(table, clock, payments))

    def end(self, session: str, state: SessionState = "expired", user: str | None = None) -> Ending:
        """End the session as ``expired`` when it is due, or now as ``cancelled``.

        Args:
            user: gives it back; the errors are then worded for that buyer.

        Raises:
            NotFoundError: also when the session is not ``user``'s.
            DependencyUnavailableError: the provider does not answer; nothing was released.
            PaymentRefusedError: it refuses to answer; nothing is released until the locks of the
                seats have expired. A user is told that the provider is away.
        """
        for _ in range(_ATTEMPTS_MAX):
            view = read_session(self.table, session, user)
            follow(view.session.correlation_id)
            if view.session.state not in LIVE_STATES:
                return "paid" if view.session.state == "finalised" else "over"
            if state == "expired" and view.due_at > rfc3339(self.clock.now_ms()):
                return "later"
            captures, failure = self._closed(view)
            try:
                settled = [self.settler.settle_capture(capture) for capture in captures]
            except DependencyUnavailableError as error:
                if user is None:
                    raise
                raise _being_settled(view, error) from error
            if "paid" in settled:
                return "paid"
            if failure is not None:
                if user is None:
                    raise failure
                raise _untold(view, failure) from failure
            order = view.pending_order
            page = "" if order is None else order.pay_page
            if self.releaser.end_session(session, state, user, page=page):
                return "ended"
        raise DependencyUnavailableError(
            "The session is being changed elsewhere. Please try again.", retry_after_s=1
        )

    def _closed(self, view: SessionView) -> tuple[list[Capture], FairgateError | None]:
        """Close every page of the session's order.

        Returns the captures, and the error that forbids a release. An error for one page does not
        hide the payment of another.
        """
        captures: list[Capture] = []
        failure: FairgateError | None = None
        if view.session.state != "checkout" or view.order is None:
            return captures, failure
        for page in view.order.pages:
            try:
                capture = self.settler.close(view.order, page)
            except PaymentRefusedError as refused:
                if view.session.expires_at > rfc3339(self.clock.now_ms()):
                    failure = failure or refused
                continue  # past its end the locks have expired, so nothing has to be kept
            except DependencyUnavailableError as away:
                failure = away
                continue
            if capture is not None:
                captures.append(capture)
        return captures, failure


def _being_settled(
    view: SessionView, error: DependencyUnavailableError
) -> DependencyUnavailableError:
    """Return the error that says that a payment has arrived and is not settled yet."""
    return type(error)(
        "A payment for these seats has just arrived and is being settled, so they cannot be given"
        " back at this moment. Your order shows in a few seconds what came of it.",
        retry_after_s=error.retry_after_s,
        settling_until=view.session.expires_at,
    )


def _untold(view: SessionView, failure: FairgateError) -> DependencyUnavailableError:
    """Return the error that says that the provider does not answer, and until when seats stay."""
    until = view.session.expires_at
    kind = type(failure) if isinstance(failure, DependencyUnavailableError) else None
    return (kind or DependencyUnavailableError)(
        "The payment provider does not say at the moment whether you have paid, so these seats"
        f" are not given back yet. Unless they are paid, they go back by {until[11:16]} UTC at the"
        " latest. Nothing was lost.",
        retry_after_s=failure.retry_after_s,
        settling_until=until,
    )


def is_stuck(session: Session, now_ms: int) -> bool:
    """Say whether it should have ended TRIED_S ago, so that further tries will not help."""
    return session.expires_at <= rfc3339(now_ms - TRIED_S * 1000)


def expire_session(
    ender: CheckoutEnder, queue: ExpiryQueue, session: str, *, handed: bool = False
) -> str:
    """Handle one expiry message; returns an Ending, or ``unanswered``: it is asked again.

    Messages come at least once, at most 15 minutes late, and sessions are extended at checkout, so
    the table is asked.

    Args:
        handed: the sweeper sent the message. It sends another one while the session is due, so
            this call sends none.

    Raises DependencyUnavailableError when the message should come again by itself.
    """
    alone = not handed
    try:
        view = read_session(ender.table, session)
        follow(view.session.correlation_id)
        alone &= not is_stuck(view.session, ender.clock.now_ms())  # the sweeper makes a task of it
        due_ms, live = epoch_ms(view.due_at), view.session.state in LIVE_STATES
        left_ms = due_ms - ender.clock.now_ms()
        if live and left_ms > 0:
            if alone:
                queue.remind(session, left_ms // 1000 + 1)
            return "later"
        return ender.end(session)
    except NotFoundError:
        return "over"
    except (DependencyUnavailableError, PaymentRefusedError):
        if alone:
            queue.remind(session, ASK_AGAIN_S)
        return "unanswered"
