"""Make the keys of what is found by a mail address; all others are in keys.py."""

from __future__ import annotations

from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import Key

MAILBOX = "B#"  # how partitions begin
MAILED_LINK = "L#"  # how sort keys begin there, beside orders' ids
LINKS = "LINKS"  # whose buckets count requests for links: no event's id has a capital letter


def mailbox_key(mailbox: Mailbox) -> str:
    """Key the partition of what was bought with a mail address."""
    return f"{MAILBOX}{mailbox}"


def mailbox_order_key(mailbox: Mailbox, order: OrderId) -> Key:
    return Key(mailbox_key(mailbox), order)


def mailed_link_key(mailbox: Mailbox, request: str) -> Key:
    return Key(mailbox_key(mailbox), f"{MAILED_LINK}{request}")
