"""Read an order's invoice and credit notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate.domain.shared.ids import ORDER_ID, OrderId
from fairgate.domain.shared.language import language_of
from fairgate.errors import NotFoundError, WrongStateError
from fairgate.request_ids import follow
from fairgate.service.shared.keys import document_key, event_key, own_order_key
from fairgate.service.shared.records.catalog import Event
from fairgate.service.shared.records.orders import Document, Order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.domain.shared.language import Language
    from fairgate.ports.table import Table

NO_SELLER = "The organiser gives no invoices for this event."
NOT_SOLD = "This order was not paid for: there is no invoice of it."
NOT_YET = "The invoice is made within minutes after the time to pay is over. Please try again then."


def documents_of(table: Table, order: Order) -> Sequence[Document]:
    """Read an order's documents in the order of their numbers; () while it has none."""
    key = document_key(order.order_id)
    documents = table.query(Document, key.pk, key.sk)
    return sorted(documents, key=lambda document: document.number)


def read_own_documents(
    table: Table, *, user: str, order: str
) -> tuple[Sequence[Document], Language]:
    """Read all documents of the user's own order, its invoice first, and the order's language.

    Raises:
        NotFoundError: no such order, or somebody else's.
        WrongStateError: there is no invoice, by its ``reason``: ``not-sold``, ``no-seller``, or
            ``not-yet``.

    Consistency: strong. Cost: a read and a query; another read where there is none.
    """
    own = None
    if ORDER_ID.fullmatch(order):
        own = table.find(Order, own_order_key(OrderId(order)))
    if own is None or own.user_id != user:
        raise NotFoundError("You have no such order.")
    follow(own.correlation_id)
    documents = documents_of(table, own)
    if not documents:
        raise why_none(own, table.find(Event, event_key(own.event_id)))
    return documents, language_of(own.language)


def why_none(order: Order, event: Event | None) -> WrongStateError:
    """Say why an order has no invoice."""
    if not order.paid_at:
        return WrongStateError(NOT_SOLD, reason="not-sold", state=order.state)
    if event is None or not event.gives_invoices:
        return WrongStateError(NO_SELLER, reason="no-seller", state=order.state)
    return WrongStateError(NOT_YET, reason="not-yet", state=order.state)
