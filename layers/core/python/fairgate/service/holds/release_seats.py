"""Give seats back: one hold, a whole session, or what an expired session left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.session import LIVE_STATES, SessionState
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError, WrongStateError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.shared.conditions import (
    ORDER_IS_PENDING,
    RESERVATION_IS_LIVE,
    SEAT_IS_OURS,
    SESSION_AS_READ,
    USER_IS_IN_SESSION,
)
from fairgate.service.shared.keys import (
    area_key,
    live_key,
    seat_key,
    user_status_key,
)
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.service.shared.records.sessions import Reservation, UserStatus
from fairgate.service.shared.session_view import SessionView, read_session

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 6


@dataclass(frozen=True)
class SeatReleaser:
    """Releases holds.

    Cost: a query and one TransactWriteItems of 1 + 2n items (a whole session: up to 3 more).
    """

    table: Table
    clock: Clock

    def release_hold(self, session: str, user: str, hold: str) -> None:
        """Give one hold back. Raises NotFoundError, WrongStateError (a checkout has begun)."""
        for _ in range(_ATTEMPTS_MAX):
            view = read_session(self.table, session, user)
            given = view.of_hold(hold)
            if not given:
                raise NotFoundError("There is no such hold.")
            if view.session.state != "reservation":
                raise WrongStateError(
                    "Seats can be given back one by one only before checkout.",
                    state=view.session.state,
                )
            if self._commit(view, given, {}, []):
                return
        raise _contended()

    def end_session(self, session: str, state: SessionState, user: str | None = None) -> bool:
        """Release everything and end the session as ``cancelled`` or ``expired``.

        Returns False when it had ended before, or was extended since somebody saw it expired.
        Raises NotFoundError.
        """
        for _ in range(_ATTEMPTS_MAX):
            view = read_session(self.table, session, user)
            if view.session.state not in LIVE_STATES:
                return False
            now = rfc3339(self.clock.now_ms())
            if state == "expired" and view.session.expires_at > now:
                return False
            if self._commit(view, view.reservations, {"state": state}, self._ending(view, state)):
                return True
        raise _contended()

    def _ending(self, view: SessionView, state: SessionState) -> list[Action]:
        head = view.session
        event, user = head.event_id, head.user_id
        actions: list[Action] = []
        status = self.table.find(UserStatus, user_status_key(user, event))
        if status is not None and status.live_session == head.id:
            actions.append(leave_session(head.id, user, event))
        if head.expires_at > rfc3339(self.clock.now_ms()):
            actions.append(
                Update("reservations", *live_key(event, head.live_bucket), add={"live": -1})
            )
        if (order := view.pending_order) is not None:
            actions.append(
                Update(
                    "reservations",
                    *order.key,
                    condition=ORDER_IS_PENDING,
                    values={"pending": "pending"},
                    set={"state": "expired" if state == "expired" else "failed"},
                )
            )
        return actions

    def _commit(
        self,
        view: SessionView,
        given: Sequence[Reservation],
        changes: dict[str, Any],
        more: list[Action],
    ) -> bool:
        """Commit the release; False when something changed, and the caller should read again."""
        head, now = view.session, rfc3339(self.clock.now_ms())
        session = Update(
            "reservations",
            *head.key,
            condition=SESSION_AS_READ,
            values={
                "user": head.user_id,
                "state": head.state,
                "count": head.res_count,
            },
            set=changes,
            add={"resCount": -sum(r.quantity for r in given)},
        )
        actions: list[Action] = [session, *more]
        for reservation in given:
            actions.append(_give_up(reservation))
            if reservation.kind == "seat" and self._still_ours(reservation):
                actions.append(_return_seat(reservation, now))
        areas = [(r.place, r.shard, r.quantity) for r in given if r.kind == "area"]
        actions += return_places(head.event_id, areas, now)
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return False
        return True

    def _still_ours(self, reservation: Reservation) -> bool:
        """Say whether the seat is still ours: an expired lock may have been taken over."""
        seat = self.table.find(SeatRecord, seat_key(reservation.event_id, reservation.place))
        return (
            seat is not None
            and seat.availability == "locked"
            and seat.session_id == reservation.session
        )


def leave_session(session: str, user: str, event: str, bought: int = 0) -> Update:
    """End the user's live session, and add ``bought`` places to what they own."""
    return Update(
        "reservations",
        *user_status_key(user, event),
        condition=USER_IS_IN_SESSION,
        values={"session": session},
        set={"liveSession": "", "liveUntil": ""},
        add={"seatsBought": bought},
    )


def _give_up(reservation: Reservation) -> Update:
    return Update(
        "reservations",
        *reservation.key,
        condition=RESERVATION_IS_LIVE,
        values={"live": "live"},
        set={"state": "released"},
    )


def return_places(event: str, taken: Iterable[tuple[str, int, int]], now: str) -> list[Update]:
    """Give places (area, shard, quantity) back to their counters.

    One update a counter, because no item may be twice in a transaction.
    """
    counters: Counter[tuple[str, int]] = Counter()
    for area, shard, quantity in taken:
        counters[area, shard] += quantity
    return [
        Update(
            "seats",
            *area_key(event, area, shard),
            set={"updatedAt": now},
            add={"remaining": quantity, "version": 1},
        )
        for (area, shard), quantity in counters.items()
    ]


def _return_seat(reservation: Reservation, now: str) -> Update:
    return Update(
        "seats",
        *seat_key(reservation.event_id, reservation.place),
        condition=SEAT_IS_OURS,
        values={"locked": "locked", "session": reservation.session},
        set={"availability": "available", "sessionId": "", "expiresAt": "", "updatedAt": now},
        add={"version": 1},
    )


def expire_session(
    releaser: SeatReleaser, queue: ExpiryQueue, table: Table, clock: Clock, session: str
) -> str:
    """Handle one expiry message; returns ``expired``, ``later`` or ``ended``.

    Messages come at least once and sessions are extended at checkout, so the table is asked.
    """
    try:
        head = read_session(table, session).session
    except NotFoundError:
        return "ended"
    if head.state not in LIVE_STATES:
        return "ended"
    left_ms = epoch_ms(head.expires_at) - clock.now_ms()
    if left_ms > 0:
        queue.remind(session, left_ms // 1000 + 1)
        return "later"
    return "expired" if releaser.end_session(session, "expired") else "ended"


def _contended() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "Your seats are being changed elsewhere. Please try again.", retry_after_s=1
    )
