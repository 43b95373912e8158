"""Say which tickets an account may pass on now, and what became of its tickets of an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import FairgateError, NotFoundError, WrongStateError

if TYPE_CHECKING:
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order, TicketEntry, TicketOffer

PASSED_MAX = 5  # how often one ticket may be passed on; the order's item keeps each move
# good ──► offered ──► passed-on. void: made so by its organiser.
TicketState = Literal["good", "offered", "passed-on", "void"]


class TicketStatus(Struct, frozen=True):
    """What has become of a ticket that an account has or had."""

    ticket: str
    label: str
    state: TicketState
    until: str = ""  # of an offer that is in force


class PassTerms(Struct, frozen=True):
    """The tickets of an order that an account has and had, and until when it may pass them on."""

    until: str  # "": nothing may be
    tickets: Sequence[TicketStatus]


def pass_terms(order: Order, event: Event | None, user: str, now_ms: int) -> PassTerms | None:
    """Return what its page says about passing on; None if that was never allowed."""
    if not order.transfer_until or not order.tickets:
        return None
    return PassTerms(passable_until(order, event), standings(order, event, user, now_ms))


def passable_until(order: Order, event: Event | None) -> str:
    """Return until when tickets of the order may be passed on, RFC 3339; "": never."""
    return order.until_start(order.transfer_until, "" if event is None else event.starts_at)


def offer_until(order: Order, offer: TicketOffer, event: Event | None) -> str:
    """Return when an offer ends: the time to pass on may end earlier than when it was made."""
    return min(offer.until, passable_until(order, event))


def standings(order: Order, event: Event | None, user: str, now_ms: int) -> list[TicketStatus]:
    """List an account's tickets of a ticketed order: the present ones first, then past ones."""
    good = order.held_by(user)
    offers = [open_offer(order, event, entry.ticket, now_ms) for entry in good]
    own = [_status(entry, offer) for entry, offer in zip(good, offers, strict=True)]
    void = [
        TicketStatus(entry.ticket, entry.label, "void")
        for entry in order.tickets
        if order.holder_of(entry) == user and entry not in good
    ]
    return [*own, *void, *_given_away(order, user)]


def open_offer(order: Order, event: Event | None, ticket: str, now_ms: int) -> TicketOffer | None:
    """Return the valid offer of a ticket, with the end that it has now."""
    offers = [one for one in order.offers if one.ticket == ticket]
    present = [replace(one, until=offer_until(order, one, event)) for one in offers]
    return next((one for one in present if one.until > rfc3339(now_ms)), None)


def require_passable(order: Order, event: Event, user: str, ticket: str, now_ms: int) -> None:
    """Raise an error unless the account may pass this ticket on now.

    Raises:
        NotFoundError: it has no such ticket.
        WrongStateError: by its ``reason``: ``passed-on``, ``event-cancelled``, ``void``, ``never``,
            ``too-late`` or ``too-often``.
    """
    entry = require_theirs(order, user, ticket)
    if event.cancelled_at:
        raise event_cancelled()
    if order.state != "ticketed" or entry not in order.admitting:
        raise ticket_void()
    if not order.transfer_until:
        detail = "Tickets of this order cannot be passed on."
        raise WrongStateError(detail, reason="never")
    if passable_until(order, event) <= rfc3339(now_ms):
        detail = "The time to pass tickets on is over."
        raise WrongStateError(detail, reason="too-late")
    if _times(order, ticket) >= PASSED_MAX:
        detail = f"This ticket was passed on {PASSED_MAX} times: it stays with you."
        raise WrongStateError(detail, reason="too-often")


def require_theirs(order: Order, user: str, ticket: str) -> TicketEntry:
    """Return a ticket that the account has now. Raises NotFoundError, WrongStateError."""
    for entry in order.tickets:
        if entry.ticket == ticket and order.holder_of(entry) == user:
            return entry
    if any(one.ticket == ticket and (one.giver or order.user_id) == user for one in order.passed):
        raise WrongStateError("You have passed this ticket on.", reason="passed-on")
    raise NotFoundError("You have no such ticket.")


def stands_for(order: Order, ticket: str) -> str:
    """Return the present ticket of the place of a ticket that was passed on."""
    became = {one.ticket: one.became for one in order.passed}
    while ticket in became:
        ticket = became[ticket]
    return ticket


def event_cancelled() -> FairgateError:
    detail = "The organiser has cancelled this event."
    return WrongStateError(detail, reason="event-cancelled")


def ticket_void() -> FairgateError:
    return WrongStateError("This ticket is not valid now.", reason="void")


def _status(entry: TicketEntry, offer: TicketOffer | None) -> TicketStatus:
    if offer is None:
        return TicketStatus(entry.ticket, entry.label, "good")
    return TicketStatus(entry.ticket, entry.label, "offered", offer.until)


def _given_away(order: Order, user: str) -> list[TicketStatus]:
    """Return the tickets that the account has passed on and does not have again."""
    labels = {entry.ticket: entry.label for entry in order.tickets}
    away: dict[str, TicketStatus] = {}
    for one in order.passed:
        now = stands_for(order, one.became)
        holder = next((order.holder_of(e) for e in order.tickets if e.ticket == now), "")
        if (one.giver or order.user_id) == user and holder not in ("", user):
            away[now] = TicketStatus(one.ticket, labels[now], "passed-on")
    return list(away.values())


def _times(order: Order, ticket: str) -> int:
    """Count how often a ticket has been passed on, under whatever id it had."""
    came_from = {one.became: one.ticket for one in order.passed}
    times = 0
    while ticket in came_from:
        ticket, times = came_from[ticket], times + 1
    return times
