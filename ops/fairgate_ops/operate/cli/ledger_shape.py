"""Show an entry of the ledger as a document, as a row and as a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairgate_ops.operate.cli.order_shape import no_formula
from fairgate_ops.operate.cli.record_stream import Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fairgate.service.shared.records.orders import LedgerEntry

COLUMNS = ("at", "kind", "amount_minor", "currency", "order", "payment", "thing", "entry", "event")


def as_json(entry: LedgerEntry) -> dict[str, Any]:
    """Of an entry everything: it names no buyer."""
    return {
        "at": entry.at,
        "kind": entry.kind,
        "amount_minor": entry.amount_minor,
        "currency": entry.currency,
        "order": entry.order_id,
        "payment": entry.payment_id,
        "thing": entry.thing,
        "entry": entry.entry_id,
        "event": entry.event_id,
    }


def as_row(entry: LedgerEntry) -> Sequence[str | int]:
    """Return a cell for each of ``COLUMNS``, none of them a formula."""
    cells = as_json(entry)
    return [no_formula(cells[column]) for column in COLUMNS]


def as_line(entry: LedgerEntry) -> str:
    """Return a line for a terminal, with nothing in it that a terminal would obey."""
    from fairgate_ops.operate.cli.money import money

    amount = money(entry.amount_minor, entry.currency)
    line = (
        f"{entry.at}  {entry.kind:<15} {amount:>15}  {entry.order_id}  {entry.payment_id}"
        f"  {entry.thing}"
    )
    return "".join(letter if letter.isprintable() else "?" for letter in line.rstrip())


SHAPE: Shape[LedgerEntry] = Shape(("entry", "entries"), COLUMNS, as_json, as_row, as_line)
