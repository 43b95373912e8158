"""Notice what another hand has refunded, though we owed nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairgate.ports.payments import Refund
    from fairgate.service.orders.duties import Duties
    from fairgate.service.shared.records.orders import Order


def note_refunded_elsewhere(duties: Duties, order: Order, refund: Refund) -> bool:
    """Write down that another hand has refunded what an order was bought with."""
    about = {
        "event": order.event_id,
        "order": order.order_id,
        "payment": refund.payment,
        "thing": refund.id,
    }
    if refund.amount_minor < order.total_minor:
        part = f"{refund.amount_minor} (minor units)"
        what = f"Refunded in part by another hand, {part}; its tickets are valid: decide."
        return duties.note("refunded-in-part", what, **about)
    if order.state not in ("paid", "ticketed", "disputed"):
        return False  # of a disputed one the tickets are valid again when it is won
    what = "Refunded by another hand, and its tickets are valid: cancel the order or charge again."
    return duties.note("refunded-elsewhere", what, **about)
