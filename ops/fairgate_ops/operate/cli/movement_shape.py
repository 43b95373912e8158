"""Show a movement of the provider's balance as a document, as a row and as a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fairgate.ports.table import Table
from fairgate.service.books.read_movements import payouts_of
from fairgate.service.shared.readable import Readable
from fairgate.service.shared.records.movements import MovementRecord
from fairgate_ops.operate.cli.money import money
from fairgate_ops.operate.cli.record_stream import Shape
from fairgate_ops.shared.spreadsheet import cells_of

COLUMNS = (
    *("at", "kind", "amount", "fee", "net", "currency", "event", "order"),
    *("payment", "thing", "movement", "payout"),
)


class Movements:
    """Knows which payouts the movements at hand went with: those that are said next."""

    def __init__(self) -> None:
        self._payouts: dict[str, str] = {}

    def read(
        self, table: Table, found: Iterable[Readable[MovementRecord]]
    ) -> Iterator[Readable[MovementRecord]]:
        for some in found:
            self._payouts = payouts_of(table, [one.movement_id for one in some.records])
            yield some

    @property
    def shape(self) -> Shape[MovementRecord]:
        nouns = ("movement", "movements")
        return Shape(nouns, COLUMNS, self.as_json, self.as_row, self.as_line)

    def as_json(self, moved: MovementRecord) -> dict[str, Any]:
        return {
            "at": moved.at,
            "kind": moved.kind,
            "amount_minor": moved.amount_minor,
            "fee_minor": moved.fee_minor,
            "net_minor": moved.net_minor,
            "currency": moved.currency,
            "event": moved.event_id,
            "order": moved.order_id,
            "payment": moved.payment_id,
            "thing": moved.thing,
            "movement": moved.movement_id,
            "payout": self._payouts.get(moved.movement_id, ""),
        }

    def as_row(self, moved: MovementRecord) -> Sequence[str | int]:
        """Return a cell for each of ``COLUMNS``, none of them a formula."""
        return cells_of(self.as_json(moved), COLUMNS)

    def as_line(self, moved: MovementRecord) -> str:
        """Return a line for a terminal, with nothing in it that a terminal would obey."""
        amount, fee = (
            money(minor, moved.currency) for minor in (moved.amount_minor, moved.fee_minor)
        )
        about = moved.event_id or "-"
        payout = self._payouts.get(moved.movement_id, "")
        line = (
            f"{moved.at}  {moved.kind:<15} {amount:>15}  fee {fee:>11}  {about}"
            f"  {moved.thing}  {moved.movement_id}  {payout}"
        )
        return "".join(letter if letter.isprintable() else "?" for letter in line.rstrip())
