"""An order is found among its event's orders: the law of the index that staff lists by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairgate.ports.record import GSI1PK, GSI1SK, PK
from fairgate.service.shared.keys import event_orders_index, order_in_event
from fairgate_ops.run.load.snapshot import Snapshot
from fairgate_ops.run.load.violation import Found, Violation


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
