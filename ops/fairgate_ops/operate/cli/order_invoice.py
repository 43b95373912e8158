"""``fairgate orders invoice``: an order's invoice and credit notes as a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from fairgate.adapters.tickets.invoice import document_number, documents_pdf
from fairgate.domain.shared.language import language_of
from fairgate.service.books.number_documents import DocumentOffice
from fairgate.service.orders.read_documents import documents_of, why_none
from fairgate.service.shared.keys import refund_prefix
from fairgate.service.shared.records.orders import Document, Order, OwedRefund
from fairgate_ops.operate.cli.act import Act
from fairgate_ops.operate.cli.command import at_target
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.order_shape import order_of
from fairgate_ops.operate.cli.report import Report
from fairgate_ops.operate.target import Target
from fairgate_ops.shared.whole_file import check_writable, write_whole


@at_target
def run_invoice(options: argparse.Namespace, target: Target) -> Act[None]:
    """Numbers what is due and has no number yet, which is logged; of others it only reads."""
    check_writable(options.to)
    table, event = target.world.table, target.world.catalog.event(options.event)
    order = order_of(target, options.order, options.event)
    if not order.paid_at or not (event.gives_invoices or documents_of(table, order)):
        raise why_none(order, event)
    is_due = event.gives_invoices and _is_due(target, order)

    def report(_done: None) -> Report:
        documents = documents_of(table, order)
        if documents:
            write_whole(options.to, documents_pdf(documents, language_of(order.language)))
        report = _report(options, order, documents)
        return report._replace(lines=[*report.lines, f"Written: {options.to}"])

    return Act(
        name="order invoice",
        events=[order.event_id] if is_due else [],
        detail={"order": order.order_id},
        do=lambda: _number(target, order) if is_due else None,
        would=lambda: _report(options, order, documents_of(table, order)),
        report=report,
    )


def _report(options: argparse.Namespace, order: Order, documents: Sequence[Document]) -> Report:
    data = {
        "event": options.event,
        "order": order.order_id,
        "to": options.to,
        "documents": [
            {"number": document_number(one), "kind": one.kind, "amount_minor": one.amount_minor}
            for one in documents
        ],
    }
    lines = [
        f"{one.kind.replace('-', ' ').capitalize()} {document_number(one)}:"
        f" {money(one.amount_minor, one.currency)}"
        for one in documents
    ]
    return Report(data, lines or ["Its invoice has no number yet, and would get one."])


def _is_due(target: Target, order: Order) -> bool:
    """Say whether its invoice or a credit note is missing."""
    documents = documents_of(target.world.table, order)
    parts = {one.part for one in documents if one.kind == "credit-note"}
    return not documents or any(part not in parts for _, part in _arrived(target, order))


def _number(target: Target, order: Order) -> None:
    office = DocumentOffice(target.world.table, target.world.clock)
    office.invoices(order.event_id, [order.order_id])
    for payment, part in _arrived(target, order):
        office.credit_note(order.order_id, payment, part)


def _arrived(target: Target, order: Order) -> list[tuple[str, int]]:
    """Name the refunds of what it was bought with that have arrived."""
    refunds = target.world.table.query(OwedRefund, order.session, refund_prefix(order.order_id))
    return [
        (one.payment_id, one.part)
        for one in refunds
        if one.state == "succeeded" and order.was_bought_by(one.payment_id)
    ]
