"""Show an order to its buyer with what may become of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.http.views.orders import OrderView, order_view
from fairgate.service.refunds.cancel_terms import cancel_offer
from fairgate.service.refunds.refund_status import refund_status
from fairgate.service.tickets.pass_terms import pass_terms

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.shared.records.orders import Order


def order_page(
    table: Table, order: Order, event: Event | None, now_ms: int, *, mails: bool
) -> OrderView:
    """Return the order, its refund, and what of it may be given back or passed on.

    Args:
        event: None if it cannot be read.
        mails: whether this deployment sends any.
    """
    terms = cancel_offer(order, event)
    passing = pass_terms(order, event, order.user_id, now_ms)
    invoice = bool(order.paid_at and event and event.gives_invoices)
    refund = refund_status(table, order)
    return order_view(order, refund, terms, passing, invoice=invoice, mails=mails)
