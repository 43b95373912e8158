"""Turn a paid order into its tickets, once, and have them mailed, at least once.

paid ──one conditional write──▶ ticketed ──a message of the mail queue──▶ mail_tickets.py
  ▲ deliveries may repeat, overlap or come late; only the first write makes a set

The buyer waits only for the write. Drawing and mailing take forty times as long, and a mail service
may be slow or limit the rate.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.language import language_of
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import Sign, TicketFace, places_of, ticket_id
from fairgate.errors import DependencyUnavailableError, NotFoundError, WrongStateError
from fairgate.ports.outside import MailQueue
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.request_ids import follow
from fairgate.service.shared.change import Write
from fairgate.service.shared.keys import event_key, own_order_key
from fairgate.service.shared.localised import localised
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order, TicketEntry
from fairgate.service.shared.start_text import start_text
from fairgate.service.shared.ticket_codes import code_of


class TicketOffice(Struct, frozen=True):
    """Issues tickets with what it is given of the world."""

    table: Table
    clock: Clock
    mail_queue: MailQueue


class TicketsIssued(Struct, frozen=True):
    """What one delivery did."""

    order: str
    state: str  # the order's state afterwards
    tickets: int
    issued: bool  # this delivery made them
    mail_asked: bool  # this delivery asked for their mail


def issue_tickets(office: TicketOffice, order_id: OrderId) -> TicketsIssued:
    """Give a paid order exactly one set of tickets, and ask for its mail.

    An order in a later state is not changed. After a crash between the write and the message, the
    delivery comes again: the tickets stay, and the mail is asked for then.

    Raises:
        NotFoundError: there is no such order.
        DependencyUnavailableError: try the delivery again; also if the order reads as pending,
            because this message says that it is paid.
        ValueError: the order's units are invalid.

    Cost: one read, one write, one message; another read after a conflict.
    """
    order = _read(office, order_id)
    if order.state == "pending":
        raise DependencyUnavailableError("The order is said to be paid and reads as pending.")
    made: Sequence[TicketEntry] = ()
    if order.state == "paid":
        order, made = _issue(office, order)
    ticketed = order.state == "ticketed"
    mail_asked = ticketed and not order.mailed_at
    if mail_asked:
        office.mail_queue.mail(order_id)
    return TicketsIssued(
        order=order_id,
        state=order.state,
        tickets=len(order.tickets) if ticketed else 0,
        issued=bool(made),
        mail_asked=mail_asked,
    )


def faces_of(
    order: Order, event: Event | None, sign: Sign, user: str = "", *, only: int | None = None
) -> list[TicketFace]:
    """Return every valid ticket of a ticketed order, in its language, with its signed code.

    Args:
        sign: Ed25519 with secrets.ticket.
        user: whose tickets; "": its buyer's.
        only: the position of the one that is wanted; None: all.
    """
    event = event and localised(event, order.language)
    tier_names = {} if event is None else {tier.id: tier.name for tier in event.tiers}
    places = {e.ticket: p for e, p in zip(order.tickets, places_of(order.units), strict=True)}
    admitting = order.held_by(user or order.user_id)
    language = language_of(order.language)
    starts = start_text(event.starts_at, event.time_zone, language) if event is not None else ""
    return [
        TicketFace(
            event_name=(event.name if event is not None else "") or order.event_id,
            venue_name=event.venue_name if event is not None else "",
            label=entry.label,
            tier=tier_names.get(places[entry.ticket].tier) or places[entry.ticket].tier,
            ticket=entry.ticket,
            code=code_of(order, entry, places[entry.ticket].place, sign),
            number=position + 1,
            total=len(admitting),
            starts=starts,
            venue_address=event.venue_address if event is not None else "",
            starts_at=event.starts_at if event is not None else "",
            event=order.event_id,
            language=language,
            color_1=event.color_1 if event is not None else "",
            color_2=event.color_2 if event is not None else "",
            logo=event.logo if event is not None else "",
        )
        for position, entry in enumerate(
            admitting
        )  # without those that were given back or passed on
        if only in (None, position)
    ]


def face_of(
    order: Order, event: Event | None, sign: Sign, unit: int | None, user: str = ""
) -> TicketFace:
    """Return one of ``faces_of``. Raises NotFoundError."""
    held = len(order.held_by(user or order.user_id))
    if unit is None or not 0 <= unit < held:
        raise NotFoundError("This order has no such ticket.", tickets=held)
    return faces_of(order, event, sign, user, only=unit)[0]


def read_ticket(table: Table, sign: Sign, *, user: str, order: str, unit: int | None) -> TicketFace:
    """Read one ticket of the user's own order. Raises NotFoundError, also for a unit not in it."""
    return face_of(*read_ticketed(table, user=user, order=order), sign, unit, user)


def read_tickets(table: Table, sign: Sign, *, user: str, order: str) -> list[TicketFace]:
    """Read every ticket of the user's own order; as ``read_ticketed``."""
    return faces_of(*read_ticketed(table, user=user, order=order), sign, user)


def read_ticketed(table: Table, *, user: str, order: str) -> tuple[Order, Event | None]:
    """Read an order of which the user has valid tickets, and its event if it is there.

    Raises:
        NotFoundError: no such order, or the user never had a ticket of it.
        WrongStateError: the order has no valid tickets (yet, or any more).

    Consistency: strong. Cost: two reads.
    """
    own = None
    if ORDER_ID.fullmatch(order):
        own = table.find(Order, own_order_key(OrderId(order)))
    if own is None or not concerns(own, user):
        raise NotFoundError("You have no such order.")
    follow(own.correlation_id)
    if own.state != "ticketed":
        raise WrongStateError("This order has no tickets.", state=own.state)
    if not own.held_by(user):
        raise WrongStateError("Your tickets of this order are void.", state=own.state)
    return own, table.find(Event, event_key(own.event_id))


def require_valid_tickets(order: Order) -> None:
    """Raise WrongStateError unless its buyer has valid tickets."""
    if order.state != "ticketed":
        raise WrongStateError("This order has no tickets.", state=order.state)
    if not order.held_by(order.user_id):
        raise WrongStateError("The tickets of this order are void.", state=order.state)


def concerns(order: Order, user: str) -> bool:
    """Say whether somebody has bought the order, or has or had a ticket of it."""
    return user == order.user_id or user in {one.holder for one in order.passed}


def _read(office: TicketOffice, order_id: OrderId) -> Order:
    order = office.table.find(Order, own_order_key(order_id))
    if order is None:
        raise NotFoundError("There is no such order.")
    follow(order.correlation_id)
    return order


def _issue(office: TicketOffice, order: Order) -> tuple[Order, Sequence[TicketEntry]]:
    """Return the order after the write, and the tickets that were made.

    None if another delivery was first, or the order is being refunded.
    """

    def decide(order: Order) -> Write[tuple[Order, Sequence[TicketEntry]]]:
        if order.state != "paid":
            return Write((order, ()))
        now_ms = office.clock.now_ms()
        tickets = _tickets(order)
        after, update = order_changed(
            order, state="ticketed", tickets=tickets, ticketed_at=rfc3339(now_ms)
        )
        return Write((after, tickets), [update])

    return change_order(office.table, office.clock, order, decide)


def _tickets(order: Order) -> list[TicketEntry]:
    return [
        TicketEntry(ticket=ticket_id(order.order_id, unit), unit=unit, label=place.label, code="")
        for unit, place in enumerate(places_of(order.units))
    ]
