"""Offer a ticket to whoever is given its link, and withdraw the offer.

ticket  good ──► offered ──► good again: withdrawn, or its time is over; or accept_ticket.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms, rfc3339
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.ports.table import TransactionRefusedError, Update
from fairgate.service.shared.conditions import TICKETS_AS_READ
from fairgate.service.shared.idempotency import IdempotentRequest, under_way
from fairgate.service.shared.keys import user_key
from fairgate.service.shared.records.orders import Order, TicketOffer
from fairgate.service.tickets.pass_terms import open_offer, require_passable, require_theirs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock
    from fairgate.service.shared.records.catalog import Event

OFFER_S = 48 * 3_600
_ATTEMPTS_MAX = 4


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
                before, with ``reason`` ``withdrawn``: that offer is in force no more.
            IdempotencyMismatchError: the user offered another ticket under this key.
            DependencyUnavailableError: the order keeps being changed.
        """
        asked = {"order": order.order_id, "ticket": ticket}
        request = IdempotentRequest.of(user_key(user), "offer", idempotency_key, asked)
        for _ in range(_ATTEMPTS_MAX):
            now_ms = self.clock.now_ms()
            answer = None if request is None else request.before(self.table, now_ms)
            if answer is not None:
                order = self._again(order)  # read after what it is asked about
            require_passable(order, event, user, ticket, now_ms)
            offer = open_offer(order, ticket, now_ms)
            if answer is not None and (offer is None or offer.number != answer["number"]):
                detail = "That offer was withdrawn, or its time is over."
                raise WrongStateError(detail, reason="withdrawn")
            if offer is not None:
                return TicketOffered(order, offer)
            if (offered := self._offered(order, ticket, request, now_ms)) is not None:
                return offered
            order = self._again(order)
        raise under_way()

    def withdraw(self, order: Order, user: str, ticket: str) -> Order:
        """Return the order with no offer of this ticket; again changes nothing.

        Raises:
            NotFoundError: the user has no such ticket.
            WrongStateError: it was accepted before, ``reason`` ``passed-on``; or its order has no
                good tickets now.
            DependencyUnavailableError: the order keeps being changed.
        """
        for _ in range(_ATTEMPTS_MAX):
            require_theirs(order, user, ticket)
            left = [one for one in order.offers if one.ticket != ticket]
            if len(left) == len(order.offers):
                return order
            if order.state != "ticketed":
                raise WrongStateError("This order has no good tickets now.", state=order.state)
            now = rfc3339(self.clock.now_ms())
            update = tickets_changed(order, {"offers": [one.as_map() for one in left]}, now)
            try:
                self.table.update(update)
            except TransactionRefusedError:
                order = self._again(order)
                continue
            moves = order.moves + 1
            return msgspec.structs.replace(order, offers=left, moves=moves, updated_at=now)
        raise under_way()

    def _offered(
        self, order: Order, ticket: str, request: IdempotentRequest | None, now_ms: int
    ) -> TicketOffered | None:
        """Write it; None where something of the order has changed, or the key was used."""
        until_ms = min(now_ms + OFFER_S * 1000, epoch_ms(order.transfer_until))
        number, now = order.moves + 1, rfc3339(now_ms)
        made = TicketOffer(ticket=ticket, number=number, until=rfc3339(until_ms))
        offers: Sequence[TicketOffer] = [
            *(one for one in order.offers if one.ticket != ticket and one.until > now),
            made,
        ]
        update = tickets_changed(order, {"offers": [one.as_map() for one in offers]}, now)
        record = [] if request is None else [request.record(now_ms, {"number": number})]
        try:
            self.table.transact([update, *record])
        except TransactionRefusedError:
            return None
        offered = msgspec.structs.replace(order, offers=offers, moves=number, updated_at=now)
        return TicketOffered(offered, made)

    def _again(self, order: Order) -> Order:
        current = self.table.find(Order, order.key)
        if current is None:
            raise NotFoundError("There is no such order.")
        return current


def tickets_changed(order: Order, changes: Mapping[str, object], now: str) -> Update:
    """Write a move of an order's tickets, which are good and as they were read."""
    return Update(
        "reservations",
        *order.key,
        condition=TICKETS_AS_READ,
        values={
            "ticketed": "ticketed",
            "parts": order.parts,
            "voided": [one.as_map() for one in order.voided],
            "moves": order.moves,
        },
        set={**changes, "moves": order.moves + 1, "updatedAt": now},
    )
