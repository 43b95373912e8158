"""Draw and mail the tickets of an order, at least once.

ticketed ──a message of the mail queue──▶ drawn, mailed ──conditional write──▶ mailedAt
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from fairgate.domain.shared.ids import OrderId
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.tickets.calendar_entry import DrawCalendar
from fairgate.domain.tickets.ticket import Sign, TicketFace
from fairgate.errors import NotFoundError
from fairgate.ports.mails import LetterWriter
from fairgate.ports.outside import Mail, Mailer
from fairgate.ports.table import Table
from fairgate.ports.world import Clock
from fairgate.request_ids import follow
from fairgate.service.shared.change import Write
from fairgate.service.shared.keys import event_key, own_order_key
from fairgate.service.shared.letters import letter_of, mail_id, send_to_buyer
from fairgate.service.shared.order_update import change_order, order_changed
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Order
from fairgate.service.tickets.issue_tickets import faces_of
from fairgate.service.tickets.order_calendar import CALENDAR, calendar_entry

Document = Callable[[Sequence[TicketFace]], bytes]


class MailDeps(Struct, frozen=True):
    """Mails tickets with what it is given of the world."""

    table: Table
    clock: Clock
    mailer: Mailer
    document: Document  # all of them as a PDF
    word: LetterWriter
    calendar: DrawCalendar  # the file of an event with a date
    public_url: str  # of the pages, where the order is
    sign: Sign  # Ed25519 with secrets.ticket


def mail_tickets(deps: MailDeps, order_id: OrderId, *, again: str = "") -> bool:
    """Mail the tickets of an order that has not been mailed yet; say whether it was done.

    ``again``: names a request by a person to mail them again; that mail has a message id of its
    own, the same for each delivery of the request.

    No mail goes to an order in another state, without a valid ticket of its buyer, or with an
    erased address. A failed mail raises, so that the message is delivered again: the mail is sent
    at least once.

    Raises:
        MailNotSentError: no mail can be sent to its address; the tickets are on the order's page.
        NotFoundError: there is no such order.
        DependencyUnavailableError: try the message again.

    Cost: two reads, one mail, one write; one read for a message that comes again.
    """
    order = deps.table.find(Order, own_order_key(order_id))
    if order is None:
        raise NotFoundError("There is no such order.")
    follow(order.correlation_id)
    mailed_before = bool(order.mailed_at) and not again
    admits = order.state == "ticketed" and bool(order.held_by(order.user_id))
    if not admits or mailed_before or order.erased_at:
        return False
    _send(deps, order, again)

    def decide(order: Order) -> Write[bool]:
        if order.state != "ticketed" or order.mailed_at:
            return Write(done=True)  # mailed twice at worst: the other delivery said so first
        _, update = order_changed(order, mailed_at=rfc3339(deps.clock.now_ms()))
        return Write(done=True, actions=[update])

    return change_order(deps.table, deps.clock, order, decide)


def _send(deps: MailDeps, order: Order, again: str) -> None:
    event = deps.table.find(Event, event_key(order.event_id))
    faces = faces_of(order, event, deps.sign)
    entry = calendar_entry(order, event, public_url=deps.public_url, now_ms=deps.clock.now_ms())
    labels = [face.label for face in faces]
    letter = letter_of(order, event, "tickets", "tickets", labels, deps.public_url)
    words = deps.word(letter)
    mail = Mail(
        to=order.email,
        subject=words.subject,
        text=words.text,
        html=words.html,
        attachments={
            "tickets.pdf": deps.document(faces),
            **({CALENDAR: deps.calendar(entry)} if entry is not None else {}),
        },
        reply_to=letter.event.contact_mail,
        mail_id=mail_id("tickets", order.order_id, again),
    )
    send_to_buyer(deps.mailer, order, mail)
