"""Return the state of an order's refund, as its buyer may know it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from msgspec import Struct

from fairgate.domain.orders.order import RefundStatus
from fairgate.service.shared.keys import refund_prefix, task_id, task_key
from fairgate.service.shared.records.orders import (
    ManualTask,
    OwedRefund,
    RefundProgress,
    TaskKind,
)

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.orders import Order

_LEAST_GOOD_FIRST: tuple[RefundStatus, ...] = get_args(RefundStatus)
_STATUS: Mapping[RefundProgress, RefundStatus] = {
    "owed": "owed",
    "pending": "sent",
    "succeeded": "arrived",
    "failed": "attention",
    "refused": "attention",
}
# The task about a refund in this state. The last two have one only if the provider does not know
# the refund any more.
_TASK: Mapping[RefundProgress, TaskKind] = {
    "failed": "refund-failed",
    "refused": "refund-refused",
    "pending": "refund-missing",
    "succeeded": "refund-missing",
}


class BuyersRefund(Struct, frozen=True):
    """The state of an order's refund; of several captures, the least advanced.

    ``second_payment``: one of them did not buy the order's tickets.
    """

    state: RefundStatus
    amount_minor: int
    second_payment: bool = False


def refund_status(table: Table, order: Order) -> BuyersRefund | None:
    """Read the state of the order's refund; None if nothing is owed back.

    A second payment of an order that keeps its tickets is owed back as well.

    Cost: none for an order that waits for its payment or its tickets. Else a query, and a read for
    each capture that is owed back.
    """
    if order.state in ("pending", "paid"):
        return None
    by_status = defaultdict[RefundStatus, list[OwedRefund]](list)
    for owed in table.query(OwedRefund, order.session, refund_prefix(order.order_id)):
        by_status[_status(table, owed)].append(owed)
    if not by_status:
        return None
    worst = min(by_status, key=_LEAST_GOOD_FIRST.index)
    amount_minor = sum(owed.amount_minor for owed in by_status[worst])
    others = any(owed.payment_id != order.payment_id for owed in by_status[worst])
    return BuyersRefund(worst, amount_minor, others)


def _status(table: Table, owed: OwedRefund) -> RefundStatus:
    if owed.state == "owed":
        return "arrived" if owed.sent_at else "owed"  # sent before states were kept
    # each refund that came back has its own task
    thing = (owed.refund_id if owed.state == "failed" else "") or owed.thing
    name = task_id(_TASK[owed.state], owed.event_id, owed.order_id, owed.payment_id, thing)
    task = table.find(ManualTask, task_key(name))
    if task is not None:
        return "handled" if task.done_at else "attention"
    return _STATUS[owed.state]
