"""An order is found among its event's orders: the law of the index that staff lists by."""

from __future__ import annotations

from fairgate.ports.record import GSI1PK, GSI1SK, PK
from fairgate.service.shared.keys import event_orders_index, order_in_event
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
