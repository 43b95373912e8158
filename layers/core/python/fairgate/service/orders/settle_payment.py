"""Settle a payment: at least once, in any order, possibly late, with one effect.

A captured payment ends in exactly one set of tickets or exactly one refund, whether a webhook tells
of it or the provider when it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.table import Action, Put, TransactionRefusedError, Update
from fairgate.request_ids import follow
from fairgate.service.holds.release_seats import give_places_back
from fairgate.service.orders.ledger import captured
from fairgate.service.orders.owe_refund import owed_refund
from fairgate.service.orders.refunds import Refunder
from fairgate.service.shared.conditions import (
    ORDER_AND_MAILBOX_AS_READ,
    ORDER_IS_PENDING,
    RESERVATION_IS_LIVE,
    SEAT_IS_OURS,
    SESSION_IN_CHECKOUT,
    USER_IN_SESSION_WITHIN_LIMIT,
    USER_WITHIN_LIMIT,
    USERS_ORDER_IS_PENDING,
)
from fairgate.service.shared.hall_place import place_given_back
from fairgate.service.shared.keys import (
    live_key,
    own_order_key,
    payment_event_key,
    refund_key,
    seat_key,
    user_status_key,
)
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.marks import PaymentEventRecord
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.service.shared.records.sessions import Session, UserStatus
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate.service.shared.tally import attempt_declined, order_paid

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture, Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Settlement = Literal["paid", "refunded", "noted", "duplicate", "unknown-order"]

_KEPT_S = 90 * 86_400  # providers redeliver for days; disputes come for weeks
_ATTEMPTS_MAX = 4

#   order   pending ──► paid          only with its session in checkout and every seat still its own
#   seat    locked  ──► reserved      even past expiry, as long as nobody took it


class PaymentSettler(Struct, frozen=True):
    """Settles payments.

    Cost of a success: one read, one query, one TransactWriteItems of 8 + 2n items.
    """

    table: Table
    clock: Clock
    payments: Payments

    def settle(self, payment: PaymentEvent) -> Settlement:  # noqa: PLR0911 one return an outcome
        """Apply one verified webhook event.

        Raises:
            DependencyUnavailableError: not settled yet; the provider will deliver it again.
        """
        recorded = None if payment.kind == "other" else self._recorded(payment)
        if recorded is not None:
            return self._again(recorded, payment)
        if payment.kind != "succeeded":
            return self._note(payment)
        for _ in range(_ATTEMPTS_MAX):
            view, order = self._read(payment)
            if view is None or order is None:
                return "unknown-order"
            if (known := self._known(view, order, payment)) is not None:
                return known
            if _may_be_paid(order, payment) and self._pay(view, order, payment):
                return "paid"
            if (recorded := self._recorded(payment)) is not None:
                return self._again(recorded, payment)
            view, order = self._read(payment)
            if order is None or order.payment_id == payment.payment:
                continue  # another event of this very capture was first: it is not owed back
            if not self._can_still_pay(view, order, payment):
                return self._refund(order, payment)
        raise DependencyUnavailableError("The order is being changed; try again.", retry_after_s=2)

    def settle_capture(self, capture: Capture) -> Settlement:
        """Settle what the provider answered when it was asked; its webhook may come yet.

        Raises:
            DependencyUnavailableError: not settled yet; to be asked again.
        """
        if capture.refunded_minor >= capture.amount_minor:
            return "noted"  # went back by another hand: it buys nothing
        try:
            return self.settle(event_of(capture, "closed"))
        except DependencyUnavailableError:
            if not self._is_owed_back(capture):
                raise
            return "refunded"  # decided and due: whoever asks does not wait until it can be sent

    def _is_owed_back(self, capture: Capture) -> bool:
        if not ORDER_ID.fullmatch(capture.order):
            return False
        order = OrderId(capture.order)
        key = refund_key(session_of_order(order), order, capture.payment)
        return self.table.find(OwedRefund, key) is not None

    def _known(self, view: SessionView, order: Order, payment: PaymentEvent) -> Settlement | None:
        """Recognise the same capture under another event id: to be given back, or kept."""
        if any(refund.payment_id == payment.payment for refund in view.refunds):
            return "refunded" if self._send_refund(payment) else "duplicate"
        return "duplicate" if order.payment_id == payment.payment else None

    def _recorded(self, payment: PaymentEvent) -> PaymentEventRecord | None:
        return self.table.find(PaymentEventRecord, payment_event_key(payment.id))

    def _again(self, recorded: PaymentEventRecord, payment: PaymentEvent) -> Settlement:
        """Do nothing at a redelivery, unless a refund was decided and may not have been sent."""
        owed = recorded.outcome == "refund"
        return "refunded" if owed and self._send_refund(payment) else "duplicate"

    def _read(self, payment: PaymentEvent) -> tuple[SessionView | None, Order | None]:
        if not ORDER_ID.fullmatch(payment.order):
            return None, None
        session = session_of_order(OrderId(payment.order))
        try:
            view = read_session(self.table, session)
        except NotFoundError:
            return None, None
        follow(view.session.correlation_id)
        return view, next((o for o in view.orders if o.order_id == payment.order), None)

    def _note(self, payment: PaymentEvent) -> Settlement:
        """Remember a declined or expired attempt, while the order waits for another one."""
        if payment.kind == "other":
            return "noted"
        record = self._record(payment, "noted")
        attempts: list[list[Action]] = [[record]]
        if payment.kind == "failed" and ORDER_ID.fullmatch(payment.order):
            # An order that has moved on is not told of its past.
            attempts.insert(0, [record, self._declined(payment), *self._counted(payment)])
        for actions in attempts:
            try:
                self.table.transact(actions)
            except TransactionRefusedError as refused:
                if refused.reasons[0].failed:
                    return "duplicate"
                continue
            break
        return "noted"

    def _declined(self, payment: PaymentEvent) -> Update:
        return Update(
            "reservations",
            *own_order_key(OrderId(payment.order)),
            condition=ORDER_IS_PENDING,
            values={"pending": "pending"},
            set={"lastAttempt": "declined"},
        )

    def _counted(self, payment: PaymentEvent) -> list[Update]:
        """Count the declined attempt at its event; where there is no order it is nobody's."""
        order = self.table.find(Order, own_order_key(OrderId(payment.order)))
        return [] if order is None else [attempt_declined(order)]

    def _record(self, payment: PaymentEvent, outcome: str) -> Put:
        record = PaymentEventRecord(
            *payment_event_key(payment.id),
            order_id=payment.order,
            outcome=outcome,
            ttl=self.clock.now_ms() // 1000 + _KEPT_S,
        )
        return Put.of(record)

    def _pay(self, view: SessionView, order: Order, payment: PaymentEvent) -> bool:
        session, now = view.session, rfc3339(self.clock.now_ms())
        actions: list[Action] = [
            self._record(payment, "paid"),
            Update(
                "reservations",
                *order.key,
                condition=USERS_ORDER_IS_PENDING,
                values={"pending": "pending", "user": session.user_id},
                set={"state": "paid", "paymentId": payment.payment, "paidAt": now},
            ),
            Update(
                "reservations",
                *session.key,
                condition=SESSION_IN_CHECKOUT,
                values={"checkout": "checkout", "user": session.user_id},
                set={"state": "finalised"},
            ),
            self._within_limit(session, order),
            *_seats_sold(view, now),
            *place_given_back(session),
            *_findable(order),
        ]
        if session.expires_at > now:
            bucket = live_key(session.event_id, session.live_bucket)
            actions.append(Update("reservations", *bucket, add={"live": -1}))
        actions += [captured(order, payment, now), order_paid(order, payment, epoch_ms(now))]
        try:
            self.table.transact(actions)
        except TransactionRefusedError:
            return False
        return True

    def _within_limit(self, session: Session, order: Order) -> Update:
        """Require that the user's places, this order's among them, are within the limit.

        The limit may have risen since, and places been counted by it. A session opened since this
        one ran out stays open.
        """
        key = user_status_key(session.user_id, session.event_id)
        status = self.table.find(UserStatus, key)
        if status is not None and status.live_session == session.id:
            return Update(
                "reservations",
                *key,
                condition=USER_IN_SESSION_WITHIN_LIMIT,
                values={"session": session.id, "limit": _limit(order, status)},
                set={"liveSession": "", "liveUntil": ""},
            )
        return Update(
            "reservations",
            *key,
            condition=USER_WITHIN_LIMIT,
            values={"limit": _limit(order, status)},
            add={"placesTaken": 0},
        )

    def _can_still_pay(self, view: SessionView | None, order: Order, payment: PaymentEvent) -> bool:
        """Say whether a refused attempt may succeed when made again with a fresh reading."""
        if view is None or not _may_be_paid(order, payment):
            return False
        session = view.session
        if session.state != "checkout":
            return False
        status = self.table.find(UserStatus, user_status_key(session.user_id, session.event_id))
        if status is None or status.places_taken > _limit(order, status):
            return False
        keys = [seat_key(session.event_id, reservation.place) for reservation in view.seats]
        seats = self.table.find_many(SeatRecord, keys) if keys else []
        ours = [s for s in seats if s.availability == "locked" and s.session_id == session.id]
        return len(ours) == len(keys)

    def _refund(self, order: Order, payment: PaymentEvent) -> Settlement:
        """Record that this capture is owed back, then send it."""
        now_ms = self.clock.now_ms()
        changes: dict[str, Any] = {"updatedAt": rfc3339(now_ms)}
        unpaid: list[Action] = []
        if order.state in ("pending", "failed", "expired"):
            changes |= {"state": "refund_due", "paymentId": payment.payment}
        if order.state == "pending":
            unpaid.append(give_places_back(order.user_id, order.event_id, order.places))
        decided = Update(
            "reservations",
            *order.key,
            condition=ORDER_AND_MAILBOX_AS_READ,
            values={"state": order.state, "mailbox": order.mailbox},
            set=changes,
            add={"beside": 1},
        )
        taken: list[Action] = [captured(order, payment, rfc3339(now_ms)), *_findable(order)]
        taken += owed_refund(
            order, payment.payment, payment.amount_minor, now_ms, currency=payment.currency
        )
        try:
            self.table.transact([self._record(payment, "refund"), decided, *taken, *unpaid])
        except TransactionRefusedError as refused:
            raise DependencyUnavailableError(
                "The order is being changed; try again.", retry_after_s=2
            ) from refused
        self._send_refund(payment)
        return "refunded"

    def _send_refund(self, payment: PaymentEvent) -> bool:
        """Send the refund; False when none is owed, or another call was first."""
        refunder = Refunder(self.table, self.clock, self.payments)
        return refunder.send(
            session_of_order(OrderId(payment.order)), payment.order, payment.payment
        )


