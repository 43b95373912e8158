"""Turn a paid order into its tickets, once, and mail them, at least once.

paid ──one conditional write──▶ ticketed ──mail, then mailedAt──▶ done
  ▲ deliveries may repeat, overlap or come late; only the first write makes a set
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import (
    Sign,
    Ticket,
    TicketFace,
    encode,
    places_of,
    ticket_id,
)
from fairgate.errors import MalformedInputError, NotFoundError, WrongStateError
from fairgate.ports.outside import Mailer
from fairgate.ports.table import Table, TransactionRefusedError, Update
from fairgate.ports.world import Clock
from fairgate.service.shared.conditions import ORDER_IS_PAID, ORDER_NOT_YET_MAILED
from fairgate.service.shared.keys import event_key, own_order_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order, TicketEntry

Render = Callable[[TicketFace], bytes]
Document = Callable[[Sequence[TicketFace]], bytes]


@dataclass(frozen=True)
class TicketOffice:
    """Issues tickets with what it is given of the world."""

    table: Table
    clock: Clock
    mailer: Mailer
    sign: Sign  # Ed25519 with secrets.ticket
    render: Render  # a ticket's SVG
    document: Document  # all of them as a PDF


@dataclass(frozen=True, slots=True)
class TicketsIssued:
    """What one delivery did."""

    order: str
    state: str  # the order's state afterwards
    tickets: int
    issued: bool  # this delivery made them
    mailed: bool  # this delivery mailed them


def issue_tickets(office: TicketOffice, order_id: OrderId) -> TicketsIssued:
    """Leave a paid order ticketed with exactly one set of tickets, and its buyer informed.

    An order in any other state is left alone. A mail that fails raises, so that the delivery is
    repeated: the tickets stay as they are and only the mail is sent again. An address that no
    mail can go to is not retried; the tickets are on the order's page.

    Raises:
        NotFoundError: there is no such order.
        DependencyUnavailableError: try the delivery again.
        ValueError: the order's units are not what an order holds.

    Cost: two reads and two writes; one read for a repeated delivery.
    """
    order = _read(office, order_id)
    issued = order.state == "paid" and _issue(office, order)
    if order.state == "paid":
        order = _read(office, order_id)  # as the table has it: somebody else may have been first
    ticketed = order.state == "ticketed"
    mailed = ticketed and not order.mailed_at and _mail(office, order)
    return TicketsIssued(
        order=order_id,
        state=order.state,
        tickets=len(order.tickets) if ticketed else 0,
        issued=issued,
        mailed=mailed,
    )


def faces_of(order: Order, event: Event | None) -> list[TicketFace]:
    """Make every ticket of a ticketed order, for people."""
    tier_names = {} if event is None else {tier.id: tier.name for tier in event.tiers}
    places = places_of(order.units)
    return [
        TicketFace(
            event_name=(event.name if event is not None else "") or order.event_id,
            venue_name=event.venue_name if event is not None else "",
            label=entry.label,
            tier=tier_names.get(places[unit].tier) or places[unit].tier,
            ticket=entry.ticket,
            code=entry.code,
            number=unit + 1,
            total=len(order.tickets),
        )
        for unit, entry in enumerate(order.tickets)
    ]


def read_ticket(table: Table, *, user: str, order: str, unit: int | None) -> TicketFace:
    """Read one ticket of the user's own order. Raises NotFoundError, also for a unit not in it."""
    faces = read_tickets(table, user=user, order=order)
    if unit is None or not 0 <= unit < len(faces):
        raise NotFoundError("This order has no such ticket.", tickets=len(faces))
    return faces[unit]


def read_tickets(table: Table, *, user: str, order: str) -> list[TicketFace]:
    """Read every ticket of the user's own order.

    Raises:
        NotFoundError: no such order, or somebody else's.
        WrongStateError: the order has no valid tickets (yet, or any more).

    Consistency: strong. Cost: two reads.
    """
    own = None
    if ORDER_ID.fullmatch(order):
        own = table.find(Order, own_order_key(OrderId(order)))
    if own is None or own.user_id != user:
        raise NotFoundError("You have no such order.")
    if own.state != "ticketed":
        raise WrongStateError("This order has no tickets.", state=own.state)
    return faces_of(own, table.find(Event, event_key(own.event_id)))


def _read(office: TicketOffice, order_id: OrderId) -> Order:
    order = office.table.find(Order, own_order_key(order_id))
    if order is None:
        raise NotFoundError("There is no such order.")
    return order


def _issue(office: TicketOffice, order: Order) -> bool:
    now_ms = office.clock.now_ms()
    tickets: list[TicketEntry] = []
    for unit, place in enumerate(places_of(order.units)):
        ticket = Ticket(
            ticket=ticket_id(order.order_id, unit),
            event=order.event_id,
            order=order.order_id,
            unit=unit,
            place=place.place,
            issued_at_s=now_ms // 1000,
        )
        tickets.append(
            TicketEntry(
                ticket=ticket.ticket,
                unit=unit,
                label=place.label,
                code=encode(ticket, office.sign),
            )
        )
    try:
        office.table.update(
            Update(
                "reservations",
                *order.key,
                condition=ORDER_IS_PAID,
                values={"paid": "paid"},
                set={
                    "state": "ticketed",
                    "tickets": [ticket.as_map() for ticket in tickets],
                    "ticketedAt": rfc3339(now_ms),
                },
            )
        )
    except TransactionRefusedError:
        return False  # another delivery was first, or the order is being refunded
    return True


def _mail(office: TicketOffice, order: Order) -> bool:
    faces = faces_of(order, office.table.find(Event, event_key(order.event_id)))
    name = faces[0].event_name
    listed = "\n".join(f"  {face.number}. {face.label}" for face in faces)
    count = "ticket is" if len(faces) == 1 else f"{len(faces)} tickets are"
    try:
        office.mailer.send(
            to=order.email,
            subject=f"Your tickets for {' '.join(name.split())}",
            text=(
                f"Thank you! Your {count} attached.\n\n{name}\n{faces[0].venue_name}\n\n"
                f"{listed}\n\nOrder {order.order_id}\n\n"
                "Each code admits one person, once. Please keep it to yourself.\n"
            ),
            attachments={
                "tickets.pdf": office.document(faces),
                **{f"ticket-{face.number}.svg": office.render(face) for face in faces},
            },
        )
    except MalformedInputError:
        return False
    try:
        office.table.update(
            Update(
                "reservations",
                *order.key,
                condition=ORDER_NOT_YET_MAILED,
                values={"ticketed": "ticketed"},
                set={"mailedAt": rfc3339(office.clock.now_ms())},
            )
        )
    except TransactionRefusedError:
        return True  # mailed twice at worst, and the other delivery said so first
    return True
