"""Records of sent mails, and of orders by their mail address."""

from __future__ import annotations

from fairgate.domain.shared.ids import OrderId
from fairgate.service.shared.records import ReservationsRecord


class MailboxOrder(ReservationsRecord, frozen=True, kw_only=True):
    """An order that took money, in the list of its mail address."""

    order_id: OrderId
    ttl: int = 0  # set when the address is erased or changed


class MailedLink(ReservationsRecord, frozen=True, kw_only=True):
    """Notes that a requested mail with the link to an address's orders was sent."""

    at: str
    ttl: int


class SentMail(ReservationsRecord, frozen=True, kw_only=True):
    """Notes that a mail was sent, so that it is sent once. Orders note the mail of tickets."""

    sent_at: str
    ttl: int
