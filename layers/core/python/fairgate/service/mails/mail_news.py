"""Mail each change to its buyer, at least once, always with the same message id.

change ──► mail ──► SentMail     after a crash in between, the same mail is sent again
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.shared.times import rfc3339
from fairgate.errors import NotFoundError
from fairgate.ports.outside import Mail
from fairgate.ports.table import Update
from fairgate.request_ids import follow
from fairgate.service.mails.letters import changed_letter, news_letter
from fairgate.service.mails.news import News
from fairgate.service.shared.keys import event_key, own_order_key, refund_key
from fairgate.service.shared.letters import send_to_buyer
from fairgate.service.shared.mailbox_keys import sent_mail_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.mails import SentMail
from fairgate.service.shared.records.orders import Order, OwedRefund
from fairgate.service.tickets.order_calendar import CALENDAR, calendar_entry

if TYPE_CHECKING:
    from fairgate.domain.shared.ids import OrderId
    from fairgate.domain.tickets.calendar_entry import DrawCalendar
    from fairgate.ports.mails import Letter, LetterWriter
    from fairgate.ports.outside import Mailer
    from fairgate.ports.table import Table
    from fairgate.ports.world import Clock

SENT_MAIL_KEPT_S = 90 * 86_400  # longer than any queue keeps a message, or a dead letter


class NewsDeps(Struct, frozen=True):
    """Mails changes. Cost: at most four reads, one mail, one write; one read if it was sent."""

    table: Table
    clock: Clock
    mailer: Mailer
    word: LetterWriter
    calendar: DrawCalendar
    public_url: str  # of the pages, where the order is


def mail_news(deps: NewsDeps, order_id: OrderId, news: News) -> bool:
    """Mail a change of an order unless that was done; say whether this call did.

    A change that is no longer true is left out, like a declined payment after another one was
    taken.

    Raises:
        MailNotSentError: no mail can be sent to its address.
        NotFoundError: there is no such order.
        DependencyUnavailableError: try the message again.
    """
    order = _order(deps, order_id)
    if order.erased_at or _sent_before(deps, order_id, news):
        return False
    payment = news.payment or order.payment_id or ""
    key = refund_key(order.session, order_id, payment, news.part)
    owed = deps.table.find(OwedRefund, key) if payment else None
    event = deps.table.find(Event, event_key(order.event_id))
    letter = news_letter(order, event, news, owed, deps.clock.now_ms(), deps.public_url)
    if letter is None:
        return False
    _send(deps, order, news, letter, {})
    return True


def mail_change(deps: NewsDeps, order_id: OrderId, number: int) -> bool:
    """Mail an event's change to the buyer of one order, as ``mail_news`` does.

    Args:
        number: of the change; a change that was followed by another one is left to its mails.
    """
    order, news = _order(deps, order_id), News("changed", "changed", str(number))
    if order.erased_at or _sent_before(deps, order_id, news):
        return False
    event = deps.table.find(Event, event_key(order.event_id))
    letter = changed_letter(order, event, number, deps.public_url)
    if letter is None:
        return False
    now_ms = deps.clock.now_ms()
    entry = calendar_entry(order, event, public_url=deps.public_url, now_ms=now_ms)
    _send(deps, order, news, letter, {} if entry is None else {CALENDAR: deps.calendar(entry)})
    return True


def _order(deps: NewsDeps, order_id: OrderId) -> Order:
    order = deps.table.find(Order, own_order_key(order_id))
    if order is None:
        raise NotFoundError("There is no such order.")
    follow(order.correlation_id)
    return order


def _sent_before(deps: NewsDeps, order_id: OrderId, news: News) -> bool:
    return deps.table.find(SentMail, sent_mail_key(order_id, news.about)) is not None


def _send(
    deps: NewsDeps, order: Order, news: News, letter: Letter, attachments: Mapping[str, bytes]
) -> None:
    """Send the mail and note that."""
    words = deps.word(letter)
    mail = Mail(
        to=order.email,
        subject=words.subject,
        text=words.text,
        html=words.html,
        attachments=attachments,
        reply_to=letter.event.contact_mail,
        mail_id=news.mail_id(order.order_id),
    )
    send_to_buyer(deps.mailer, order, mail)
    now_ms = deps.clock.now_ms()
    sent = {"sentAt": rfc3339(now_ms), "ttl": now_ms // 1000 + SENT_MAIL_KEPT_S}
    deps.table.update(Update("reservations", *sent_mail_key(order.order_id, news.about), set=sent))
