"""``fairgate orders invoice``: an order's invoice and credit notes as a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from fairgate_ops.operate.cli.command import Verbs, at_target

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import Document, Order
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.operate.target import Target


def add_arguments(verbs: Verbs) -> None:
    verb = verbs.add("invoice", "Write an order's invoice and credit notes as a PDF.", run_invoice)
    verb.add_argument("event")
    verb.add_argument("order")
    verb.add_argument("--to", required=True, metavar="FILE", help="is written over")


@at_target
def run_invoice(options: argparse.Namespace, target: Target) -> Report:
    """Numbers what is due and has no number yet, which is logged; of others it only reads."""
    from fairgate.adapters.tickets.invoice import document_number, documents_pdf
    from fairgate.errors import NotFoundError
    from fairgate.service.orders.read_books import find_order
    from fairgate.service.orders.read_documents import documents_of, why_none
    from fairgate_ops.operate.cli.report import Report
    from fairgate_ops.shared.whole_file import check_writable, write_whole

    check_writable(options.to)
    table, event = target.world.table, target.world.catalog.event(options.event)
    order = find_order(table, options.order)
    if order is None or order.event_id != options.event:
        raise NotFoundError(f"There is no order {options.order} of {options.event}.")
    if not order.paid_at or not (event.gives_invoices or documents_of(table, order)):
        raise why_none(order, event)
    if _is_due(target, order) and event.gives_invoices and not options.dry_run:
        detail = {"order": order.order_id}
        target.acts().do(order.event_id, "order invoice", detail, lambda: _number(target, order))
    documents = documents_of(table, order)
    if documents and not options.dry_run:
        write_whole(options.to, documents_pdf(documents))
    data = {
        "event": options.event,
        "order": order.order_id,
        "to": options.to,
        "dry_run": options.dry_run,
        "documents": [
            {"number": document_number(one), "kind": one.kind, "amount_minor": one.amount_minor}
            for one in documents
        ],
    }
    return Report(data, _lines(options, documents))


def _lines(options: argparse.Namespace, documents: Sequence[Document]) -> list[str]:
    from fairgate.adapters.tickets.invoice import document_number
    from fairgate_ops.operate.cli.money import money

    lines = ["Dry run, nothing written or numbered."] if options.dry_run else []
    lines += [
        f"{one.kind.replace('-', ' ').capitalize()} {document_number(one)}:"
        f" {money(one.amount_minor, one.currency)}"
        for one in documents
    ]
    if not documents:
        lines.append("Its invoice has no number yet, and would get one.")
    return lines if options.dry_run else [*lines, f"Written: {options.to}"]


def _is_due(target: Target, order: Order) -> bool:
    """Say whether its invoice or a credit note is missing."""
    from fairgate.service.orders.read_documents import documents_of

    documents = documents_of(target.world.table, order)
    parts = {one.part for one in documents if one.kind == "credit-note"}
    return not documents or any(part not in parts for _, part in _arrived(target, order))


def _number(target: Target, order: Order) -> None:
    from fairgate.service.orders.number_documents import DocumentOffice

    office = DocumentOffice(target.world.table, target.world.clock)
    office.invoices(order.event_id, [order.order_id])
    for payment, part in _arrived(target, order):
        office.credit_note(order.order_id, payment, part)


def _arrived(target: Target, order: Order) -> list[tuple[str, int]]:
    """Name the refunds of what it was bought with that have arrived."""
    from fairgate.service.shared.keys import refund_prefix
    from fairgate.service.shared.records.orders import OwedRefund

    refunds = target.world.table.query(OwedRefund, order.session, refund_prefix(order.order_id))
    return [
        (one.payment_id, one.part)
        for one in refunds
        if one.state == "succeeded" and order.was_bought_by(one.payment_id)
    ]
