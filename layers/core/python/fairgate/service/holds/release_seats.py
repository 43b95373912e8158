"""Give seats back: one hold, a whole session, or what an expired session left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from fairgate.domain.shared.session import LIVE_STATES, SessionState
from fairgate.domain.shared.times import rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError, WrongStateError
from fairgate.ports.table import Action, Update
from fairgate.service.shared.capacity_slot import slot_returned
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import (
    RESERVATION_IS_LIVE,
    SEAT_IS_OURS,
    SEAT_IS_WHOSE_WAS_READ,
    SESSION_AS_READ,
    USER_IS_IN_SESSION,
)
from fairgate.service.shared.keys import (
    area_key,
    live_key,
    seat_key,
    user_status_key,
)
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.service.shared.records.sessions import Reservation, UserStatus
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate.service.shared.tally import session_ended

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")
_READ_TOGETHER = 100  # BatchGetItem's limit


class SeatReleaser(Struct, frozen=True):
    """Releases holds.

    Cost: a query and one TransactWriteItems of 1 + 2n items (a whole session: a read and up to 4
    items more). The seats are read, all in one call, only where their locks may have run out.
    """

    table: Table
    clock: Clock

    def release_hold(self, session: str, user: str, hold: str) -> None:
        """Give one hold back. Raises NotFoundError, WrongStateError (a checkout has begun)."""
        again = False

        def decide(view: SessionView) -> Write[None]:
            nonlocal again
            given = view.of_hold(hold)
            if not given:
                if again and view.session.state != "finalised":
                    return Write(None)  # our own commit, its answer lost; or our twin's
                raise NotFoundError("There is no such hold.")
            if view.session.state != "reservation":
                raise WrongStateError(
                    "Seats can be given back one by one only before checkout.",
                    state=view.session.state,
                )
            actions = self._released(view, given, {}, [], again=again)
            again = True
            return Write(None, actions)

        self._change(session, user, decide)

    def end_session(
        self, session: str, state: SessionState, user: str | None = None, *, page: str = ""
    ) -> bool:
        """Release everything and end the session as ``cancelled`` or ``expired``.

        A checkout is ended by CheckoutEnder, which closes its payment pages first.

        Args:
            page: the newest payment page of the order, closed by now and answered by None.

        Returns False when it had ended before, is not due yet, or has another payment page.
        Raises NotFoundError.
        """
        again = False

        def decide(view: SessionView) -> Write[bool]:
            nonlocal again
            if view.session.state not in LIVE_STATES:
                return Write(done=False)
            if state == "expired" and view.due_at > rfc3339(self.clock.now_ms()):
                return Write(done=False)
            order = view.pending_order
            if order is not None and order.pay_page != page:
                return Write(done=False)
            more = self._ending(view, state)
            ended = {"state": state}
            actions = self._released(view, view.reservations, ended, more, again=again)
            again = True
            return Write(done=True, actions=actions)

        return self._change(session, user, decide)

    def _change(
        self, session: str, user: str | None, decide: Callable[[SessionView], Write[Done]]
    ) -> Done:
        def read() -> SessionView:
            return read_session(self.table, session, user)

        return change(self.table, self.clock, read, decide, contended=_contended)

    def _ending(self, view: SessionView, state: SessionState) -> list[Action]:
        head, order = view.session, view.pending_order
        event, user = head.event_id, head.user_id
        places = 0 if order is None else order.places
        actions: list[Action] = []
        status = self.table.find(UserStatus, user_status_key(user, event))
        if status is not None and status.live_session == head.id:
            actions.append(leave_session(head.id, user, event, taken=-places))
        elif places:
            actions.append(give_places_back(user, event, places))
        if head.expires_at > rfc3339(self.clock.now_ms()):
            actions.append(
                Update("reservations", *live_key(event, head.live_bucket), add={"live": -1})
            )
        actions += slot_returned(head)
        if order is not None:
            ended = "expired" if state == "expired" else "failed"
            actions.append(order_changed(order, state=ended)[1])
        empty = not view.reservations
        actions.append(session_ended(event, head.id, empty=empty, unpaid=order is not None))
        return actions

    def _released(
        self,
        view: SessionView,
        given: Sequence[Reservation],
        changes: dict[str, Any],
        more: list[Action],
        *,
        again: bool,
    ) -> list[Action]:
        """Return what releases it, unless something has changed since it was read.

        A lock that has not run out is ours, unless a clock disagrees: then the write is refused,
        and ``again`` looks at the seats. One that looks as if it were not ours may become so, as
        plain reads see a hold's items one by one while it commits: the write depends on that look.
        """
        head, now = view.session, rfc3339(self.clock.now_ms())
        # A hold that was under way for as long as its session lived may land once somebody else
        # has given the seat back: then a session has reserved one seat twice.
        seats = list({r.place: r for r in given if r.kind == "seat"}.values())
        others: list[SeatRecord] = []
        if again or head.expires_at <= now:
            seats, others = self._looked_at(seats)
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
        actions += [_give_up(reservation) for reservation in given]
        actions += [_return_seat(reservation, now) for reservation in seats]
        actions += [_leave_seat(seat) for seat in others]
        areas = [(r.place, r.shard, r.quantity) for r in given if r.kind == "area"]
        actions += return_places(head.event_id, areas, now)
        return actions

    def _looked_at(
        self, reservations: Sequence[Reservation]
    ) -> tuple[list[Reservation], list[SeatRecord]]:
        """Return those whose seat is still ours, and the others' seats as they were read.

        An expired lock may have been taken over.
        """
        keys = [seat_key(r.event_id, r.place) for r in reservations]
        ours: set[tuple[str, str]] = set()
        others: list[SeatRecord] = []
        sessions = {r.session for r in reservations}
        for start in range(0, len(keys), _READ_TOGETHER):
            for seat in self.table.find_many(SeatRecord, keys[start : start + _READ_TOGETHER]):
                if seat.availability == "locked" and seat.session_id in sessions:
                    ours.add((seat.seat_id, seat.session_id))
                else:
                    others.append(seat)
        return [r for r in reservations if (r.place, r.session) in ours], others


def leave_session(session: str, user: str, event: str, taken: int = 0) -> Update:
    """End the user's live session, and add ``taken`` places to those that they have taken."""
    return Update(
        "reservations",
        *user_status_key(user, event),
        condition=USER_IS_IN_SESSION,
        values={"session": session},
        set={"liveSession": "", "liveUntil": ""},
        add={"placesTaken": taken},
    )


def give_places_back(user: str, event: str, places: int) -> Update:
    """Take places that will not be paid, or are no longer theirs, off what the user has taken."""
    return Update("reservations", *user_status_key(user, event), add={"placesTaken": -places})


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


def _leave_seat(seat: SeatRecord) -> Update:
    """Leave a seat to whom it had when it was read, or to nobody: nothing of it changes."""
    return Update(
        "seats",
        *seat.key,
        condition=SEAT_IS_WHOSE_WAS_READ,
        values={"session": seat.session_id},
        set={"sessionId": seat.session_id},
    )


def _contended() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "Your seats are being changed elsewhere. Please try again.", retry_after_s=1
    )
