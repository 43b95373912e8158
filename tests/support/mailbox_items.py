"""The items of a mailbox and of mails, with every attribute that they may have."""

from __future__ import annotations

from typing import Any

from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import Key, TableName
from fairgate.service.shared.mailbox_keys import mailbox_order_key, mailed_link_key, sent_mail_key

MAILBOX = Mailbox("m" * 22)


def mailbox_items(order: str, now: str) -> tuple[tuple[str, TableName, Key, dict[str, Any]], ...]:
    return (
        (
            "mailbox order",
            "reservations",
            mailbox_order_key(MAILBOX, OrderId(order)),
            {"orderId": order, "ttl": 1},
        ),
        (
            "mailed link",
            "reservations",
            mailed_link_key(MAILBOX, "0" * 32),
            {"at": now, "ttl": 1},
        ),
        ("sent mail", "reservations", sent_mail_key(order, "x"), {"sentAt": now, "ttl": 1}),
    )
