"""Decide that a capture is owed back; ``refunds.py`` sends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.times import rfc3339
from fairgate.ports.table import Put
from fairgate.service.shared.due import refund_due
from fairgate.service.shared.keys import refund_key
from fairgate.service.shared.records.orders import OwedRefund
from fairgate.service.shared.tally import refund_owed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.ports.table import Action
    from fairgate.service.shared.records.orders import Order, OrderUnit


def owed_refund(
    order: Order,
    payment: str,
    amount_minor: int,
    now_ms: int,
    *,
    part: int = 0,
    gone: Sequence[OrderUnit] = (),
    revenue_minor: int = 0,
    currency: str = "",
) -> list[Action]:
    """Return what the transaction that decides a refund writes; for no money, only the count.

    Args:
        gone: the places of a sold order that are given back, with their ``revenue_minor``.
        currency: of the capture, if it is not the order's.
    """
    counted = refund_owed(order, amount_minor, gone=gone, revenue_minor=revenue_minor)
    if not amount_minor:
        return [counted]
    owed = OwedRefund(
        *refund_key(order.session, order.order_id, payment, part),
        order_id=order.order_id,
        event_id=order.event_id,
        payment_id=payment,
        amount_minor=amount_minor,
        part=part,
        owed_at=rfc3339(now_ms),
        correlation_id=order.correlation_id,
        currency=currency or order.currency,
    )
    return [Put.of(owed), refund_due(order.order_id, payment, now_ms, part=part), counted]
