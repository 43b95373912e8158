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
from fairgate.service.shared.keys import (
    area_key,
    live_key,
    order_key,
    seat_key,
    session_key,
    standing_key,
)
from fairgate.service.shared.session_view import SessionView, read_session

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

_ATTEMPTS_MAX = 6

SEAT_IS_MINE = "#availability = :locked AND #sessionId = :session"
STILL_LIVE = "#GSI1SK = :live"
SESSION_AS_READ = "#userId = :user AND #state = :state AND #resCount = :count"
STANDING_POINTS_HERE = "#liveSession = :session"
ORDER_IS_PENDING = "#state = :pending"


@dataclass(frozen=True)
class SeatReleaser:
    """Cost: a query and one TransactWriteItems of 1 + 2n items (a whole session: up to 3 more)."""

    table: Table
    clock: Clock

    def release_hold(self, session: str, user: str, hold: str) -> None:
        """Raises NotFoundError, WrongStateError (a checkout has begun)."""
        for _ in range(_ATTEMPTS_MAX):
            view = read_session(self.table, session, user)
            given = view.of_hold(hold)
            if not given:
                raise NotFoundError("There is no such hold.")
            if view.session["state"] != "reservation":
                raise WrongStateError(
                    "Seats can be given back one by one only before checkout.",
                    state=view.session["state"],
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
            if view.session["state"] not in LIVE_STATES:
                return False
            now = rfc3339(self.clock.now_ms())
            if state == "expired" and view.session["expiresAt"] > now:
                return False
            if self._commit(view, view.reservations, {"state": state}, self._ending(view, state)):
                return True
        raise _contended()

    def _ending(self, view: SessionView, state: SessionState) -> list[Action]:
        head = view.session
        session, event, user = head["PK"], head["eventId"], head["userId"]
        actions: list[Action] = []
        standing = self.table.get("reservations", *standing_key(user, event))
        if standing is not None and standing.get("liveSession") == session:
            actions.append(clear_standing(session, user, event))
        if head["expiresAt"] > rfc3339(self.clock.now_ms()):
            actions.append(
                Update("reservations", *live_key(event, head["liveBucket"]), add={"live": -1})
            )
        if (order := view.pending_order) is not None:
            actions.append(
                Update(
                    "reservations",
                    *order_key(session, order["orderId"]),
                    condition=ORDER_IS_PENDING,
                    values={"pending": "pending"},
                    set={"state": "expired" if state == "expired" else "failed"},
                )
            )
        return actions

    def _commit(
        self,
        view: SessionView,
        given: Sequence[dict[str, Any]],
        changes: dict[str, Any],
        more: list[Action],
    ) -> bool:
        """False when something changed since it was read and the caller should read again."""
        head, now = view.session, rfc3339(self.clock.now_ms())
        session = Update(
            "reservations",
            *session_key(head["PK"]),
            condition=SESSION_AS_READ,
            values={
                "user": head["userId"],
                "state": head["state"],
                "count": head["resCount"],
            },
            set=changes,
            add={"resCount": -sum(r["quantity"] for r in given)},
        )
        actions: list[Action] = [session, *more]
        for reservation in given:
            actions.append(_give_up(reservation, head["PK"]))
            if reservation["kind"] == "seat" and self._still_mine(reservation, head["PK"]):
                actions.append(_return_seat(reservation, head["PK"], now))
        areas = [(r["place"], r["shard"], r["quantity"]) for r in given if r["kind"] == "area"]
        actions += return_places(head["eventId"], areas, now)
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return False
        return True

    def _still_mine(self, reservation: dict[str, Any], session: str) -> bool:
        """An expired lock may have been taken over; then there is nothing to return."""
        seat = self.table.get("seats", *seat_key(reservation["eventId"], reservation["place"]))
        return (
            seat is not None
            and seat["availability"] == "locked"
            and seat.get("sessionId") == session
        )


def clear_standing(session: str, user: str, event: str, bought: int = 0) -> Update:
    """The user's live session ends; ``bought`` places are added to what they own."""
    return Update(
        "reservations",
        *standing_key(user, event),
        condition=STANDING_POINTS_HERE,
        values={"session": session},
        set={"liveSession": "", "liveUntil": ""},
        add={"seatsBought": bought},
    )


def _give_up(reservation: dict[str, Any], session: str) -> Update:
    return Update(
        "reservations",
        session,
        reservation["SK"],
        condition=STILL_LIVE,
        values={"live": f"{session}#L"},
        set={"GSI1SK": f"{session}#X"},
    )


def return_places(event: str, taken: Iterable[tuple[str, int, int]], now: str) -> list[Update]:
    """Places (area, shard, quantity) back to their counters: one update a counter, because no
    item may be twice in a transaction.
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


def _return_seat(reservation: dict[str, Any], session: str, now: str) -> Update:
    return Update(
        "seats",
        *seat_key(reservation["eventId"], reservation["place"]),
        condition=SEAT_IS_MINE,
        values={"locked": "locked", "session": session},
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
    if head["state"] not in LIVE_STATES:
        return "ended"
    left_ms = epoch_ms(head["expiresAt"]) - clock.now_ms()
    if left_ms > 0:
        queue.remind(session, left_ms // 1000 + 1)
        return "later"
    return "expired" if releaser.end_session(session, "expired") else "ended"


def _contended() -> DependencyUnavailableError:
    return DependencyUnavailableError(
        "Your seats are being changed elsewhere. Please try again.", retry_after_s=1
    )
