"""An order is found: among its event's by staff, and among its mail address's by its buyer."""

from __future__ import annotations

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK, Key
from fairgate.service.shared.keys import (
    event_orders_index,
    order_in_event,
    shape_of,
)
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate_ops.run.load.snapshot import Snapshot
from fairgate_ops.run.load.violation import Found, Violation


def listed(snapshot: Snapshot) -> Found:
    """Each order is listed once: by its session, among its event's, and no other session is."""
    wanted = {
        order[PK]: (
            event_orders_index(order["eventId"], order[PK]),
            order_in_event(order["createdAt"], order["orderId"], order["email"]),
        )
        for order in snapshot.orders
    }
    for session in snapshot.sessions:
        where = (session.get(GSI1PK), session.get(GSI1SK))
        if where != wanted.get(session[PK], (None, None)):
            yield Violation("listed", session[PK], f"stands at {where}")


def found_by_address(snapshot: Snapshot) -> Found:
    """Each order that took money stands among those of its mail address, and nothing else does."""
    wanted = {
        mailbox_order_key(Mailbox(order["mailbox"]), OrderId(order["orderId"]))
        for order in snapshot.orders
        if order.get("mailbox") and order.get("paymentId")
    }
    keys = (
        Key(item[PK], item[SK]) for item in map(from_item, snapshot.raw.get("reservations", ()))
    )
    entered = {key for key in keys if shape_of("reservations", key) == "mailbox order"}
    for key in sorted(wanted ^ entered):
        what = "is not entered" if key in wanted else "is entered, and took nothing"
        yield Violation("found", key.sk, f"{what} under {key.pk}")
