"""Begin checkout: the seats stay locked for the payment window, the price is fixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairgate.domain.orders.fees import fee_lines
from fairgate.domain.orders.order import order_lines, total_minor
from fairgate.domain.shared.ids import OrderId, SessionId, order_id_of
from fairgate.domain.shared.session import live_bucket
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import (
    FairgateError,
    HoldExpiredError,
    LimitExceededError,
    MalformedInputError,
    SessionExpiredError,
    WrongStateError,
)
from fairgate.ports.table import Action, Put, Refusal, TransactionRefusedError, Update
from fairgate.service.holds.hold_seats import unit_of
from fairgate.service.shared.due import session_due
from fairgate.service.shared.idempotency import Once
from fairgate.service.shared.keys import (
    keyed,
    live_key,
    order_key,
    owned,
    seat_key,
    session_key,
    standing_key,
)
from fairgate.service.shared.session_view import SessionView, read_session

if TYPE_CHECKING:
    from fairgate.ports.outside import ExpiryQueue
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock, Ids

# The payment window is checkoutS for the buyer plus this much for the provider's webhook.
TECHNICAL_S = 120
_ATTEMPTS_MAX = 3

# At time :now:  reservation ──► checkout, only while nothing was added or taken away since it was
# read, and every seat is still locked for this session.
SESSION_MAY_CHECK_OUT = (
    "#userId = :user AND #state = :reservation AND #expiresAt > :now AND #resCount = :count"
)
SEAT_STILL_HELD = "#availability = :locked AND #sessionId = :session AND #expiresAt > :now"
PLACES_STILL_HELD = "#GSI1SK = :live"
ORDER_IS_PENDING = "#state = :pending"
STANDING_MAY_BUY = (
    "#liveSession = :session AND (attribute_not_exists(#seatsBought) OR #seatsBought <= :room)"
)


@dataclass(frozen=True)
class CheckoutBegun:
    order: dict[str, Any]  # the order's item
    expires_at: str  # of the session and its seats
    again: bool = field(default=False, compare=False)  # under a key that was answered before


@dataclass(frozen=True)
class CheckoutBeginner:
    """Cost: one query and one TransactWriteItems of 6 + n items."""

    table: Table
    clock: Clock
    ids: Ids
    expiry_queue: ExpiryQueue

    def begin(
        self,
        event: dict[str, Any],
        session: SessionId,
        user: str,
        email: str,
        *,
        idempotency_key: str = "",
    ) -> CheckoutBegun:
        """The pending order of this session, made now or by an earlier call.

        Raises:
            NotFoundError, MalformedInputError (nothing is held), SessionExpiredError,
            HoldExpiredError (names the seats that are gone), LimitExceededError, WrongStateError,
            IdempotencyMismatchError.
        """
        once = Once.of(session, "checkout", idempotency_key, {"email": email})
        for _ in range(_ATTEMPTS_MAX):
            # The record first: a view that is read after it has the order that it names.
            answer = once.before(self.table, self.clock.now_ms()) if once is not None else None
            view = read_session(self.table, session, user)
            if answer is not None:
                return self._again(event, view, answer)
            now_ms = self.clock.now_ms()
            if view.session["expiresAt"] <= rfc3339(now_ms):
                raise SessionExpiredError("Your session has ended.")
            if view.session["state"] == "checkout" and (order := view.pending_order) is not None:
                begun = CheckoutBegun(self._tried_anew(order), view.session["expiresAt"])
                if once is None or self._remembered(once, begun):
                    return self._reminded(event, begun)
                continue
            if view.session["state"] != "reservation":
                raise WrongStateError(
                    "This session has been through checkout.", state=view.session["state"]
                )
            if not view.reservations:
                raise MalformedInputError("Choose at least one seat first.")
            window_s = event["checkoutS"] + TECHNICAL_S
            begun = CheckoutBegun(
                self._order(event, view, email, now_ms), rfc3339(now_ms + window_s * 1000)
            )
            actions = self._actions(event, view, begun.order, rfc3339(now_ms), begun.expires_at)
            record = [once.record(now_ms, _answer(begun))] if once is not None else []
            try:
                self.table.transact([*actions, *record], token=self.ids.hex32())
            except TransactionRefusedError as refused:
                if (refused.reasons[0].item or {}).get("state") == "checkout":
                    continue  # another checkout was first, perhaps this request's twin
                raise self._explain(refused.reasons[: len(actions)], event, view) from refused
            self.expiry_queue.remind(session, window_s + 1)
            return begun
        raise WrongStateError("Your session has just changed. Please look at it again.")

    def _tried_anew(self, order: dict[str, Any]) -> dict[str, Any]:
        """A declined attempt is history once the buyer asks for another payment page."""
        if not order.get("lastAttempt"):
            return order
        forget = Update(
            "reservations",
            *order_key(order["PK"], order["orderId"]),
            condition=ORDER_IS_PENDING,
            values={"pending": "pending"},
            set={"lastAttempt": ""},
        )
        try:
            self.table.update(forget)
        except TransactionRefusedError:
            return order  # paid or ended in between; the page will ask
        return order | {"lastAttempt": ""}

    def _remembered(self, once: Once, begun: CheckoutBegun) -> bool:
        """False when the same key was used in between."""
        try:
            self.table.transact([once.record(self.clock.now_ms(), _answer(begun))])
        except TransactionRefusedError:
            return False
        return True

    def _again(
        self, event: dict[str, Any], view: SessionView, answer: dict[str, Any]
    ) -> CheckoutBegun:
        """The first answer's order, as it is by now."""
        order = next(o for o in view.orders if o["orderId"] == answer["order"])
        begun = CheckoutBegun(order, answer["expiresAt"], again=True)
        return self._reminded(event, begun) if order["state"] == "pending" else begun

    def _reminded(self, event: dict[str, Any], begun: CheckoutBegun) -> CheckoutBegun:
        """The first call may have failed after its transaction: remind again, harmlessly."""
        self.expiry_queue.remind(begun.order["PK"], event["checkoutS"] + TECHNICAL_S + 1)
        return begun

    def _order(
        self, event: dict[str, Any], view: SessionView, email: str, now_ms: int
    ) -> dict[str, Any]:
        session = SessionId(view.session["PK"])
        units = [unit_of(reservation) for reservation in view.reservations]
        lines = order_lines(units, event["tiers"]) + fee_lines(units, event.get("fees", {}))
        order: OrderId = order_id_of(session, self.ids.hex32()[-8:])
        return (
            keyed(order_key(session, order))
            | owned(view.session["userId"], event["SK"], f"{session}#O")
            | {
                "userId": view.session["userId"],
                "eventId": event["SK"],
                "orderId": order,
                "state": "pending",
                "totalMinor": total_minor(lines),
                "currency": event["currency"],
                "lines": lines,
                "units": [unit.as_item() for unit in units],
                "email": email,
                "expiresAt": rfc3339(now_ms + event["checkoutS"] * 1000),
                "createdAt": rfc3339(now_ms),
            }
        )

    def _actions(
        self,
        event: dict[str, Any],
        view: SessionView,
        order: dict[str, Any],
        now: str,
        expires_at: str,
    ) -> list[Action]:
        head = view.session
        session, count = head["PK"], head["resCount"]
        return [
            Update(
                "reservations",
                *session_key(session),
                condition=SESSION_MAY_CHECK_OUT,
                values={
                    "user": head["userId"],
                    "reservation": "reservation",
                    "now": now,
                    "count": count,
                },
                set={
                    "state": "checkout",
                    "expiresAt": expires_at,
                    "liveBucket": live_bucket(expires_at, session),
                },
            ),
            Update(
                "reservations",
                *standing_key(head["userId"], event["SK"]),
                condition=STANDING_MAY_BUY,
                values={"session": session, "room": event["userLimit"] - count},
                set={"liveUntil": expires_at},
            ),
            Put("reservations", order),
            session_due(event["SK"], session, expires_at, epoch_ms(now), order["orderId"]),
            *_move_bucket(event["SK"], head["liveBucket"], live_bucket(expires_at, session)),
            *_areas_still_held(view),
            *(
                Update(
                    "seats",
                    *seat_key(event["SK"], reservation["place"]),
                    condition=SEAT_STILL_HELD,
                    values={"locked": "locked", "session": session, "now": now},
                    set={"expiresAt": expires_at, "updatedAt": now},
                    add={"version": 1},
                )
                for reservation in seats_of(view.reservations)
            ),
        ]

    def _explain(
        self, reasons: Sequence[Refusal], event: dict[str, Any], view: SessionView
    ) -> FairgateError:
        seats = seats_of(view.reservations)
        first_seat = len(reasons) - len(seats)
        pairs = zip(seats, reasons[first_seat:], strict=True)
        gone = [reservation["place"] for reservation, reason in pairs if reason.failed]
        if gone:
            return HoldExpiredError("Some of your seats are no longer held.", seats=gone)
        standing = reasons[1]
        if standing.failed and standing.item is not None:
            bought = standing.item.get("seatsBought", 0)
            if bought + view.session["resCount"] > event["userLimit"]:
                limit = event["userLimit"]
                return LimitExceededError(f"You can buy up to {limit} places.", limit=limit)
        return WrongStateError("Your session has just changed. Please look at it again.")


def _answer(begun: CheckoutBegun) -> dict[str, Any]:
    return {"order": begun.order["orderId"], "expiresAt": begun.expires_at}


def seats_of(reservations: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [r for r in reservations if r["kind"] == "seat"]


def _areas_still_held(view: SessionView) -> list[Action]:
    """A seat tells by itself whose it is; an area's places are their reservation's. Nothing is
    changed: a count alone would not notice one hold given back and another one made.
    """
    live = f"{view.session['PK']}#L"
    return [
        Update(
            "reservations",
            reservation["PK"],
            reservation["SK"],
            condition=PLACES_STILL_HELD,
            values={"live": live},
            set={"GSI1SK": live},
        )
        for reservation in view.reservations
        if reservation["kind"] == "area"
    ]


def _move_bucket(event: str, old: str, new: str) -> list[Action]:
    """Count the session where it ends now. The same bucket twice would be one item twice."""
    if old == new:
        return []
    return [
        Update("reservations", *live_key(event, old), add={"live": -1}),
        Update("reservations", *live_key(event, new), add={"live": 1}),
    ]
