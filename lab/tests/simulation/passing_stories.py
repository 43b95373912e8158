"""What leads up to the guards of passing a ticket on."""

from __future__ import annotations

from typing import Any

from fairgate.domain.tickets.offer_token import NamedOffer
from fairgate.ports.table import Update
from fairgate.service.orders.drop_codes import CodeDropper
from fairgate.service.tickets.accept_ticket import TicketAccepter
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate.service.tickets.offer_ticket import TicketOffered, TicketOfferer
from simulation.guard_acts import issues
from simulation.guard_stories import FUTURE, Story


def offers(story: Story, table: Any) -> TicketOffered:
    issues(story, story.world.table)
    until = {"transferUntil": FUTURE}
    story.world.table.update(Update("reservations", *story.stored().key, set=until))
    order = story.stored()
    offerer = TicketOfferer(table, story.world.clock)
    return offerer.offer(story.world.event, order, "ann", order.tickets[0].ticket)


def withdraws(story: Story, table: Any) -> None:
    order = offers(story, story.world.table).order
    TicketOfferer(table, story.world.clock).withdraw(order, "ann", order.offers[0].ticket)


def takes_over(story: Story, table: Any) -> None:
    offered = offers(story, story.world.table)
    named = NamedOffer(offered.order.order_id, offered.offer.number)
    accepter = TicketAccepter(table, story.world.clock)
    accepter.accept(story.stored(), named, "bob")


def drops_codes(story: Story, table: Any) -> None:
    """An order of an older version."""
    issues(story, story.world.table)
    order = story.stored()
    old = [
        {"ticket": face.ticket, "unit": entry.unit, "label": face.label, "code": face.code}
        for face, entry in zip(faces_of(order, None, story.world.sign), order.tickets, strict=True)
    ]
    story.world.table.update(Update("reservations", *order.key, set={"tickets": old}))
    CodeDropper(table, story.world.clock).drop(story.stored())
