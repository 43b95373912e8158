"""Mail the link to an address's tickets, if it has any, at least once for each request.

a message of the mail queue ──▶ the mailbox's orders ──▶ mailed ──conditional write──▶ mailed link
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from fairgate.domain.shared.ids import Mailbox
from fairgate.domain.shared.language import Language, language_of
from fairgate.domain.shared.times import rfc3339
from fairgate.domain.shared.wording import wording
from fairgate.domain.tickets.ticket_link import VALID_S, TicketLink, sign_link
from fairgate.ports.outside import Mail, Mailer
from fairgate.ports.table import Put, Table, TransactionRefusedError
from fairgate.ports.world import Clock
from fairgate.service.shared.keys import own_order_key
from fairgate.service.shared.letters import send_to_buyer
from fairgate.service.shared.mailbox_keys import mailbox_key, mailed_link_key
from fairgate.service.shared.records.mails import MailboxOrder, MailedLink
from fairgate.service.shared.records.orders import Order
from fairgate.service.shared.start_text import start_text

# Longer than a queue delivers again; a message redriven from the dead letters is mailed again.
_KEPT_S = 2 * 86_400
_ORDERS_LOOKED_AT_MAX = 20


class LinkDeps(Struct, frozen=True):
    """Mails links with what it is given of the world."""

    table: Table
    clock: Clock
    mailer: Mailer
    links_key: Callable[[], bytes]
    public_url: str  # of the pages, where the link leads


def mail_link(deps: LinkDeps, mailbox: Mailbox, request: str) -> bool:
    """Mail a link to the address of the mailbox's newest order; say whether it was done.

    So it goes to an address that bought, never to one that somebody typed. A mailbox without orders
    gets no mail. A failed mail raises, so that the message is delivered again: the mail is sent
    twice at worst, with one message id.

    Raises:
        MailNotSentError: no mail can be sent to its address.
        DependencyUnavailableError: try the message again.

    Cost: a read, a query, a read, one mail, one write; one read for a message that comes again.
    """
    key = mailed_link_key(mailbox, request)
    if deps.table.find(MailedLink, key) is not None:
        return False
    order = _newest(deps.table, mailbox)
    if order is None:
        return False
    _send(deps, order, request)
    now_ms = deps.clock.now_ms()
    record = MailedLink(*key, at=rfc3339(now_ms), ttl=now_ms // 1000 + _KEPT_S)
    try:
        deps.table.transact([Put.of(record)])
    except TransactionRefusedError:
        return True  # mailed twice at worst, and the other delivery said so first
    return True


def _newest(table: Table, mailbox: Mailbox) -> Order | None:
    """Return the newest order that still names this mailbox; ids grow with time."""
    entries = table.query(MailboxOrder, mailbox_key(mailbox), "ord_")
    for entry in entries[: -_ORDERS_LOOKED_AT_MAX - 1 : -1]:
        order = table.find(Order, own_order_key(entry.order_id))
        if order is not None and order.mailbox == mailbox:
            return order
    return None


def _send(deps: LinkDeps, order: Order, request: str) -> None:
    ends_s = deps.clock.now_ms() // 1000 + VALID_S
    token = sign_link(TicketLink(order.mailbox, ends_s), deps.links_key())
    page = f"{deps.public_url}/#/found/{token}"
    subject, text = link_mail(language_of(order.language), page, ends_s)
    mail = Mail(to=order.email, subject=subject, text=text, mail_id=f"link-{request}")
    send_to_buyer(deps.mailer, order, mail)


def link_mail(language: Language, address: str, ends_s: int) -> tuple[str, str]:
    """Return the mail's subject and text.

    Args:
        address: of the page that shows the tickets.
        ends_s: when the link ends, epoch seconds.
    """
    words = wording(language)
    until = start_text(rfc3339(ends_s * 1000), "UTC", language)
    return words("link.subject"), words("link.text", address=address, until=until)
