"""Orders as their buyers see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from fairgate.domain.orders.order import LineKind, OrderState, RefundStanding

if TYPE_CHECKING:
    from fairgate.service.orders.refund_standing import BuyersRefund
    from fairgate.service.shared.records.orders import Order


class LineView(Struct, frozen=True):
    label: str
    tier: str
    kind: LineKind
    quantity: int
    price_minor: int


class RefundView(Struct, frozen=True):
    state: RefundStanding
    amount_minor: int


class OrderView(Struct, frozen=True):
    order: str
    session: str
    event: str
    state: OrderState
    total_minor: int
    currency: str
    lines: list[LineView]
    expires_at: str
    settling_until: str
    last_attempt: str | None
    tickets: int
    refund: RefundView | None


def order_view(order: Order, refund: BuyersRefund | None = None) -> OrderView:
    return OrderView(
        order=order.order_id,
        session=order.session,
        event=order.event_id,
        state=order.state,
        total_minor=order.total_minor,
        currency=order.currency,
        lines=[
            LineView(line.label, line.tier, line.kind, line.quantity, line.price_minor)
            for line in order.lines
        ],
        expires_at=order.expires_at,
        settling_until=order.settling_until,
        last_attempt=order.last_attempt or None,
        tickets=sum(unit.places for unit in order.units),
        refund=None if refund is None else RefundView(refund.state, refund.amount_minor),
    )
