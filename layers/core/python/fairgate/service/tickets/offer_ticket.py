"""Offer a ticket by a link, and withdraw the offer.

ticket  valid ──► offered ──► valid again: withdrawn, or its time is over; or accept_ticket.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import WrongStateError
from fairgate.service.shared.change import Write
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import user_key
from fairgate.service.shared.order_update import change_order, order_changed, read_again
from fairgate.service.shared.records.orders import Order, TicketOffer
from fairgate.service.tickets.pass_terms import (
    open_offer,
    passable_until,
    require_passable,
    require_theirs,
)

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

OFFER_S = 48 * 3_600


class TicketOffered(Struct, frozen=True):
    """The order, and the offer of a ticket of it that is in force."""

    order: Order
    offer: TicketOffer


class TicketOfferer(Struct, frozen=True):
    """Makes and withdraws offers. Cost: one conditional write, a read before it and after it."""

    table: Table
    clock: Clock

    def offer(
        self, event: Event, order: Order, user: str, ticket: str, *, idempotency_key: str = ""
    ) -> TicketOffered:
        """Return the offer of this ticket, made now or by an earlier call and still in force.

        Raises:
            NotFoundError: the user has no such ticket.
            WrongStateError: it may not be passed on (any more); or, under a key that was answered
                before, with ``reason`` ``withdrawn``: that offer has ended.
            IdempotencyMismatchError: the user offered another ticket under this key.
            DependencyUnavailableError: the order keeps being changed.
        """
        asked = {"order": order.order_id, "ticket": ticket}
        request = IdempotentRequest.of(user_key(user), "offer", idempotency_key, asked)

        def decide(order: Order) -> Write[TicketOffered]:
            now_ms = self.clock.now_ms()
            answer = None if request is None else request.before(self.table, now_ms)
            if answer is not None:
                order = read_again(self.table, order)  # read after the idempotency record
            require_passable(order, event, user, ticket, now_ms)
            offer = open_offer(order, event, ticket, now_ms)
            if answer is not None and (offer is None or offer.number != answer["number"]):
                detail = "That offer was withdrawn, or its time is over."
                raise WrongStateError(detail, reason="withdrawn")
            if offer is not None:
                return Write(TicketOffered(order, offer))
            return _offered(order, ticket, passable_until(order, event), request, now_ms)

        return change_order(self.table, self.clock, order, decide)

    def withdraw(self, order: Order, user: str, ticket: str) -> Order:
        """Return the order without an offer of this ticket; a repetition changes nothing.

        Raises:
            NotFoundError: the user has no such ticket.
            WrongStateError: it was accepted before, ``reason`` ``passed-on``; or its order has no
                valid tickets now.
            DependencyUnavailableError: the order keeps being changed.
        """

        def decide(order: Order) -> Write[Order]:
            require_theirs(order, user, ticket)
            left = [one for one in order.offers if one.ticket != ticket]
            if len(left) == len(order.offers):
                return Write(order)
            if order.state != "ticketed":
                raise WrongStateError("This order has no good tickets now.", state=order.state)
            now = rfc3339(self.clock.now_ms())
            after, update = order_changed(
                order, offers=left, offer_changes=order.offer_changes + 1, updated_at=now
            )
            return Write(after, [update])

        return change_order(self.table, self.clock, order, decide)


def _offered(
    order: Order, ticket: str, until: str, request: IdempotentRequest | None, now_ms: int
) -> Write[TicketOffered]:
    until_ms = min(now_ms + OFFER_S * 1000, epoch_ms(until))
    number, now = order.offer_changes + 1, rfc3339(now_ms)
    made = TicketOffer(ticket=ticket, number=number, until=rfc3339(until_ms))
    offers = [*(one for one in order.offers if one.ticket != ticket and one.until > now), made]
    after, update = order_changed(order, offers=offers, offer_changes=number, updated_at=now)
    record = [] if request is None else [request.record(now_ms, {"number": number})]
    return Write(TicketOffered(after, made), [update, *record])
