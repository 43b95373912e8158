"""Cancel a paid order within the event's policy: refund, void the tickets, give the seats back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports.table import Action, TransactionRefusedError, Update
from fairgate.service.holds.release_seats import return_places
from fairgate.service.orders.refunds import Refunder, owed_refund
from fairgate.service.shared.idempotency import Once
from fairgate.service.shared.keys import order_key, seat_key, standing_key, user_key

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

#   order   paid, ticketed ──► cancelled ──► refunded
#   seat    reserved ──► available                          in the transaction of the first step
ORDER_AS_READ = "#state = :state AND #userId = :user"
SOLD_TO_THIS = "#availability = :reserved AND #sessionId = :session"
RESERVATION_IS_SOLD = "#GSI1SK = :sold"


@dataclass(frozen=True)
class OrderCanceller:
    """Cost: one TransactWriteItems of 4 + 2n items and one call to the provider."""

    table: Table
    clock: Clock
    payments: Payments

    def cancel(
        self, event: dict[str, Any], order: dict[str, Any], *, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """The order afterwards: ``refunded``. Calling again completes an interrupted refund.

        Raises:
            WrongStateError: not paid, or the event's ``cancelUntil`` is past or not set.
            IdempotencyMismatchError: the user cancelled another order under this key.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        now_ms = self.clock.now_ms()
        asked = {"order": order["orderId"]}
        once = Once.of(user_key(order["userId"]), "cancel", idempotency_key, asked)
        if order["state"] in ("paid", "ticketed"):
            if event.get("cancelUntil", "") <= rfc3339(now_ms):
                raise WrongStateError("Orders for this event can no longer be cancelled.")
            order = self._give_back(order, once, now_ms)
        else:
            seen = once is not None and once.before(self.table, now_ms) is not None
            if order["state"] != "cancelled" and not seen:
                raise WrongStateError("There is nothing to cancel.", state=order["state"])
        if order["state"] != "cancelled":
            return order  # what the first answer led to
        refunder = Refunder(self.table, self.clock, self.payments)
        refunder.send(order["PK"], order["orderId"], order["paymentId"])
        return self._as_it_is(order)

    def _give_back(self, order: dict[str, Any], once: Once | None, now_ms: int) -> dict[str, Any]:
        """The order, cancelled by this call or by its twin. Raises WrongStateError."""
        session, event, user = order["PK"], order["eventId"], order["userId"]
        now = rfc3339(now_ms)
        places = sum(unit.get("quantity", 1) for unit in order["units"])
        actions: list[Action] = [
            Update(
                "reservations",
                *order_key(session, order["orderId"]),
                condition=ORDER_AS_READ,
                values={"state": order["state"], "user": user},
                set={"state": "cancelled", "cancelledAt": now},
            ),
            Update("reservations", *standing_key(user, event), add={"seatsBought": -places}),
            *owed_refund(order, order["paymentId"], order["totalMinor"], now_ms),
        ]
        seats = [unit for unit in order["units"] if unit["kind"] == "seat"]
        areas = [unit for unit in order["units"] if unit["kind"] == "area"]
        actions += [_returned(event, session, unit, now) for unit in seats]
        actions += return_places(
            event, [(unit["area"], unit["shard"], unit["quantity"]) for unit in areas], now
        )
        actions += [
            Update(
                "reservations",
                session,
                reservation["SK"],
                condition=RESERVATION_IS_SOLD,
                values={"sold": f"{session}#R"},
                set={"GSI1SK": f"{session}#X"},
            )
            for reservation in self.table.query("reservations", session, "R#")
            if reservation["GSI1SK"].endswith("#R")
        ]
        if once is not None:
            actions.append(once.record(now_ms, {"order": order["orderId"]}))
        try:
            self.table.transact(actions)
        except TransactionRefusedError as refused:
            if once is not None and once.answered(refused.reasons[-1]) is not None:
                return self._as_it_is(order)
            found = self._as_it_is(order)
            if found["state"] in ("cancelled", "refunded"):  # our own commit, its answer lost
                return found
            raise WrongStateError("The order has just changed. Please look again.") from refused
        return order | {"state": "cancelled", "cancelledAt": now}

    def _as_it_is(self, order: dict[str, Any]) -> dict[str, Any]:
        found = self.table.get("reservations", *order_key(order["PK"], order["orderId"]))
        return order if found is None else found


def _returned(event: str, session: str, unit: dict[str, Any], now: str) -> Update:
    return Update(
        "seats",
        *seat_key(event, unit["seat"]),
        condition=SOLD_TO_THIS,
        values={"reserved": "reserved", "session": session},
        set={"availability": "available", "sessionId": "", "updatedAt": now},
        add={"version": 1},
    )
