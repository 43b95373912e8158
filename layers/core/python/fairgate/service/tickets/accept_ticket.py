"""Accept a ticket by the link of its offer: the new holder gets a new code, the old one is void.

ticket  offered ──► void            in one transaction of the order, the new holder's
        (none)  ──► another's, good list and their count of places
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.offer_token import NamedOffer, no_such_offer
from fairgate.errors import LimitExceededError, WrongStateError
from fairgate.ports.table import Action, Refusal, Update
from fairgate.request_ids import follow
from fairgate.service.shared.change import Write
from fairgate.service.shared.conditions import USER_MAY_ACCEPT
from fairgate.service.shared.idempotency import IdempotentRequest
from fairgate.service.shared.keys import (
    event_key,
    held_order_key,
    own_order_key,
    user_key,
    user_status_key,
)
from fairgate.service.shared.order_update import change_order
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order, TicketEntry, TicketOffer
from fairgate.service.tickets.hand_over import hand_over
from fairgate.service.tickets.pass_terms import event_cancelled, offer_until, ticket_void

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock


class TicketAccepted(Struct, frozen=True):
    """The order, and the user's ticket after accepting, or in a look the offered one."""

    order: Order
    label: str
    ticket: str  # "" for a look
    until: str = ""  # the end of the offer, for a look


class TicketAccepter(Struct, frozen=True):
    """Accepts offers. Cost: two reads, and one TransactWriteItems of 4."""

    table: Table
    clock: Clock

    def order_of(self, named: NamedOffer) -> Order:
        """Read the order that an offer is of. Raises NotFoundError."""
        order = self.table.find(Order, own_order_key(named.order))
        if order is None:
            raise no_such_offer()
        follow(order.correlation_id)
        return order

    def look(self, order: Order, named: NamedOffer, user: str) -> TicketAccepted:
        """Return what the user would accept; writes nothing. Raises as ``accept``."""
        if (before := _accepted(order, named, user)) is not None:
            return before
        offer, entry = self._offered(order, named, user, self.clock.now_ms())
        return TicketAccepted(order, entry.label, "", offer.until)

    def accept(
        self, order: Order, named: NamedOffer, user: str, *, idempotency_key: str = ""
    ) -> TicketAccepted:
        """Return the ticket that the user has by this offer, accepted now or before.

        Raises:
            NotFoundError: there is no such offer.
            WrongStateError: by its ``reason``: ``accepted`` (by somebody else), ``withdrawn``,
                ``too-late``, ``own``, ``void`` or ``event-cancelled``.
            LimitExceededError: the user has as many places of this event as it allows.
            IdempotencyMismatchError: the user accepted another offer under this key.
            DependencyUnavailableError: the order keeps being changed.
        """
        asked = {"order": named.order, "number": named.number}
        request = IdempotentRequest.of(user_key(user), "accept", idempotency_key, asked)
        if request is not None:
            request.before(self.table, self.clock.now_ms())  # may be another request's key

        def decide(order: Order) -> Write[TicketAccepted]:
            if (before := _accepted(order, named, user)) is not None:
                return Write(before)
            now_ms = self.clock.now_ms()
            taken = self._offered(order, named, user, now_ms)
            return self._taken(order, taken, user, now_ms, request)

        return change_order(self.table, self.clock, order, decide)

    def _offered(
        self, order: Order, named: NamedOffer, user: str, now_ms: int
    ) -> tuple[TicketOffer, TicketEntry]:
        """Return the offer and its ticket if the user may accept it. Raises WrongStateError."""
        offer = next((one for one in order.offers if one.number == named.number), None)
        entry = next((e for e in order.admitting if offer and e.ticket == offer.ticket), None)
        if order.event_cancelled or (event := self._event(order)).cancelled_at:
            raise event_cancelled()
        if order.state != "ticketed" or (offer is not None and entry is None):
            raise ticket_void()
        if offer is None or entry is None:
            detail = "This offer was withdrawn. Please ask the person who sent you the link."
            raise WrongStateError(detail, reason="withdrawn")
        offer = replace(offer, until=offer_until(order, offer, event))
        if offer.until <= rfc3339(now_ms):
            detail = "The time of this offer is over. Please ask the person who sent you the link."
            raise WrongStateError(detail, reason="too-late")
        if order.holder_of(entry) == user:
            detail = "This is your own ticket. Send the link to whom you want to give it."
            raise WrongStateError(detail, reason="own")
        return offer, entry

    def _event(self, order: Order) -> Event:
        event = self.table.find(Event, event_key(order.event_id))
        if event is None:
            raise no_such_offer()
        return event

    def _taken(
        self,
        order: Order,
        taken: tuple[TicketOffer, TicketEntry],
        user: str,
        now_ms: int,
        request: IdempotentRequest | None,
    ) -> Write[TicketAccepted]:
        """Return the writes of the move. Their refusal may raise LimitExceededError."""
        offer, entry = taken
        limit = self._event(order).user_limit
        done = hand_over(order, entry, user, offer.number, now_ms)
        accepted = TicketAccepted(done.order, done.ticket.label, done.ticket.ticket)
        actions: list[Action] = [done.update]
        if done.ticket.holder:
            actions += [_counted(order, user, limit), _listed(order, user, rfc3339(now_ms))]
        if request is not None:
            actions.append(request.record(now_ms, {"ticket": done.ticket.ticket}))
        refused = partial(_require_within, limit) if done.ticket.holder else None
        return Write(accepted, actions, refused)


def _require_within(limit: int, reasons: Sequence[Refusal]) -> None:
    """Raise LimitExceededError if only the user's count of places refused the write."""
    order, counted = reasons[:2]
    if counted.failed and not order.failed:
        detail = f"You have {limit} places of this event already, as many as it allows."
        raise LimitExceededError(detail, limit=limit)


def _accepted(order: Order, named: NamedOffer, user: str) -> TicketAccepted | None:
    """Return the result of an offer that this user accepted before.

    Raises WrongStateError: another user accepted it, or the ticket was passed on since.
    """
    passed = next((one for one in order.passed if one.number == named.number), None)
    if passed is None:
        return None
    entry = next((one for one in order.tickets if one.ticket == passed.became), None)
    if (passed.holder or order.user_id) != user:
        raise WrongStateError("Somebody else has accepted this ticket.", reason="accepted")
    if entry is None:
        detail = "You have accepted this ticket before, and do not have it any more."
        raise WrongStateError(detail, reason="accepted")
    return TicketAccepted(order, entry.label, entry.ticket)


def _counted(order: Order, user: str, limit: int) -> Update:
    """Count a place that the user has, whatever it came by, while one more is within the limit."""
    return Update(
        "reservations",
        *user_status_key(user, order.event_id),
        condition=USER_MAY_ACCEPT,
        values={"room": limit - 1},
        set={"userLimit": limit},
        add={"placesTaken": 1},
    )


def _listed(order: Order, user: str, now: str) -> Update:
    return Update(
        "reservations",
        *held_order_key(user, order.order_id),
        set={"orderId": order.order_id, "eventId": order.event_id, "at": now},
    )
