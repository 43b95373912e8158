"""What the jobs run: the command's functions, imported by the function of the jobs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairgate_ops.operate.cli import (
    audit,
    books,
    books_import,
    event_cancel,
    export_rows,
    order_invoice,
    orders,
    sale_report_job,
    simulate,
    tickets,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fairgate_ops.operate.cli.report import Spoken

JOB_RUNS: Mapping[str, Callable[[argparse.Namespace], Spoken]] = {
    "event cancel": event_cancel.run_cancel,
    "orders reconcile": orders.run_reconcile,
    "orders invoice": order_invoice.run_invoice,
    "books check": books.run_check,
    "books import": books_import.run_import,
    "audit check": audit.run_check,
    "audit export": audit.run_export,
    "audit items": audit.run_items,
    "ticket void-list": tickets.run_void_list,
    "export orders": export_rows.run_orders,
    "export ledger": export_rows.run_ledger,
    "export movements": export_rows.run_movements,
    "simulate": simulate.run_simulate,
    "report": sale_report_job.run_report,
}
