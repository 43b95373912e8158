"""Keep an event's figures from the sale start on: one item of at most ``POINTS_MAX`` points.

When it is full, every second point goes and the step doubles. A point is what the figures said at
one time; nothing is put in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from fairgate.domain.shared.times import epoch_ms
from fairgate.ports.record import DamagedItemError, decode_json
from fairgate.ports.table import IS_NEW, TransactionRefusedError, Update
from fairgate.service.shared.conditions import HISTORY_AS_READ
from fairgate.service.shared.keys import history_key
from fairgate.service.shared.records.gate import HistoryRecord

if TYPE_CHECKING:
    from fairgate.ports.table import Table
    from fairgate.service.shared.records.catalog import Event
    from fairgate.service.watch.figures import Figures, Part

POINTS_MAX = 600
STEP_S = 10  # the first step: the pace of the figures
LEAD_MS = 30 * 60_000  # before the sale start, while the waiting room fills
GAP_STEPS = 2.5  # two points that are further apart have a gap between them
_HALF_A_RUN_MS = STEP_S * 500  # runs come some moments early or late
KEPT_S = 30 * 86_400

Value = float | int | None
Row = list[Value]  # epoch ms, then a value for each column
# Parts of the figures, and their columns. New ones go to the end: kept rows are shorter then.
COLUMNS = (
    *(("room", one) for one in ("joined", "waiting", "live", "live_max", "admitted_per_s")),
    *(("gate", "tau_s"), ("room", "refused_full"), ("seats", "held"), ("seats", "sold")),
    *(("sale", one) for one in ("tickets", "paid", "revenue_minor", "declined", "failed")),
    *(("sale", "ended_unpaid"), ("desk", "flagged"), ("desk", "locked")),
)


class Kept(Struct):
    """The item's document."""

    step_s: int = STEP_S
    rows: list[Row] = []

    def due(self, now_ms: int) -> bool:
        return not self.rows or now_ms >= self.last_ms + self.step_s * 1000 - _HALF_A_RUN_MS

    @property
    def last_ms(self) -> int:
        return int(self.rows[-1][0] or 0)

    def add(self, row: Row) -> None:
        """Add a point; halve the points when there are more than POINTS_MAX.

        The first and the last point stay, because POINTS_MAX is even.
        """
        self.rows.append(row)
        if len(self.rows) > POINTS_MAX:
            self.rows, self.step_s = self.rows[::2], self.step_s * 2


class History(Struct, frozen=True, kw_only=True):
    """Columns of equal length: the times, and what each figure was then; null: not known.

    A row of nulls stands where no figures were made. Counts are totals so far.

    Attributes:
        at_s: epoch seconds.
        step_s: the distance of points.
    """

    event: str
    now: str = ""
    step_s: int
    at_s: Sequence[float]
    joined: Sequence[int | None]
    waiting: Sequence[int | None]
    live: Sequence[int | None]
    live_max: Sequence[int | None]
    admitted_per_s: Sequence[float | None]
    tau_s: Sequence[float | None]
    refused_full: Sequence[int | None]
    held: Sequence[int | None]
    sold: Sequence[int | None]
    tickets: Sequence[int | None]
    paid: Sequence[int | None]
    revenue_minor: Sequence[int | None]
    declined: Sequence[int | None]
    failed: Sequence[int | None]
    ended_unpaid: Sequence[int | None]
    flagged: Sequence[int | None]
    locked: Sequence[int | None]


def row_of(figures: Figures) -> Row:
    """Make a point. What a part could not read this time is not known then."""
    row: Row = [epoch_ms(figures.at)]
    for name, column in COLUMNS:
        part: Part = getattr(figures, name)
        value = None if part.error else getattr(part, column)
        row.append(round(value, 3) if isinstance(value, float) else value)
    return row


def keep_point(table: Table, sale: Event, figures: Figures, due_ms: int) -> int:
    """Add a point if one is due; return from when on the next one can be due.

    Cost: a read and a write for each point; nothing where none is due. Of two runs at the same time
    one writes: the other's point is dropped.

    Raises DependencyUnavailableError.

    Args:
        due_ms: what the last call returned; 0: not known.
    """
    now_ms = epoch_ms(figures.at)
    if now_ms < max(due_ms, epoch_ms(sale.sale_starts_at) - LEAD_MS):
        return due_ms
    condition, values, version, kept = _read(table, sale.id)
    if kept.due(now_ms):
        kept.add(row_of(figures))
        document = msgspec.json.encode(kept).decode()
        body = {"document": document, "version": version + 1, "ttl": now_ms // 1000 + KEPT_S}
        key = history_key(sale.id)
        try:
            table.update(Update("reservations", *key, condition, values, set=body))
        except TransactionRefusedError:
            return 0  # another run wrote it
    return kept.last_ms + kept.step_s * 1000 - _HALF_A_RUN_MS


def _read(table: Table, event: str) -> tuple[str, dict[str, int], int, Kept]:
    """Return a condition that nobody wrote since, its values, the version, what is kept."""
    try:
        record = table.find(HistoryRecord, history_key(event))
    except DamagedItemError:
        return "", {}, 0, Kept()
    if record is None:
        return IS_NEW, {}, 0, Kept()
    kept = decoded(record) or Kept()
    return HISTORY_AS_READ, {"version": record.version}, record.version, kept


def decoded(record: HistoryRecord) -> Kept | None:
    """Return what is kept; None: another version wrote something else."""
    try:
        return decode_json(record.document, Kept)
    except msgspec.DecodeError:
        return None


def columns_of(event: str, kept: Kept) -> History:
    """Make columns of the points, with a row of nulls in each gap."""
    rows: list[Row] = []
    gap_ms = kept.step_s * 1000 * GAP_STEPS
    for row in kept.rows:
        if rows and _at_ms(row) - _at_ms(rows[-1]) > gap_ms:
            rows.append([_at_ms(rows[-1]) + kept.step_s * 1000])
        rows.append(row)
    columns = {
        name: [row[number] if number < len(row) else None for row in rows]
        for number, (_, name) in enumerate(COLUMNS, start=1)
    }
    at_s = [_at_ms(row) / 1000 for row in rows]
    return History(event=event, step_s=kept.step_s, at_s=at_s, **columns)  # type: ignore[arg-type]


def _at_ms(row: Row) -> int:
    return int(row[0] or 0)
