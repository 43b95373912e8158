"""An order is found: among its event's by staff, and among its mail address's by its buyer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairgate.adapters.dynamodb.codec import from_item
from fairgate.domain.shared.ids import Mailbox, OrderId
from fairgate.ports.record import GSI1PK, GSI1SK, PK, SK, Key
from fairgate.service.shared.keys import (
    event_orders_index,
    order_in_event,
    shape_of,
)
from fairgate.service.shared.mailbox_keys import mailbox_order_key
from fairgate_ops.run.laws.snapshot import Snapshot
from fairgate_ops.run.laws.violation import Found, Violation


def listed(snapshot: Snapshot) -> Found:
    """Each order is listed once: by its session, among its event's, and no other session is."""
    orders = {order[PK]: order for order in snapshot.orders}
    for session in snapshot.sessions:
        where = (session.get(GSI1PK), session.get(GSI1SK))
        if not _is_place_of(orders.get(session[PK]), where):
            yield Violation("listed", session[PK], f"stands at {where}")


def _is_place_of(order: Mapping[str, Any] | None, where: tuple[str | None, str | None]) -> bool:
    if order is None:
        return where == (None, None)
    partition = event_orders_index(order["eventId"], order[PK])
    place = order_in_event(order["createdAt"], order["orderId"], order["email"])
    if "erasedAt" not in order:
        return where == (partition, place)
    # The mark of the address stays when the address goes.
    before_mark = place.rpartition("#")[0]
    return where[0] == partition and (where[1] or "").rpartition("#")[0] == before_mark


def found_by_address(snapshot: Snapshot) -> Found:
    """Each order that took money stands among those of its mail address, and nothing else does.

    One whose address was erased names no mailbox any more; what stood there is on its way out.
    """
    wanted = {
        mailbox_order_key(Mailbox(order["mailbox"]), OrderId(order["orderId"]))
        for order in snapshot.orders
        if order.get("mailbox") and order.get("paymentId")
    }
    erased = {order["orderId"] for order in snapshot.orders if "erasedAt" in order}
    keys = (
        Key(item[PK], item[SK]) for item in map(from_item, snapshot.raw.get("reservations", ()))
    )
    entries = (key for key in keys if shape_of("reservations", key) == "mailbox order")
    entered = {key for key in entries if key.sk not in erased}
    for key in sorted(wanted ^ entered):
        what = "is not entered" if key in wanted else "is entered, and took nothing"
        yield Violation("found", key.sk, f"{what} under {key.pk}")
