"""Cancel a paid order within the event's policy: refund, void the tickets, give the seats back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.holds.release_seats import give_places_back, return_places
from fairgate.service.orders.owe_refund import owed_refund
from fairgate.service.orders.refunds import Refunder
from fairgate.service.shared.conditions import (
    RESERVATION_IS_SOLD,
    SEAT_IS_SOLD_TO_US,
    USERS_ORDER_AS_READ,
)
from fairgate.service.shared.idempotency import IdempotentRequest, under_way
from fairgate.service.shared.keys import RESERVATION, seat_key, user_key
from fairgate.service.shared.records.orders import Order, OrderUnit
from fairgate.service.shared.records.sessions import Reservation

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

_CANCELLABLE = ("paid", "ticketed")
_READS_MAX = 4  # of reservations whose payment is being committed

#   order   paid, ticketed ──► cancelled ──► refunded
#   seat    reserved ──► available                          in the transaction of the first step


@dataclass(frozen=True)
class OrderCanceller:
    """Cancels orders. Cost: one TransactWriteItems of 5 + 2n items and one call to the provider."""

    table: Table
    clock: Clock
    payments: Payments

    def cancel(self, event: Event, order: Order, *, idempotency_key: str = "") -> Order:
        """Return the order ``refunded``. Calling again completes an interrupted refund.

        Raises:
            WrongStateError: not paid, or the event's ``cancelUntil`` is past or not set.
            IdempotencyMismatchError: the user cancelled another order under this key.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        now_ms = self.clock.now_ms()
        request = IdempotentRequest.of(
            user_key(order.user_id), "cancel", idempotency_key, {"order": order.order_id}
        )
        if order.state in _CANCELLABLE:
            if event.cancel_until <= rfc3339(now_ms):
                raise WrongStateError("Orders for this event can no longer be cancelled.")
            order = self._give_back(order, request, now_ms)
        else:
            answered = request is not None and request.before(self.table, now_ms) is not None
            if order.state != "cancelled" and not answered:
                raise WrongStateError("There is nothing to cancel.", state=order.state)
        if order.state != "cancelled":
            return order  # what the first answer led to
        refunder = Refunder(self.table, self.clock, self.payments)
        refunder.send(order.session, order.order_id, order.payment_id or "")
        return self._as_it_is(order)

    def _give_back(self, order: Order, request: IdempotentRequest | None, now_ms: int) -> Order:
        """Return the order cancelled by this call or by its twin.

        Raises NotFoundError (another user's), WrongStateError, DependencyUnavailableError (its
        payment or its cancellation is seen in part).
        """
        event, user, now = order.event_id, order.user_id, rfc3339(now_ms)
        reservations = self._sold(order)
        if reservations is None:
            cancelled = _cancelled_by(user, self.table.find(Order, order.key))
            if cancelled is None:
                raise under_way()
            return cancelled
        actions: list[Action] = [
            Update(
                "reservations",
                *order.key,
                condition=USERS_ORDER_AS_READ,
                values={"state": order.state, "user": user},
                set={"state": "cancelled", "cancelledAt": now},
            ),
            give_places_back(user, event, order.places),
            *owed_refund(order, order.payment_id or "", order.total_minor, now_ms, cancels=True),
        ]
        actions += [_returned(order, unit, now) for unit in order.units if unit.kind == "seat"]
        areas = [unit for unit in order.units if unit.kind == "area"]
        actions += return_places(event, [(u.area, u.shard or 0, u.places) for u in areas], now)
        actions += [
            Update(
                "reservations",
                *reservation.key,
                condition=RESERVATION_IS_SOLD,
                values={"sold": "sold"},
                set={"state": "released"},
            )
            for reservation in reservations
        ]
        if request is not None:
            actions.append(request.record(now_ms, {"order": order.order_id}))
        try:
            self.table.transact(actions)
        except TransactionRefusedError as refused:
            if request is not None and request.answered(refused.reasons[-1]) is not None:
                answered = self._as_it_is(order)
                if answered.state in _CANCELLABLE:
                    raise under_way() from refused
                return answered
            current = refused.reasons[0].old(Order) if refused.reasons[0].failed else None
            if (cancelled := _cancelled_by(user, current)) is not None:
                return cancelled  # our own commit, its answer lost; or our twin's
            raise WrongStateError("The order has just changed. Please look again.") from refused
        return msgspec.structs.replace(order, state="cancelled", cancelled_at=now)

    def _sold(self, order: Order) -> list[Reservation] | None:
        """Return the reservations of the order's places; None while not all of them are sold.

        A session goes through checkout once, so those that are sold are the order's. The order may
        be seen as paid before they are, and only what is read here is released with it.
        """
        for _ in range(_READS_MAX):
            read = self.table.query(Reservation, order.session, RESERVATION)
            sold = [reservation for reservation in read if reservation.state == "sold"]
            if sum(reservation.quantity for reservation in sold) == order.places:
                return sold
        return None

    def _as_it_is(self, order: Order) -> Order:
        return self.table.find(Order, order.key) or order


def _cancelled_by(user: str, order: Order | None) -> Order | None:
    """Return the order where it is cancelled. Raises NotFoundError (another user's)."""
    if order is not None and order.user_id != user:
        raise NotFoundError("There is no such order.")
    return order if order is not None and order.state in ("cancelled", "refunded") else None


def _returned(order: Order, unit: OrderUnit, now: str) -> Update:
    return Update(
        "seats",
        *seat_key(order.event_id, unit.seat),
        condition=SEAT_IS_SOLD_TO_US,
        values={"reserved": "reserved", "session": order.session},
        set={"availability": "available", "sessionId": "", "updatedAt": now},
        add={"version": 1},
    )
