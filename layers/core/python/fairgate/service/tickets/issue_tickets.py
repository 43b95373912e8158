"""Turn a paid order into its tickets, once, and mail them, at least once.

paid ──one conditional write──▶ ticketed ──mail, then mailedAt──▶ done
  ▲ deliveries may repeat, overlap or come late; only the first write makes a set
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairgate.domain.shared.ids import ORDER_ID, OrderId, session_of_order
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.ticket import (
    Place,
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
from fairgate.service.shared.keys import order_key

Render = Callable[[TicketFace], bytes]
Document = Callable[[Sequence[TicketFace]], bytes]

_PAID = "#state = :paid"
_NOT_YET_MAILED = "#state = :ticketed AND attribute_not_exists(#mailedAt)"


@dataclass(frozen=True)
class TicketOffice:
    """What issuing needs of the world."""

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


def issue_tickets(office: TicketOffice, order: OrderId) -> TicketsIssued:
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
    item = _read(office, order)
    issued = item["state"] == "paid" and _issue(office, order, item)
    if item["state"] == "paid":
        item = _read(office, order)  # as the table has it: somebody else may have been first
    ticketed = item["state"] == "ticketed"
    mailed = ticketed and "mailedAt" not in item and _mail(office, order, item)
    return TicketsIssued(
        order=order,
        state=str(item["state"]),
        tickets=len(item.get("tickets") or ()) if ticketed else 0,
        issued=issued,
        mailed=mailed,
    )


def face_of(item: Mapping[str, Any], unit: int, event: Mapping[str, Any]) -> TicketFace:
    """One ticket of a ticketed order, for people; ``unit`` counts from 0."""
    tickets = item["tickets"]
    entry = tickets[unit]
    return TicketFace(
        event_name=str(event.get("name") or item["eventId"]),
        venue_name=str(event.get("venueName") or ""),
        label=str(entry["label"]),
        tier=_tier_name(event, places_of(item["units"])[unit]),
        ticket=str(entry["ticket"]),
        code=str(entry["code"]),
        number=unit + 1,
        total=len(tickets),
    )


def read_ticket(table: Table, *, user: str, order: str, unit: int | None) -> TicketFace:
    """One ticket of the user's own order. Raises NotFoundError, also for a unit that it has not."""
    faces = read_tickets(table, user=user, order=order)
    if unit is None or not 0 <= unit < len(faces):
        raise NotFoundError("This order has no such ticket.", tickets=len(faces))
    return faces[unit]


def read_tickets(table: Table, *, user: str, order: str) -> list[TicketFace]:
    """Every ticket of the user's own order.

    Raises:
        NotFoundError: no such order, or somebody else's.
        WrongStateError: the order has no valid tickets (yet, or any more).

    Consistency: strong. Cost: two reads.
    """
    item = None
    if ORDER_ID.fullmatch(order):
        session = session_of_order(OrderId(order))
        item = table.get("reservations", *order_key(session, order))
    if item is None or item["userId"] != user:
        raise NotFoundError("You have no such order.")
    if item["state"] != "ticketed":
        raise WrongStateError("This order has no tickets.", state=item["state"])
    event = table.get("catalog", "EVENT", item["eventId"]) or {}
    return [face_of(item, unit, event) for unit in range(len(item["tickets"]))]


def _read(office: TicketOffice, order: OrderId) -> dict[str, Any]:
    item = office.table.get("reservations", *order_key(session_of_order(order), order))
    if item is None:
        raise NotFoundError("There is no such order.")
    return item


def _issue(office: TicketOffice, order: OrderId, item: Mapping[str, Any]) -> bool:
    now_ms = office.clock.now_ms()
    tickets: list[dict[str, Any]] = []
    for unit, place in enumerate(places_of(item["units"])):
        ticket = Ticket(
            ticket=ticket_id(order, unit),
            event=str(item["eventId"]),
            order=order,
            unit=unit,
            place=place.place,
            issued_at_s=now_ms // 1000,
        )
        tickets.append(
            {
                "ticket": ticket.ticket,
                "unit": unit,
                "label": place.label,
                "code": encode(ticket, office.sign),
            }
        )
    try:
        office.table.update(
            Update(
                "reservations",
                *order_key(session_of_order(order), order),
                condition=_PAID,
                values={"paid": "paid"},
                set={"state": "ticketed", "tickets": tickets, "ticketedAt": rfc3339(now_ms)},
            )
        )
    except TransactionRefusedError:
        return False  # another delivery was first, or the order is being refunded
    return True


def _mail(office: TicketOffice, order: OrderId, item: Mapping[str, Any]) -> bool:
    event = office.table.get("catalog", "EVENT", str(item["eventId"])) or {}
    faces = [face_of(item, unit, event) for unit in range(len(item["tickets"]))]
    name = faces[0].event_name
    listed = "\n".join(f"  {face.number}. {face.label}" for face in faces)
    count = "ticket is" if len(faces) == 1 else f"{len(faces)} tickets are"
    try:
        office.mailer.send(
            to=str(item.get("email") or ""),
            subject=f"Your tickets for {' '.join(name.split())}",
            text=(
                f"Thank you! Your {count} attached.\n\n{name}\n{faces[0].venue_name}\n\n"
                f"{listed}\n\nOrder {order}\n\n"
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
                *order_key(session_of_order(order), order),
                condition=_NOT_YET_MAILED,
                values={"ticketed": "ticketed"},
                set={"mailedAt": rfc3339(office.clock.now_ms())},
            )
        )
    except TransactionRefusedError:
        return True  # mailed twice at worst, and the other delivery said so first
    return True


def _tier_name(event: Mapping[str, Any], place: Place) -> str:
    for tier in event.get("tiers") or ():
        if tier.get("id") == place.tier:
            return str(tier.get("name") or place.tier)
    return place.tier
