"""Cancel a paid order within its own terms: refund, void the tickets, give the seats back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.orders.cancel_terms import (
    CANCELLABLE,
    all_back,
    require_cancelled,
    require_in_time,
    require_own,
    whole_back,
)
from fairgate.service.orders.owe_refund import owed_refund
from fairgate.service.orders.refunds import Refunder
from fairgate.service.orders.return_seats import reservation_released, units_returned
from fairgate.service.shared.conditions import (
    AND_MOVES_AS_READ,
    AND_VOID_AS_READ,
    USERS_ORDER_AND_PARTS_AS_READ,
)
from fairgate.service.shared.idempotency import IdempotentRequest, under_way
from fairgate.service.shared.keys import RESERVATION, user_key
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.records.sessions import Reservation

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

_ATTEMPTS_MAX = 4
_READS_MAX = 4  # of reservations whose payment is being committed

#   order   paid, ticketed ──► cancelled ──► refunded       where nothing is left to give, at once
#   seat    reserved ──► available                          in the transaction of the first step


class OrderCanceller(Struct, frozen=True):
    """Cancels orders. Cost: one TransactWriteItems of 5 + 2n items and one call to the provider."""

    table: Table
    clock: Clock
    payments: Payments

    def cancel(self, event: Event, order: Order, *, idempotency_key: str = "") -> Order:
        """Return the order ``refunded``. Calling again completes an interrupted refund.

        Raises:
            WrongStateError: not paid, its ``cancelUntil`` is past or not set, or a ticket of it was
                passed on.
            IdempotencyMismatchError: the user cancelled another order under this key.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        now_ms = self.clock.now_ms()
        request = IdempotentRequest.of(
            user_key(order.user_id), "cancel", idempotency_key, {"order": order.order_id}
        )
        if order.state in CANCELLABLE:
            require_in_time(order, event, now_ms)
            require_own(order)
            order = self._give_back(order, request, now_ms, whole_back(order))
        else:
            answered = request is not None and request.before(self.table, now_ms) is not None
            if order.state != "cancelled" and not answered:
                raise WrongStateError("There is nothing to cancel.", state=order.state)
        if order.state != "cancelled":
            return order  # what the first answer led to
        refunder = Refunder(self.table, self.clock, self.payments)
        refunder.send(order.session, order.order_id, order.payment_id or "")
        return self._as_it_is(order)

    def cancel_for_event(self, event: Event, order: Order) -> Order:
        """Decide that all of the order goes back because its event is cancelled; nothing is sent.

        Returns it as it is then: what was not sold, or not any more, is left as it was.

        Raises:
            WrongStateError: the event is not cancelled.
            DependencyUnavailableError: the order is seen in part, or keeps being changed.
        """
        for _ in range(_ATTEMPTS_MAX):
            if order.state not in CANCELLABLE:
                return order
            require_cancelled(event, order)
            now_ms = self.clock.now_ms()
            try:
                return self._give_back(order, None, now_ms, all_back(order), by_event=True)
            except WrongStateError:
                order = self._as_it_is(order)  # its tickets were made just now, or a part went back
        raise under_way()

    def _give_back(
        self,
        order: Order,
        request: IdempotentRequest | None,
        now_ms: int,
        back: int,
        *,
        by_event: bool = False,
    ) -> Order:
        """Return the order cancelled by this call or by its twin.

        Raises NotFoundError (another user's), WrongStateError, DependencyUnavailableError (its
        payment or its cancellation is seen in part).
        """
        user, now = order.user_id, rfc3339(now_ms)
        reservations = self._sold(order)
        if reservations is None:
            cancelled = _cancelled_by(user, self.table.find(Order, order.key))
            if cancelled is None:
                raise under_way()
            return cancelled
        ended: dict[str, object] = (
            {"state": "cancelled"} if back else {"state": "refunded", "refundedAt": now}
        )
        if by_event:
            ended["eventCancelled"] = True
        actions: list[Action] = [
            Update(
                "reservations",
                *order.key,
                condition=USERS_ORDER_AND_PARTS_AS_READ + AND_VOID_AS_READ + AND_MOVES_AS_READ,
                values={
                    "state": order.state,
                    "user": user,
                    "parts": order.parts,
                    "voided": [one.as_map() for one in order.voided],
                    "moves": order.moves,
                },
                set={**ended, "cancelledAt": now, "backMinor": order.back_minor + back},
            ),
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
        if request is not None:
            actions.append(request.record(now_ms, {"order": order.order_id}))
        try:
            self.table.transact(actions)
        except TransactionRefusedError as refused:
            if request is not None and request.answered(refused.reasons[-1]) is not None:
                answered = self._as_it_is(order)
                if answered.state in CANCELLABLE:
                    raise under_way() from refused
                return answered
            current = refused.reasons[0].old(Order) if refused.reasons[0].failed else None
            if (cancelled := _cancelled_by(user, current)) is not None:
                return cancelled  # our own commit, its answer lost; or our twin's
            raise WrongStateError("The order has just changed. Please look again.") from refused
        if not back:
            return self._as_it_is(order)  # all of it had gone back before
        return msgspec.structs.replace(
            order, state="cancelled", cancelled_at=now, event_cancelled=by_event
        )

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
