"""Make the keys of mails, and of items that are found by an address. Others are in keys.py."""

from __future__ import annotations

from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import Key

MAILBOX = "B#"  # how partitions begin
MAILED_LINK = "L#"  # how sort keys begin there; the others are orders' ids
MAIL = "MAIL"  # how the partitions of sent mails begin
LINKS = "LINKS"  # whose buckets count requests for links: no event's id has a capital letter


def mailbox_key(mailbox: Mailbox) -> str:
    """Key the partition of the orders of a mail address."""
    return f"{MAILBOX}{mailbox}"


def mailbox_order_key(mailbox: Mailbox, order: OrderId) -> Key:
    return Key(mailbox_key(mailbox), order)


def mailed_link_key(mailbox: Mailbox, request: str) -> Key:
    return Key(mailbox_key(mailbox), f"{MAILED_LINK}{request}")


def sent_mail_key(order: str, about: str) -> Key:
    """Key that a mail about something of an order was sent."""
    return Key(f"{MAIL}#{order}", about)


def shape_of_mail(first: str, sk: str) -> str | None:
    """Name the kind of item; None if it is not one of these."""
    if first == MAILBOX[0]:
        return "mailed link" if sk.startswith(MAILED_LINK) else "mailbox order"
    return "sent mail" if first == MAIL else None
