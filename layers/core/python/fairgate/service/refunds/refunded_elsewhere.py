"""Notice what another hand has refunded, though we owed nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairgate.ports.payments import Refund
    from fairgate.ports.table import Action
    from fairgate.service.ledger.manual_tasks import ManualTasks
    from fairgate.service.shared.records.orders import Order, TaskKind


def note_refunded_elsewhere(tasks: ManualTasks, order: Order, refund: Refund) -> bool:
    """Write down that another hand has refunded what an order was bought with; False: known."""
    if (judged := _judged(order, refund)) is None:
        return False
    kind, what = judged
    return tasks.note(kind, what, **_about(order, refund))


def noted_elsewhere(tasks: ManualTasks, order: Order, refund: Refund) -> list[Action]:
    """Return what writes it down, together with what made it known; [] where it was."""
    if (judged := _judged(order, refund)) is None:
        return []
    kind, what = judged
    return tasks.noted(kind, what, **_about(order, refund))


def _judged(order: Order, refund: Refund) -> tuple[TaskKind, str] | None:
    if refund.amount_minor < order.total_minor:
        part = f"{refund.amount_minor} (minor units)"
        what = f"Refunded in part by another hand, {part}; its tickets are valid: decide."
        return "refunded-in-part", what
    if order.state not in ("paid", "ticketed", "disputed"):
        return None  # of a disputed one the tickets are valid again when it is won
    what = "Refunded by another hand, and its tickets are valid: cancel the order or charge again."
    return "refunded-elsewhere", what


def _about(order: Order, refund: Refund) -> dict[str, str]:
    return {
        "event": order.event_id,
        "order": order.order_id,
        "payment": refund.payment,
        "thing": refund.id,
    }
