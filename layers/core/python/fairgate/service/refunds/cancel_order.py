"""Cancel a paid order within its own terms: refund, void the tickets, give the seats back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.table import Action, Refusal
from fairgate.service.refunds.cancel_terms import (
    CANCELLABLE,
    all_back,
    require_cancelled,
    require_in_time,
    require_own,
    whole_back,
)
from fairgate.service.refunds.owe_refund import owed_refund
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.refunds.return_seats import reservation_released, units_returned
from fairgate.service.shared.change import Write, under_way
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import RESERVATION, user_key
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Reservation

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

_ENDED = ("cancelled", "refunded")

#   order   paid, ticketed ──► cancelled ──► refunded       where nothing is left to give, at once
#   seat    reserved ──► available                          in the transaction of the first step


class OrderCanceller(Struct, frozen=True):
    """Cancels orders. Cost: one TransactWriteItems of 5 + 2n items and one call to the provider."""

    table: Table
    clock: Clock
    payments: Payments

    def cancel(self, event: Event, order: Order, *, idempotency_key: str = "") -> Order:
        """Return the order ``refunded``. Calling again returns it, and sends a refund that waits.

        Raises:
            WrongStateError: not paid, its ``cancelUntil`` is past or not set, or a ticket of it was
                passed on.
            IdempotencyMismatchError: the user cancelled another order under this key.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        request = IdempotentRequest.of(
            user_key(order.user_id), "cancel", idempotency_key, {"order": order.order_id}
        )

        def decide(seen: Order) -> Write[Order]:
            if seen.state in CANCELLABLE:
                require_in_time(seen, event, self.clock.now_ms())
                require_own(seen)
                return self._given_back(seen, request, whole_back(seen))
            if seen.state in _ENDED and seen.cancelled_at:  # by this request or an earlier one
                return Write(seen)
            raise WrongStateError("There is nothing to cancel.", state=seen.state)

        order = change_order(self.table, self.clock, order, decide)
        if order.state != "cancelled":
            return order
        refunder = Refunder(self.table, self.clock, self.payments)
        refunder.send(order.session, order.order_id, order.payment_id or "")
        return self._as_it_is(order)

    def cancel_for_event(self, event: Event, order: Order) -> Order:
        """Decide to refund the whole order because its event is cancelled; nothing is sent.

        Returns the order afterwards. An order that is not sold stays as it is.

        Raises:
            WrongStateError: the event is not cancelled.
            DependencyUnavailableError: the order is seen in part, or keeps being changed.
        """

        def decide(order: Order) -> Write[Order]:
            if order.state not in CANCELLABLE:
                return Write(order)
            require_cancelled(event, order)
            return self._given_back(order, None, all_back(order), by_event=True)

        return change_order(self.table, self.clock, order, decide)

    def _given_back(
        self, order: Order, request: IdempotentRequest | None, back: int, *, by_event: bool = False
    ) -> Write[Order]:
        """Return the writes that cancel the order.

        Raises DependencyUnavailableError: its payment or its cancellation is seen in part.
        """
        now_ms = self.clock.now_ms()
        now = rfc3339(now_ms)
        reservations = self._sold(order)
        ended = {"state": "cancelled"} if back else {"state": "refunded", "refunded_at": now}
        after, update = order_changed(
            order,
            **ended,
            cancelled_at=now,
            back_minor=order.back_minor + back,
            event_cancelled=by_event,
        )
        actions: list[Action] = [
            update,
            *units_returned(order, order.units, now),
            *(reservation_released(reservation) for reservation in reservations),
        ]
        actions += owed_refund(
            order,
            order.payment_id or "",
            back,
            now_ms,
            gone=order.units,
            revenue_minor=order.total_minor - order.back_minor,
        )
        if request is None:
            return Write(after, actions)
        actions.append(request.record(now_ms, {"order": order.order_id}))
        return Write(after, actions, partial(_require_same, request))

    def _sold(self, order: Order) -> list[Reservation]:
        """Return the reservations of the order's places; UnderWayError while they differ.

        A session goes through checkout once, so its sold reservations are the order's. A read may
        see the order paid and its reservations not yet sold, or given back by another request.
        """
        read = self.table.query(Reservation, order.session, RESERVATION)
        sold = [reservation for reservation in read if reservation.state == "sold"]
        if sum(reservation.quantity for reservation in sold) != order.places:
            raise under_way()
        return sold

    def _as_it_is(self, order: Order) -> Order:
        return self.table.find(Order, order.key) or order


def _require_same(request: IdempotentRequest, reasons: Sequence[Refusal]) -> None:
    """Raise IdempotencyMismatchError if its key was used for another request."""
    request.answered(reasons[-1])