def event_of(capture: Capture, how: Literal["closed", "reconciled"]) -> PaymentEvent:
    """Return what a webhook would have told of a capture, named for how we learnt of it."""
    return PaymentEvent(
        id=f"{how}-{capture.payment}",
        kind="succeeded",
        order=capture.order,
        amount_minor=capture.amount_minor,
        currency=capture.currency,
        payment=capture.payment,
    )


def _may_be_paid(order: Order, payment: PaymentEvent) -> bool:
    price = (order.total_minor, order.currency)
    return order.state == "pending" and price == (payment.amount_minor, payment.currency)


def _limit(order: Order, status: UserStatus | None) -> int:
    """Return within how many places the user's are, by the order's limit or a later one."""
    return max(order.user_limit, 0 if status is None else status.user_limit)


def _findable(order: Order) -> Sequence[Put]:
    """Enter an order that takes money among those of its mail address; again, it is the same."""
    if not order.mailbox:
        return []
    entry = MailboxOrder(*mailbox_order_key(order.mailbox, order.order_id), order_id=order.order_id)
    return [Put.of(entry, condition="")]


def _seats_sold(view: SessionView, now: str) -> Sequence[Update]:
    session = view.session
    seats = [
        Update(
            "seats",
            *seat_key(session.event_id, reservation.place),
            condition=SEAT_IS_OURS,
            values={"locked": "locked", "session": session.id},
            set={"availability": "reserved", "expiresAt": "", "updatedAt": now},
            add={"version": 1},
        )
        for reservation in view.seats
    ]
    reservations = [
        Update(
            "reservations",
            *reservation.key,
            condition=RESERVATION_IS_LIVE,
            values={"live": "live"},
            set={"state": "sold"},
        )
        for reservation in view.reservations
    ]
    return [*seats, *reservations]
