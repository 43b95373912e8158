"""Note a refund outside Fairgate of money that we did not owe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.amount_text import money_text

if TYPE_CHECKING:
    from fairgate.ports.payments import Refund
    from fairgate.ports.table import Action
    from fairgate.service.ledger.manual_tasks import ManualTasks
    from fairgate.service.shared.records.orders import Order, TaskKind


def note_refunded_elsewhere(tasks: ManualTasks, order: Order, refund: Refund) -> bool:
    """Write the task about a refund outside Fairgate of a sold order; False: it was known."""
    if (judged := _judged(order, refund)) is None:
        return False
    kind, what = judged
    return tasks.note(kind, what, **_about(order, refund))


def noted_elsewhere(tasks: ManualTasks, order: Order, refund: Refund) -> list[Action]:
    """Return the write of that task, for the transaction that notes the refund; [] if known."""
    if (judged := _judged(order, refund)) is None:
        return []
    kind, what = judged
    return tasks.noted(kind, what, **_about(order, refund))


def _judged(order: Order, refund: Refund) -> tuple[TaskKind, str] | None:
    if refund.amount_minor < order.total_minor:
        part = money_text(refund.amount_minor, order.currency)
        what = f"Refunded in part outside Fairgate, {part}; its tickets are valid: decide."
        return "refunded-in-part", what
    if order.state not in ("paid", "ticketed", "disputed"):
        return None
    what = "Refunded outside Fairgate, and its tickets are valid: cancel the order or charge again."
    return "refunded-elsewhere", what


def _about(order: Order, refund: Refund) -> dict[str, str]:
    return {
        "event": order.event_id,
        "order": order.order_id,
        "payment": refund.payment,
        "thing": refund.id,
    }
