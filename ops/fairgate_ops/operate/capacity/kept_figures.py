"""Say what the history of an event's figures costs the table. Modelled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fairgate.service.watch.history import COLUMNS, LEAD_MS, STEP_S, Kept
from fairgate_ops.operate.capacity.access import READ_BYTES
from fairgate_ops.operate.capacity.cost import READ_UNIT, WRITE_UNIT

if TYPE_CHECKING:
    from fairgate_ops.operate.capacity.inputs import Inputs

KB = 1_024  # a write unit; consistent reads take READ_BYTES a unit
_AT_MS = 1_790_000_000_000


class Units(NamedTuple):
    """What a sale's points take, and the most of a second, as a mean over a step."""

    points: int
    item_bytes: int
    writes: int
    reads: int
    writes_per_s: float
    reads_per_s: float


def history_units(inputs: Inputs) -> Units:
    """Count the units from the first point to the end of the sale, at the widest figures.

    An item is read before each point, and written with it.
    """
    widest = math.ceil(inputs.waiting)
    values = [widest + 0.123 if "_s" in column else widest for _, column in COLUMNS]
    row_bytes = len(msgspec.json.encode([_AT_MS, *values])) + 1
    kept, points, largest, writes, reads = Kept(), 0, 0, 0, 0
    writes_per_s = reads_per_s = 0.0
    for second in range(0, round(inputs.sale_hours * 3_600 + LEAD_MS / 1_000), STEP_S):
        at_ms = _AT_MS + second * 1_000
        if not kept.due(at_ms):
            continue
        read = math.ceil(len(kept.rows) * row_bytes / READ_BYTES)
        before, step_s = len(kept.rows), kept.step_s
        kept.add([at_ms])
        size = max(before, len(kept.rows)) * row_bytes  # DynamoDB charges for the larger
        written = math.ceil(size / KB)
        points, writes, reads = points + 1, writes + written, reads + read
        largest = max(largest, size)
        writes_per_s = max(writes_per_s, written / step_s)
        reads_per_s = max(reads_per_s, read / step_s)
    return Units(points, largest, writes, reads, writes_per_s, reads_per_s)


def kept_figures(inputs: Inputs) -> str:
    units = history_units(inputs)
    dollars = units.writes * WRITE_UNIT + units.reads * READ_UNIT
    return (
        f"The history of an event's figures, which operators see, is one item of at most"
        f" {units.item_bytes / KB:,.0f} KB. Modelled, at its widest:\nat most"
        f" {units.writes_per_s:.1f} write units and {units.reads_per_s:.1f} read units a second;"
        f" in a sale of {inputs.sale_hours:g} hours {units.points:,} points, {units.writes:,}"
        f" write units and\n{units.reads:,} read units, {dollars:.3f} dollars. Counts by section"
        " add no write. Those who watch add a read of each of the two items\nin ten seconds for"
        " each environment of `operator`.\n"
    )
