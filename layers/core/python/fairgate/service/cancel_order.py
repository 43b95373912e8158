"""Cancel a paid order within the event's policy: refund, void the tickets, give the seats back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairgate.domain.times import rfc3339
from fairgate.errors import WrongStateError
from fairgate.ports import Action, TransactionRefusedError, Update
from fairgate.service.keys import area_key, order_key, seat_key, standing_key

if TYPE_CHECKING:
    from fairgate.ports import Clock, Payments, Table

SOLD_TO_THIS = "#availability = :reserved AND #sessionId = :session"


@dataclass(frozen=True)
class OrderCanceller:
    """Cost: one TransactWriteItems of 2 + 2n items and one call to the provider."""

    table: Table
    clock: Clock
    payments: Payments

    def cancel(self, event: dict[str, Any], order: dict[str, Any]) -> dict[str, Any]:
        """The order afterwards: ``refunded``. Calling again completes an interrupted refund.

        Raises:
            WrongStateError: not paid, or the event's ``cancelUntil`` is past or not set.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        now = rfc3339(self.clock.now_ms())
        if order["state"] in ("paid", "ticketed"):
            if event.get("cancelUntil", "") <= now:
                raise WrongStateError("Orders for this event can no longer be cancelled.")
            self._give_back(order, now)
        elif order["state"] != "cancelled":
            raise WrongStateError("There is nothing to cancel.", state=order["state"])
        self.payments.refund(
            payment=order["paymentId"], order=order["orderId"], amount_minor=order["totalMinor"]
        )
        self.table.update(
            Update(
                "reservations",
                *order_key(order["PK"], order["orderId"]),
                condition="#state = :cancelled",
                values={"cancelled": "cancelled"},
                set={"state": "refunded"},
            )
        )
        return order | {"state": "refunded"}

    def _give_back(self, order: dict[str, Any], now: str) -> None:
        session, event, user = order["PK"], order["eventId"], order["userId"]
        places = sum(unit.get("quantity", 1) for unit in order["units"])
        actions: list[Action] = [
            Update(
                "reservations",
                *order_key(session, order["orderId"]),
                condition="#state = :state AND #userId = :user",
                values={"state": order["state"], "user": user},
                set={"state": "cancelled", "cancelledAt": now},
            ),
            Update("reservations", *standing_key(user, event), add={"seatsBought": -places}),
        ]
        actions += [_returned(event, session, unit, now) for unit in order["units"]]
        actions += [
            Update(
                "reservations",
                session,
                reservation["SK"],
                condition="#GSI1SK = :sold",
                values={"sold": f"{session}#R"},
                set={"GSI1SK": f"{session}#X"},
            )
            for reservation in self.table.query("reservations", session, "R#")
            if reservation["GSI1SK"].endswith("#R")
        ]
        try:
            self.table.transact(actions)
        except TransactionRefusedError as refused:
            raise WrongStateError("The order has just changed. Please look again.") from refused


def _returned(event: str, session: str, unit: dict[str, Any], now: str) -> Update:
    if unit["kind"] == "area":
        return Update(
            "seats",
            *area_key(event, unit["area"], unit["shard"]),
            set={"updatedAt": now},
            add={"remaining": unit["quantity"], "version": 1},
        )
    return Update(
        "seats",
        *seat_key(event, unit["seat"]),
        condition=SOLD_TO_THIS,
        values={"reserved": "reserved", "session": session},
        set={"availability": "available", "sessionId": "", "updatedAt": now},
        add={"version": 1},
    )
