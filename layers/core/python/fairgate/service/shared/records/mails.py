"""What is kept of mails, and what finds orders by a mail address."""

from __future__ import annotations

from typing import ClassVar

from fairgate.domain.shared.ids import OrderId
from fairgate.ports.record import Record, TableName


class MailboxOrder(Record, frozen=True, kw_only=True):
    """An order that took money, among all that were bought with its mail address."""

    table: ClassVar[TableName] = "reservations"

    order_id: OrderId
    ttl: int = 0  # of one whose address was erased


class MailedLink(Record, frozen=True, kw_only=True):
    """A mark: the mail that somebody asked for, with the link to an address's orders, was sent."""

    table: ClassVar[TableName] = "reservations"

    at: str
    ttl: int


class SentMail(Record, frozen=True, kw_only=True):
    """That a mail was sent: it is not sent again. Tickets are marked in their order."""

    table: ClassVar[TableName] = "reservations"

    sent_at: str
    ttl: int
