"""Settle a payment: at least once, in any order, possibly late, with one effect.

A captured payment leads to exactly one set of tickets or exactly one refund, whether a webhook or
an answer of the provider reports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import DependencyUnavailableError, NotFoundError
from fairgate.ports.payments import PaymentEvent
from fairgate.ports.table import Action, Put, Update
from fairgate.request_ids import follow
from fairgate.service.checkout.settle_held import HeldPayments
from fairgate.service.holds.release_seats import give_places_back
from fairgate.service.ledger.ledger import captured
from fairgate.service.refunds.owe_refund import owed_refund
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.shared.capacity_slot import slot_returned
from fairgate.service.shared.change import Write, change
from fairgate.service.shared.conditions import (
    RESERVATION_IS_LIVE,
    SEAT_IS_OURS,
    SESSION_IN_CHECKOUT,
    USER_IN_SESSION_WITHIN_LIMIT,
    USER_WITHIN_LIMIT,
)
from fairgate.service.shared.keys import (
    live_key,
    own_order_key,
    payment_event_key,
    refund_key,
    seat_key,
    user_status_key,
)
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate.service.shared.order_update import order_changed
from fairgate.service.shared.records.cursors import PaymentEventRecord
from fairgate.service.shared.records.mails import MailboxOrder
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.shared.records.seats import SeatRecord
from fairgate.service.shared.records.sessions import Session, UserStatus
from fairgate.service.shared.session_view import SessionView, read_session
from fairgate.service.shared.shared_count import places_uncounted
from fairgate.service.shared.tally import attempt_declined, order_paid

if TYPE_CHECKING:
    from fairgate.ports.payments import Capture, Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

Settlement = Literal["paid", "refunded", "noted", "duplicate", "unknown-order"]
# owed-before: the refund of this capture was decided before, and may not have been sent yet.
_Decided = Literal["paid", "refunded", "duplicate", "unknown-order", "owed-before"]

_KEPT_S = 90 * 86_400  # providers redeliver for days; disputes come for weeks

#   order   pending ──► paid          only with its session in checkout and every seat still its own
#   seat    locked  ──► reserved      even past expiry, as long as nobody took it


class PaymentSettler(Struct, frozen=True):
    """Settles payments.

    Cost of a success: one read, one query, one TransactWriteItems of 8 + 2n items.
    """

    table: Table
    clock: Clock
    payments: Payments

    def settle(self, payment: PaymentEvent) -> Settlement:
        """Apply one verified webhook event.

        Raises:
            DependencyUnavailableError: not settled yet; the provider will deliver it again.
        """
        if payment.kind == "held":
            ended = HeldPayments(self.table, self.clock, self.payments).end(payment)
            return ended if isinstance(ended, str) else self.settle_capture(ended)
        recorded = None if payment.kind == "other" else self._recorded(payment)
        if recorded is not None:
            decided: _Decided = "owed-before" if recorded.outcome == "refund" else "duplicate"
        elif payment.kind == "succeeded":
            decided = self._decided(payment)
        else:
            return self._note(payment)
        if decided == "owed-before":
            return "refunded" if self._send_refund(payment) else "duplicate"
        if decided == "refunded":
            self._send_refund(payment)
        return decided

    def _decided(self, payment: PaymentEvent) -> _Decided:
        """Sell the order to its captured payment, or decide the refund; nothing is sent."""
        again = False

        def decide(read: tuple[SessionView | None, Order | None]) -> Write[_Decided]:
            nonlocal again
            view, order = read
            if view is None or order is None:
                return Write("unknown-order")
            if any(refund.payment_id == payment.payment for refund in view.refunds):
                return Write("owed-before")  # under another event id
            if order.payment_id == payment.payment:
                return Write("duplicate")
            # Reservations are read only after a refused write: mostly the first write succeeds.
            pays = not again or self._can_still_pay(view, order, payment)
            again = True
            if pays and _may_be_paid(order, payment):
                return Write("paid", self._paid(view, order, payment))
            return Write("refunded", self._owed_back(order, payment))

        return change(self.table, self.clock, lambda: self._read(payment), decide)

    def settle_capture(self, capture: Capture) -> Settlement:
        """Settle what the provider has taken or holds, as it says; its webhook may still come.

        Raises:
            DependencyUnavailableError: not settled yet; ask again.
        """
        if capture.refunded_minor >= capture.amount_minor:
            return "noted"  # somebody refunded it at the provider: it buys nothing
        try:
            return self.settle(event_of(capture, "closed"))
        except DependencyUnavailableError:
            if not self._is_owed_back(capture):
                raise
            return "refunded"  # decided; the sweeper sends it

    def close(self, order: Order, page: str) -> Capture | None:
        """Close a page of the order; return what it has taken, or holds and may still be taken.

        Cost: a call to the provider; two for an order with a limit for one card.
        """
        found = self.payments.find_capture(page) if order.card_limit else None
        return found or self.payments.close_checkout(page)

    def _is_owed_back(self, capture: Capture) -> bool:
        if not ORDER_ID.fullmatch(capture.order):
            return False
        order = OrderId(capture.order)
        key = refund_key(session_of_order(order), order, capture.payment)
        return self.table.find(OwedRefund, key) is not None

    def _recorded(self, payment: PaymentEvent) -> PaymentEventRecord | None:
        return self.table.find(PaymentEventRecord, payment_event_key(payment.id))

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
        """Note a declined or expired attempt in an order that still waits for a payment."""
        if payment.kind == "other":
            return "noted"
        record = self._record(payment, "noted")
        declined = payment.kind == "failed" and bool(ORDER_ID.fullmatch(payment.order))
        again = False

        def read() -> Order | None:
            key = own_order_key(OrderId(payment.order)) if declined else None
            return None if key is None else self.table.find(Order, key)

        def decide(order: Order | None) -> Write[Settlement]:
            nonlocal again
            if again and self._recorded(payment) is not None:
                return Write("duplicate")
            again = True
            if order is None or order.state != "pending":
                return Write("noted", [record])  # the order no longer waits for a payment
            _, update = order_changed(order, last_attempt="declined")
            return Write("noted", [record, update, attempt_declined(order)])

        return change(self.table, self.clock, read, decide)

    def _record(self, payment: PaymentEvent, outcome: str) -> Put:
        record = PaymentEventRecord(
            *payment_event_key(payment.id),
            order_id=payment.order,
            outcome=outcome,
            ttl=self.clock.now_ms() // 1000 + _KEPT_S,
        )
        return Put.of(record)

    def _paid(self, view: SessionView, order: Order, payment: PaymentEvent) -> list[Action]:
        """Return the writes that sell the order if its session and seats are still its own."""
        session, now = view.session, rfc3339(self.clock.now_ms())
        _, paid = order_changed(order, state="paid", payment_id=payment.payment, paid_at=now)
        actions: list[Action] = [
            self._record(payment, "paid"),
            paid,
            Update(
                "reservations",
                *session.key,
                condition=SESSION_IN_CHECKOUT,
                values={"checkout": "checkout", "user": order.user_id},
                set={"state": "finalised"},
            ),
            self._within_limit(session, order),
            *_seats_sold(view, now),
            *slot_returned(session),
            *_findable(order),
        ]
        if session.expires_at > now:
            bucket = live_key(session.event_id, session.live_bucket)
            actions.append(Update("reservations", *bucket, add={"live": -1}))
        actions += [captured(order, payment, now), order_paid(order, payment, epoch_ms(now))]
        return actions

    def _within_limit(self, session: Session, order: Order) -> Update:
        """Require that the user's places, this order's among them, are within the limit.

        The limit may have been raised since, and a newer session of the user stays open.
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
        """Say whether a refused attempt may succeed after a fresh read."""
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

    def _owed_back(self, order: Order, payment: PaymentEvent) -> list[Action]:
        """Return the writes that decide the refund of this capture."""
        now_ms = self.clock.now_ms()
        changes: dict[str, Any] = {"updated_at": rfc3339(now_ms)}
        if order.state in ("pending", "failed", "expired"):
            changes |= {"state": "refund_due", "payment_id": payment.payment}
        _, decided = order_changed(order, **changes)
        actions: list[Action] = [
            self._record(payment, "refund"),
            decided,
            captured(order, payment, rfc3339(now_ms)),
            *_findable(order),
        ]
        actions += owed_refund(
            order, payment.payment, payment.amount_minor, now_ms, currency=payment.currency
        )
        if order.state == "pending":
            actions.append(give_places_back(order.user_id, order.event_id, order.places))
            actions += places_uncounted(order, order.places)
        return actions

    def _send_refund(self, payment: PaymentEvent) -> bool:
        """Send the refund; False when none is owed, or another call was first."""
        refunder = Refunder(self.table, self.clock, self.payments)
        return refunder.send(
            session_of_order(OrderId(payment.order)), payment.order, payment.payment
        )


def event_of(capture: Capture, how: Literal["closed", "reconciled"]) -> PaymentEvent:
    """Return the event that a webhook would have sent for this capture."""
    return PaymentEvent(
        id=f"{how}-{capture.payment}",
        kind="held" if capture.held else "succeeded",
        order=capture.order,
        amount_minor=capture.amount_minor,
        currency=capture.currency,
        payment=capture.payment,
    )


def _may_be_paid(order: Order, payment: PaymentEvent) -> bool:
    price = (order.total_minor, order.currency)
    return order.state == "pending" and price == (payment.amount_minor, payment.currency)


def _limit(order: Order, status: UserStatus | None) -> int:
    """Return the user's limit of places: the order's, or the event's if it was raised since."""
    return max(order.user_limit, 0 if status is None else status.user_limit)


def _findable(order: Order) -> Sequence[Put]:
    """Return the write that lists a paid order under its mail address; it may be repeated."""
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
