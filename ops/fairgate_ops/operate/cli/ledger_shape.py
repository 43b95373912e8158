"""Show an entry of the ledger as a document, as a row and as a line, with its payout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fairgate.ports.table import Table
from fairgate.service.books.read_movements import payouts_of
from fairgate.service.shared.readable import Readable
from fairgate.service.shared.records.orders import LedgerEntry
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.record_stream import Shape
from fairgate_ops.shared.spreadsheet import cells_of

COLUMNS = (
    *("at", "kind", "amount", "currency", "order", "payment", "thing", "entry", "event"),
    "payout",
)
_FEES = ("fee", "fee-dispute")


class WithPayouts:
    """Knows which payouts the entries at hand went with: those that are said next."""

    def __init__(self) -> None:
        self._payouts: dict[str, str] = {}

    def read(
        self, table: Table, found: Iterable[Readable[LedgerEntry]]
    ) -> Iterator[Readable[LedgerEntry]]:
        """Yield the same. Cost: a batch for each hundred in which there are fees."""
        for some in found:
            moves = [entry.thing for entry in some.records if entry.kind in _FEES]
            self._payouts = payouts_of(table, moves)
            yield some

    @property
    def shape(self) -> Shape[LedgerEntry]:
        nouns = ("entry", "entries")
        return Shape(nouns, COLUMNS, self.as_json, self.as_row, self.as_line)

    def as_json(self, entry: LedgerEntry) -> dict[str, Any]:
        """Of an entry everything: it names no buyer. The fee says which payout it went with."""
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
            "payout": self._payouts.get(entry.thing, ""),
        }

    def as_row(self, entry: LedgerEntry) -> Sequence[str | int]:
        """Return a cell for each of ``COLUMNS``, none of them a formula."""
        return cells_of(self.as_json(entry), COLUMNS)

    def as_line(self, entry: LedgerEntry) -> str:
        """Return a line for a terminal, with nothing in it that a terminal would obey."""
        amount = money(entry.amount_minor, entry.currency)
        line = (
            f"{entry.at}  {entry.kind:<15} {amount:>15}  {entry.order_id}  {entry.payment_id}"
            f"  {entry.thing}  {self._payouts.get(entry.thing, '')}"
        )
        return "".join(letter if letter.isprintable() else "?" for letter in line.rstrip())
