"""Release seats: of one hold, of a whole session, or of an expired session."""

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
from fairgate.service.shared.readable import batches
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.service.shared.records.sessions import Reservation, UserStatus
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate.service.shared.shared_count import places_uncounted
from fairgate.service.shared.tally import session_ended

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Done = TypeVar("Done")


class SeatReleaser(Struct, frozen=True):
    """Releases holds.

    Cost: a query and one TransactWriteItems of 1 + 2n items (a whole session: one more read and up
    to 4 more items). The seats are read, in one call, only if their locks may have run out.
    """

    table: Table
    clock: Clock

    def release_hold(self, session: str, user: str, hold: str) -> None:
        """Release one hold. Raises NotFoundError, WrongStateError (a checkout has begun)."""
        again = False

        def decide(view: SessionView) -> Write[None]:
            nonlocal again
            given = view.of_hold(hold)
            if not given:
                if again and view.session.state != "finalised":
                    return Write(None)  # our commit with its answer lost, or a repeated request's
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

        CheckoutEnder ends a checkout, because it closes the payment pages first.

        Args:
            page: the newest payment page of the order, which is closed now.

        Returns False if it has ended, is not due yet, or has another payment page.
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
            actions += places_uncounted(order, order.places)
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
        """Return the writes of the release, refused if anything has changed since it was read.

        A lock that has not run out is ours, unless a clock is wrong: then the write is refused, and
        ``again`` reads the seats. A seat that looks foreign may still become ours, because plain
        reads see the items of a commit one by one: the write depends on that reading.
        """
        head, now = view.session, rfc3339(self.clock.now_ms())
        # A very late hold may commit after somebody else has released the seat: then a session has
        # two reservations of one seat.
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
        """Return the reservations whose seat is still ours, and the other seats as they were read.

        An expired lock may have been replaced by another one.
        """
        keys = [seat_key(r.event_id, r.place) for r in reservations]
        ours: set[tuple[str, str]] = set()
        others: list[SeatRecord] = []
        sessions = {r.session for r in reservations}
        for batch in batches(keys):
            for seat in self.table.find_many(SeatRecord, batch):
                if seat.availability == "locked" and seat.session_id in sessions:
                    ours.add((seat.seat_id, seat.session_id))
                else:
                    others.append(seat)
        return [r for r in reservations if (r.place, r.session) in ours], others


def leave_session(session: str, user: str, event: str, taken: int = 0) -> Update:
    """End the user's live session, and add ``taken`` to the places that they have taken."""
    return Update(
        "reservations",
        *user_status_key(user, event),
        condition=USER_IS_IN_SESSION,
        values={"session": session},
        set={"liveSession": "", "liveUntil": ""},
        add={"placesTaken": taken},
    )


def give_places_back(user: str, event: str, places: int) -> Update:
    """Subtract places that are not paid or no longer the user's from those they have taken."""
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
    """Return places (area, shard, quantity) to their counters.

    There is one update for each counter: a transaction must not have an item twice.
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
    """Return a write that changes nothing, and is refused if the seat's session has changed."""
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
