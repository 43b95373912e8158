"""Cancel one place of a ticketed order within its terms, with its tickets and its money.

order   ticketed, with fewer places and tickets        in one transaction
seat    reserved ──► available
refund  owed, the next part of the capture
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError, NotFoundError, WrongStateError
from fairgate.ports.table import Action, Update
from fairgate.service.refunds.cancel_order import OrderCanceller
from fairgate.service.refunds.cancel_terms import (
    PlaceOffer,
    place_offers,
    require_in_time,
    require_own,
)
from fairgate.service.refunds.owe_refund import owed_refund
from fairgate.service.refunds.refunds import Refunder
from fairgate.service.refunds.return_seats import (
    reservation_less,
    reservation_released,
    units_returned,
)
from fairgate.service.shared.change import Write, under_way
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import RESERVATION, user_key
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.orders import Order, OrderUnit, ReturnedPlace
from fairgate.service.shared.records.sessions import Reservation

if TYPE_CHECKING:
    from fairgate.ports.payments import Payments
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event


class PlaceReturner(Struct, frozen=True):
    """Cancels places. Cost: a query, one TransactWriteItems of 6, a call to the provider.

    The last place cancels the order, with the whole rest of the price.
    """

    table: Table
    clock: Clock
    payments: Payments

    def give_back(
        self, event: Event, order: Order, ticket: str, *, idempotency_key: str = ""
    ) -> Order:
        """Return the order without the place of this ticket.

        For a ticket that was given back before, return the order and send its refund.

        Raises:
            NotFoundError: the order has no such ticket.
            WrongStateError: it has no tickets, the time to cancel is over, or a ticket of the place
                was passed on.
            IdempotencyMismatchError: the user cancelled something else under this key.
            DependencyUnavailableError: the provider is away; the refund is still owed.
        """
        request = IdempotentRequest.of(
            user_key(order.user_id),
            "cancel",
            idempotency_key,
            {"order": order.order_id, "ticket": ticket},
        )
        if request is not None:
            request.before(self.table, self.clock.now_ms())  # may be another request's key

        def decide(order: Order) -> Write[Order]:
            given_back = any(ticket in one.tickets for one in order.returned)
            if given_back or order.state in ("cancelled", "refunded"):
                return Write(order)
            if order.state != "ticketed":
                raise _not_now(order)
            require_in_time(order, event, self.clock.now_ms())
            offers = place_offers(order)
            offer = next((one for one in offers if ticket in one.tickets), None)
            if offer is None:
                raise _no_such_ticket(order, ticket)
            require_own(order, offer.tickets)
            if len(offers) == 1:
                return Write(order)  # the whole order is cancelled
            return self._given_back(order, offer, request)

        order = change_order(self.table, self.clock, order, decide)
        place = next((one for one in order.returned if ticket in one.tickets), None)
        if place is None:
            return self._all_given_back(event, order, ticket)
        return self._sent(order, place)

    def _given_back(
        self, order: Order, offer: PlaceOffer, request: IdempotentRequest | None
    ) -> Write[Order]:
        """Return the writes that give the place back.

        Raises DependencyUnavailableError: its payment is seen in part.
        """
        now_ms = self.clock.now_ms()
        unit = order.units[offer.unit]
        gone = unit if unit.kind == "seat" else msgspec.structs.replace(unit, quantity=1)
        reservation = self._sold(order, unit)
        amount = offer.back.amount_minor
        part = order.partial_returns + 1
        place = ReturnedPlace(
            place=unit.place,
            kind=unit.kind,
            tier=unit.tier,
            label=_label(order, offer),
            tickets=offer.tickets,
            amount_minor=amount,
            fee_minor=offer.back.fee_minor,
            at=rfc3339(now_ms),
            part=part if amount else 0,
        )
        released = reservation_released if unit.kind == "seat" else reservation_less
        after, update = _order_without(order, offer, place)
        actions: list[Action] = [
            update,
            *units_returned(order, [gone], rfc3339(now_ms)),
            released(reservation),
        ]
        actions += owed_refund(
            order,
            order.payment_id or "",
            amount,
            now_ms,
            part=part,
            gone=[gone],
            revenue_minor=amount,
        )
        if request is not None:
            actions.append(request.record(now_ms, {"order": order.order_id}))
        return Write(after, actions)

    def _sold(self, order: Order, unit: OrderUnit) -> Reservation:
        """Return the sold reservation behind a unit: of an area, one with as many places."""
        for reservation in self.table.query(Reservation, order.session, RESERVATION):
            same = (reservation.kind, reservation.place) == (unit.kind, unit.place)
            alike = unit.kind == "seat" or (reservation.shard, reservation.quantity) == (
                unit.shard or 0,
                unit.places,
            )
            if same and alike and reservation.state == "sold":
                return reservation
        raise under_way()

    def _all_given_back(self, event: Event, order: Order, ticket: str) -> Order:
        """Return the order of a ticket that went with the whole order. Raises NotFoundError."""
        if ticket not in [entry.ticket for entry in order.tickets]:
            raise NotFoundError("This order has no such ticket.")
        if order.state == "refunded":
            return order
        return OrderCanceller(self.table, self.clock, self.payments).cancel(event, order)

    def _sent(self, order: Order, place: ReturnedPlace) -> Order:
        if place.part:
            refunder = Refunder(self.table, self.clock, self.payments)
            refunder.send(order.session, order.order_id, order.payment_id or "", place.part)
        return order


def _order_without(order: Order, offer: PlaceOffer, place: ReturnedPlace) -> tuple[Order, Update]:
    units: list[OrderUnit] = []
    for number, unit in enumerate(order.units):
        if number != offer.unit:
            units.append(unit)
        elif unit.kind == "area" and unit.places > 1:
            units.append(msgspec.structs.replace(unit, quantity=unit.places - 1))
    return order_changed(
        order,
        units=units,
        tickets=[one for one in order.tickets if one.ticket not in offer.tickets],
        returned=[*order.returned, place],
        partial_returns=order.partial_returns + 1,
        back_minor=order.back_minor + place.amount_minor,
        offers=[one for one in order.offers if one.ticket not in offer.tickets],
        updated_at=place.at,
    )


def _label(order: Order, offer: PlaceOffer) -> str:
    """Return the label of its first ticket."""
    return next(entry.label for entry in order.tickets if entry.ticket in offer.tickets)


def _no_such_ticket(order: Order, ticket: str) -> FairgateError:
    if ticket in {one.ticket for one in order.passed}:
        return WrongStateError("This ticket was passed on to somebody else.", reason="passed-on")
    return NotFoundError("This order has no such ticket.")


def _not_now(order: Order) -> WrongStateError:
    if order.state == "paid":
        detail = "Your tickets are being made. Please try again in a moment."
        return WrongStateError(detail, reason="being-made", state=order.state)
    return WrongStateError("There is nothing to cancel.", state=order.state)
