"""Build the writes that put sold places on sale again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairgate.ports.table import Action, Update
from fairgate.service.holds.release_seats import give_places_back, return_places
from fairgate.service.shared.conditions import (
    RESERVATION_IS_SOLD,
    RESERVATION_SOLD_AS_READ,
    SEAT_IS_SOLD_TO_US,
)
from fairgate.service.shared.keys import seat_key
from fairgate.service.shared.shared_count import places_uncounted

if TYPE_CHECKING:
    from fairgate.service.shared.records.orders import Order, OrderUnit
    from fairgate.service.shared.records.sessions import Reservation


def units_returned(order: Order, units: Sequence[OrderUnit], now: str) -> list[Action]:
    """Return the writes that free these units and lower the user's count of places."""
    places = sum(unit.places for unit in units)
    actions: list[Action] = [give_places_back(order.user_id, order.event_id, places)]
    actions += places_uncounted(order, places)
    actions += [_seat_returned(order, unit, now) for unit in units if unit.kind == "seat"]
    areas = [unit for unit in units if unit.kind == "area"]
    actions += return_places(order.event_id, [(u.area, u.shard or 0, u.places) for u in areas], now)
    return actions


def reservation_released(reservation: Reservation) -> Update:
    """Return the write that marks a sold place as no longer the session's."""
    return Update(
        "reservations",
        *reservation.key,
        condition=RESERVATION_IS_SOLD,
        values={"sold": "sold"},
        set={"state": "released"},
    )


def reservation_less(reservation: Reservation) -> Update:
    """Return the write that gives back one of several places of an area."""
    if reservation.quantity == 1:
        return reservation_released(reservation)
    return Update(
        "reservations",
        *reservation.key,
        condition=RESERVATION_SOLD_AS_READ,
        values={"sold": "sold", "quantity": reservation.quantity},
        set={"quantity": reservation.quantity - 1},
    )


def _seat_returned(order: Order, unit: OrderUnit, now: str) -> Update:
    return Update(
        "seats",
        *seat_key(order.event_id, unit.seat),
        condition=SEAT_IS_SOLD_TO_US,
        values={"reserved": "reserved", "session": order.session},
        set={"availability": "available", "sessionId": "", "updatedAt": now},
        add={"version": 1},
    )
